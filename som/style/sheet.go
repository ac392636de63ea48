package style

import "strings"

// Limits on hostile sheets, per tree. No real page comes near them.
const (
	maxRules  = 50_000 // style rules that are kept
	maxNested = 32     // blocks within blocks
)

// A rule is a run of declarations under one selector list. A style rule with
// nested rules in its midst makes several.
type rule struct {
	decls []declaration
	layer *layer
	order uint32
}

// A layer is a cascade layer. Its order is known when all sheets are read.
type layer struct {
	name     string
	children []*layer
	order    uint32
}

// child is the layer of that name in l, made if need be; "" is an anonymous one.
func (l *layer) child(name string) *layer {
	if name != "" {
		for _, c := range l.children {
			if c.name == name {
				return c
			}
		}
	}
	if len(l.children) > maxLayers {
		return l
	}
	c := &layer{name: name}
	l.children = append(l.children, c)
	return c
}

// number gives the layers their order: a layer's own rules come after those of
// its children (CSS Cascade 5, Layer Ordering).
func (l *layer) number(n uint32) uint32 {
	for _, c := range l.children {
		n = c.number(n)
	}
	l.order = n
	return n + 1
}

// A sheetReader reads the sheets of one tree into an index.
// Spec: CSS Syntax 3, parse a stylesheet's contents; CSS Nesting.
type sheetReader struct {
	s       string
	sel     selectorParser
	index   *ruleIndex
	root    *layer
	custom  map[string]bool // custom properties to keep
	wanted  map[string]bool // custom properties that kept values ask for
	order   uint32
	nesting int
	open    []styleRule // by nesting
}

// block is where a run of rules or declarations stands.
type block struct {
	layer *layer
	style *styleRule // the style rule around it; nil at the top
}

// A styleRule compiles its selectors when the first declaration needs them.
type styleRule struct {
	prelude string
	parent  *styleRule
	parsed  bool
	list    []*selector
}

// selectors are r's selectors; none if the list is invalid.
func (p *sheetReader) selectors(r *styleRule) []*selector {
	if r.parsed {
		return r.list
	}
	r.parsed = true
	if len(r.prelude) > maxPrelude {
		return nil
	}
	kind := plain
	p.sel.parent = nil
	if r.parent == nil {
		if list, ok := p.sel.parseSimple(r.prelude); ok {
			r.list = list
			return list
		}
	} else {
		parent := p.selectors(r.parent)
		if len(parent) == 0 {
			return nil
		}
		p.sel.parent, kind = parent, nested
	}
	r.list, _, _ = p.sel.parseList(tokenize(spreadRange(r.prelude)), kind)
	return r.list
}

// spreadRange keeps the lexer from seeing a unicode range, which selectors have
// not, in "u+b".
func spreadRange(s string) string {
	if strings.Contains(s, "u+") || strings.Contains(s, "U+") {
		return strings.NewReplacer("u+", "u +", "U+", "U +").Replace(s)
	}
	return s
}

// read reads a whole sheet.
func (p *sheetReader) read(s string) {
	p.s = s
	b := block{layer: p.root}
	for i := 0; i < len(s); {
		i = skipSpace(s, i)
		switch {
		case i >= len(s):
		case strings.HasPrefix(s[i:], "<!--"):
			i += 4
		case strings.HasPrefix(s[i:], "-->"):
			i += 3
		case s[i] == '@':
			i = p.atRule(i, b)
		default:
			i = p.qualified(i, skipValues(s, i, stopOpen), b)
		}
	}
}

// qualified reads a style rule whose prelude goes from i to open, the index of
// its '{' (the end of the sheet if there is none).
func (p *sheetReader) qualified(i, open int, b block) int {
	if open >= len(p.s) {
		return len(p.s)
	}
	if p.open == nil {
		p.open = make([]styleRule, maxNested+1)
	}
	r := &p.open[p.nesting] // nobody keeps it
	*r = styleRule{prelude: p.s[i:open], parent: b.style}
	return p.contents(open+1, block{layer: b.layer, style: r})
}

// atRule reads the at-rule at i.
func (p *sheetReader) atRule(i int, b block) int {
	start := i + 1
	for i = start; i < len(p.s) && (isName(p.s[i]) || p.s[i] == '\\'); i++ {
	}
	name := lower(p.s[start:i])
	end := stopSemicolon | stopOpen
	if b.style != nil || p.nesting > 0 {
		end |= stopClose
	}
	open := skipValues(p.s, i, end)
	prelude := p.s[i:open]
	if open >= len(p.s) || p.s[open] != '{' {
		if name == "layer" {
			p.nameLayers(prelude, b.layer)
		}
		if open < len(p.s) && p.s[open] == ';' {
			open++
		}
		return open
	}
	inner := b
	switch name {
	case "media":
		if !matchMedia(prelude) {
			return skipBlock(p.s, open)
		}
	case "supports":
		if !matchSupports(prelude) {
			return skipBlock(p.s, open)
		}
	case "layer":
		inner.layer = p.layerNamed(trim(prelude), b.layer)
	default:
		// Container and scope queries are not evaluated: their rules are
		// unknown, so they have no effect. The others style no element.
		return skipBlock(p.s, open)
	}
	return p.contents(open+1, inner)
}

// nameLayers reads "@layer a, b.c;", which only fixes their order.
func (p *sheetReader) nameLayers(list string, in *layer) {
	for _, name := range strings.Split(list, ",") {
		if name = trim(name); name != "" {
			p.layerNamed(name, in)
		}
	}
}

// layerNamed is the layer that a dotted name means in another one.
func (p *sheetReader) layerNamed(name string, in *layer) *layer {
	if name == "" {
		return in.child("")
	}
	if len(name) > maxValue || strings.Count(name, ".") > maxNested {
		return in
	}
	for _, part := range strings.Split(name, ".") {
		in = in.child(unescape(trim(part)))
	}
	return in
}

// contents reads the inside of a block up to and with its '}': style rules, and
// declarations where it is or is in a style rule.
func (p *sheetReader) contents(i int, b block) int {
	if p.nesting >= maxNested {
		return p.leave(i)
	}
	p.nesting++
	defer func() { p.nesting-- }()
	var decls []declaration
	for {
		i = skipSpace(p.s, i)
		if i >= len(p.s) {
			break
		}
		switch c := p.s[i]; {
		case c == '}':
			p.keep(decls, b)
			return i + 1
		case c == ';':
			i++
		case c == '@':
			p.keep(decls, b)
			decls = nil
			i = p.atRule(i, b)
		default:
			next, d, isRule := p.item(i, b)
			if isRule {
				p.keep(decls, b)
				decls = nil
				i = p.qualified(i, next, b)
				continue
			}
			if d.prop != propNone && b.style != nil {
				decls = append(decls, d)
			}
			i = next
		}
	}
	p.keep(decls, b)
	return i
}

// leave goes past the rest of a block that is nested too deep.
func (p *sheetReader) leave(i int) int {
	i = skipValues(p.s, i, stopClose)
	return min(i+1, len(p.s))
}

// item reads a declaration, or finds the '{' of a nested rule. A declaration
// whose value holds a block is a rule ("a:hover {…}"), but for custom properties.
func (p *sheetReader) item(i int, b block) (next int, d declaration, isRule bool) {
	start := i
	for i < len(p.s) && (isName(p.s[i]) || p.s[i] == '\\') {
		if p.s[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(p.s))
	name := p.s[start:i]
	colon := skipSpace(p.s, i)
	if name == "" || colon >= len(p.s) || p.s[colon] != ':' {
		next = skipValues(p.s, start, stopSemicolon|stopOpen|stopClose)
		return next, d, next < len(p.s) && p.s[next] == '{'
	}
	prop := propertyOf(name)
	end := stopSemicolon | stopOpen | stopClose
	if prop == propCustom {
		end = stopSemicolon | stopClose
	}
	next = skipValues(p.s, colon+1, end)
	if next < len(p.s) && p.s[next] == '{' {
		return next, d, true
	}
	if prop == propNone || prop == propCustom && !p.custom[unescape(name)] {
		return next, d, false
	}
	d, ok := parseDeclaration(prop, name, p.s[colon+1:next])
	if !ok {
		d.prop = propNone
	}
	return next, d, false
}

// keep makes a rule of a run of declarations and enters it in the index.
func (p *sheetReader) keep(decls []declaration, b block) {
	if len(decls) == 0 || p.order >= maxRules {
		return
	}
	list := p.selectors(b.style)
	if len(list) == 0 {
		return
	}
	p.order++
	r := &rule{decls: decls, layer: b.layer, order: p.order}
	for i := range decls {
		wantVars(decls[i].raw, p.wanted)
	}
	for _, s := range list {
		p.index.add(s, r)
	}
}

// wantVars notes the custom properties that a value refers to.
func wantVars(raw string, wanted map[string]bool) {
	if raw == "" || len(raw) > maxValue || !hasVar(raw) {
		return
	}
	t := tokenize(raw)
	for i := range t {
		if t[i].function() != "var" {
			continue
		}
		if a := args(t, i, blockEnd(t, i)); len(a) > 0 && len(wanted) < maxRules {
			if n := name(a[0]); n != "" {
				wanted[n] = true
			}
		}
	}
}
