package style

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isEmpty: white space counts as content, as in browsers.
func isEmpty(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
			return false
		}
	}
	return true
}

func matchLang(n *html.Node, ranges []string) bool {
	for ; n != nil; n = n.Parent {
		if n.Type != html.ElementNode || !hasAttr(n, "lang") {
			continue
		}
		lang := lower(attr(n, "lang"))
		for _, r := range ranges {
			r = strings.TrimPrefix(r, "*-")
			if lang != "" && r == "*" || strings.HasPrefix(lang, r) && (len(lang) == len(r) || lang[len(r)] == '-') {
				return true
			}
		}
		return false
	}
	return false
}

func canBeDisabled(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Optgroup, atom.Option, atom.Fieldset:
		return true
	}
	return false
}

// isDisabled: HTML, actually disabled.
func isDisabled(n *html.Node) bool {
	if hasAttr(n, "disabled") {
		return true
	}
	if n.DataAtom == atom.Option {
		p := n.Parent
		return p != nil && p.DataAtom == atom.Optgroup && hasAttr(p, "disabled")
	}
	if n.DataAtom == atom.Optgroup {
		return false
	}
	for child, p := n, parentElement(n); p != nil; child, p = p, parentElement(p) {
		if p.DataAtom == atom.Fieldset && hasAttr(p, "disabled") && !isFirstLegend(child) {
			return true
		}
	}
	return false
}

func isFirstLegend(n *html.Node) bool {
	if n.DataAtom != atom.Legend {
		return false
	}
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.DataAtom == atom.Legend {
			return false
		}
	}
	return true
}

func isChecked(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Input:
		t := lower(attr(n, "type"))
		return (t == "checkbox" || t == "radio") && hasAttr(n, "checked")
	case atom.Option:
		return hasAttr(n, "selected")
	}
	return false
}

// isField: the elements that required applies to.
func isField(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Select, atom.Textarea:
		return true
	case atom.Input:
		switch lower(attr(n, "type")) {
		case "hidden", "range", "color", "submit", "image", "reset", "button":
			return false
		}
		return true
	}
	return false
}

// isEditable: HTML, the :read-write pseudo-class.
func isEditable(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Textarea:
		return !hasAttr(n, "readonly") && !isDisabled(n)
	case atom.Input:
		switch lower(attr(n, "type")) {
		case "hidden", "range", "color", "submit", "image", "reset", "button", "checkbox", "radio", "file":
			return false
		}
		return !hasAttr(n, "readonly") && !isDisabled(n)
	}
	for ; n != nil; n = parentElement(n) {
		if hasAttr(n, "contenteditable") {
			return lower(attr(n, "contenteditable")) != "false"
		}
	}
	return false
}

// placeKey is what a sibling position is remembered for.
type placeKey struct {
	parent *html.Node
	tag    string // "" counts every element
}

// place is the last position that was counted below a parent. Elements are
// mostly asked for in order, so the count goes on from there.
type place struct {
	node  *html.Node
	index int // 1-based
	total int // 0 until counted
}

// nth matches the pseudo-classes of sibling positions.
func (m *matcher) nth(n *html.Node, ps *pseudo) bool {
	if ps.a == 0 && ps.b == 1 && len(ps.args) == 0 { // mostly :first-child and :last-child
		switch ps.kind {
		case psNthChild:
			return prevElement(n) == nil
		case psNthLastChild:
			return nextElement(n) == nil
		}
	}
	tag := ""
	last := false
	switch ps.kind {
	case psNthOfType, psOnlyOfType:
		tag = n.Data
	case psNthLastOfType:
		tag, last = n.Data, true
	case psNthLastChild:
		last = true
	}
	if len(ps.args) > 0 {
		return m.any(n, ps.args) && isNth(ps.a, ps.b, m.countOf(n, ps.args, last))
	}
	index, total := m.position(n, tag, last || ps.kind == psOnlyChild || ps.kind == psOnlyOfType)
	switch ps.kind {
	case psOnlyChild, psOnlyOfType:
		return total == 1
	}
	if last {
		index = total - index + 1
	}
	return isNth(ps.a, ps.b, index)
}

// isNth says that index is a*n+b for some n ≥ 0.
func isNth(a, b, index int) bool {
	if a == 0 {
		return index == b
	}
	d := index - b
	return d%a == 0 && d/a >= 0
}

// position is n's place among its siblings, and their number if it is asked for.
func (m *matcher) position(n *html.Node, tag string, total bool) (index, count int) {
	if n.Parent == nil {
		return 1, 1
	}
	key := placeKey{n.Parent, tag}
	p := m.places[key]
	if p == nil {
		if m.places == nil {
			m.places = map[placeKey]*place{}
		}
		p = &place{}
		m.places[key] = p
	}
	if p.node == nil || !m.advance(p, n, tag) {
		p.node, p.index = nil, 0
		m.advance(p, n, tag)
	}
	if total && p.total == 0 {
		for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && (tag == "" || c.Data == tag) {
				p.total++
			}
			m.steps--
		}
	}
	return p.index, p.total
}

// advance goes on from the remembered sibling to n; false if n is not after it.
func (m *matcher) advance(p *place, n *html.Node, tag string) bool {
	if p.node == n {
		return true
	}
	c, index := n.Parent.FirstChild, 0
	if p.node != nil {
		c, index = p.node.NextSibling, p.index
	}
	for ; c != nil; c = c.NextSibling {
		m.steps--
		if c.Type == html.ElementNode && (tag == "" || c.Data == tag) {
			index++
			if c == n {
				p.node, p.index = c, index
				return true
			}
		}
	}
	return false
}

// countOf counts n's siblings up to n that match an of-clause.
func (m *matcher) countOf(n *html.Node, list []*selector, last bool) int {
	count := 0
	for c := n; c != nil && m.steps >= 0; {
		if c.Type == html.ElementNode && m.any(c, list) {
			count++
		}
		if last {
			c = c.NextSibling
		} else {
			c = c.PrevSibling
		}
	}
	return count
}
