package som

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// looseForm reports whether a form element is empty because the parser could
// not keep it open where it stands, as between the rows of a table. Its controls
// follow it and belong to it by the parser's form element pointer only.
func looseForm(n *html.Node) bool {
	if n.DataAtom != atom.Form || n.FirstChild != nil || n.Parent == nil {
		return false
	}
	switch n.Parent.DataAtom {
	case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr:
		return true
	}
	return false
}

// joinForms finds the owners of controls that stand outside their form in the
// tree (HTML "form element pointer"). The tree does not keep the pointer, so the
// tags of the source are read again, and matched to the elements by their order.
func (x *index) joinForms(src []byte) {
	s := formScan{current: -1}
	z := html.NewTokenizer(bytes.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			x.ownControls(s)
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			s.start(atom.Lookup(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			s.end(atom.Lookup(name))
		}
	}
}

// formScan follows the form element pointer through the tags of a source.
type formScan struct {
	forms, current, templates int
	controls                  []atom.Atom
	owners                    []int // by control: which form, -1 for none
}

func (s *formScan) start(a atom.Atom) {
	switch a {
	case atom.Template:
		s.templates++
	case atom.Form:
		if s.templates > 0 {
			s.forms++
		} else if s.current < 0 {
			s.current = s.forms
			s.forms++
		}
	case atom.Input, atom.Button, atom.Select, atom.Textarea:
		s.controls = append(s.controls, a)
		if s.templates > 0 {
			s.owners = append(s.owners, -1)
		} else {
			s.owners = append(s.owners, s.current)
		}
	}
}

func (s *formScan) end(a atom.Atom) {
	switch {
	case a == atom.Template && s.templates > 0:
		s.templates--
	case a == atom.Form && s.templates == 0:
		s.current = -1
	}
}

// ownControls takes over what the scan found if its tags are those of the tree.
func (x *index) ownControls(s formScan) {
	var forms, controls []NodeID
	for id, n := range x.nodes {
		if n.Namespace != "" {
			continue
		}
		switch n.DataAtom {
		case atom.Form:
			forms = append(forms, NodeID(id))
		case atom.Input, atom.Button, atom.Select, atom.Textarea:
			if k := len(controls); k >= len(s.controls) || s.controls[k] != n.DataAtom {
				return
			}
			controls = append(controls, NodeID(id))
		}
	}
	if len(forms) != s.forms || len(controls) != len(s.controls) {
		return
	}
	x.owners, x.lastOwned = map[NodeID]NodeID{}, map[NodeID]NodeID{}
	for i, f := range s.owners {
		if f >= 0 {
			x.owners[controls[i]] = forms[f]
			x.lastOwned[forms[f]] = controls[i]
		}
	}
}

// looseForm compiles a loose form and the siblings after it up to its last
// control as one region. It returns the last sibling that it took.
func (c *compiler) looseForm(n *html.Node, id NodeID, before int) (*html.Node, int) {
	last, had, form := c.idx.lastOwned[id], c.control, c.form
	c.form = id
	k, sibling, pathLen := n, NodeID(c.idx.end[id]), len(c.path)
	region := c.regionOf(n, id, regForm, func() bool { return c.control > had }, func() {
		for k.NextSibling != nil && sibling <= last {
			k = k.NextSibling
			if k.Type == html.TextNode {
				c.text(k.Data)
				continue
			}
			if k.Type != html.ElementNode {
				continue
			}
			before++
			c.path = appendIndex(c.path[:pathLen], before)
			c.now = sibling + 1
			c.element(k, sibling)
			c.path = c.path[:pathLen]
			sibling = NodeID(c.idx.end[sibling])
			c.now = sibling
		}
	})
	c.form = form
	c.formAttrs(region, n)
	return k, before
}
