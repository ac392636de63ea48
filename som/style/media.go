package style

import (
	"strings"

	"github.com/tdewolff/parse/v2/css"
)

// The screen that media queries are evaluated for.
const (
	viewportWidth  = 1280
	viewportHeight = 720
)

// truth is three-valued: a media query that is not understood is neither true
// nor, under not, false (Media Queries 5, Evaluating media features).
type truth int8

const (
	no      truth = -1
	unknown truth = 0
	yes     truth = 1
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// matchMedia evaluates a media query list.
func matchMedia(list string) bool {
	if trim(list) == "" {
		return true
	}
	if len(list) > maxPrelude {
		return false
	}
	for _, q := range splitCommas(tokenize(list)) {
		if mediaQuery(q) == yes {
			return true
		}
	}
	return false
}

// mediaQuery evaluates one query. A malformed one is "not all".
func mediaQuery(t []token) truth {
	if len(t) == 0 {
		return no
	}
	negate := false
	switch w := t[0].ident(); {
	case w == "not" && len(t) > 2 && t[2].ident() != "":
		negate = true
		t = trimSpace(t[1:])
	case w == "only":
		t = trimSpace(t[1:])
		if len(t) > 0 && t[0].ident() == "" {
			return no // a media type has to follow
		}
	}
	if len(t) == 0 {
		return no
	}
	result := yes
	if w := t[0].ident(); w != "" && w != "not" {
		switch w {
		case "and", "or", "only", "layer":
			return no
		}
		result = truthOf(w == "all" || w == "screen")
		t = trimSpace(t[1:])
		if len(t) > 0 {
			if t[0].ident() != "and" {
				return no
			}
			result = min(result, condition(trimSpace(t[1:]), 0, mediaFeature))
		}
	} else {
		result = condition(t, 0, mediaFeature)
	}
	if negate {
		return -result
	}
	return result
}

// maxCondition is how deep conditions may nest.
const maxCondition = 32

// condition evaluates "not X", "X and Y", "X or Y" and parentheses, for media
// queries and for @supports. feature decides what is no condition itself.
func condition(t []token, depth int, feature func([]token) truth) truth {
	t = trimSpace(t)
	if len(t) == 0 || depth > maxCondition {
		return unknown
	}
	if t[0].ident() == "not" {
		return -operand(trimSpace(t[1:]), depth, feature)
	}
	var result truth
	op := ""
	for first := true; ; first = false {
		if len(t) == 0 {
			return unknown
		}
		end := 1
		if t[0].typ == css.LeftParenthesisToken || t[0].typ == css.FunctionToken {
			end = blockEnd(t, 0)
		}
		v := operand(t[:end], depth, feature)
		switch {
		case first:
			result = v
		case op == "and":
			result = min(result, v)
		default:
			result = max(result, v)
		}
		t = trimSpace(t[end:])
		if len(t) == 0 {
			return result
		}
		w := t[0].ident()
		if w != "and" && w != "or" || op != "" && w != op {
			return unknown
		}
		op = w
		t = trimSpace(t[1:])
	}
}

// operand evaluates what is in parentheses, or a function.
func operand(t []token, depth int, feature func([]token) truth) truth {
	if len(t) == 0 {
		return unknown
	}
	if t[0].typ != css.LeftParenthesisToken {
		return feature(t)
	}
	end := blockEnd(t, 0)
	if end != len(t) {
		return unknown
	}
	inner := args(t, 0, end)
	if len(inner) > 0 && (inner[0].typ == css.LeftParenthesisToken && blockEnd(inner, 0) < len(inner) || inner[0].ident() == "not") {
		return condition(inner, depth+1, feature)
	}
	if len(inner) > 0 && (inner[0].typ == css.LeftParenthesisToken || inner[0].typ == css.FunctionToken) {
		if v := condition(inner, depth+1, feature); v != unknown {
			return v
		}
	}
	return feature(inner)
}

// mediaFeature evaluates the inside of a parenthesis: plain, boolean or range.
func mediaFeature(t []token) truth {
	if len(t) == 0 || t[0].typ == css.FunctionToken {
		return unknown
	}
	for i := range t {
		if t[i].is('<') || t[i].is('>') || t[i].is('=') {
			return mediaRange(t)
		}
	}
	name := t[0].ident()
	rest := trimSpace(t[1:])
	if len(rest) == 0 {
		return booleanFeature(name)
	}
	if rest[0].typ != css.ColonToken {
		return unknown
	}
	value := trimSpace(rest[1:])
	if len(value) == 0 {
		return unknown
	}
	for _, p := range []struct {
		prefix string
		op     string
	}{{"min-", ">="}, {"max-", "<="}, {"-webkit-min-", ">="}, {"-webkit-max-", "<="}} {
		if strings.HasPrefix(name, p.prefix) {
			return compare(strings.TrimPrefix(name, p.prefix), p.op, value)
		}
	}
	if v, ok := discrete(name); ok {
		return truthOf(value[0].ident() == v || name == "grid" && value[0].text == v)
	}
	return compare(name, "=", value)
}

// discrete features and what they are on the screen of an unremarkable desktop.
func discrete(name string) (value string, ok bool) {
	switch name {
	case "orientation":
		return "landscape", true
	case "hover", "any-hover":
		return "hover", true
	case "pointer", "any-pointer":
		return "fine", true
	case "prefers-color-scheme":
		return "light", true
	case "prefers-reduced-motion", "prefers-contrast", "prefers-reduced-transparency", "prefers-reduced-data":
		return "no-preference", true
	case "forced-colors", "inverted-colors":
		return "none", true
	case "update":
		return "fast", true
	case "overflow-block", "overflow-inline":
		return "scroll", true
	case "scan":
		return "progressive", true
	case "grid":
		return "0", true
	case "color-gamut":
		return "srgb", true
	case "dynamic-range", "video-dynamic-range":
		return "standard", true
	case "display-mode":
		return "browser", true
	case "scripting":
		return "enabled", true
	}
	return "", false
}

func booleanFeature(name string) truth {
	if v, ok := discrete(name); ok {
		return truthOf(v != "none" && v != "no-preference" && v != "0")
	}
	if v, ok := measure(name); ok {
		return truthOf(v != 0)
	}
	if name == "-webkit-transform-3d" {
		return yes
	}
	return unknown
}

// measure is the value of a numeric feature: px, ratio, dots per px or a count.
func measure(name string) (float64, bool) {
	switch name {
	case "width", "device-width":
		return viewportWidth, true
	case "height", "device-height":
		return viewportHeight, true
	case "aspect-ratio", "device-aspect-ratio":
		return float64(viewportWidth) / viewportHeight, true
	case "resolution", "device-pixel-ratio", "-webkit-device-pixel-ratio":
		return 1, true
	case "color":
		return 8, true
	case "color-index", "monochrome":
		return 0, true
	case "horizontal-viewport-segments", "vertical-viewport-segments":
		return 1, true
	}
	return 0, false
}

// compare evaluates "feature op value".
func compare(name, op string, value []token) truth {
	have, ok := measure(name)
	if !ok {
		return unknown
	}
	want, ok := quantity(name, value)
	if !ok {
		return unknown
	}
	switch op {
	case "<":
		return truthOf(have < want)
	case "<=":
		return truthOf(have <= want)
	case ">":
		return truthOf(have > want)
	case ">=":
		return truthOf(have >= want)
	}
	return truthOf(have == want)
}

// quantity is a feature's value in the unit of measure.
func quantity(name string, t []token) (float64, bool) {
	v, unit, ok := t[0].number()
	if !ok {
		return 0, false
	}
	rest := trimSpace(t[1:])
	if strings.HasSuffix(name, "aspect-ratio") {
		if len(rest) == 0 {
			return v, unit == ""
		}
		if len(rest) < 2 || !rest[0].is('/') {
			return 0, false
		}
		below, _, ok := trimSpace(rest[1:])[0].number()
		return v / below, ok
	}
	if len(rest) > 0 {
		return 0, false
	}
	switch name {
	case "resolution":
		switch unit {
		case "dpi":
			return v / 96, true
		case "dpcm":
			return v * 2.54 / 96, true
		}
		return v, unit == "dppx" || unit == "x"
	case "width", "height", "device-width", "device-height":
		return pixels(v, unit)
	}
	return v, unit == ""
}

// mediaRange evaluates "width >= 600px", "600px < width" and "400px <= width <= 700px".
func mediaRange(t []token) truth {
	var parts [][]token
	var ops []string
	start := 0
	for i := 0; i < len(t); i++ {
		if !t[i].is('<') && !t[i].is('>') && !t[i].is('=') {
			continue
		}
		op := t[i].text
		parts = append(parts, trimSpace(t[start:i]))
		if op != "=" && i+1 < len(t) && t[i+1].is('=') {
			op += "="
			i++
		}
		ops = append(ops, op)
		start = i + 1
	}
	parts = append(parts, trimSpace(t[start:]))
	for _, p := range parts {
		if len(p) == 0 {
			return unknown
		}
	}
	switch {
	case len(parts) == 2 && parts[0][0].ident() != "":
		return compare(parts[0][0].ident(), ops[0], parts[1])
	case len(parts) == 2:
		return compare(parts[1][0].ident(), flip(ops[0]), parts[0])
	case len(parts) == 3 && ops[0] != "=" && ops[0][0] == ops[1][0]:
		name := parts[1][0].ident()
		return min(compare(name, flip(ops[0]), parts[0]), compare(name, ops[1], parts[2]))
	}
	return unknown
}

// flip turns an operator round.
func flip(op string) string {
	switch op[0] {
	case '<':
		return ">" + op[1:]
	case '>':
		return "<" + op[1:]
	}
	return op
}
