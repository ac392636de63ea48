package style

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// How many rules and compound selectors are tested on a page: so many, and so
// many more for each element that is asked about. The page of our corpus that
// needs most needs 200 for an element, most need less than 10. A hostile page can
// ask for more; from then on its rules match nothing, so that time stays linear.
const (
	baseSteps    = 1 << 16
	elementSteps = 1 << 8
)

// A matcher matches selectors to the elements of one tree and remembers sibling
// positions. Spec: Selectors 4.
type matcher struct {
	quirks bool
	steps  int        // that may still be taken
	anchor *html.Node // subject of the :has() being matched
	host   *html.Node // element that is looked at as a shadow host
	light  *html.Node // element that is looked at as assigned to a slot
	places map[placeKey]*place
}

func (m *matcher) matches(n *html.Node, s *selector) bool { return m.complex(n, s.parts) }

func (m *matcher) complex(n *html.Node, parts []compound) bool {
	if !m.compound(n, &parts[0]) {
		return false
	}
	rest := parts[1:]
	switch parts[0].comb {
	case '>':
		p := parentElement(n)
		if p == nil {
			return m.hostAbove(n, rest)
		}
		return m.complex(p, rest)
	case '+':
		n = prevElement(n)
		return n != nil && m.complex(n, rest)
	case ' ':
		for p := parentElement(n); p != nil; n, p = p, parentElement(p) {
			if m.complex(p, rest) {
				return true
			}
		}
		return m.hostAbove(n, rest)
	case '~':
		for n = prevElement(n); n != nil; n = prevElement(n) {
			if m.complex(n, rest) {
				return true
			}
		}
		return false
	}
	return true
}

func (m *matcher) compound(n *html.Node, c *compound) bool {
	if m.steps--; m.steps < 0 {
		return false
	}
	if c.tag != "" && !isTag(n, c.tag) {
		return false
	}
	for _, id := range c.ids {
		if v := attr(n, "id"); v != id && !(m.quirks && lower(v) == id) {
			return false
		}
	}
	if len(c.classes) > 0 {
		v := attr(n, "class")
		for _, class := range c.classes {
			if !hasWord(v, class, m.quirks) {
				return false
			}
		}
	}
	for i := range c.attrs {
		if !c.attrs[i].match(n) {
			return false
		}
	}
	for i := range c.pseudos {
		if !m.pseudo(n, &c.pseudos[i]) {
			return false
		}
	}
	return true
}

// hostAbove matches the rest of a selector to the host of the shadow tree that n
// is at the top of. Only :host sees it from there (CSS Scoping).
func (m *matcher) hostAbove(n *html.Node, rest []compound) bool {
	if !rest[0].isHost() || len(rest) > 1 {
		return false
	}
	t := n.Parent
	if t == nil || t.DataAtom != atom.Template || !hasAttr(t, "shadowrootmode") || t.Parent == nil {
		return false
	}
	return m.asHost(t.Parent, &rest[0])
}

// asHost matches a compound with :host to a shadow host, which has no other
// features inside: ":host" with anything beside it matches nothing.
func (m *matcher) asHost(n *html.Node, c *compound) bool {
	if len(c.pseudos) != 1 || c.tag != "" || len(c.ids)+len(c.classes)+len(c.attrs) > 0 {
		return false
	}
	outer := m.host
	m.host = n
	ok := m.compound(n, c)
	m.host = outer
	return ok
}

// isHost says that the compound is about a shadow host.
func (c *compound) isHost() bool {
	for i := range c.pseudos {
		if c.pseudos[i].kind == psHost {
			return true
		}
	}
	return false
}

// isTag compares a type selector: the parser lower-cases HTML names, and gives
// some SVG names capitals.
func isTag(n *html.Node, tag string) bool {
	return n.Data == tag || n.Namespace != "" && strings.EqualFold(n.Data, tag)
}

// hasWord says that a space-separated list holds word.
func hasWord(list, word string, fold bool) bool {
	for i := 0; i < len(list); {
		for i < len(list) && isSpace(list[i]) {
			i++
		}
		start := i
		for i < len(list) && !isSpace(list[i]) {
			i++
		}
		if w := list[start:i]; w == word || fold && len(w) == len(word) && lower(w) == word {
			return len(word) > 0
		}
	}
	return false
}

func (t *attrTest) match(n *html.Node) bool {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == t.key || n.Namespace != "" && strings.EqualFold(a.Key, t.key) {
			return t.op == 0 || t.matchValue(a.Val)
		}
	}
	return false
}

func (t *attrTest) matchValue(v string) bool {
	want := t.val
	if t.fold {
		v, want = lower(v), lower(want)
	}
	switch t.op {
	case '=':
		return v == want
	case '~':
		return hasWord(v, want, false)
	case '|':
		return strings.HasPrefix(v, want) && (len(v) == len(want) || v[len(want)] == '-')
	case '^':
		return want != "" && strings.HasPrefix(v, want)
	case '$':
		return want != "" && strings.HasSuffix(v, want)
	}
	return want != "" && strings.Contains(v, want)
}

func (m *matcher) any(n *html.Node, list []*selector) bool {
	for _, s := range list {
		if m.matches(n, s) {
			return true
		}
	}
	return false
}

func (m *matcher) pseudo(n *html.Node, ps *pseudo) bool {
	switch ps.kind {
	case psTrue:
		return true
	case psAnchor:
		return n == m.anchor
	case psIs, psWhere:
		return m.any(n, ps.args)
	case psNot:
		return !m.any(n, ps.args)
	case psHas:
		return m.has(n, ps.args)
	case psHost:
		return n == m.host && (len(ps.args) == 0 || m.any(n, ps.args))
	case psSlotted:
		return m.light != nil && m.compound(m.light, &ps.args[0].parts[0])
	case psNthChild, psNthLastChild, psNthOfType, psNthLastOfType, psOnlyChild, psOnlyOfType:
		return m.nth(n, ps)
	}
	return matchState(n, ps)
}

// matchState matches the pseudo-classes that look at one element and its
// attributes.
func matchState(n *html.Node, ps *pseudo) bool {
	switch ps.kind {
	case psRoot:
		return n.Parent != nil && n.Parent.Type == html.DocumentNode
	case psEmpty:
		return isEmpty(n)
	case psLink:
		return (n.DataAtom == atom.A || n.DataAtom == atom.Area) && hasAttr(n, "href")
	case psLang:
		return matchLang(n, ps.lang)
	case psEnabled:
		return canBeDisabled(n) && !isDisabled(n)
	case psDisabled:
		return canBeDisabled(n) && isDisabled(n)
	case psChecked:
		return isChecked(n)
	case psRequired:
		return isField(n) && hasAttr(n, "required")
	case psOptional:
		return isField(n) && !hasAttr(n, "required")
	case psReadWrite:
		return isEditable(n)
	case psReadOnly:
		return !isEditable(n)
	case psPlaceholderShown:
		return (n.DataAtom == atom.Input && attr(n, "value") == "" || n.DataAtom == atom.Textarea && n.FirstChild == nil) &&
			attr(n, "placeholder") != ""
	case psOpen:
		return (n.DataAtom == atom.Details || n.DataAtom == atom.Dialog) && hasAttr(n, "open")
	}
	return false
}

// has matches relative selectors. An inner :has() cannot occur, so one anchor
// is enough.
func (m *matcher) has(n *html.Node, list []*selector) bool {
	outer := m.anchor
	m.anchor = n
	defer func() { m.anchor = outer }()
	for _, s := range list {
		if m.hasOne(n, s) {
			return true
		}
	}
	return false
}

func (m *matcher) hasOne(n *html.Node, s *selector) bool {
	first := s.parts[len(s.parts)-2].comb // the combinator to the anchor
	if first == ' ' || first == '>' {
		return m.descendant(n, s)
	}
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if m.matches(c, s) || len(s.parts) > 2 && m.descendant(c, s) {
			return true
		}
	}
	return false
}

// descendant says that an element below n matches s.
func (m *matcher) descendant(n *html.Node, s *selector) bool {
	for d := n.FirstChild; d != nil && m.steps >= 0; {
		if d.Type == html.ElementNode && m.matches(d, s) {
			return true
		}
		d = next(d, n)
	}
	return false
}

// next is the node after d in tree order below top; nil at the end. The content
// of a template is another tree.
func next(d, top *html.Node) *html.Node {
	if d.FirstChild != nil && d.DataAtom != atom.Template {
		return d.FirstChild
	}
	for d != top {
		if d.NextSibling != nil {
			return d.NextSibling
		}
		d = d.Parent
	}
	return nil
}

// parentElement stops at the root of a tree: the document, or the template that
// stands for a shadow root or a fragment.
func parentElement(n *html.Node) *html.Node {
	p := n.Parent
	if p == nil || p.Type != html.ElementNode || p.DataAtom == atom.Template {
		return nil
	}
	return p
}

func prevElement(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}

func nextElement(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
	}
	return n
}
