package som

import (
	"sync"
	"weak"

	"golang.org/x/net/html"

	"plasmate/som/dom"
)

// treeSource finds the tree of a page again. Where the page does not hold its
// tree, the source is parsed anew for those who ask and forgotten after them.
type treeSource struct {
	source []byte // HTML that Root came from; nil if the tree was given
	mu     sync.Mutex
	last   weak.Pointer[treeIndex]
	held   *treeIndex // while the page holds Root
}

type treeIndex struct {
	root  *html.Node
	nodes []*html.Node
	ids   map[*html.Node]NodeID
}

func newTreeIndex(root *html.Node) *treeIndex {
	t := &treeIndex{root: root}
	if root == nil {
		return t
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			t.nodes = append(t.nodes, n)
		}
	}
	t.ids = make(map[*html.Node]NodeID, len(t.nodes))
	for i, n := range t.nodes {
		t.ids[n] = NodeID(i)
	}
	return t
}

func (s *treeSource) index(root *html.Node) *treeIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != nil {
		return s.held
	}
	if root != nil {
		s.held = newTreeIndex(root)
		return s.held
	}
	if t := s.last.Value(); t != nil {
		return t
	}
	if s.source != nil {
		root = dom.Parse(s.source).Root
	}
	t := newTreeIndex(root)
	s.last = weak.Make(t)
	return t
}

// Tree is the document's tree: Root, or the source parsed again after WithoutTree.
func (p *Page) Tree() *html.Node { return p.index().root }

func (p *Page) index() *treeIndex {
	if p.tree == nil {
		return newTreeIndex(p.Root)
	}
	return p.tree.index(p.Root)
}

// Source is the HTML that the page's tree comes from: that of other content
// types is made from what was received. It is nil if the tree was given. The
// caller must not change it.
func (p *Page) Source() []byte {
	if p.tree == nil {
		return nil
	}
	return p.tree.source
}

// WithoutTree is the same page without its tree, which is many times larger
// than the page. Node and Tree parse the source again when they are asked.
// A page whose tree was given by the engine keeps it.
func (p *Page) WithoutTree() *Page {
	if p.tree == nil || p.tree.source == nil {
		return p
	}
	return &Page{
		URL: p.URL, Title: p.Title, Lang: p.Lang, BaseURL: p.BaseURL, Regions: p.Regions, Meta: p.Meta,
		structured: p.structured, text: p.text, json: p.json, memory: p.memory, hidden: p.hidden,
		tree: &treeSource{source: p.tree.source},
	}
}

// Node is the tree node of an id; nil if there is none.
func (p *Page) Node(id NodeID) *html.Node {
	t := p.index()
	if id < 0 || int(id) >= len(t.nodes) {
		return nil
	}
	return t.nodes[id]
}

// NodeID is the id of an element node of the page's tree; NoNode for others.
func (p *Page) NodeID(n *html.Node) NodeID {
	if id, ok := p.index().ids[n]; ok {
		return id
	}
	return NoNode
}
