package weburl

import "strings"

// base is a URL to join to, cut up for the fast path. Its zero value stands for
// no base: only absolute references can then be joined.
type base struct {
	scheme   string // "http" or "https"; "" if the fast path must not join to it
	root     string // the href up to the path: "https://u@a.test:8080"
	dir      string // the path up to and with its last '/'
	noQuery  string // the href up to the query
	noAnchor string // the href up to the fragment
}

func newBase(u *URL) *base {
	s := u.Scheme()
	if s != "http" && s != "https" {
		return &base{}
	}
	p := u.Path()
	return &base{
		scheme:   s,
		root:     u.href[:u.path],
		dir:      p[:strings.LastIndexByte(p, '/')+1],
		noQuery:  u.href[:u.query],
		noAnchor: u.href[:u.fragment],
	}
}

// fastJoin resolves ref if it has one of the plain shapes; ok is false for
// every other string, valid or not, and the full parser then decides. buf is
// scratch space and may be nil. The result is ref's own memory where ref is
// already the serialized URL.
func (b *base) fastJoin(buf []byte, ref string) (href string, ok bool) {
	ref = trimInput(ref)
	if scheme := leadingScheme(ref); scheme >= 0 {
		return fastAbsolute(buf, ref, scheme)
	}
	if b.scheme == "" {
		return "", false
	}
	if ref == "" {
		return b.noAnchor, true
	}
	switch ref[0] {
	case '#':
		if hasLineBreak(ref) {
			return "", false
		}
		buf = append(append(buf, b.noAnchor...), '#')
		return string(appendEncoded(buf, ref[1:], fragmentSet)), true
	case '?':
		return finish(append(buf, b.noQuery...), ref)
	case '/':
		if len(ref) > 1 && ref[1] == '/' {
			buf = append(append(buf, b.scheme...), ':')
			return fastAuthority(buf, ref, b.scheme, ref[2:])
		}
		return finishPath(append(buf, b.root...), ref)
	}
	return b.fastRelative(buf, ref)
}

// fastRelative joins a reference that starts with a path segment. Only leading
// dot segments are worked off here.
func (b *base) fastRelative(buf []byte, ref string) (string, bool) {
	dir := b.dir
	for {
		switch {
		case strings.HasPrefix(ref, "./"):
			ref = ref[2:]
		case strings.HasPrefix(ref, "../"):
			dir, ref = parent(dir), ref[3:]
		case isDots(ref, "."):
			ref = ref[1:]
		case isDots(ref, ".."):
			dir, ref = parent(dir), ref[2:]
		default:
			return finishPath(append(append(buf, b.root...), dir...), ref)
		}
	}
}

// isDots says that dots is the whole path of ref.
func isDots(ref, dots string) bool {
	if !strings.HasPrefix(ref, dots) {
		return false
	}
	rest := ref[len(dots):]
	return rest == "" || rest[0] == '?' || rest[0] == '#'
}

// parent is the directory above dir, both ending in '/'.
func parent(dir string) string {
	if dir == "/" {
		return dir
	}
	return dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
}

// leadingScheme is the index of the ':' that ends ref's scheme, or -1.
func leadingScheme(ref string) int {
	for i := 0; i < len(ref); i++ {
		c := ref[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i
		default:
			return -1
		}
	}
	return -1
}

func fastAbsolute(buf []byte, ref string, colon int) (string, bool) {
	switch scheme := ref[:colon]; scheme {
	case "http", "https":
		rest := ref[colon+1:]
		if !strings.HasPrefix(rest, "//") {
			return "", false
		}
		return fastAuthority(append(buf, ref[:colon+1]...), ref, scheme, rest[2:])
	case "mailto", "tel", "javascript", "data":
		return fastOpaque(buf, ref, colon)
	}
	return "", false
}

// fastOpaque serializes a URL whose path is opaque.
func fastOpaque(buf []byte, ref string, colon int) (string, bool) {
	rest := ref[colon+1:]
	if strings.HasPrefix(rest, "/") {
		return "", false
	}
	plain, end := true, len(ref)
	for i := colon + 1; i < len(ref); i++ {
		switch c := ref[i]; {
		case c == '\t', c == '\n', c == '\r':
			return "", false
		case c == '?', c == '#':
			plain = false
			if i < end {
				end = i
			}
		case c < ' ', c > '~':
			plain = false
		}
	}
	if plain {
		return ref, true
	}
	if ref[end-1] == ' ' {
		return "", false // a space before '?' or '#' is encoded, and only that one
	}
	buf = appendEncoded(buf, ref[:end], c0Set)
	return string(appendTail(buf, ref[end:], querySet)), true
}

// fastAuthority goes on after "//". buf holds the scheme and its colon, rest is
// what follows the slashes, ref the whole input.
func fastAuthority(buf []byte, ref, scheme, rest string) (string, bool) {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	host, port := authority, ""
	if i := strings.IndexByte(authority, ':'); i >= 0 {
		host, port = authority[:i], authority[i:]
		if !plainPort(port[1:]) {
			return "", false
		}
		if scheme == "http" && port == ":80" || scheme == "https" && port == ":443" {
			port = ""
		}
	}
	if !plainHost(host) {
		return "", false
	}
	if port == authority[len(host):] && tail != "" && tail[0] == '/' && serialized(tail) && ref[0] != '/' {
		return ref, true
	}
	buf = append(append(append(buf, "//"...), host...), port...)
	if tail == "" || tail[0] != '/' {
		buf = append(buf, '/')
	}
	return finishPath(buf, tail)
}

// plainPort says that p is a port number in its serialized form.
func plainPort(p string) bool {
	if p == "" || len(p) > 5 || p[0] == '0' {
		return false
	}
	n := 0
	for i := 0; i < len(p); i++ {
		if p[i] < '0' || p[i] > '9' {
			return false
		}
		n = n*10 + int(p[i]-'0')
	}
	return n <= 65535
}

// plainHost says that the host parser would return h as it is: lower-case
// letters, digits and hyphens in labels that are not empty, no label in
// Punycode, and a last label that cannot be read as a number.
func plainHost(h string) bool {
	label := 0
	for i := 0; i <= len(h); i++ {
		if i < len(h) && h[i] != '.' {
			if c := h[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
			continue
		}
		if l := h[label:i]; l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' || strings.Contains(l, "--") {
			return false
		}
		if i == len(h) && h[label] <= '9' {
			return plainIPv4(h)
		}
		label = i + 1
	}
	return len(h) <= 253
}

// plainIPv4 says that h is an IPv4 address in its serialized form.
func plainIPv4(h string) bool {
	parts := 0
	for h != "" || parts == 0 {
		part, rest, more := strings.Cut(h, ".")
		if part == "" || len(part) > 3 || len(part) > 1 && part[0] == '0' {
			return false
		}
		n := 0
		for i := 0; i < len(part); i++ {
			if part[i] < '0' || part[i] > '9' {
				return false
			}
			n = n*10 + int(part[i]-'0')
		}
		if n > 255 || more && rest == "" {
			return false
		}
		parts++
		h = rest
	}
	return parts == 4
}

// serialized says that a path with query and fragment is its own serialization.
func serialized(s string) bool {
	set, segment := &pathSet, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '#' && set != &fragmentSet:
			if set == &pathSet && isDotSegment(s[segment:i]) {
				return false
			}
			set = &fragmentSet
		case c == '?' && set == &pathSet:
			if isDotSegment(s[segment:i]) {
				return false
			}
			set = &specialQuerySet
		case set.has(c), c == '\\' && set == &pathSet:
			return false
		case c == '/' && set == &pathSet:
			if isDotSegment(s[segment:i]) {
				return false
			}
			segment = i + 1
		}
	}
	return set != &pathSet || !isDotSegment(s[segment:])
}

// finishPath appends a path without dot segments, a query and a fragment.
func finishPath(buf []byte, s string) (string, bool) {
	end := len(s)
	segment := 0
	for i := 0; i < end; i++ {
		switch s[i] {
		case '\\', '\t', '\n', '\r':
			return "", false
		case '?', '#':
			end = i
		case '/':
			if isDotSegment(s[segment:i]) {
				return "", false
			}
			segment = i + 1
		}
	}
	if isDotSegment(s[segment:end]) {
		return "", false
	}
	return finish(appendEncoded(buf, s[:end], pathSet), s[end:])
}

// finish appends a query and a fragment of a special URL; either may be missing.
func finish(buf []byte, tail string) (string, bool) {
	if hasLineBreak(tail) {
		return "", false
	}
	return string(appendTail(buf, tail, specialQuerySet)), true
}

func appendTail(buf []byte, tail string, query encodeSet) []byte {
	if tail != "" && tail[0] == '?' {
		end := strings.IndexByte(tail, '#')
		if end < 0 {
			end = len(tail)
		}
		buf = append(buf, '?')
		buf = appendEncoded(buf, tail[1:end], query)
		tail = tail[end:]
	}
	if tail != "" {
		buf = append(buf, '#')
		buf = appendEncoded(buf, tail[1:], fragmentSet)
	}
	return buf
}

// isDotSegment: URL Standard, single-dot and double-dot URL path segment.
func isDotSegment(s string) bool {
	if s == "" || len(s) > 6 || s[0] != '.' && s[0] != '%' {
		return false
	}
	dots := 0
	for s != "" {
		switch {
		case s[0] == '.':
			s = s[1:]
		case len(s) >= 3 && s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e':
			s = s[3:]
		default:
			return false
		}
		dots++
	}
	return dots <= 2
}

// hasLineBreak says that s holds a character that the parser takes out first.
func hasLineBreak(s string) bool { return strings.ContainsAny(s, "\t\n\r") }
