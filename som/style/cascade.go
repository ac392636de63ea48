package style

import "golang.org/x/net/html"

// Origins and importance as the cascade orders them, weakest first.
// Spec: CSS Cascade 5, Cascade Sorting Order; transitions, animations and user
// sheets do not occur.
// A shadow tree's rules for its host come before the rules around the host, or
// after them if they are important.
const (
	tierHost uint64 = iota + 1
	tierAuthor
	tierStyleAttr
	tierAuthorImportant
	tierStyleAttrImportant
	tierHostImportant
)

// A candidate is a declaration that applies to an element.
type candidate struct {
	decl *declaration
	// key orders candidates: tier, layer, specificity and order, from the top
	// bits down.
	key uint64
}

const (
	layerShift = 44 // 12 bits of layer below the tier
	specShift  = 20 // 24 bits of specificity; 20 of order below
	tierShift  = 56
	maxLayers  = 1<<12 - 1
)

func ruleKey(e *entry, important bool, normal, strong uint64) uint64 {
	tier := normal
	layer := uint64(min(e.rule.layer.order, maxLayers))
	if important {
		tier = strong
		layer = maxLayers - layer // earlier layers win
	}
	return tier<<tierShift | layer<<layerShift | uint64(e.sel.spec)<<specShift | uint64(e.rule.order)
}

// collect fills c.found with the declarations that apply to n.
func (c *Computed) collect(n *html.Node, sc *scope) {
	c.found = c.found[:0]
	if sc != nil && sc.index.size > 0 && c.m.steps >= 0 {
		at := c.above(n, sc)
		c.entries = sc.index.candidates(n, sc.quirks, at, c.entries[:0])
		c.m.steps -= len(c.entries)
		for i := range c.entries {
			e := &c.entries[i]
			if !at.have.holds(&e.need) || !c.m.matches(n, e.sel) {
				continue
			}
			c.apply(e, tierAuthor, tierAuthorImportant)
		}
		c.push(n, sc)
	}
	if len(c.shadow) > 0 {
		c.hostRules(n)
		c.slottedRules(n)
	}
	if v := attr(n, "style"); v != "" {
		c.styleAttr(v)
	}
}

// apply adds the declarations of a rule. Within a rule the later declaration
// wins: found keeps their order, and equal keys go to the later one.
func (c *Computed) apply(e *entry, normal, strong uint64) {
	for i := range e.rule.decls {
		d := &e.rule.decls[i]
		c.found = append(c.found, candidate{d, ruleKey(e, d.important, normal, strong)})
	}
}

// hostRules adds what the shadow tree of n, if it has one, says about n.
func (c *Computed) hostRules(n *html.Node) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		sc := c.shadow[k]
		if sc == nil {
			continue
		}
		for i := range sc.index.host {
			if e := &sc.index.host[i]; c.m.asHost(n, &e.sel.parts[0]) {
				c.apply(e, tierHost, tierHostImportant)
			}
		}
		return // the first template is the shadow root
	}
}

// styleAttr adds the declarations of a style attribute.
func (c *Computed) styleAttr(v string) {
	p := sheetReader{s: v, custom: c.custom}
	decls := c.inline[:0]
	for i := 0; i < len(v); {
		i = skipSpace(v, i)
		if i >= len(v) {
			break
		}
		if v[i] == ';' || v[i] == '}' {
			i++
			continue
		}
		next, d, isRule := p.item(i, block{})
		if isRule { // there are no rules here: all is dropped up to a semicolon
			next = skipValues(v, next, stopSemicolon)
		}
		if d.prop != propNone {
			decls = append(decls, d)
		}
		i = max(next, i+1)
	}
	c.inline = decls
	for i := range decls {
		tier := tierStyleAttr
		if decls[i].important {
			tier = tierStyleAttrImportant
		}
		c.found = append(c.found, candidate{&decls[i], tier << tierShift})
	}
}

// winner is the declaration of a property that wins below a key; nil if none is
// left.
func (c *Computed) winner(prop property, below uint64) *candidate {
	var best *candidate
	for i := range c.found {
		f := &c.found[i]
		if f.key < below && (f.decl.prop == prop || f.decl.prop == propAll) && (best == nil || f.key >= best.key) {
			best = f
		}
	}
	return best
}

// cascaded is the winning declaration of a property with var(), revert and
// revert-layer resolved; nil if the user agent's value stands.
func (c *Computed) cascaded(n *html.Node, prop property) *declaration {
	below := ^uint64(0)
	for range maxNested {
		best := c.winner(prop, below)
		if best == nil {
			return nil
		}
		d := best.decl
		if d.raw != "" {
			d = c.substitute(n, d, prop)
		}
		switch d.wide {
		case wideRevert:
			return nil
		case wideRevertLayer:
			below = layerFloor(best.key)
			continue
		}
		return d
	}
	return nil
}

// layerFloor is the lowest key of the layer that key is in, counting a style
// attribute as a layer.
func layerFloor(key uint64) uint64 { return key >> layerShift << layerShift }
