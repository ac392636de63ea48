package style

import (
	"strings"

	"github.com/tdewolff/parse/v2/css"
)

// A selector is a complex selector, compiled. cascadia is not used: it lacks
// :is, :where, :scope, nested selectors and of-clauses, counts siblings anew for
// each :nth-child, and cannot be held to a budget.
type selector struct {
	parts []compound // from the subject leftwards
	spec  uint32     // specificity: ids, classes, types in a byte each
}

// A compound is a compound selector and the combinator on its left.
type compound struct {
	tag     string // lower case; "" is any
	ids     []string
	classes []string
	attrs   []attrTest
	pseudos []pseudo
	comb    byte // ' ', '>', '+', '~'; 0 in the leftmost part
}

type attrTest struct {
	key, val string
	op       byte // 0 for presence, '=', '~', '|', '^', '$', '*'
	fold     bool
}

type pseudo struct {
	kind pseudoKind
	a, b int         // nth-*
	args []*selector // lists
	lang []string
}

// Limits on hostile sheets. No real page comes near them.
const (
	maxParts     = 64      // compounds in a complex selector
	maxList      = 4096    // selectors in a list
	maxSelectorN = 16      // nesting of :is(), :not() and the like
	maxPrelude   = 1 << 18 // bytes of a prelude
)

// verdict is what became of parsing a selector.
type verdict uint8

const (
	valid   verdict = iota
	never           // valid, but matches no element, or it is unknown which
	invalid         // takes the whole list with it
)

// selectorParser holds what selectors depend on.
type selectorParser struct {
	quirks bool        // ids and classes match whatever their case
	parent []*selector // what & stands for; nil outside nested rules
	depth  int

	// Memory of simple selectors, handed out in pieces.
	selectors []selector
	compounds []compound
	names     []string
	parts     []compound // scratch
}

func (p *selectorParser) newSelector(parts int) *selector {
	if len(p.selectors) == cap(p.selectors) {
		p.selectors = make([]selector, 0, 64)
	}
	if cap(p.compounds)-len(p.compounds) < parts {
		p.compounds = make([]compound, 0, 128)
	}
	n := len(p.compounds)
	p.compounds = p.compounds[:n+parts]
	p.selectors = append(p.selectors, selector{parts: p.compounds[n : n+parts : n+parts]})
	return &p.selectors[len(p.selectors)-1]
}

// addName appends to a list that mostly stays the only one in it.
func (p *selectorParser) addName(list []string, name string) []string {
	if len(list) > 0 {
		return append(list, name)
	}
	if len(p.names) == cap(p.names) {
		p.names = make([]string, 0, 128)
	}
	p.names = append(p.names, name)
	n := len(p.names)
	return p.names[n-1 : n : n]
}

// listKind is the place a selector list is in.
type listKind uint8

const (
	plain     listKind = iota
	forgiving          // in :is() and :where()
	relative           // in :has()
	nested             // prelude of a nested style rule
)

// implied is the subject that a selector of such a list leaves out on its left;
// nil if there is none.
func (p *selectorParser) implied(t []token, kind listKind) *pseudo {
	switch kind {
	case relative:
		return &pseudo{kind: psAnchor}
	case nested:
		if len(t) > 0 && !isCombinator(t[0]) {
			for i := range t {
				if t[i].is('&') {
					return nil
				}
			}
		}
		n := p.nesting()
		return &n
	}
	return nil
}

// parseList parses a selector list. Selectors that can never match are left
// out; nil and false is an invalid list. In a forgiving list invalid selectors
// are left out too.
func (p *selectorParser) parseList(t []token, kind listKind) (list []*selector, ok, exact bool) {
	exact = true
	if p.depth++; p.depth > maxSelectorN {
		return nil, false, false
	}
	defer func() { p.depth-- }()
	parts := splitCommas(t)
	if len(parts) > maxList {
		return nil, false, false
	}
	for _, part := range parts {
		s, v := p.parseComplex(part, p.implied(part, kind))
		switch {
		case v == valid:
			list = append(list, s)
		case v == never:
			exact = false
		case kind != forgiving:
			return nil, false, false
		}
	}
	return list, true, exact
}

// parseComplex parses one complex selector. Where a subject is implied on its
// left it may start with a combinator.
func (p *selectorParser) parseComplex(t []token, implied *pseudo) (*selector, verdict) {
	s := &selector{}
	result := valid
	comb := byte(0)
	t = trimSpace(t)
	if implied != nil {
		s.parts = append(s.parts, compound{pseudos: []pseudo{*implied}})
		s.spec = implied.spec()
		comb = ' '
		if len(t) > 0 && isCombinator(t[0]) {
			comb = t[0].text[0]
			t = trimSpace(t[1:])
		}
	}
	for {
		c, rest, v := p.parseCompound(t)
		if v == invalid || len(s.parts) == maxParts {
			return nil, invalid
		}
		result = max(result, v)
		c.comb = comb
		s.parts = append(s.parts, c)
		s.spec = addSpec(s.spec, c.spec())
		if len(rest) == 0 {
			break
		}
		comb = ' '
		t = trimSpace(rest)
		if isCombinator(t[0]) {
			comb = t[0].text[0]
			t = trimSpace(t[1:])
		} else if len(t) == len(rest) {
			return nil, invalid // two compounds with nothing between them
		}
	}
	for i, j := 0, len(s.parts)-1; i < j; i, j = i+1, j-1 {
		s.parts[i], s.parts[j] = s.parts[j], s.parts[i]
	}
	return s, result
}

func isCombinator(t token) bool { return t.is('>') || t.is('+') || t.is('~') }

// name is the identifier in t, escapes resolved.
func name(t token) string {
	if t.typ == css.IdentToken || t.typ == css.CustomPropertyNameToken {
		return unescape(t.text)
	}
	return ""
}

// fold is an id or class as it is compared.
func (p *selectorParser) fold(s string) string {
	if p.quirks {
		return lower(s)
	}
	return s
}

func (p *selectorParser) parseCompound(t []token) (c compound, rest []token, v verdict) {
	start := len(t)
	t, ok := p.parseType(t, &c)
	if !ok {
		return c, nil, invalid
	}
	for len(t) > 0 {
		used := 0
		one := valid
		switch first := t[0]; {
		case first.typ == css.HashToken:
			id := first.text[1:]
			if id[0] >= '0' && id[0] <= '9' {
				return c, nil, invalid // a hash, but no identifier
			}
			c.ids = append(c.ids, p.fold(unescape(id)))
			used = 1
		case first.is('.'):
			if len(t) < 2 || name(t[1]) == "" {
				return c, nil, invalid
			}
			c.classes = append(c.classes, p.fold(name(t[1])))
			used = 2
		case first.typ == css.LeftBracketToken:
			end := blockEnd(t, 0)
			a, ok := parseAttr(args(t, 0, end))
			if !ok {
				return c, nil, invalid
			}
			c.attrs = append(c.attrs, a)
			used = end
		case first.is('&'):
			c.pseudos = append(c.pseudos, p.nesting())
			used = 1
		case first.typ == css.ColonToken:
			used, one = p.parsePseudo(t, &c)
		}
		if one == invalid {
			return c, nil, invalid
		}
		v = max(v, one)
		if used == 0 {
			break
		}
		t = t[used:]
	}
	if len(t) == start {
		return c, nil, invalid
	}
	return c, t, v
}

// nesting is the & selector (CSS Nesting): :is() of the parent rule's selectors,
// :scope, which is the root here, where there is none.
func (p *selectorParser) nesting() pseudo {
	if p.parent == nil {
		return pseudo{kind: psRoot}
	}
	return pseudo{kind: psIs, args: p.parent}
}

// parseType parses a type or universal selector, if there is one. Namespace
// prefixes other than "*" and none need an @namespace rule, which is not read.
func (p *selectorParser) parseType(t []token, c *compound) (rest []token, ok bool) {
	if len(t) >= 2 && t[0].is('*') && t[1].is('|') {
		t = t[2:]
		if len(t) == 0 || !t[0].is('*') && name(t[0]) == "" {
			return nil, false
		}
	}
	if len(t) == 0 {
		return nil, false
	}
	switch {
	case t[0].is('*'):
		t = t[1:]
	case t[0].typ == css.IdentToken:
		c.tag = lower(name(t[0]))
		t = t[1:]
	}
	if len(t) > 0 && (t[0].is('|') || t[0].typ == css.ColumnToken) {
		return nil, false
	}
	return t, true
}

// foldedAttrs are the attributes whose values HTML compares without case.
const foldedAttrs = " accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink "

func parseAttr(t []token) (a attrTest, ok bool) {
	if len(t) > 2 && t[0].is('*') && t[1].is('|') {
		t = t[2:]
	}
	if len(t) == 0 || name(t[0]) == "" {
		return a, false
	}
	a.key = lower(name(t[0]))
	t = trimSpace(t[1:])
	if len(t) == 0 {
		return a, true
	}
	switch t[0].typ {
	case css.IncludeMatchToken, css.DashMatchToken, css.PrefixMatchToken, css.SuffixMatchToken, css.SubstringMatchToken:
		a.op = t[0].text[0]
	default:
		if !t[0].is('=') {
			return a, false
		}
		a.op = '='
	}
	t = trimSpace(t[1:])
	if len(t) == 0 {
		return a, false
	}
	switch {
	case t[0].typ == css.StringToken:
		a.val = t[0].str()
	case name(t[0]) != "":
		a.val = name(t[0])
	default:
		return a, false
	}
	a.fold = strings.Contains(foldedAttrs, " "+a.key+" ")
	switch t = trimSpace(t[1:]); {
	case len(t) == 0:
	case len(t) == 1 && t[0].ident() == "i":
		a.fold = true
	case len(t) == 1 && t[0].ident() == "s":
		a.fold = false
	default:
		return a, false
	}
	return a, true
}

// spec is the specificity of a compound (Selectors 4, Calculating a selector's
// specificity).
func (c *compound) spec() uint32 {
	n := uint32(0)
	if c.tag != "" {
		n = 1
	}
	n = addSpec(n, specOf(0, len(c.classes)+len(c.attrs)))
	n = addSpec(n, specOf(len(c.ids), 0))
	for i := range c.pseudos {
		n = addSpec(n, c.pseudos[i].spec())
	}
	return n
}

func specOf(ids, classes int) uint32 {
	return uint32(min(ids, 255))<<16 | uint32(min(classes, 255))<<8
}

// addSpec adds two specificities; a component stops at 255.
func addSpec(a, b uint32) uint32 {
	return min(a>>16+b>>16, 255)<<16 | min(a>>8&255+b>>8&255, 255)<<8 | min(a&255+b&255, 255)
}

// maxSpec is the specificity of the most specific selector of a list.
func maxSpec(list []*selector) uint32 {
	n := uint32(0)
	for _, s := range list {
		n = max(n, s.spec)
	}
	return n
}
