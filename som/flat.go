package som

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shadowHost is an element whose shadow root is being walked: its own children
// go where the slots are (CSS Scoping "Flattening the DOM into an element tree").
type shadowHost struct {
	node     *html.Node
	id       NodeID
	pathLen  int
	assigned map[string][]slottable // by slot name; a name is taken out by the first slot that has it
}

// slottable is a child of a shadow host.
type slottable struct {
	node   *html.Node
	id     NodeID // of an element
	before int    // element children before it
}

// assign lists the children of a host by the slots they name (DOM "find a slot").
func (x *index) assign(host *html.Node, id NodeID) map[string][]slottable {
	m := map[string][]slottable{}
	child, before, text := id+1, 0, false
	for k := host.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			m[""] = append(m[""], slottable{k, NoNode, before})
			text = text || collapse(k.Data) != ""
		case html.ElementNode:
			if k.DataAtom != atom.Template {
				name := attr(k, "slot")
				m[name] = append(m[name], slottable{k, child, before})
				text = text || name == ""
			}
			before++
			child = NodeID(x.end[child])
		}
	}
	if !text {
		delete(m, "") // white space alone leaves a slot its own content
	}
	return m
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
	c.hosts = append(c.hosts, shadowHost{n, id, len(c.path), c.idx.assign(n, id)})
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
	nodes := h.assigned[name]
	if len(nodes) == 0 {
		c.children(n)
		return
	}
	delete(h.assigned, name)
	hosts, path, box, now := c.hosts, c.path, c.box, c.now
	c.hosts = append([]shadowHost(nil), hosts[:len(hosts)-1]...) // the nodes belong to the tree around
	c.path = append([]byte(nil), path[:h.pathLen]...)
	for _, k := range nodes {
		if k.id == NoNode {
			if !c.unseen {
				c.text(k.node.Data)
			}
			continue
		}
		c.path = appendIndex(c.path[:h.pathLen], k.before)
		c.now = k.id + 1
		c.element(k.node, k.id)
	}
	c.hosts, c.path, c.box, c.now = hosts, path, box, now
}

// flatChildren appends the flat-tree children of an element to a name.
func (w *nameWalk) flatChildren(n *html.Node, id NodeID, t traversal) {
	x := w.m.x
	if len(x.shadows) > 0 {
		if template, ok := x.shadows[id]; ok {
			w.hosts = append(w.hosts, shadowHost{node: n, id: id, assigned: x.assign(n, id)})
			w.lightChildren(x.nodes[template], template, t)
			w.hosts = w.hosts[:len(w.hosts)-1]
			return
		}
		if k := len(w.hosts) - 1; k >= 0 && n.Data == "slot" && w.slot(n, k, t) {
			return
		}
	}
	w.lightChildren(n, id, t)
}

// slot appends what is assigned to a slot of the k-th host; false if nothing is.
func (w *nameWalk) slot(n *html.Node, k int, t traversal) bool {
	name, hosts := attr(n, "name"), w.hosts
	nodes := hosts[k].assigned[name]
	delete(hosts[k].assigned, name)
	w.hosts = hosts[:k:k]
	for _, s := range nodes {
		if s.id != NoNode {
			w.child(s.node, s.id, t)
		} else if !t.unseen {
			w.text(s.node.Data)
		}
	}
	w.hosts = hosts
	return len(nodes) > 0
}

// lightChildren appends the children of an element in the node tree.
func (w *nameWalk) lightChildren(n *html.Node, id NodeID, t traversal) {
	child := id + 1
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if !t.unseen && !(n.Namespace == "svg" && wordless(n)) {
				w.text(k.Data)
			}
		case html.ElementNode:
			w.child(k, child, t)
			child = NodeID(w.m.x.end[child])
		}
	}
}
