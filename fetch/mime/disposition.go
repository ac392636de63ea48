package mime

import (
	"net/http"
	"strings"
	"unicode/utf8"
)

// Attachment tells that a response is to be saved rather than shown, and the
// file name that it proposes: its last path segment, without controls, "" if
// there is none. Only a disposition of inline, or none, is shown (RFC 6266 §4.2).
func Attachment(h http.Header) (name string, ok bool) {
	value := h.Get("Content-Disposition")
	kind, rest, _ := strings.Cut(value, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	ok = kind != "" && kind != "inline" && token(kind)
	var plain, extended string
	for rest != "" {
		var key, v string
		key, v, rest = parameter(rest)
		switch {
		case key == "filename" && plain == "":
			plain = v
		case key == "filename*" && extended == "":
			extended = extendedValue(v)
		}
	}
	if extended != "" { // §4.3: the one with the encoding wins
		plain = extended
	}
	return fileName(plain), ok
}

// parameter takes one name=value off the front of s.
func parameter(s string) (key, value, rest string) {
	i := strings.IndexAny(s, "=;")
	if i < 0 {
		return "", "", ""
	}
	if s[i] == ';' {
		return "", "", s[i+1:]
	}
	key, s = strings.ToLower(strings.TrimSpace(s[:i])), strings.TrimLeft(s[i+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		return key, strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for j := 1; j < len(s); j++ {
		switch s[j] {
		case '"':
			_, rest, _ = strings.Cut(s[j+1:], ";")
			return key, b.String(), rest
		case '\\':
			if j+1 < len(s) {
				j++
			}
		}
		b.WriteByte(s[j])
	}
	return key, b.String(), ""
}

// extendedValue is charset'language'percent-encoded (RFC 8187), in UTF-8 or
// ISO-8859-1; "" if it is neither.
func extendedValue(s string) string {
	charset, rest, ok := strings.Cut(s, "'")
	_, coded, ok2 := strings.Cut(rest, "'")
	if !ok || !ok2 {
		return ""
	}
	raw := unescape(coded)
	switch {
	case strings.EqualFold(charset, "utf-8") && utf8.ValidString(raw):
		return raw
	case strings.EqualFold(charset, "iso-8859-1"):
		var b strings.Builder
		for i := range len(raw) {
			b.WriteRune(rune(raw[i]))
		}
		return b.String()
	}
	return ""
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := hex(s[i+1]), hex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hex(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }

// fileName makes a proposed name safe: no path, no controls, no dot names.
func fileName(s string) string {
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	s = strings.ToValidUTF8(s, "�")
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if s = strings.TrimSpace(s); strings.Trim(s, ".") == "" {
		return ""
	}
	for len(s) > 255 {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}
