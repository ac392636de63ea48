package style

// The functions in this file find the structure of CSS text (where strings,
// comments, urls and blocks end) without making tokens, so that a sheet costs a
// single pass over its bytes and only what matters is looked at closely.
// Spec: CSS Syntax 3, Tokenization; Consume a simple block.

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// skipSpace is the index of the first byte at or after i that is neither white
// space nor in a comment.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch {
		case isSpace(s[i]):
			i++
		case s[i] == '/' && i+1 < len(s) && s[i+1] == '*':
			i = skipComment(s, i)
		default:
			return i
		}
	}
	return i
}

// skipComment goes past the comment that starts at i.
func skipComment(s string, i int) int {
	for i += 2; i+1 < len(s); i++ {
		if s[i] == '*' && s[i+1] == '/' {
			return i + 2
		}
	}
	return len(s)
}

// skipString goes past the string that starts at i. A line break ends a bad
// string and is left for the caller.
func skipString(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n', '\r', '\f':
			return i
		}
	}
	return len(s)
}

// isRawURL says that the parenthesis at i opens a url without quotes.
func isRawURL(s string, i int) bool {
	if i < 3 || s[i-3]|0x20 != 'u' || s[i-2]|0x20 != 'r' || s[i-1]|0x20 != 'l' || i > 3 && isName(s[i-4]) {
		return false
	}
	for i++; i < len(s) && isSpace(s[i]); i++ {
	}
	return i < len(s) && s[i] != '"' && s[i] != '\''
}

// isName says that c can be in a CSS identifier.
func isName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

// skipURL goes past the raw url whose parenthesis is at i.
func skipURL(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case ')':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

// skipBlock goes past the block that the bracket at i opens. A closing bracket
// of another kind than the innermost open one means nothing.
func skipBlock(s string, i int) int {
	var room [16]byte
	open := room[:0]
	for i < len(s) {
		switch c := s[i]; c {
		case '{', '[', '(':
			if c == '(' && isRawURL(s, i) {
				i = skipURL(s, i)
				if len(open) == 0 {
					return i
				}
				continue
			}
			open = append(open, closer(c))
		case '}', ']', ')':
			if open[len(open)-1] == c {
				open = open[:len(open)-1]
				if len(open) == 0 {
					return i + 1
				}
			}
		case '"', '\'':
			i = skipString(s, i)
			continue
		case '/':
			if i+1 < len(s) && s[i+1] == '*' {
				i = skipComment(s, i)
				continue
			}
		case '\\':
			i++
		}
		i++
	}
	return len(s)
}

func closer(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// stop is a set of bytes that end a run of component values.
type stop uint8

const (
	stopSemicolon stop = 1 << iota
	stopOpen           // '{'
	stopClose          // '}'
)

// skipValues goes to the first byte in end that is in no block, string, comment
// or escape.
func skipValues(s string, i int, end stop) int {
	for i < len(s) {
		switch s[i] {
		case ';':
			if end&stopSemicolon != 0 {
				return i
			}
		case '{':
			if end&stopOpen != 0 {
				return i
			}
			i = skipBlock(s, i)
			continue
		case '}':
			if end&stopClose != 0 {
				return i
			}
		case '(', '[':
			i = skipBlock(s, i)
			continue
		case '"', '\'':
			i = skipString(s, i)
			continue
		case '/':
			if i+1 < len(s) && s[i+1] == '*' {
				i = skipComment(s, i)
				continue
			}
		case '\\':
			i++
		}
		i++
	}
	return len(s)
}
