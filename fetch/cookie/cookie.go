package cookie

import "time"

// SameSite is a cookie's same-site-flag.
type SameSite string

// The same-site-flags. Default enforces Lax, with two minutes of grace for
// POST (RFC 6265bis §5.6.7.2).
const (
	Default SameSite = ""
	Strict  SameSite = "Strict"
	Lax     SameSite = "Lax"
	None    SameSite = "None"
)

// Cookie is one stored cookie with all that the jar needs to take it back.
type Cookie struct {
	Name  string
	Value string
	// Domain is a host in lower case without leading dot; with HostOnly false
	// the cookie is for all hosts below it too.
	Domain      string
	HostOnly    bool
	Path        string
	Expires     time.Time // zero: until the session ends
	Secure      bool
	HTTPOnly    bool
	SameSite    SameSite
	Partitioned bool
	Created     time.Time
}

// Context is the request that cookies are for, or the response they came with.
// Its zero value is a GET that the site itself makes.
type Context struct {
	CrossSite bool   // another site's document makes the request
	TopLevel  bool   // the request navigates a tab, not a frame or subresource
	Method    string // empty is GET
	Script    bool   // a script asks, not HTTP (a "non-HTTP" API)
}

// safe methods are those of RFC 9110 §9.2.1.
func (c Context) safe() bool {
	switch c.Method {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	return false
}

// expired tells whether c is over.
func (c *Cookie) expired(now time.Time) bool {
	return !c.Expires.IsZero() && !now.Before(c.Expires)
}
