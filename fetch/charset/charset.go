// Package charset turns the bytes of a document into UTF-8 as browsers do. It
// decides by, in this order: byte order mark, Content-Type, the meta elements
// and XML declaration of the first 1024 bytes, a meta element further on,
// whether the bytes are UTF-8, and last windows-1252. Errors become U+FFFD.
//
// Spec: HTML §13.2.3 (the input byte stream); Encoding Standard; XML §4.3.3.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// How far meta elements are looked for: by the prescan, and by what stands for
// the parser that meets one later.
const (
	prescanBytes = 1024
	lateBytes    = 256 << 10
)

// Decode is body as UTF-8, without byte order mark, and the name of its
// encoding as the Encoding Standard spells it. contentType is the header's
// value, "" if there was none. Text that is UTF-8 already shares body's memory.
// NULs and line ends stay as they are.
func Decode(body []byte, contentType string) (text []byte, name string) {
	name, bom := Determine(body, contentType)
	return decode(body[bom:], name), name
}

// Determine is the name of body's encoding and the length of its byte order
// mark.
func Determine(body []byte, contentType string) (name string, bom int) {
	if name, n := sniffBOM(body); n > 0 {
		return name, n
	}
	mime, label := parseType(contentType)
	if name, ok := Canonical(label); ok {
		return name, 0
	}
	head := body[:min(len(body), prescanBytes)]
	switch kind(mime) {
	case markup:
		if name, ok := prescan(head, false); ok {
			return name, 0
		}
		if name, ok := xmlDeclaration(head); ok {
			return name, 0
		}
		if len(body) > prescanBytes {
			if name, ok := prescan(body[:min(len(body), lateBytes)], true); ok {
				return name, 0
			}
		}
	case xml:
		if name, ok := xmlDeclaration(head); ok {
			return name, 0
		}
		return "UTF-8", 0
	case json:
		return "UTF-8", 0
	}
	if validUTF8(body) {
		return "UTF-8", 0
	}
	return "windows-1252", 0
}

func sniffBOM(b []byte) (string, int) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return "UTF-8", 3
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return "UTF-16BE", 2
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return "UTF-16LE", 2
	}
	return "", 0
}

type syntax int

// What a media type says about where an encoding may be declared.
const (
	markup syntax = iota // HTML, or nobody knows
	xml
	json
	text
)

func kind(mime string) syntax {
	switch {
	case mime == "", mime == "text/html", !strings.Contains(mime, "/"):
		return markup
	case mime == "text/xml", mime == "application/xml", strings.HasSuffix(mime, "+xml"):
		return xml
	case mime == "application/json", mime == "text/json", strings.HasSuffix(mime, "+json"):
		return json
	case strings.HasPrefix(mime, "text/"):
		return text
	}
	return markup
}

// parseType takes media type and charset out of a Content-Type (MIME Sniffing,
// parse a MIME type): the first charset counts, quoted or not.
func parseType(s string) (mime, label string) {
	mime, rest, _ := strings.Cut(s, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	for rest != "" {
		name, after, ok := cutParameter(rest)
		if !ok {
			rest = after
			continue
		}
		value, tail := parameterValue(after)
		if rest = tail; strings.EqualFold(strings.TrimSpace(name), "charset") {
			return mime, value
		}
	}
	return mime, ""
}

// cutParameter splits at the first of = and ;, ok if it is =.
func cutParameter(s string) (name, after string, ok bool) {
	i := strings.IndexAny(s, "=;")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], s[i] == '='
}

func parameterValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		return strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			_, rest, _ = strings.Cut(s[i+1:], ";")
			return b.String(), rest
		case '\\':
			if i+1 < len(s) {
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// Canonical is the Encoding Standard's name of the encoding with that label;
// false if there is none.
func Canonical(label string) (string, bool) {
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	e, err := htmlindex.Get(label)
	if err != nil {
		return "", false
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return "", false
	}
	return spelling(name), true
}

// spelling gives htmlindex's lower-case names the letters of the standard.
func spelling(name string) string {
	switch name {
	case "shift_jis":
		return "Shift_JIS"
	case "big5":
		return "Big5"
	case "iso-8859-8-i":
		return "ISO-8859-8-I"
	case "macintosh", "gb18030", "replacement", "x-mac-cyrillic", "x-user-defined":
		return name
	}
	if strings.HasPrefix(name, "windows-") {
		return name
	}
	return strings.ToUpper(name)
}

func decode(b []byte, name string) []byte {
	var e encoding.Encoding
	switch name {
	case "UTF-8":
		return repairUTF8(b)
	case "UTF-16LE":
		e = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "UTF-16BE":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case "GBK": // its decoder is that of gb18030
		e = simplifiedchinese.GB18030
	case "x-user-defined":
		e = charmap.XUserDefined
	default:
		found, err := htmlindex.Get(name)
		if err != nil {
			return repairUTF8(b)
		}
		e = found
	}
	if cm, ok := e.(*charmap.Charmap); ok {
		return singleByte(b, cm)
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil { // decoders replace; none returns an error for its input
		return repairUTF8(b)
	}
	return out
}

// singleByte decodes by table. x/text has no characters for the C1 controls
// that windows encodings leave open; the Encoding Standard maps them to
// themselves.
func singleByte(b []byte, cm *charmap.Charmap) []byte {
	var table [256]rune
	for i := range table {
		table[i] = cm.DecodeByte(byte(i))
		if table[i] == utf8.RuneError && i >= 0x80 && i < 0xa0 {
			table[i] = rune(i)
		}
	}
	out := make([]byte, 0, len(b)+len(b)/8+utf8.UTFMax)
	for _, c := range b {
		if c < utf8.RuneSelf { // all of them are ASCII there
			out = append(out, c)
		} else {
			out = utf8.AppendRune(out, table[c])
		}
	}
	return out
}

// validUTF8 allows the last character to be cut off, as in a body that ended
// early, if there is another one beyond ASCII before it.
func validUTF8(b []byte) bool {
	if utf8.Valid(b) {
		return true
	}
	for i := 1; i <= 3 && i < len(b); i++ {
		if rest, last := b[:len(b)-i], b[len(b)-i:]; last[0] >= 0xc0 {
			return !utf8.FullRune(last) && utf8.Valid(rest) && utf8.RuneCount(rest) < len(rest)
		}
	}
	return false
}

// repairUTF8 is the UTF-8 decoder: each maximal subpart of an ill-formed
// sequence becomes one U+FFFD.
func repairUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = subpart(b)
			out = append(out, "\uFFFD"...)
		} else {
			out = append(out, b[:size]...)
		}
		b = b[size:]
	}
	return out
}

// subpart is the length of the ill-formed sequence that b starts with.
func subpart(b []byte) int {
	low, high, need := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		need = 1
	case c >= 0xe0 && c <= 0xef:
		need = 2
		if c == 0xe0 {
			low = 0xa0
		} else if c == 0xed {
			high = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		need = 3
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	n := 1
	for ; n <= need && n < len(b) && b[n] >= low && b[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}
