package dom

import "bytes"

// maxFormattingTag is how long a formatting tag may be in bytes: the parser
// compares the attributes of such tags pair by pair.
const maxFormattingTag = 8 << 10

// costly estimates whether mis-nested formatting tags would multiply: each
// block that closes over open ones makes the parser clone all of them. It scans
// bytes and may be wrong on the safe side, as for tags in comments. On the way
// it finds out whether there are noscript tags.
func costly(src []byte) (danger, noscript bool) {
	open, cost, limit := 0, 0, 200_000+len(src)
	for i := 0; ; {
		j := bytes.IndexByte(src[i:], '<')
		if j < 0 || i+j+2 >= len(src) {
			return false, noscript
		}
		i += j + 1
		end := src[i] == '/'
		if end {
			i++
		}
		name := tagName(src[i:])
		if len(name) == 0 {
			continue
		}
		switch {
		case !formatting(name):
			cost += open
			if !end && rawText(name) {
				noscript = noscript || len(name) == len("noscript") && name[1]|0x20 == 'o'
				i += len(name)
				k := bytes.Index(src[i:], []byte("</"))
				for k >= 0 && !foldHasPrefix(src[i+k+2:], name) {
					i += k + 2
					k = bytes.Index(src[i:], []byte("</"))
				}
				if k < 0 {
					return cost > limit, noscript
				}
				i += k
			}
		case end:
			open = max(open-1, 0)
		default:
			open++
			cost += open
			if k := bytes.IndexByte(src[i:], '>'); k > maxFormattingTag {
				return true, true
			}
		}
		if cost > limit {
			return true, true
		}
	}
}

// tagName is the name at the start of b, as written.
func tagName(b []byte) []byte {
	i := 0
	for i < len(b) && i < 32 && isNameByte(b[i]) {
		i++
	}
	return b[:i]
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-'
}

func foldHasPrefix(b, name []byte) bool {
	return len(b) >= len(name) && bytes.EqualFold(b[:len(name)], name)
}

// formatting are the elements that the parser reopens in following blocks (HTML
// "formatting" category), but a, of which only one is open at a time.
func formatting(name []byte) bool {
	if len(name) > 6 {
		return false
	}
	var low [6]byte
	switch string(lower(low[:0], name)) {
	case "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

func rawText(name []byte) bool {
	if len(name) < 5 || len(name) > 8 {
		return false
	}
	var low [8]byte
	switch string(lower(low[:0], name)) {
	case "script", "style", "textarea", "title", "noscript", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

func lower(dst, b []byte) []byte {
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
