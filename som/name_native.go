package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// native appends the name that HTML or SVG gives an element (HTML-AAM
// "Accessible name computations by HTML element"). It reports whether there is one.
func (w *nameWalk) native(n *html.Node, id NodeID, t traversal) bool {
	if n.Namespace == "svg" {
		return w.svg(n, id, t)
	}
	switch n.DataAtom {
	case atom.Input:
		return w.input(n, id, t)
	case atom.Textarea, atom.Select, atom.Output, atom.Meter, atom.Progress, atom.Button:
		return w.labels(n, id, t)
	case atom.Img, atom.Area:
		return w.alt(n)
	case atom.Fieldset:
		return w.childName(n, id, atom.Legend, t)
	case atom.Table:
		return w.childName(n, id, atom.Caption, t)
	case atom.Optgroup, atom.Option, atom.Track:
		if v := attr(n, "label"); v != "" {
			w.text(v)
			return true
		}
	case atom.Iframe, atom.Frame:
		if v := attr(n, "title"); v != "" && !t.content {
			w.text(v)
			return true
		}
		return t.content
	}
	if n.DataAtom == 0 && hasDash(n.Data) {
		return w.labels(n, id, t)
	}
	return false
}

func (w *nameWalk) input(n *html.Node, id NodeID, t traversal) bool {
	kind := strings.ToLower(strings.Trim(attr(n, "type"), asciiSpace))
	if w.labels(n, id, t) {
		return true
	}
	switch kind {
	case "button", "submit", "reset":
		if v := attr(n, "value"); v != "" {
			w.text(v)
			return true
		}
		if has(n, "value") || kind == "button" {
			return false
		}
		w.text(map[string]string{"submit": "Submit", "reset": "Reset"}[kind])
		return true
	case "image":
		if w.alt(n) {
			return true
		}
		if v := attr(n, "value"); v != "" {
			w.text(v)
			return true
		}
		if attr(n, "title") != "" {
			return false
		}
		w.text("Submit")
		return true
	}
	return false
}

func (w *nameWalk) alt(n *html.Node) bool {
	v := attr(n, "alt")
	if strings.Trim(v, asciiSpace) == "" {
		return false
	}
	w.text(v)
	return true
}

// labels appends the texts of the label elements of a control, one after the other.
func (w *nameWalk) labels(n *html.Node, id NodeID, t traversal) bool {
	if len(w.m.x.labels) == 0 || t.native || t.depth > 64 {
		return false
	}
	before := len(w.out)
	for _, l := range w.m.x.labelsFor(id) {
		if hasNode(w.said, l.label) {
			continue
		}
		k := w.m.x.nodes[l.label]
		w.space = true
		w.label(k, l.label, n)
		w.space = true
	}
	return len(w.out) > before
}

func (w *nameWalk) label(n *html.Node, id NodeID, control *html.Node) {
	t := traversal{native: true, content: false, reference: true}
	hidden := false
	if hidden, t.css = w.m.hidden(n, id); !hidden {
		w.node2(n, id, t, control)
	}
}

// node2 appends a label, leaving out the control that it labels.
func (w *nameWalk) node2(n *html.Node, id NodeID, t traversal, control *html.Node) {
	f := w.m.x.facts[id]
	if f&hasAria != 0 && (w.labelledby(n, id, t) || w.ariaLabel(n, id)) {
		return
	}
	if len(w.said) < 64 {
		w.said = append(w.said, id)
	}
	w.skip = control
	w.content(n, id, t)
	w.skip = nil
}

// childName appends the content of the first child of that kind.
func (w *nameWalk) childName(n *html.Node, id NodeID, a atom.Atom, t traversal) bool {
	child := id + 1
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		if k.DataAtom == a {
			before := len(w.out)
			if hidden, css := w.m.hidden(k, child); !hidden {
				w.node(k, child, traversal{native: true, reference: true, boxed: true, css: css, depth: t.depth + 1})
			}
			return len(w.out) > before
		}
		child = NodeID(w.m.x.end[child])
	}
	return false
}

// svg is the name of an SVG element: its title child, or a link's xlink:title.
func (w *nameWalk) svg(n *html.Node, id NodeID, t traversal) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && k.Data == "title" {
			before := len(w.out)
			w.text(textContent(k))
			if len(w.out) > before {
				return true
			}
		}
	}
	if n.Data == "a" {
		for i := range n.Attr {
			if a := &n.Attr[i]; a.Key == "title" && a.Namespace == "xlink" && a.Val != "" {
				w.text(a.Val)
				return true
			}
		}
	}
	return false
}
