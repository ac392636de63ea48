package style

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// token is a CSS token with its text as written.
type token struct {
	typ  css.TokenType
	text string
}

// tokenize splits s into tokens, comments left out and runs of white space made
// one. It is called for the preludes and values that matter, never for a sheet.
func tokenize(s string) []token {
	s = strings.ReplaceAll(s, "\x00", "\ufffd")
	// The lexer wants to write a NUL behind its input.
	src := append(make([]byte, 0, len(s)+1), s...)
	lex := css.NewLexer(parse.NewInputBytes(src))
	tokens := make([]token, 0, len(s)/4+2)
	for at := 0; ; {
		typ, data := lex.Next()
		if typ == css.ErrorToken {
			return tokens
		}
		text := s[at : at+len(data)]
		at += len(data)
		switch typ {
		case css.CommentToken:
			continue
		case css.WhitespaceToken:
			if n := len(tokens); n > 0 && tokens[n-1].typ == css.WhitespaceToken {
				continue
			}
		}
		tokens = append(tokens, token{typ, text})
	}
}

// trimSpace drops white space tokens at both ends.
func trimSpace(t []token) []token {
	for len(t) > 0 && t[0].typ == css.WhitespaceToken {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1].typ == css.WhitespaceToken {
		t = t[:len(t)-1]
	}
	return t
}

// is says that t is the delimiter or bracket c.
func (t token) is(c byte) bool { return len(t.text) == 1 && t.text[0] == c }

// ident is the value of an identifier in lower case, "" for other tokens.
func (t token) ident() string {
	if t.typ != css.IdentToken {
		return ""
	}
	return lower(unescape(t.text))
}

// function is the name of a function token in lower case, "" for other tokens.
func (t token) function() string {
	if t.typ != css.FunctionToken {
		return ""
	}
	return lower(unescape(t.text[:len(t.text)-1]))
}

// str is the value of a string token.
func (t token) str() string {
	s := t.text[1:]
	if n := len(s); n > 0 && s[n-1] == t.text[0] {
		s = s[:n-1]
	}
	return unescape(s)
}

// number is the value of a number, percentage or dimension token and its unit
// in lower case.
func (t token) number() (v float64, unit string, ok bool) {
	switch t.typ {
	case css.NumberToken, css.PercentageToken, css.DimensionToken:
	default:
		return 0, "", false
	}
	end := len(t.text)
	for end > 0 && (t.text[end-1] < '0' || t.text[end-1] > '9') {
		end--
	}
	if t.typ == css.DimensionToken {
		end = numberEnd(t.text)
	}
	v, err := strconv.ParseFloat(t.text[:end], 64)
	return v, lower(t.text[end:]), err == nil
}

// numberEnd is the end of the number that s starts with.
func numberEnd(s string) int {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && s[j] >= '0' && s[j] <= '9' {
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			return j
		}
	}
	return i
}

// blockEnd is the index after the block that t[i] opens (a bracket or a
// function); len(t) if nothing closes it.
func blockEnd(t []token, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch t[i].typ {
		case css.FunctionToken, css.LeftParenthesisToken, css.LeftBracketToken, css.LeftBraceToken:
			depth++
		case css.RightParenthesisToken, css.RightBracketToken, css.RightBraceToken:
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(t)
}

// args are the tokens inside the block from i to end (see blockEnd).
func args(t []token, i, end int) []token {
	if last := t[end-1]; end-1 > i && (last.typ == css.RightParenthesisToken || last.typ == css.RightBracketToken) {
		end--
	}
	return trimSpace(t[i+1 : end])
}

// splitCommas splits at the commas that are in no block.
func splitCommas(t []token) [][]token {
	var parts [][]token
	start := 0
	for i := 0; i < len(t); {
		switch t[i].typ {
		case css.CommaToken:
			parts = append(parts, trimSpace(t[start:i]))
			i++
			start = i
		case css.FunctionToken, css.LeftParenthesisToken, css.LeftBracketToken:
			i = blockEnd(t, i)
		default:
			i++
		}
	}
	return append(parts, trimSpace(t[start:]))
}

// lower is s with ASCII letters in lower case.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// unescape resolves the escapes of an identifier or string (CSS Syntax 3,
// consume an escaped code point).
func unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for i < len(s) {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			i++
			continue
		}
		i++
		start := i
		for i < len(s) && i-start < 6 && isHex(s[i]) {
			i++
		}
		if i == start {
			if s[i] == '\n' || s[i] == '\f' {
				i++ // a line break that a string goes on after
				continue
			}
			b = append(b, s[i])
			i++
			continue
		}
		v, _ := strconv.ParseUint(s[start:i], 16, 32)
		if v == 0 || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
			v = utf8.RuneError
		}
		b = utf8.AppendRune(b, rune(v))
		if i < len(s) && isSpace(s[i]) {
			i++
		}
	}
	return string(b)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
