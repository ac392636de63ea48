package style

import "golang.org/x/net/html"

// A ruleIndex finds the rules that may match an element by what their selectors
// demand of it, so that an element meets only those: its id, a class, or, where
// that says little, the id or a class of an ancestor.
type ruleIndex struct {
	byID, byClass, byTag, byAttr map[string][]entry
	// byAncestor holds selectors whose subject demands no id and no class,
	// under a class (".x") or an id ("#x") that an ancestor must have.
	byAncestor map[string]*bucket
	rest       []entry
	host       []entry // rules for the host of the shadow tree
	slotted    []entry // rules for what is assigned to its slots
	size       int
}

// entry is a selector with its rule.
type entry struct {
	sel  *selector
	rule *rule
	need bloom // what ancestors must have
}

// A bucket holds the selectors that one ancestor makes possible.
type bucket struct {
	byTag map[string][]entry
	rest  []entry
}

func newRuleIndex() *ruleIndex {
	return &ruleIndex{
		byID: map[string][]entry{}, byClass: map[string][]entry{},
		byTag: map[string][]entry{}, byAttr: map[string][]entry{},
		byAncestor: map[string]*bucket{},
	}
}

func (x *ruleIndex) add(s *selector, r *rule) {
	if s.parts[0].isHost() {
		if len(s.parts) == 1 {
			x.host = append(x.host, entry{sel: s, rule: r})
		}
		return
	}
	if s.parts[0].slotted() != nil {
		x.slotted = append(x.slotted, entry{sel: s, rule: r})
		return
	}
	x.size++
	x.addUnder(s, &s.parts[0], entry{s, r, s.demands()}, 0)
}

// addUnder files e under what c demands, the rarest first. A compound that is
// only :is(…) demands one of its arguments.
func (x *ruleIndex) addUnder(s *selector, c *compound, e entry, depth int) {
	switch {
	case len(c.ids) > 0:
		x.byID[c.ids[0]] = append(x.byID[c.ids[0]], e)
		return
	case len(c.classes) > 0:
		x.byClass[c.classes[0]] = append(x.byClass[c.classes[0]], e)
		return
	}
	for i := range c.pseudos {
		if ps := &c.pseudos[i]; (ps.kind == psIs || ps.kind == psWhere) && depth < 3 && len(ps.args) <= 64 {
			for _, a := range ps.args {
				x.addUnder(s, &a.parts[0], e, depth+1)
			}
			return
		}
	}
	if key := s.ancestorKey(); key != "" {
		b := x.byAncestor[key]
		if b == nil {
			b = &bucket{byTag: map[string][]entry{}}
			x.byAncestor[key] = b
		}
		if c.tag != "" {
			b.byTag[c.tag] = append(b.byTag[c.tag], e)
		} else {
			b.rest = append(b.rest, e)
		}
		return
	}
	switch {
	case len(c.attrs) > 0:
		x.byAttr[c.attrs[0].key] = append(x.byAttr[c.attrs[0].key], e)
	case c.tag != "":
		x.byTag[c.tag] = append(x.byTag[c.tag], e)
	default:
		x.rest = append(x.rest, e)
	}
}

// ancestors calls f with the compounds that ancestors of the subject must match.
func (s *selector) ancestors(f func(c *compound)) {
	sibling := false
	for i := 1; i < len(s.parts); i++ {
		// A sibling of an ancestor is none, but its parents are ancestors again.
		switch s.parts[i-1].comb {
		case ' ', '>':
			sibling = false
		default:
			sibling = true
		}
		if !sibling && !s.parts[i].isHost() {
			c := &s.parts[i]
			f(c)
			for j := range c.pseudos {
				// What & stands for is mostly one selector.
				if ps := &c.pseudos[j]; ps.kind == psIs && len(ps.args) == 1 {
					f(&ps.args[0].parts[0])
					ps.args[0].ancestors(f)
				}
			}
		}
	}
}

// ancestorKey is the key in byAncestor for a selector; "" if no ancestor must
// have an id or a class.
func (s *selector) ancestorKey() (key string) {
	s.ancestors(func(c *compound) {
		switch {
		case len(c.ids) > 0:
			key = "#" + c.ids[0]
		case len(c.classes) > 0 && (key == "" || key[0] == '.'):
			key = "." + c.classes[0]
		}
	})
	return key
}

// demands is what the ancestors of a selector's subject must have.
func (s *selector) demands() (need bloom) {
	s.ancestors(func(c *compound) {
		for _, id := range c.ids {
			need.add('#', id)
		}
		for _, class := range c.classes {
			need.add('.', class)
		}
		if c.tag != "" {
			need.add('<', c.tag)
		}
	})
	return need
}

// candidates appends the entries that may match n, some more than once. at is
// what is known of n's ancestors.
func (x *ruleIndex) candidates(n *html.Node, quirks bool, at *frame, dst []entry) []entry {
	tag := n.Data
	if n.Namespace != "" {
		tag = lower(tag)
	}
	dst = append(dst, x.byTag[tag]...)
	for _, b := range at.possible {
		dst = append(dst, b.byTag[tag]...)
		dst = append(dst, b.rest...)
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "id":
			if len(x.byID) > 0 {
				dst = append(dst, x.byID[foldIf(quirks, a.Val)]...)
			}
		case "class":
			if len(x.byClass) > 0 {
				words(foldIf(quirks, a.Val), func(class string) {
					dst = append(dst, x.byClass[class]...)
				})
			}
		}
		if len(x.byAttr) > 0 {
			key := a.Key
			if n.Namespace != "" {
				key = lower(key)
			}
			dst = append(dst, x.byAttr[key]...)
		}
	}
	return append(dst, x.rest...)
}

// words calls f with each word of a space-separated list.
func words(list string, f func(string)) {
	for i := 0; i < len(list); {
		for i < len(list) && isSpace(list[i]) {
			i++
		}
		start := i
		for i < len(list) && !isSpace(list[i]) {
			i++
		}
		if start < i {
			f(list[start:i])
		}
	}
}

func foldIf(fold bool, s string) string {
	if fold {
		return lower(s)
	}
	return s
}
