package forms

import (
	"fmt"
	"regexp"
	"strings"
)

// compilePattern makes a matcher of a pattern attribute: the whole value must
// match. It is nil where the pattern constrains nothing, because it is no
// regular expression, or because Go's engine cannot say.
//
// Differs from the spec: Go's regexp has no lookaround and no back references.
// Lookaheads at the start, which is where passwords rules have them, are matched
// one by one; a pattern with others is not checked.
func compilePattern(p string) func(string) bool {
	if len(p) > 4096 {
		return nil
	}
	body := translatePattern(p)
	if body == "" && p != "" {
		return nil
	}
	var tests []func(string) bool
	rest := strings.TrimPrefix(body, "^")
	for strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!") {
		end := groupEnd(rest)
		if end < 0 {
			return nil
		}
		re, err := regexp.Compile(`\A(?:` + rest[3:end] + `)`)
		if err != nil {
			return nil
		}
		want := rest[2] == '='
		tests = append(tests, func(v string) bool { return re.MatchString(v) == want })
		rest = rest[end+1:]
	}
	if len(tests) > 0 {
		body = rest
	}
	// The pattern is compiled alone first: "a)(b" must not be repaired by the group around it.
	if _, err := regexp.Compile(body); err != nil {
		return nil
	}
	re, err := regexp.Compile(`\A(?:` + body + `)\z`)
	if err != nil {
		return nil
	}
	return func(v string) bool {
		for _, t := range tests {
			if !t(v) {
				return false
			}
		}
		return re.MatchString(v)
	}
}

// groupEnd is the index of the parenthesis that closes the one at 0, or -1.
// After the group an alternative would belong to it too, so that is -1 as well.
func groupEnd(p string) int {
	depth, class, end := 0, false, -1
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth == 0 && end < 0 {
				end = i
			}
		case c == '|' && depth == 0:
			return -1
		}
	}
	if end >= 0 && end+1 < len(p) && strings.IndexByte("*+?{", p[end+1]) >= 0 {
		return -1
	}
	return end
}

// jsSpace is what \s means in JavaScript, as the inside of a class.
const jsSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// translatePattern rewrites JavaScript's syntax (with the v flag) as Go's; "" if
// it cannot.
func translatePattern(p string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\':
			out, n := translateEscape(p[i:], class)
			if out == "" {
				return ""
			}
			b.WriteString(out)
			i += n - 1
		case class && c == '[', class && i+1 < len(p) && (p[i:i+2] == "--" || p[i:i+2] == "&&"):
			return "" // set operations of the v flag
		case class && c == ']':
			class = false
			b.WriteByte(c)
		case c == '[':
			if strings.HasPrefix(p[i:], "[]") {
				b.WriteString(`[^\x00-\x{10ffff}]`)
				i++
				continue
			}
			if strings.HasPrefix(p[i:], "[^]") {
				b.WriteString(`[\x00-\x{10ffff}]`)
				i += 2
				continue
			}
			class = true
			b.WriteByte(c)
		case !class && c == '.':
			b.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// translateEscape rewrites the escape at the start of p and says how many bytes it took.
func translateEscape(p string, class bool) (out string, n int) {
	if len(p) < 2 {
		return "", 0
	}
	switch c := p[1]; c {
	case 'd', 'D', 'w', 'W', 't', 'n', 'v', 'f', 'r':
		return p[:2], 2
	case 'p', 'P':
		return translateProperty(p)
	case 's':
		if class {
			return jsSpace, 2
		}
		return "[" + jsSpace + "]", 2
	case 'S':
		if class {
			return "", 0
		}
		return "[^" + jsSpace + "]", 2
	case 'b', 'B':
		if class {
			return `\x08`, 2
		}
		return p[:2], 2
	case '0':
		return `\x00`, 2
	case 'x':
		return hexEscape(p, 2, 2)
	case 'u':
		if strings.HasPrefix(p, `\u{`) {
			end := strings.IndexByte(p, '}')
			if end < 4 || end > 9 {
				return "", 0
			}
			out, _ := hexEscape(p, 3, end-3)
			return out, end + 1
		}
		return hexEscape(p, 2, 4)
	default:
		if strings.IndexByte("^$\\.*+?()[]{}|/-&!#%,:;<=>@`~\"' _", c) < 0 {
			return "", 0 // back references, \c, \k and what the v flag forbids
		}
		return p[:2], 2
	}
}

func hexEscape(p string, from, digits int) (string, int) {
	if len(p) < from+digits {
		return "", 0
	}
	var r uint32
	if _, err := fmt.Sscanf(p[from:from+digits], "%x", &r); err != nil {
		return "", 0
	}
	return fmt.Sprintf(`\x{%x}`, r), from + digits
}

// translateProperty: \p{L}, \p{Lu}, \p{Script=Greek}.
func translateProperty(p string) (string, int) {
	end := strings.IndexByte(p, '}')
	if !strings.HasPrefix(p[2:], "{") || end < 0 {
		return "", 0
	}
	name := p[3:end]
	for _, prefix := range []string{"Script=", "sc=", "General_Category=", "gc="} {
		name = strings.TrimPrefix(name, prefix)
	}
	switch name {
	case "Letter", "Alphabetic":
		name = "L"
	case "Lowercase_Letter", "Lowercase":
		name = "Ll"
	case "Uppercase_Letter", "Uppercase":
		name = "Lu"
	case "Number":
		name = "N"
	case "Punctuation":
		name = "P"
	}
	return p[:2] + "{" + name + "}", end + 1
}
