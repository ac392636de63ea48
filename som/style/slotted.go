package style

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// slots are the slots of a shadow tree that has rules for what is assigned to them.
type slots struct {
	rules  []entry
	byName map[string]*html.Node // the first slot of each name
}

// slotted parses ::slotted(). It ends a selector, and its argument is one
// compound selector (CSS Scoping, Selecting Slot-Assigned Content).
func (p *selectorParser) slotted(t []token, c *compound) (used int, v verdict) {
	end := blockEnd(t, 2)
	list, ok, exact := p.parseList(args(t, 2, end), plain)
	switch {
	case !ok || len(list) > 1 || len(list) == 1 && len(list[0].parts) != 1:
		return 0, invalid
	case !exact || len(list) == 0:
		return end, never
	}
	c.pseudos = append(c.pseudos, pseudo{kind: psSlotted, args: list})
	return end, valid
}

// slotted is the ::slotted() of a compound; nil if it has none.
func (c *compound) slotted() *pseudo {
	for i := range c.pseudos {
		if c.pseudos[i].kind == psSlotted {
			return &c.pseudos[i]
		}
	}
	return nil
}

// slottedRules adds what the shadow tree of n's parent says about what is
// assigned to its slots. Like the rules for the host they are weaker than those
// of the tree that n is in.
func (c *Computed) slottedRules(n *html.Node) {
	if n.Parent == nil || n.DataAtom == atom.Template {
		return
	}
	s := c.slotsOf(n.Parent)
	if s == nil {
		return
	}
	slot := s.byName[attr(n, "slot")]
	if slot == nil {
		return
	}
	c.m.light = n
	for i := range s.rules {
		if e := &s.rules[i]; c.m.matches(slot, e.sel) {
			c.apply(e, tierHost, tierHostImportant)
		}
	}
	c.m.light = nil
}

// slotsOf is nil for what is no host, or has no rules for slotted elements.
func (c *Computed) slotsOf(host *html.Node) *slots {
	if s, ok := c.slots[host]; ok {
		return s
	}
	if c.slots == nil {
		c.slots = map[*html.Node]*slots{}
	}
	var s *slots
	for k := host.FirstChild; k != nil; k = k.NextSibling {
		if sc := c.shadow[k]; sc != nil { // the first template is the shadow root
			if len(sc.index.slotted) > 0 {
				s = &slots{sc.index.slotted, map[string]*html.Node{}}
				s.find(k)
			}
			break
		}
	}
	c.slots[host] = s
	return s
}

func (s *slots) find(n *html.Node) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom == atom.Slot && k.Namespace == "" {
			if name := attr(k, "name"); s.byName[name] == nil {
				s.byName[name] = k
			}
		}
		if k.DataAtom != atom.Template {
			s.find(k)
		}
	}
}
