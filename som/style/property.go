package style

import (
	"strings"

	"github.com/tdewolff/parse/v2/css"
)

// property is one of the properties that are looked at.
type property uint8

const (
	propNone property = iota
	propDisplay
	propVisibility
	propContentVisibility
	propPosition
	propFloat
	propOpacity
	propClip
	propOffset // left, top, right, bottom, text-indent; kept only if far out
	propFontSize
	propCount
	propAll    // the shorthand: display to propFontSize
	propCustom // --name
)

// keyword is a CSS-wide keyword.
type keyword uint8

const (
	wideNone keyword = iota
	wideInherit
	wideInitial
	wideUnset
	wideRevert
	wideRevertLayer
)

// A declaration is a parsed declaration of one of the properties above.
type declaration struct {
	prop      property
	important bool
	wide      keyword
	value     uint8  // by property: a Display, or the constants below
	name      string // of a custom property
	raw       string // of a custom property, and of a value with var()
}

// Values of declaration.value besides Display.
const (
	off uint8 = iota // the initial value, or one that changes nothing here
	on               // hidden, floating, clipped, far out, transparent, tiny
	visibilityCollapse
	positionOut // absolute or fixed
)

// propertyOf names a property, given as written.
func propertyOf(name string) property {
	if len(name) < 3 {
		return propNone
	}
	if name[0] == '-' && name[1] == '-' {
		return propCustom
	}
	switch len(name) { // most properties of a page go no further than this
	case 3, 4, 5, 6, 7, 8, 9, 10, 11, 18:
	default:
		if strings.IndexByte(name, '\\') < 0 {
			return propNone
		}
	}
	return propertyNamed(lower(unescape(name)))
}

func propertyNamed(name string) property {
	switch name {
	case "display":
		return propDisplay
	case "visibility":
		return propVisibility
	case "content-visibility":
		return propContentVisibility
	case "position":
		return propPosition
	case "float":
		return propFloat
	case "opacity":
		return propOpacity
	case "clip", "clip-path":
		return propClip
	case "left", "top", "right", "bottom", "text-indent":
		return propOffset
	case "font-size":
		return propFontSize
	case "all":
		return propAll
	}
	return propNone
}

// parseDeclaration parses a value; ok is false for one that CSS ignores as
// invalid, and for a harmless one of a property that only hints.
func parseDeclaration(prop property, name, value string) (d declaration, ok bool) {
	d.prop = prop
	if prop == propOffset && lower(name) == textIndent {
		d.name = textIndent
	}
	value = trim(value)
	if i := strings.LastIndexByte(value, '!'); i >= 0 && isImportant(value[i+1:]) {
		d.important = true
		value = trim(value[:i])
	}
	if prop == propCustom {
		d.name, d.raw = unescape(name), value
		d.wide = wideKeyword(lower(value))
		return d, true
	}
	if len(value) > maxValue {
		return d, false
	}
	// Most values are one plain word.
	if isPlainWord(value) {
		return d, d.setWord(lower(value))
	}
	if typ := plainNumber(value); typ != 0 {
		return d, d.setTokens([]token{{typ, value}})
	}
	if hasVar(value) {
		d.raw = value
		return d, validVars(tokenize(value))
	}
	return d, d.setTokens(trimSpace(tokenize(value)))
}

// textIndent is the one offset that works without a position.
const textIndent = "text-indent"

// maxValue is the length in bytes of the longest value that is looked at.
const maxValue = 4096

func trim(s string) string { return strings.Trim(s, " \t\n\r\f") }

func isImportant(s string) bool {
	s = trim(s)
	return len(s) == len("important") && lower(s) == "important" ||
		strings.Contains(s, "/*") && len(s) < maxValue && isImportantTokens(tokenize(s))
}

func isImportantTokens(t []token) bool {
	t = trimSpace(t)
	return len(t) == 1 && t[0].ident() == "important"
}

func isPlainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c|0x20 < 'a' || c|0x20 > 'z' {
			if c != '-' {
				return false
			}
		}
	}
	return s != ""
}

// plainNumber is the type of a value that is one number, percentage or length; 0
// for others, and for those that it is not sure of.
func plainNumber(s string) css.TokenType {
	i, digits := 0, 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	for ; i < len(s) && ('0' <= s[i] && s[i] <= '9' || s[i] == '.' && i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9'); i++ {
		digits++
		if s[i] == '.' && strings.IndexByte(s[:i], '.') >= 0 {
			return 0
		}
	}
	unit := s[i:]
	switch {
	case digits == 0:
		return 0
	case unit == "":
		return css.NumberToken
	case unit == "%":
		return css.PercentageToken
	case unit[0] != '-' && isPlainWord(unit) && !strings.Contains(unit, "-"):
		return css.DimensionToken
	}
	return 0
}

// hasVar says that a value waits for custom properties.
func hasVar(value string) bool {
	for i := 0; i+4 <= len(value); i++ {
		if value[i]|0x20 == 'v' && value[i+3] == '(' && lower(value[i:i+3]) == "var" {
			return true
		}
	}
	return false
}

// validVars says that every var() names a custom property; if one does not, the
// declaration is invalid as it stands.
func validVars(t []token) bool {
	for i := range t {
		if t[i].function() == "var" {
			if a := args(t, i, blockEnd(t, i)); len(a) == 0 || a[0].typ != css.CustomPropertyNameToken {
				return false
			}
		}
	}
	return true
}

func wideKeyword(word string) keyword {
	switch word {
	case "inherit":
		return wideInherit
	case "initial":
		return wideInitial
	case "unset":
		return wideUnset
	case "revert":
		return wideRevert
	case "revert-layer":
		return wideRevertLayer
	}
	return wideNone
}

// setTokens sets a value that is more than a word.
func (d *declaration) setTokens(t []token) bool {
	if len(t) == 1 && t[0].typ == css.IdentToken {
		return d.setWord(t[0].ident())
	}
	if len(t) == 0 {
		return false
	}
	switch d.prop {
	case propDisplay:
		v, ok := displayOf(t)
		d.value = uint8(v)
		return ok
	case propOpacity, propFontSize, propOffset, propClip:
		return d.setHint(t)
	}
	return false
}

// setWord sets a value that is one identifier, in lower case.
func (d *declaration) setWord(w string) bool {
	d.wide = wideKeyword(w)
	if d.wide != wideNone {
		return true
	}
	switch d.prop {
	case propDisplay:
		v, ok := displayWord(w)
		d.value = uint8(v)
		return ok
	case propVisibility:
		return d.choose(w, map1{"visible", off}, map1{"hidden", on}, map1{"collapse", visibilityCollapse})
	case propContentVisibility:
		return d.choose(w, map1{"visible", off}, map1{"auto", off}, map1{"hidden", on})
	case propPosition:
		return d.choose(w, map1{"static", off}, map1{"relative", off}, map1{"sticky", off},
			map1{"-webkit-sticky", off}, map1{"absolute", positionOut}, map1{"fixed", positionOut})
	case propFloat:
		return d.choose(w, map1{"none", off}, map1{"left", on}, map1{"right", on},
			map1{"inline-start", on}, map1{"inline-end", on})
	case propClip:
		return w == "auto" || w == "none"
	}
	return false
}

type map1 struct {
	word  string
	value uint8
}

func (d *declaration) choose(w string, values ...map1) bool {
	for _, v := range values {
		if v.word == w {
			d.value = v.value
			return true
		}
	}
	return false
}

// setHint sets a value that only tells whether text may be out of sight.
func (d *declaration) setHint(t []token) bool {
	d.value = off
	switch d.prop {
	case propClip:
		if clipsAll(t) {
			d.value = on
		}
		return true
	case propOpacity:
		v, unit, ok := t[0].number()
		if ok && len(t) == 1 && v <= 0 && (unit == "" || unit == "%") {
			d.value = on
		}
		return ok
	case propFontSize:
		v, unit, ok := t[0].number()
		px, known := pixels(v, unit)
		if ok && len(t) == 1 && known && px <= 1 {
			d.value = on
		}
		return true
	}
	v, unit, ok := t[0].number()
	px, known := pixels(v, unit)
	if !ok || len(t) != 1 || !known || px > -999 && px < 9999 {
		return false
	}
	d.value = on
	return true
}

// clipsAll says that a clip or clip-path leaves nothing, or a pixel.
func clipsAll(t []token) bool {
	fn := t[0].function()
	var n []float64
	for _, x := range t[1:] {
		if v, unit, ok := x.number(); ok {
			if unit == "%" && v >= 50 {
				v = -1
			} else if unit == "%" {
				v = 1000
			}
			n = append(n, v)
		}
	}
	switch {
	case len(n) == 0:
		return false
	case fn == "rect":
		for _, v := range n {
			if v > 1 {
				return false
			}
		}
		return true
	case fn == "inset":
		return n[0] == -1
	case fn == "circle":
		return n[0] == 0
	}
	return false
}

// pixels converts a length; known is false for a unit that depends on layout.
func pixels(v float64, unit string) (px float64, known bool) {
	switch unit {
	case "":
		return v, v == 0
	case "px":
		return v, true
	case "em", "rem":
		return v * 16, true
	case "ex", "ch":
		return v * 8, true
	case "in":
		return v * 96, true
	case "cm":
		return v * 96 / 2.54, true
	case "mm":
		return v * 96 / 25.4, true
	case "q":
		return v * 96 / 101.6, true
	case "pt":
		return v * 96 / 72, true
	case "pc":
		return v * 16, true
	case "vw":
		return v * viewportWidth / 100, true
	case "vh":
		return v * viewportHeight / 100, true
	}
	return 0, false
}

// displayWord is a single keyword of display.
func displayWord(w string) (Display, bool) {
	switch w {
	case "block":
		return Block, true
	case "none":
		return None, true
	case "flow":
		return Block, true
	case "inline", "math", "ruby-base":
		return Inline, w != "ruby-base"
	case "-webkit-flex":
		return Flex, true
	case "-webkit-inline-flex":
		return InlineFlex, true
	case "-webkit-box": // the flex box of old: its children stay what they are
		return FlowRoot, true
	case "-webkit-inline-box":
		return InlineBlock, true
	}
	d, ok := displayNames[w]
	return d, ok
}

// displayOf is a display of several keywords (CSS Display 3, the full form).
func displayOf(t []token) (Display, bool) {
	var outer, inner string
	listItem := false
	for _, x := range t {
		w := x.ident()
		switch {
		case x.typ == css.WhitespaceToken:
		case (w == "block" || w == "inline") && outer == "":
			outer = w
		case w == "list-item" && !listItem:
			listItem = true
		case inner == "" && (w == "flow" || w == "flow-root" || w == "table" || w == "flex" || w == "grid" || w == "ruby" || w == "math"):
			inner = w
		default:
			return 0, false
		}
	}
	if listItem {
		if inner != "" && inner != "flow" && inner != "flow-root" {
			return 0, false
		}
		if outer == "inline" {
			return Inline, true
		}
		return ListItem, true
	}
	inline := outer == "inline" || outer == "" && inner == "ruby"
	switch inner {
	case "flow-root":
		return pick(inline, InlineBlock, FlowRoot), true
	case "table":
		return pick(inline, InlineTable, Table), true
	case "flex":
		return pick(inline, InlineFlex, Flex), true
	case "grid":
		return pick(inline, InlineGrid, Grid), true
	case "ruby":
		return pick(inline, Ruby, Block), true
	}
	return pick(inline, Inline, Block), true
}

func pick(first bool, a, b Display) Display {
	if first {
		return a
	}
	return b
}
