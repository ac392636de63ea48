package weburl

import (
	"strconv"
	"strings"
)

// A URL is a parsed URL record. It is immutable, and its zero value is no URL;
// take one from [Parse] or [URL.Join].
type URL struct {
	href string
	// Offsets into href. All of them are set by index.
	scheme   int // the ':' after the scheme
	user     int // first byte of the userinfo, == host if there is none
	host     int // first byte of the host; 0 if the URL has no host
	hostEnd  int
	path     int // first byte of the path
	query    int // the '?', == fragment if there is none
	fragment int // the '#', == len(href) if there is none
}

// index finds the components of a serialized URL (URL Standard, URL serializing).
// It relies on href being the output of the serializer: only then do the first
// '/', '?' and '#' end what they seem to end.
func index(href string) *URL {
	u := &URL{href: href, fragment: len(href)}
	u.scheme = strings.IndexByte(href, ':')
	if i := strings.IndexByte(href, '#'); i >= 0 {
		u.fragment = i
	}
	u.query = u.fragment
	if i := strings.IndexByte(href[:u.fragment], '?'); i >= 0 {
		u.query = i
	}
	u.path = u.scheme + 1
	rest := href[u.path:u.query]
	if !strings.HasPrefix(rest, "//") {
		// The serializer writes "/." before a path that would read as a host.
		if strings.HasPrefix(rest, "/.//") {
			u.path += 2
		}
		return u
	}
	start := u.path + 2
	u.path = u.query
	if i := strings.IndexByte(href[start:u.query], '/'); i >= 0 {
		u.path = start + i
	}
	u.user, u.host, u.hostEnd = start, start, u.path
	if i := strings.LastIndexByte(href[start:u.path], '@'); i >= 0 {
		u.host = start + i + 1
	}
	from := u.host
	if i := strings.IndexByte(href[from:u.path], ']'); i >= 0 {
		from += i
	}
	if i := strings.IndexByte(href[from:u.path], ':'); i >= 0 {
		u.hostEnd = from + i
	}
	return u
}

// String is the serialized URL, fragment and all.
func (u *URL) String() string { return u.href }

// Scheme is the scheme in lower case, without its colon.
func (u *URL) Scheme() string { return u.href[:u.scheme] }

// Hostname is the host as serialized: lower-case ASCII, IPv6 in brackets; ""
// for an empty host and for none.
func (u *URL) Hostname() string { return u.href[u.host:u.hostEnd] }

// Host is the hostname with the port where that is not the scheme's default,
// as in a Host header.
func (u *URL) Host() string {
	if u.host == 0 {
		return ""
	}
	return u.href[u.host:u.path]
}

// Port is the port in decimal; "" for none and for the scheme's default.
func (u *URL) Port() string {
	if u.host == 0 || u.hostEnd == u.path {
		return ""
	}
	return u.href[u.hostEnd+1 : u.path]
}

// EffectivePort is the port to connect to: Port or the scheme's default; 0 if
// the scheme has none.
func (u *URL) EffectivePort() int {
	if p := u.Port(); p != "" {
		n, _ := strconv.Atoi(p) // the serializer wrote it: 0..65535
		return n
	}
	return defaultPort(u.Scheme())
}

// Username is the user name, still percent-encoded.
func (u *URL) Username() string {
	name, _, _ := strings.Cut(u.userinfo(), ":")
	return name
}

// Password is the password, still percent-encoded.
func (u *URL) Password() string {
	_, pass, _ := strings.Cut(u.userinfo(), ":")
	return pass
}

func (u *URL) userinfo() string {
	if u.user == u.host {
		return ""
	}
	return u.href[u.user : u.host-1]
}

// WithoutCredentials is u without user name and password.
func (u *URL) WithoutCredentials() *URL {
	if u.user == u.host {
		return u
	}
	return index(u.href[:u.user] + u.href[u.host:])
}

// Origin is the serialized origin, such as "https://a.test:8443": the default
// port is dropped, and an opaque origin is "null" (URL Standard, Origin; a file
// URL's origin is opaque here, as browsers have it).
func (u *URL) Origin() string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		if u.user == u.host {
			return u.href[:u.path]
		}
		return u.href[:u.user] + u.href[u.host:u.path]
	case "blob":
		inner, err := Parse(u.Path())
		if err == nil && (inner.Scheme() == "http" || inner.Scheme() == "https") {
			return inner.Origin()
		}
	}
	return "null"
}

// Path is the path as serialized; it starts with '/' for every special scheme.
func (u *URL) Path() string { return u.href[u.path:u.query] }

// OpaquePath says that the path is no list of segments, as in "mailto:a@b.test".
func (u *URL) OpaquePath() bool {
	return u.host == 0 && (u.path == u.query || u.href[u.path] != '/')
}

// HasQuery says that the URL has a query, which may be empty.
func (u *URL) HasQuery() bool { return u.query < u.fragment }

// Query is the query without its '?'.
func (u *URL) Query() string {
	if u.query == u.fragment {
		return ""
	}
	return u.href[u.query+1 : u.fragment]
}

// RequestURI is path and query, as in an HTTP request line.
func (u *URL) RequestURI() string { return u.href[u.path:u.fragment] }

// HasFragment says that the URL has a fragment, which may be empty.
func (u *URL) HasFragment() bool { return u.fragment < len(u.href) }

// Fragment is the fragment without its '#', still percent-encoded.
func (u *URL) Fragment() string {
	if u.fragment == len(u.href) {
		return ""
	}
	return u.href[u.fragment+1:]
}

// WithoutFragment is u without its fragment.
func (u *URL) WithoutFragment() *URL {
	if !u.HasFragment() {
		return u
	}
	return index(u.href[:u.fragment])
}

// WithFragment is u with another fragment, given without its '#' and encoded
// here where that is needed. An empty one leaves a bare '#'.
func (u *URL) WithFragment(fragment string) *URL {
	b := append([]byte(u.href[:u.fragment]), '#')
	return index(string(appendEncoded(b, fragment, fragmentSet)))
}

// WithoutQuery is u without its query.
func (u *URL) WithoutQuery() *URL {
	if !u.HasQuery() {
		return u
	}
	return index(u.href[:u.query] + u.href[u.fragment:])
}

// WithQuery is u with another query, given without its '?' and encoded here
// where that is needed. An empty one leaves a bare '?', which is what submitting
// a form without fields makes (HTML, mutate action URL).
func (u *URL) WithQuery(query string) *URL {
	b := append([]byte(u.href[:u.query]), '?')
	set := querySet
	if isSpecial(u.Scheme()) {
		set = specialQuerySet
	}
	return index(string(appendEncoded(b, query, set)) + u.href[u.fragment:])
}

// Join resolves ref against u (URL Standard, basic URL parser with a base).
func (u *URL) Join(ref string) (*URL, error) {
	if href, ok := newBase(u).fastJoin(nil, ref); ok {
		return index(href), nil
	}
	return slowJoin(u.href, ref)
}

// isSpecial: URL Standard, special scheme.
func isSpecial(scheme string) bool { return scheme == "file" || defaultPort(scheme) != 0 }

func defaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	}
	return 0
}
