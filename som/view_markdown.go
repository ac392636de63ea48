package som

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown is the page as CommonMark with tables, links resolved. Text of the
// page is escaped: it cannot make headings, links or markup of its own.
func (p *Page) Markdown() string {
	v := view{p: p, md: true}
	return v.render()
}

// escape writes page text so that Markdown shows it as it is.
//
// Spec: CommonMark 0.31 §2.4 backslash escapes, §6.2 emphasis.
func (v *view) escape(s string) string {
	if !v.md || !strings.ContainsAny(s, "\\`*_[]<|~&") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '\\', '`', '*', '[', ']', '|', '~':
			b.WriteByte('\\')
		case '_': // within a word it is no emphasis
			if !wordBefore(s[:i]) || !wordAfter(s[i+1:]) {
				b.WriteByte('\\')
			}
		case '<':
			if i+1 < len(s) && (isLetter(s[i+1]) || s[i+1] == '/' || s[i+1] == '!' || s[i+1] == '?') {
				b.WriteByte('\\')
			}
		case '&':
			if i+1 < len(s) && (isLetter(s[i+1]) || s[i+1] == '#') && strings.IndexByte(s[i:min(len(s), i+34)], ';') > 0 {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// atStart escapes what makes a block only at the beginning of a line: headings,
// quotes, lists, rules and setext underlines.
func (v *view) atStart(s string) string {
	if !v.md || s == "" {
		return s
	}
	s = strings.ReplaceAll(strings.TrimLeft(s, asciiSpace), "\n", " ")
	if s == "" {
		return s
	}
	switch c := s[0]; {
	case c == '#', c == '>', c == '+', c == '-', c == '=':
		return `\` + s
	case '0' <= c && c <= '9':
		k := 1
		for k < len(s) && '0' <= s[k] && s[k] <= '9' {
			k++
		}
		if k <= 9 && k < len(s) && (s[k] == '.' || s[k] == ')') && (k+1 == len(s) || s[k+1] == ' ') {
			return s[:k] + `\` + s[k:]
		}
	}
	return s
}

// destination writes a link's address (CommonMark §6.3 link destination).
func destination(url string) string {
	if strings.ContainsAny(url, " ()<>\n\r\t\\") || url == "" {
		return "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "", "\r", "", "\t", "", `\`, `\\`).Replace(url) + ">"
	}
	return url
}
