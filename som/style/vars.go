package style

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

type varKey struct {
	node *html.Node
	name string
}

// varValue is the computed value of a custom property; set is false for the
// guaranteed-invalid value.
type varValue struct {
	text string
	set  bool
}

// maxVarDepth is how many custom properties may refer to one another in a row;
// it also ends cycles.
const maxVarDepth = 16

// substitute resolves a declaration with var(). One that turns out invalid is
// unset (CSS Variables, Invalid Variables); one that asks for properties nobody
// collected, as only a style attribute can, has no effect.
func (c *Computed) substitute(n *html.Node, d *declaration, prop property) *declaration {
	wanted := map[string]bool{}
	wantVars(d.raw, wanted)
	for name := range wanted {
		if !c.custom[name] {
			return &declaration{prop: prop, wide: wideRevert}
		}
	}
	if text, ok := c.expand(n, d.raw, 0); ok && !hasVar(text) {
		if out, ok := parseDeclaration(prop, "", text); ok {
			return &out
		}
	}
	return &declaration{prop: prop, wide: wideUnset}
}

// expand replaces the var() functions in raw; false is the guaranteed-invalid value.
func (c *Computed) expand(n *html.Node, raw string, depth int) (string, bool) {
	if !hasVar(raw) {
		return raw, true
	}
	if depth > maxVarDepth || len(raw) > maxValue {
		return "", false
	}
	var out strings.Builder
	t := tokenize(raw)
	for i := 0; i < len(t); {
		if t[i].function() != "var" {
			out.WriteString(t[i].text)
			i++
			continue
		}
		end := blockEnd(t, i)
		v, ok := c.varFunction(n, args(t, i, end), depth)
		if !ok || out.Len()+len(v) > maxValue {
			return "", false
		}
		out.WriteString(v)
		i = end
	}
	return out.String(), true
}

// varFunction is the value of var() with these arguments.
func (c *Computed) varFunction(n *html.Node, a []token, depth int) (string, bool) {
	if len(a) == 0 || name(a[0]) == "" {
		return "", false
	}
	if v := c.customValue(n, name(a[0]), depth+1); v.set {
		return v.text, true
	}
	rest := trimSpace(a[1:])
	if len(rest) == 0 || !rest[0].is(',') {
		return "", false
	}
	var fallback strings.Builder
	for _, t := range rest[1:] {
		fallback.WriteString(t.text)
	}
	return c.expand(n, fallback.String(), depth+1)
}

// customValue is the computed value of a custom property, which n may inherit.
func (c *Computed) customValue(n *html.Node, name string, depth int) varValue {
	if depth > maxVarDepth {
		return varValue{}
	}
	var v varValue
	e := n
	for ; e != nil; e = inheritsFrom(e) {
		if have, ok := c.vars[varKey{e, name}]; ok {
			v = have
			break
		}
		if own, ok := c.ownCustom(e, name, depth); ok {
			v = own
			break
		}
	}
	if c.vars == nil {
		c.vars = map[varKey]varValue{}
	}
	for x := n; ; x = inheritsFrom(x) {
		if x == nil {
			break
		}
		c.vars[varKey{x, name}] = v
		if x == e {
			break
		}
	}
	return v
}

// ownCustom is the value that e itself declares; ok is false if it inherits.
func (c *Computed) ownCustom(e *html.Node, name string, depth int) (v varValue, ok bool) {
	// collect uses the scratch space of the element that is being computed.
	found, entries, path, inline := c.found, c.entries, c.path, c.inline
	c.found, c.entries, c.path, c.inline = nil, nil, nil, nil
	c.collect(e, c.scopeOf(e))
	var best *candidate
	for i := range c.found {
		f := &c.found[i]
		if f.decl.prop == propCustom && f.decl.name == name && (best == nil || f.key >= best.key) {
			best = f
		}
	}
	c.found, c.entries, c.path, c.inline = found, entries, path, inline
	if best == nil {
		return v, false
	}
	switch best.decl.wide {
	case wideNone:
	case wideInitial:
		return v, true
	default:
		return v, false
	}
	v.text, v.set = c.expand(e, best.decl.raw, depth)
	return v, true
}

// inheritsFrom is the element that n inherits from: its parent, or the host of
// the shadow tree it is at the top of.
func inheritsFrom(n *html.Node) *html.Node {
	p := n.Parent
	if p != nil && p.DataAtom == atom.Template {
		p = p.Parent
	}
	if p == nil || p.Type != html.ElementNode {
		return nil
	}
	return p
}
