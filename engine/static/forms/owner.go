package forms

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"plasmate/som/dom"
)

// Owner is the form owner of a listed element; nil if it has none.
//
// Spec: HTML, Association of controls and forms.
func (d *Document) Owner(control *html.Node) *html.Node {
	if f, ok := d.owners[control]; ok {
		return f
	}
	f := d.findOwner(control)
	d.owners[control] = f
	return f
}

func (d *Document) findOwner(control *html.Node) *html.Node {
	if id, ok := lookup(control, "form"); ok {
		if f := d.Referred(control, id); id != "" && is(f, "form") {
			return f
		}
		return nil
	}
	if f := d.parserOwner(control); f != nil {
		return f
	}
	return closest(control.Parent, "form")
}

// Controls are the listed elements that a form owns, in tree order.
func (d *Document) Controls(form *html.Node) []*html.Node {
	var owned []*html.Node
	for _, c := range d.controls {
		if d.Owner(c) == form {
			owned = append(owned, c)
		}
	}
	return owned
}

// parserOwner is the form that the tree builder's form element pointer held when
// it made the control (HTML, create an element for a token). The tree does not
// show it: in <table><form><tr><td><input> the form is an empty leaf.
//
// The source is tokenized again with a number on each start tag of a form or
// control, and parsed again, so that each element of the tree is known by its
// token and the pointer can be followed token by token. This is exact wherever
// the marked parse gives the same elements as the tree at hand; if it does not,
// leafOwner guesses from the tree.
func (d *Document) parserOwner(control *html.Node) *html.Node {
	if d.pointers == nil {
		d.pointers = d.followPointer()
	}
	return d.pointers[control]
}

// treeDecides says that the nearest ancestor form is right for every control:
// none lies outside a form, after one, and no form lies in another. A control
// whose pointer differs from its nearest form F needs a form opened after F was
// closed; it would have to be nested in F for F still to be an ancestor.
func (d *Document) treeDecides() bool {
	for _, f := range d.forms {
		if closest(f.Parent, "form") != nil {
			return false
		}
	}
	if len(d.forms) == 0 {
		return true
	}
	first := d.ids[d.forms[0]]
	for _, c := range d.controls {
		if d.ids[c] > first && !HasAttr(c, "form") && closest(c.Parent, "form") == nil {
			return false
		}
	}
	return true
}

func (d *Document) followPointer() map[*html.Node]*html.Node {
	if d.treeDecides() {
		return map[*html.Node]*html.Node{}
	}
	if d.HTML == nil {
		return d.leafOwners()
	}
	for _, noscriptIsMarkup := range []bool{false, true} {
		m := markTokens(d.HTML, noscriptIsMarkup)
		t := dom.Parse(m.html)
		if t.NoScript != noscriptIsMarkup {
			continue
		}
		if nodes := d.matchMarked(t.Root); nodes != nil {
			return m.owners(nodes)
		}
	}
	return d.leafOwners()
}

// markAttr numbers start tags. No page can clash with it in a way that matters:
// of two equal attributes the first wins, and ours comes first.
const markAttr = "plasmate-token"

type marked struct {
	html   []byte
	events []int // > 0: start tag of that number; 0: end tag of a form
}

// markTokens rewrites the start tags of forms and of what they can own.
// Attributes on these tags change nothing in tree construction.
func markTokens(src []byte, noscriptIsMarkup bool) marked {
	var m marked
	out := bytes.NewBuffer(make([]byte, 0, len(src)+len(src)/8))
	z := html.NewTokenizer(bytes.NewReader(src))
	templates, number := 0, 0
	for {
		tt := z.Next()
		if tt == html.ErrorToken {
			out.Write(z.Raw())
			m.html = out.Bytes()
			return m
		}
		raw := z.Raw()
		if tt != html.StartTagToken && tt != html.SelfClosingTagToken && tt != html.EndTagToken {
			out.Write(raw)
			continue
		}
		name, _ := z.TagName()
		start := tt != html.EndTagToken
		switch string(name) {
		case "noscript":
			if start && noscriptIsMarkup {
				z.NextIsNotRawText()
			}
		case "template":
			if start {
				templates++
			} else if templates > 0 {
				templates--
			}
		case "form", "button", "fieldset", "input", "object", "output", "select", "textarea":
			if start {
				number++
				m.events = append(m.events, number)
				cut := 1 + len(name)
				out.Write(raw[:cut])
				out.WriteString(" " + markAttr + `="` + strconv.Itoa(number) + `"`)
				raw = raw[cut:]
			} else if string(name) == "form" && templates == 0 {
				m.events = append(m.events, 0)
			}
		}
		out.Write(raw)
	}
}

// matchMarked gives the document's own element for each token number of a marked
// tree; nil if the two trees differ in their elements.
func (d *Document) matchMarked(root *html.Node) map[int]*html.Node {
	nodes := map[int]*html.Node{}
	i := 0
	for n := root; n != nil; n = following(n, root) {
		if n.Type != html.ElementNode {
			continue
		}
		if i >= len(d.nodes) || d.nodes[i].Data != n.Data {
			return nil
		}
		if number, err := strconv.Atoi(Attr(n, markAttr)); err == nil {
			nodes[number] = d.nodes[i]
		}
		i++
	}
	if i != len(d.nodes) {
		return nil
	}
	return nodes
}

// owners plays the tokens: a form's start tag that made an element sets the
// pointer, its end tag clears it, and a control takes what it holds then.
func (m marked) owners(nodes map[int]*html.Node) map[*html.Node]*html.Node {
	owners := map[*html.Node]*html.Node{}
	var pointer *html.Node
	for _, e := range m.events {
		n := nodes[e]
		switch {
		case e == 0:
			pointer = nil
		case n == nil || n.Namespace != "" || closest(n, "template") != nil:
		case n.Data == "form":
			pointer = n
		case pointer != nil && !HasAttr(n, "form"):
			owners[n] = pointer
		}
	}
	return owners
}

// leafOwners guesses without the source: a form that is an empty child of a
// table part takes the controls that follow it outside every form, up to the
// next form. Differs from the spec: the place of the end tag is not known.
func (d *Document) leafOwners() map[*html.Node]*html.Node {
	owners := map[*html.Node]*html.Node{}
	next := 0
	var leaf *html.Node
	for _, c := range d.controls {
		for next < len(d.forms) && d.ids[d.forms[next]] < d.ids[c] {
			f := d.forms[next]
			leaf = nil
			if is(f.Parent, "table", "tbody", "thead", "tfoot", "tr") && strings.TrimSpace(Text(f)) == "" && f.FirstChild == nil {
				leaf = f
			}
			next++
		}
		if leaf != nil && !HasAttr(c, "form") && closest(c.Parent, "form") == nil {
			owners[c] = leaf
		}
	}
	return owners
}
