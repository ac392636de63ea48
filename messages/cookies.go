package messages

import "time"

// Cookie is one cookie of a session with all attributes (RFC 6265bis §5.7).
type Cookie struct {
	Name, Value string
	Domain      string // host in lower case without a leading dot
	HostOnly    bool   // for Domain only, not for the hosts below it
	Path        string // "" is /
	Expires     time.Time
	Secure      bool
	HTTPOnly    bool
	SameSite    string // Strict, Lax, None or "" for the default
	Partitioned bool
	Created     time.Time
}

// GetCookies asks for a session's cookies: those that a request for URL would
// carry, or all.
type GetCookies struct{ URL string }

// CookiesGot answers [GetCookies].
type CookiesGot struct{ Cookies []Cookie }

// SetCookies puts cookies into a session. If one of them could not be set by
// any server, none is, and it is Invalid.
type SetCookies struct{ Cookies []Cookie }

// CookiesSet answers [SetCookies].
type CookiesSet struct{ Set int }

// ClearCookies removes the cookies with that name, domain and path; "" is any.
type ClearCookies struct{ Name, Domain, Path string }

// CookiesCleared answers [ClearCookies].
type CookiesCleared struct{ Removed int }

func (GetCookies) answeredBy(CookiesGot)       {}
func (SetCookies) answeredBy(CookiesSet)       {}
func (ClearCookies) answeredBy(CookiesCleared) {}
