package metadata

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// script takes a JSON-LD block.
func (c *collector) script(n *html.Node) {
	t, _, _ := strings.Cut(attr(n, "type"), ";")
	if !strings.EqualFold(strings.TrimSpace(t), "application/ld+json") {
		return
	}
	src := strings.ToValidUTF8(unwrap(rawText(n)), "\ufffd")
	if src == "" {
		return
	}
	if len(src) > 4*maxJSONLD {
		c.data.ldErrors++
		return
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(src)); err != nil {
		c.data.ldErrors++
		return
	}
	b := unescape(compact.Bytes())
	if b[0] != '[' {
		c.jsonLD(b)
		return
	}
	var members []json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		c.data.ldErrors++
		return
	}
	for _, m := range members {
		c.jsonLD(m)
	}
}

func (c *collector) jsonLD(b []byte) {
	if b[0] != '{' || c.data.ldBytes+len(b) > maxJSONLD {
		c.data.ldErrors++
		return
	}
	if len(b) == 2 {
		return
	}
	c.data.ldBytes += len(b)
	c.data.jsonLD = append(c.data.jsonLD, b)
}

func rawText(n *html.Node) string {
	if t := n.FirstChild; t != nil && t.NextSibling == nil {
		return t.Data
	}
	var b strings.Builder
	for t := n.FirstChild; t != nil; t = t.NextSibling {
		b.WriteString(t.Data)
	}
	return b.String()
}

// unwrap takes off the comment and CDATA marks that templates of the XHTML age
// still put around script content.
func unwrap(s string) string {
	for {
		before := s
		s = strings.TrimSpace(s)
		for _, p := range [...]string{"<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "\ufeff"} {
			s = strings.TrimPrefix(s, p)
		}
		for _, p := range [...]string{"//]]>", "/*]]>*/", "]]>", "//-->", "-->"} {
			s = strings.TrimSuffix(s, p)
		}
		if s == before {
			return s
		}
	}
}

// unescape writes out the escapes in the strings of valid compact JSON that
// need none, in place: "\/" and most of "\uXXXX".
func unescape(b []byte) []byte {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return b
	}
	out := b[:i]
	for i < len(b) {
		if b[i] != '\\' {
			out = append(out, b[i])
			i++
			continue
		}
		if b[i+1] == '/' {
			out = append(out, '/')
			i += 2
			continue
		}
		if b[i+1] != 'u' {
			out = append(out, b[i], b[i+1])
			i += 2
			continue
		}
		r, size := escaped(b[i:])
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f || r == utf8.RuneError {
			out = append(out, b[i:i+size]...)
		} else {
			out = utf8.AppendRune(out, r)
		}
		i += size
	}
	return out
}

// escaped is the rune of the \u escape at the start of b, with its second half
// if it is a surrogate pair; U+FFFD for a lone surrogate, which stays escaped.
func escaped(b []byte) (r rune, size int) {
	hi := hex4(b)
	if !utf16.IsSurrogate(hi) {
		return hi, 6
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if r := utf16.DecodeRune(hi, hex4(b[6:])); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) rune {
	v, _ := strconv.ParseUint(string(b[2:6]), 16, 32)
	return rune(v)
}
