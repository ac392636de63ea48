package policy

import "strings"

// robotsPattern is the path of a rule: literal pieces with anything between them.
type robotsPattern struct {
	pieces   []string // of the normal form, at least one
	anchored bool     // ends with $: the last piece must end the target
	length   int      // octets of the normal form, by which rules are ranked
}

func newRobotsPattern(path string) robotsPattern {
	p := robotsPattern{}
	if strings.HasSuffix(path, "$") {
		p.anchored = true
		path = path[:len(path)-1]
	}
	for i, piece := range strings.Split(path, "*") {
		if i > 0 && piece == "" && p.pieces[len(p.pieces)-1] == "" && i > 1 {
			continue // ** is *
		}
		p.pieces = append(p.pieces, normalTarget(piece))
	}
	p.length = len(p.pieces) - 1
	if p.anchored {
		p.length++
	}
	for _, piece := range p.pieces {
		p.length += len(piece)
	}
	return p
}

// matches looks at every byte of target at most once per piece: each piece is
// taken where it first stands, which leaves the most for the rest.
func (p *robotsPattern) matches(target string) bool {
	if !strings.HasPrefix(target, p.pieces[0]) {
		return false
	}
	rest := target[len(p.pieces[0]):]
	last := len(p.pieces) - 1
	if last == 0 {
		return !p.anchored || rest == ""
	}
	for _, piece := range p.pieces[1:last] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	if p.anchored {
		return strings.HasSuffix(rest, p.pieces[last])
	}
	return strings.Contains(rest, p.pieces[last])
}

// normalTarget makes spellings of the same octets equal: octets beyond ASCII
// and the two special characters are escaped, escapes of unreserved characters
// undone, hex digits in upper case. In a pattern the special characters that
// mean something have been taken out before.
//
// Spec: RFC 9309 §2.2.2, §2.2.3.
func normalTarget(s string) string {
	if isNormalTarget(s) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			if d := unhex(s[i+1])<<4 | unhex(s[i+2]); unreserved(d) {
				out = append(out, d)
			} else {
				out = append(out, '%', upper(s[i+1]), upper(s[i+2]))
			}
			i += 2
		case c >= 0x80 || c == '*' || c == '$' || c <= ' ':
			out = append(out, '%', hexDigits[c>>4], hexDigits[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

func isNormalTarget(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x80 || c == '%' || c == '*' || c == '$' || c <= ' ' {
			return false
		}
	}
	return true
}

const hexDigits = "0123456789ABCDEF"

// unreserved is RFC 3986 §2.3.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
