package style

import "golang.org/x/net/html"

// A ruleIndex finds the rules that may match an element by what their subject
// demands, so that an element meets only those.
type ruleIndex struct {
	byID, byClass, byTag, byAttr map[string][]entry
	rest                         []entry
	size                         int
}

// entry is a selector with its rule.
type entry struct {
	sel  *selector
	rule *rule
}

func newRuleIndex() *ruleIndex {
	return &ruleIndex{
		byID: map[string][]entry{}, byClass: map[string][]entry{},
		byTag: map[string][]entry{}, byAttr: map[string][]entry{},
	}
}

func (x *ruleIndex) add(s *selector, r *rule) {
	x.size++
	x.addUnder(&s.parts[0], entry{s, r}, 0)
}

// addUnder files e under what c demands, the rarest first. A compound that is
// only :is(…) demands one of its arguments.
func (x *ruleIndex) addUnder(c *compound, e entry, depth int) {
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
			for _, s := range ps.args {
				x.addUnder(&s.parts[0], e, depth+1)
			}
			return
		}
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

// candidates appends the entries that may match n, some more than once.
func (x *ruleIndex) candidates(n *html.Node, quirks bool, dst []entry) []entry {
	tag := n.Data
	if n.Namespace != "" {
		tag = lower(tag)
	}
	dst = append(dst, x.byTag[tag]...)
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "id":
			if len(x.byID) > 0 {
				dst = append(dst, x.byID[foldIf(quirks, a.Val)]...)
			}
		case "class":
			if len(x.byClass) > 0 {
				dst = x.classes(foldIf(quirks, a.Val), dst)
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

func (x *ruleIndex) classes(list string, dst []entry) []entry {
	for i := 0; i < len(list); {
		for i < len(list) && isSpace(list[i]) {
			i++
		}
		start := i
		for i < len(list) && !isSpace(list[i]) {
			i++
		}
		if start < i {
			dst = append(dst, x.byClass[list[start:i]]...)
		}
	}
	return dst
}

func foldIf(fold bool, s string) string {
	if fold {
		return lower(s)
	}
	return s
}
