package metadata

import (
	"strings"

	"plasmate/som/weburl"
)

// Header is what the response that brought a document says about it.
type Header struct {
	URL  string   // of the document; addresses in Link are relative to it, not to a base element
	Link []string // values of the Link fields
}

// maxLinkHeader bounds the bytes of Link fields that are looked at.
const maxLinkHeader = 64 << 10

// header adds the links of Link header fields to those of link elements.
//
// Spec: RFC 8288 §3.
func (c *collector) header(h Header) {
	c.resolver = weburl.NewResolver(h.URL)
	seen := 0
	for _, v := range h.Link {
		if seen += len(v); seen > maxLinkHeader {
			return
		}
		for v != "" {
			var l link
			var anchored bool
			l, anchored, v = linkValue(v)
			if !anchored { // the others say something about other documents
				c.addLink(l)
			}
		}
	}
}

// linkValue reads one link-value and gives the rest behind its comma.
func linkValue(v string) (l link, anchored bool, rest string) {
	v = strings.TrimLeft(v, " \t,")
	if !strings.HasPrefix(v, "<") {
		_, rest = untilComma(v)
		return link{}, false, rest
	}
	end := strings.IndexByte(v, '>')
	if end < 0 {
		return link{}, false, ""
	}
	l.href = strings.TrimSpace(v[1:end])
	params, rest := untilComma(v[end+1:])
	for params != "" {
		var p string
		p, params = untilByte(params, ';')
		name, value, _ := strings.Cut(p, "=")
		value = unquoted(strings.TrimSpace(value))
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "rel":
			if l.rel == "" { // the first one counts
				l.rel = collapse(strings.ToLower(value))
			}
		case "type":
			l.typ = collapse(strings.ToLower(value))
		case "hreflang":
			l.hreflang = collapse(value)
		case "title":
			l.title = cut(collapse(value), maxValue)
		case "anchor":
			anchored = true
		}
	}
	return l, anchored, rest
}

func untilComma(s string) (part, rest string) { return untilByte(s, ',') }

// untilByte cuts s at the first sep outside quotes.
func untilByte(s string, sep byte) (part, rest string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && s[i] == sep:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// unquoted is a token or quoted-string's value (RFC 9110 §5.6.4).
func unquoted(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
