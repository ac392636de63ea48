package som

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shadowHost is an element whose shadow root is being walked: its own children
// go where the slots are (CSS Scoping "Flattening the DOM into an element tree").
type shadowHost struct {
	node    *html.Node
	id      NodeID
	pathLen int
}

// noteShadow records the first valid declarative shadow root of a host (HTML
// "A start tag whose tag name is template"); further ones stay templates.
func (x *index) noteShadow(template *html.Node, id, host NodeID) {
	mode := attr(template, "shadowrootmode")
	if !equalFold(mode, "open") && !equalFold(mode, "closed") {
		return
	}
	if host == NoNode || !canHost(x.nodes[host]) {
		return
	}
	if _, taken := x.shadows[host]; taken {
		return
	}
	if x.shadows == nil {
		x.shadows = map[NodeID]NodeID{}
	}
	x.shadows[host] = id
}

// canHost lists the elements that attachShadow takes (DOM "valid shadow host name").
func canHost(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Div, atom.Footer, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Main, atom.Nav, atom.P, atom.Section, atom.Span:
		return true
	}
	return n.DataAtom == 0 && n.Namespace == "" && hasDash(n.Data)
}

// shadowChildren walks the shadow root of a host instead of its children.
func (c *compiler) shadowChildren(n *html.Node, id, template NodeID) {
	c.hosts = append(c.hosts, shadowHost{n, id, len(c.path)})
	t := c.idx.nodes[template]
	before := 0
	for k := n.FirstChild; k != t; k = k.NextSibling {
		if k.Type == html.ElementNode {
			before++
		}
	}
	pathLen, box, now := len(c.path), c.box, c.now
	c.path = appendIndex(c.path, before)
	c.now = template + 1
	if box.node == id {
		c.box.node, c.box.pathLen = template, len(c.path)
	}
	c.lightChildren(t, template)
	c.path, c.box, c.now = c.path[:pathLen], box, now
	c.hosts = c.hosts[:len(c.hosts)-1]
}

// slot walks what is assigned to a slot, or the slot's own content if nothing is.
func (c *compiler) slot(n *html.Node, id NodeID) {
	h := c.hosts[len(c.hosts)-1]
	name := attr(n, "name")
	if !slotted(h.node, name) {
		c.children(n)
		return
	}
	hosts, path, box, now := c.hosts, c.path, c.box, c.now
	c.hosts = append([]shadowHost(nil), hosts[:len(hosts)-1]...) // the nodes belong to the tree around
	c.path = append([]byte(nil), path[:h.pathLen]...)
	child, before, pathLen := h.id+1, 0, h.pathLen
	for k := h.node.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if name == "" && !c.unseen {
				c.text(k.Data)
			}
		case html.ElementNode:
			if attr(k, "slot") == name {
				c.path = appendIndex(c.path[:pathLen], before)
				c.now = child + 1
				c.element(k, child)
			}
			before++
			child = NodeID(c.idx.end[child])
		}
	}
	c.hosts, c.path, c.box, c.now = hosts, path, box, now
}

// slotted reports whether a host has children for the slot of that name.
func slotted(host *html.Node, name string) bool {
	for k := host.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if name == "" && collapse(k.Data) != "" {
				return true
			}
		case html.ElementNode:
			if attr(k, "slot") == name && k.DataAtom != atom.Template {
				return true
			}
		}
	}
	return false
}

// flatChildren appends the flat-tree children of an element to a name.
func (w *nameWalk) flatChildren(n *html.Node, id NodeID, t traversal) {
	x := w.m.x
	if len(x.shadows) > 0 {
		if template, ok := x.shadows[id]; ok {
			w.hosts = append(w.hosts, shadowHost{node: n, id: id})
			w.lightChildren(x.nodes[template], template, t, nil)
			w.hosts = w.hosts[:len(w.hosts)-1]
			return
		}
		if k := len(w.hosts) - 1; k >= 0 && n.Data == "slot" {
			h, name := w.hosts[k], attr(n, "name")
			if slotted(h.node, name) {
				hosts := w.hosts
				w.hosts = hosts[:k:k]
				w.lightChildren(h.node, h.id, t, &name)
				w.hosts = hosts
				return
			}
		}
	}
	w.lightChildren(n, id, t, nil)
}

// lightChildren appends the children of an element, of all slots or of one.
func (w *nameWalk) lightChildren(n *html.Node, id NodeID, t traversal, slot *string) {
	child := id + 1
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if !t.unseen && (slot == nil || *slot == "") {
				w.text(k.Data)
			}
		case html.ElementNode:
			if slot == nil || attr(k, "slot") == *slot {
				w.child(k, child, t)
			}
			child = NodeID(w.m.x.end[child])
		}
	}
}
