package style

import (
	"strings"

	"github.com/tdewolff/parse/v2/css"
)

// matchSupports evaluates the condition of @supports.
func matchSupports(cond string) bool {
	if len(cond) > maxPrelude {
		return false
	}
	return condition(tokenize(cond), 0, supportsFeature) == yes
}

// supportsFeature evaluates a declaration in parentheses, or selector() and its
// like. Which of the properties that are not looked at here a browser has is
// not known one by one: all are taken as supported but those with the prefix of
// another browser, and a few that are asked for to tell browsers apart.
func supportsFeature(t []token) truth {
	if len(t) == 0 {
		return unknown
	}
	switch fn := t[0].function(); fn {
	case "":
	case "selector":
		p := selectorParser{}
		end := blockEnd(t, 0)
		_, v := p.parseComplex(args(t, 0, end), nil)
		return truthOf(v != invalid)
	case "font-tech", "font-format":
		return yes
	default:
		return no
	}
	if len(t) < 2 || t[0].typ != css.IdentToken && t[0].typ != css.CustomPropertyNameToken {
		return no
	}
	rest := trimSpace(t[1:])
	if len(rest) < 2 || rest[0].typ != css.ColonToken {
		return no
	}
	return truthOf(isSupported(lower(unescape(t[0].text)), trimSpace(rest[1:])))
}

func isSupported(name string, value []token) bool {
	if strings.HasPrefix(name, "--") {
		return true
	}
	switch name {
	case "-webkit-touch-callout", "-webkit-overflow-scrolling", "-webkit-hyphens",
		"hanging-punctuation", "margin-trim":
		return false
	}
	for _, t := range append(value, token{text: name}) {
		for _, prefix := range []string{"-moz-", "-ms-", "-o-", "-khtml-", "-apple-", "-webkit-marquee"} {
			if strings.HasPrefix(lower(t.text), prefix) {
				return false
			}
		}
	}
	switch p := propertyNamed(name); p {
	case propDisplay, propVisibility, propContentVisibility, propPosition, propFloat:
		var raw strings.Builder
		for _, t := range value {
			raw.WriteString(t.text)
		}
		_, ok := parseDeclaration(p, name, raw.String())
		return ok
	}
	return true
}
