package forms

import (
	"strings"

	"golang.org/x/net/html"

	"plasmate/som"
)

// Source is what a [Document] is made from. Nothing in it is changed.
type Source struct {
	Root     *html.Node // the document's tree
	HTML     []byte     // the UTF-8 text that Root was parsed from; nil if unknown
	URL      string     // the document's URL, fragment included
	Base     string     // the document base URL; empty means URL
	Encoding string     // label of the document's encoding; empty means UTF-8
	State    som.State
}

// Document is an index of one tree and the state of its controls. It is not
// safe for concurrent use: form owners are worked out on demand.
type Document struct {
	Source
	nodes    []*html.Node // by NodeID
	ids      map[*html.Node]som.NodeID
	byID     map[treeID]*html.Node // first element in tree order with that ID
	shadows  bool                  // there are declarative shadow roots
	controls []*html.Node          // listed elements in tree order, shadow trees included, other templates not
	forms    []*html.Node
	pointers map[*html.Node]*html.Node // what the parser's form element pointer gave; nil until asked
	owners   map[*html.Node]*html.Node
	groups   map[groupKey]*radioGroup    // nil until asked
	labels   map[*html.Node][]*html.Node // by labeled control; nil until asked
}

// treeID is an ID in one tree: the document's (nil) or that of a shadow root.
type treeID struct {
	root *html.Node
	id   string
}

// New indexes a tree. Elements are numbered in tree order, the html element
// being 0, as som does.
func New(s Source) *Document {
	d := &Document{
		Source: s,
		ids:    map[*html.Node]som.NodeID{},
		byID:   map[treeID]*html.Node{},
		owners: map[*html.Node]*html.Node{},
	}
	if s.Base == "" {
		d.Base = s.URL
	}
	var template *html.Node // the outermost template around the walk
	for n := s.Root; n != nil; n = following(n, s.Root) {
		if template != nil && !contains(template, n) {
			template = nil
		}
		if n.Type != html.ElementNode {
			continue
		}
		d.ids[n] = som.NodeID(len(d.nodes))
		d.nodes = append(d.nodes, n)
		switch {
		case template != nil: // template contents are another tree
		case isShadow(n):
			d.shadows = true
		case is(n, "template"):
			template = n
		default:
			d.index(n)
		}
	}
	return d
}

func (d *Document) index(n *html.Node) {
	if id := Attr(n, "id"); id != "" {
		key := treeID{d.tree(n), id}
		if _, dup := d.byID[key]; !dup {
			d.byID[key] = n
		}
	}
	if n.Namespace != "" {
		return
	}
	switch n.Data {
	case "form":
		d.forms = append(d.forms, n)
	case "button", "fieldset", "input", "object", "output", "select", "textarea":
		d.controls = append(d.controls, n)
	}
}

// WithState is the same document with other states of its controls.
func (d *Document) WithState(s som.State) *Document {
	other := *d
	other.State = s
	return &other
}

// Node is the element with that id; nil if there is none.
func (d *Document) Node(id som.NodeID) *html.Node {
	if id < 0 || int(id) >= len(d.nodes) {
		return nil
	}
	return d.nodes[id]
}

// ID is the id of an element of the tree; NoNode for anything else.
func (d *Document) ID(n *html.Node) som.NodeID {
	if id, ok := d.ids[n]; ok {
		return id
	}
	return som.NoNode
}

// ElementByID is the first element of the document in tree order whose id
// attribute is that.
func (d *Document) ElementByID(id string) *html.Node { return d.byID[treeID{nil, id}] }

// Referred is the element that an attribute of n means by an ID: one of n's tree.
func (d *Document) Referred(n *html.Node, id string) *html.Node { return d.byID[treeID{d.tree(n), id}] }

// tree is the template that stands for the shadow root n is in; nil for the
// document's own elements.
func (d *Document) tree(n *html.Node) *html.Node {
	if !d.shadows {
		return nil
	}
	return closest(n.Parent, "template")
}

// isShadow: templates with a shadowrootmode stand for their parent's shadow root.
func isShadow(n *html.Node) bool {
	if !is(n, "template") {
		return false
	}
	mode := asciiLower(Attr(n, "shadowrootmode"))
	return mode == "open" || mode == "closed"
}

// Attr is the value of an attribute, "" if it is absent.
func Attr(n *html.Node, key string) string {
	v, _ := lookup(n, key)
	return v
}

// HasAttr says whether an attribute is present, with whatever value.
func HasAttr(n *html.Node, key string) bool {
	_, ok := lookup(n, key)
	return ok
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// is says whether n is the HTML element of one of those names.
func is(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode || n.Namespace != "" {
		return false
	}
	for _, name := range names {
		if n.Data == name {
			return true
		}
	}
	return false
}

// following is the node after n in tree order within root. It does not recurse:
// trees may be a hundred thousand levels deep.
func following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return afterSubtree(n, root)
}

func afterSubtree(n, root *html.Node) *html.Node {
	for n != nil && n != root {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// contains says whether n is an inclusive descendant of a.
func contains(a, n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == a {
			return true
		}
	}
	return false
}

// closest is the nearest inclusive ancestor of one of those names in n's own
// tree, which ends at a template.
func closest(n *html.Node, names ...string) *html.Node {
	for ; n != nil; n = n.Parent {
		if is(n, names...) {
			return n
		}
		if is(n, "template") {
			return nil
		}
	}
	return nil
}

// childText is the concatenation of the text children (DOM, child text content).
func childText(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// Text is the text of all descendants but scripts and styles, collapsed.
func Text(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; {
		switch {
		case is(c, "script", "style", "template"):
			c = afterSubtree(c, n)
			continue
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case is(c, "br", "p", "div", "li", "td"):
			b.WriteByte(' ')
		}
		c = following(c, n)
	}
	return Collapse(b.String())
}

const asciiSpace = " \t\n\f\r"

// Collapse strips and collapses ASCII white space (Infra).
func Collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(asciiSpace, r) }), " ")
}

// Elements are the HTML elements of that name in tree order, templates' included.
func (d *Document) Elements(name string) []*html.Node {
	var found []*html.Node
	for _, n := range d.nodes {
		if is(n, name) {
			found = append(found, n)
		}
	}
	return found
}
