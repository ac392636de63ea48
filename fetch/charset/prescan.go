package charset

import (
	"bytes"
	"strings"
)

// prescan finds the encoding that a meta element declares (HTML, prescan a
// byte stream to determine its encoding). With skipText it leaves out what a
// parser takes for text: the contents of script, style, title and the like.
func prescan(b []byte, skipText bool) (string, bool) {
	if name, ok := utf16Declaration(b); ok && !skipText {
		return name, true
	}
	for len(b) > 0 {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return "", false
		}
		b = b[i:]
		switch {
		case bytes.HasPrefix(b, []byte("<!--")):
			b = after(b[2:], "-->")
		case len(b) > 5 && foldPrefix(b, "<meta") && (isSpace(b[5]) || b[5] == '/'):
			var name string
			var ok bool
			if name, b, ok = meta(b[5:]); ok {
				return name, true
			}
		case len(b) > 1 && isLetter(b[1]), len(b) > 2 && b[1] == '/' && isLetter(b[2]):
			var tag string
			tag, b = skipTag(b)
			if skipText && isText(tag) {
				b = skipTo(b, "</"+tag)
			} else if skipText && tag == "plaintext" {
				return "", false
			}
		case len(b) > 1 && (b[1] == '!' || b[1] == '/' || b[1] == '?'):
			b = after(b, ">")
		default:
			b = b[1:]
		}
	}
	return "", false
}

func after(b []byte, sep string) []byte {
	_, rest, ok := bytes.Cut(b, []byte(sep))
	if !ok {
		return nil
	}
	return rest
}

// skipTag passes one tag with its attributes; tag is its lower-case name, with
// a slash in front for end tags.
func skipTag(b []byte) (tag string, rest []byte) {
	i := 1
	for i < len(b) && !isSpace(b[i]) && b[i] != '>' && (b[i] != '/' || i == 1) {
		i++
	}
	tag, b = strings.ToLower(string(b[1:min(i, 32)])), b[i:]
	for {
		var ok bool
		if _, _, b, ok = attribute(b); !ok {
			return tag, b
		}
	}
}

func isText(tag string) bool {
	switch tag {
	case "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

// skipTo passes what comes before end, without regard to letter case.
func skipTo(b []byte, end string) []byte {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return nil
		}
		if b = b[i:]; foldPrefix(b, end) {
			return b
		}
		b = b[1:]
	}
}

// meta reads the attributes of a meta element.
func meta(b []byte) (name string, rest []byte, ok bool) {
	var seen []string
	var pragma, needPragma, declared bool
	for {
		k, v, after, more := attribute(b)
		if b = after; !more {
			break
		}
		key, value := lowerClip(k), lowerClip(v)
		if containsString(seen, key) {
			continue
		}
		seen = append(seen, key)
		switch key {
		case "http-equiv":
			pragma = pragma || strings.EqualFold(value, "content-type")
		case "content":
			if label, found := fromContent(value); found && !declared {
				if n, known := Canonical(label); known {
					name, needPragma, declared = n, true, true
				}
			}
		case "charset":
			name, _ = Canonical(value)
			needPragma, declared = false, true
		}
	}
	if !declared || name == "" || needPragma && !pragma {
		return "", b, false
	}
	switch name {
	case "UTF-16BE", "UTF-16LE": // it could be read, so it is not
		name = "UTF-8"
	case "x-user-defined":
		name = "windows-1252"
	}
	return name, b, true
}

func containsString(all []string, s string) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return false
}

// fromContent is HTML, algorithm for extracting a character encoding from a
// meta element.
func fromContent(s string) (string, bool) {
	lower := strings.ToLower(s)
	for pos := 0; ; {
		i := strings.Index(lower[pos:], "charset")
		if i < 0 {
			return "", false
		}
		pos += i + len("charset")
		rest := strings.TrimLeft(lower[pos:], "\t\n\f\r ")
		if !strings.HasPrefix(rest, "=") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], "\t\n\f\r ")
		if rest == "" {
			return "", false
		}
		if q := rest[:1]; q == `"` || q == "'" {
			value, _, closed := strings.Cut(rest[1:], q)
			return value, closed
		}
		if end := strings.IndexAny(rest, "\t\n\f\r ;"); end >= 0 {
			rest = rest[:end]
		}
		return rest, true
	}
}

// attribute is HTML, get an attribute, letter case kept. It returns false at
// the end of the tag, whose > is consumed, or of the input.
func attribute(b []byte) (key, value, rest []byte, ok bool) {
	i := 0
	for i < len(b) && (isSpace(b[i]) || b[i] == '/') {
		i++
	}
	if i == len(b) {
		return nil, nil, nil, false
	}
	if b[i] == '>' {
		return nil, nil, b[i+1:], false
	}
	start := i
	for i < len(b) && !(b[i] == '=' && i > start) && !isSpace(b[i]) && b[i] != '/' && b[i] != '>' {
		i++
	}
	key = b[start:i]
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if i == len(b) || b[i] != '=' {
		return key, nil, b[i:], i < len(b)
	}
	i++
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	if i == len(b) {
		return nil, nil, nil, false
	}
	if q := b[i]; q == '"' || q == '\'' {
		end := bytes.IndexByte(b[i+1:], q)
		if end < 0 {
			return nil, nil, nil, false
		}
		return key, b[i+1 : i+1+end], b[i+2+end:], true
	}
	start = i
	for i < len(b) && !isSpace(b[i]) && b[i] != '>' {
		i++
	}
	return key, b[start:i], b[i:], i < len(b)
}

// lowerClip bounds what a hostile attribute costs; no label is as long.
func lowerClip(b []byte) string {
	return strings.ToLower(string(b[:min(len(b), prescanBytes)]))
}

// utf16Declaration finds an XML declaration whose bytes are UTF-16 without a
// byte order mark.
func utf16Declaration(b []byte) (string, bool) {
	switch {
	case bytes.HasPrefix(b, []byte("<\x00?\x00x\x00")):
		return "UTF-16LE", true
	case bytes.HasPrefix(b, []byte("\x00<\x00?\x00x")):
		return "UTF-16BE", true
	}
	return "", false
}

// xmlDeclaration is HTML, get an XML encoding.
func xmlDeclaration(b []byte) (string, bool) {
	if name, ok := utf16Declaration(b); ok {
		return name, true
	}
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return "", false
	}
	end := bytes.IndexByte(b, '>')
	if end < 0 {
		return "", false
	}
	_, rest, ok := bytes.Cut(b[:end], []byte("encoding"))
	if !ok {
		return "", false
	}
	skip := func(s []byte) []byte { return bytes.TrimLeftFunc(s, func(r rune) bool { return r <= 0x20 }) }
	if rest = skip(rest); len(rest) == 0 || rest[0] != '=' {
		return "", false
	}
	if rest = skip(rest[1:]); len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	label, _, closed := bytes.Cut(rest[1:], rest[:1])
	if !closed {
		return "", false
	}
	name, ok := Canonical(string(label))
	if strings.HasPrefix(name, "UTF-16") {
		name = "UTF-8"
	}
	return name, ok
}

func foldPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
