package som

import (
	"sort"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// facts say which attributes an element has, so that the walk looks for an
// attribute only where it is.
type facts uint16

const (
	hasID facts = 1 << iota
	hasRole
	hasAria // any aria-* but aria-hidden
	hasAriaHidden
	hasHidden
	hasStyle
	hasTitle
	hasClass
	hasInert
	hasTestID
	hasEditable
	hasFor
	hasPopover
	hasSlot
	hasTabindex
)

// index is what one look at the whole tree finds out before the walk: the
// numbering of elements and everything that is referred to from elsewhere.
type index struct {
	nodes []*html.Node // by NodeID
	end   []int32      // by NodeID: the id after the last descendant
	facts []facts      // by NodeID

	html, head, body NodeID
	title            NodeID
	base             NodeID // first base with an href
	ids              []idEntry
	byID             map[string]NodeID
	labels           []NodeID
	labelables       []NodeID     // elements that a label may be for
	labelOf          []labelEntry // sorted by control
	labelsDone       bool
	sheet            bool              // there are style sheets
	sheets           map[NodeID]string // texts of external ones by their link element
	styles           []*html.Node      // style elements, and link elements with sheets
	loose            bool              // there are loose forms
	owners           map[NodeID]NodeID // control to form, where there are loose forms
	lastOwned        map[NodeID]NodeID // form to its last control
	shadows          map[NodeID]NodeID // host to the template that is its shadow root
}

type idEntry struct {
	id   string
	node NodeID
}

type labelEntry struct{ control, label NodeID }

func newIndex(root *html.Node, guess int, sheets map[NodeID]string) *index {
	x := &index{
		sheets: sheets,
		nodes:  make([]*html.Node, 0, guess), end: make([]int32, 0, guess), facts: make([]facts, 0, guess),
		html: NoNode, head: NoNode, body: NoNode, title: NoNode, base: NoNode,
	}
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			x.add(c, NoNode)
		}
	}
	return x
}

func (x *index) add(n *html.Node, parent NodeID) {
	id := NodeID(len(x.nodes))
	x.nodes = append(x.nodes, n)
	x.end = append(x.end, 0)
	x.facts = append(x.facts, x.scan(n, id, parent))
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			x.add(c, id)
		}
	}
	x.end[id] = int32(len(x.nodes))
}

func (x *index) scan(n *html.Node, id, parent NodeID) facts {
	switch n.DataAtom {
	case atom.Html:
		if x.html == NoNode && n.Namespace == "" {
			x.html = id
		}
	case atom.Head:
		if x.head == NoNode {
			x.head = id
		}
	case atom.Body, atom.Frameset:
		if x.body == NoNode {
			x.body = id
		}
	case atom.Title:
		if x.title == NoNode && n.Namespace == "" {
			x.title = id
		}
	case atom.Base:
		if x.base == NoNode && has(n, "href") {
			x.base = id
		}
	case atom.Style:
		x.sheet = true
		x.styles = append(x.styles, n)
	case atom.Link:
		if _, ok := x.sheets[id]; ok {
			x.sheet = true
			x.styles = append(x.styles, n)
		}
	case atom.Template:
		if has(n, "shadowrootmode") {
			x.noteShadow(n, id, parent)
		}
	case atom.Form:
		x.loose = x.loose || looseForm(n)
	case atom.Label:
		x.labels = append(x.labels, id)
	}
	if labelable(n) {
		x.labelables = append(x.labelables, id)
	}
	var f facts
	for i := range n.Attr {
		f |= x.fact(&n.Attr[i], id)
	}
	return f
}

func (x *index) fact(a *html.Attribute, id NodeID) facts {
	switch len(a.Key) {
	case 2:
		if a.Key == "id" && a.Val != "" {
			x.ids = append(x.ids, idEntry{a.Val, id})
			return hasID
		}
	case 3:
		if a.Key == "for" {
			return hasFor
		}
	case 4:
		switch a.Key {
		case "role":
			return hasRole
		case "slot":
			return hasSlot
		}
	case 5:
		switch a.Key {
		case "class":
			return hasClass
		case "style":
			return hasStyle
		case "title":
			return hasTitle
		case "inert":
			return hasInert
		}
	case 6:
		if a.Key == "hidden" {
			return hasHidden
		}
	case 7:
		if a.Key == "popover" {
			return hasPopover
		}
	case 8:
		if a.Key == "tabindex" {
			return hasTabindex
		}
	case 11:
		switch a.Key {
		case "aria-hidden":
			return hasAriaHidden
		case "data-testid":
			return hasTestID
		}
	case 15:
		if a.Key == "contenteditable" {
			return hasEditable
		}
	}
	if len(a.Key) > 5 && a.Key[0] == 'a' && a.Key[:5] == "aria-" {
		return hasAria
	}
	return 0
}

// external are the texts of external sheets by node.
func (x *index) external() map[*html.Node]string {
	if len(x.sheets) == 0 {
		return nil
	}
	m := make(map[*html.Node]string, len(x.sheets))
	for id, text := range x.sheets {
		if id >= 0 && int(id) < len(x.nodes) {
			m[x.nodes[id]] = text
		}
	}
	return m
}

// element is the first element in tree order with that id.
func (x *index) element(id string) NodeID {
	if id == "" {
		return NoNode
	}
	if x.byID == nil {
		x.byID = make(map[string]NodeID, len(x.ids))
		for _, e := range x.ids {
			if _, dup := x.byID[e.id]; !dup {
				x.byID[e.id] = e.node
			}
		}
	}
	if n, ok := x.byID[id]; ok {
		return n
	}
	return NoNode
}

// labelsFor are the label elements of a control in tree order (HTML 4.10.4).
func (x *index) labelsFor(control NodeID) []labelEntry {
	if !x.labelsDone {
		x.joinLabels()
	}
	ls := x.labelOf
	i := sort.Search(len(ls), func(i int) bool { return ls[i].control >= control })
	j := i
	for j < len(ls) && ls[j].control == control {
		j++
	}
	return ls[i:j]
}

func (x *index) joinLabels() {
	x.labelsDone = true
	for _, l := range x.labels {
		if c := x.labeled(l); c != NoNode {
			x.labelOf = append(x.labelOf, labelEntry{c, l})
		}
	}
	sort.SliceStable(x.labelOf, func(i, j int) bool { return x.labelOf[i].control < x.labelOf[j].control })
}

// labeled is a label element's labeled control: the one its for attribute
// names if that is labelable, else the first labelable descendant.
func (x *index) labeled(label NodeID) NodeID {
	n := x.nodes[label]
	if x.facts[label]&hasFor != 0 {
		if c := x.element(attr(n, "for")); c != NoNode && labelable(x.nodes[c]) {
			return c
		}
		return NoNode
	}
	ls := x.labelables
	i := sort.Search(len(ls), func(i int) bool { return ls[i] > label })
	if i < len(ls) && ls[i] < NodeID(x.end[label]) {
		return ls[i]
	}
	return NoNode
}

func labelable(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.Meter, atom.Output, atom.Progress, atom.Select, atom.Textarea:
		return n.Namespace == ""
	case atom.Input:
		return !equalFold(attr(n, "type"), "hidden")
	}
	return n.DataAtom == 0 && hasDash(n.Data) // form-associated custom elements
}

func hasDash(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '-' {
			return true
		}
	}
	return false
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

func has(n *html.Node, key string) bool { _, ok := lookup(n, key); return ok }

// equalFold compares s with an ASCII lower-case string, ASCII case-insensitively.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
