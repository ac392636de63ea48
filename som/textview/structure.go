package textview

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/policy/hygiene"
	"plasmate/som"
	"plasmate/som/style"
)

func zeroBox() style.Box { return style.Box{} }

func rootState() state { return state{sight: hygiene.InSight()} }

func isList(n *html.Node, e *som.Element) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Menu, atom.Dl, atom.Dir:
		return e == nil || e.Role == "list"
	}
	return e != nil && e.Role == "list"
}

// list walks a list: each item is a line.
func (d *doc) list(n *html.Node, id som.NodeID, e *som.Element, s state) {
	b := &block{kind: place, id: id, folds: true}
	if e != nil && e.Label != "" {
		b.alias, b.name = "list", short(d.attribute(e.Label))
	}
	d.within(b, func() {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			switch {
			case k.Type == html.TextNode:
				d.textNode(k.Data, &s)
			case k.Type != html.ElementNode:
			case attr(k, "role") == "listitem" && d.isControl(k):
				d.controlItem(k, s)
			case k.DataAtom == atom.Li || k.DataAtom == atom.Dt || attr(k, "role") == "listitem":
				k = d.items(k, s)
			default:
				d.element(k, s)
			}
		}
	})
}

// items walks an item; a term takes the definitions behind it.
func (d *doc) items(n *html.Node, s state) *html.Node {
	last := n
	nodes := []*html.Node{n}
	if n.DataAtom == atom.Dt {
		for k := n.NextSibling; k != nil && (k.Type != html.ElementNode || k.DataAtom == atom.Dd); k = k.NextSibling {
			if k.Type == html.ElementNode {
				nodes = append(nodes, k)
				last = k
			}
		}
	}
	d.item(nodes, s)
	return last
}

// The bounds of an item that is printed in one line.
const (
	maxItemText  = 700
	maxItemParts = 14
)

// item walks one item. Long ones are blocks of their own.
func (d *doc) item(nodes []*html.Node, s state) {
	b := &block{kind: item, id: d.page.NodeID(nodes[0]), region: d.regionAlias()}
	if d.isLong(nodes) {
		c := &block{kind: place, id: b.id}
		d.within(c, func() {
			for _, n := range nodes {
				d.element2(n, s)
			}
		})
		return
	}
	d.flush()
	sink, under := d.sink, d.under
	d.sink, d.under = toParts, b
	for _, n := range nodes {
		d.element2(n, s)
	}
	d.flush()
	d.sink, d.under = sink, under
	b.runs = parts(b.runs)
	if len(b.runs) > 0 || len(b.kids) > 0 {
		d.attach(b)
	}
}

// element2 walks an item's element, which is no list or control itself.
func (d *doc) element2(n *html.Node, s state) {
	b := d.css.Of(n, s.box)
	s = d.sees(n, b, s)
	if d.hides(n, b, &s) {
		d.hidden(n, &s)
		return
	}
	if d.unseen(n, b, &s) {
		d.element(n, s)
		return
	}
	s.hide = nil
	d.flush()
	d.kids(n, s)
	d.flush()
}

// isLong reports whether an item is more than a line can hold.
func (d *doc) isLong(nodes []*html.Node) bool {
	size, blocks := 0, 0
	for _, n := range nodes {
		for k := range n.Descendants() {
			switch k.Type {
			case html.TextNode:
				if k.Parent.DataAtom != atom.Script && k.Parent.DataAtom != atom.Style {
					size += len(strings.TrimSpace(k.Data))
				}
			case html.ElementNode:
				switch k.DataAtom {
				case atom.Ul, atom.Ol, atom.Dl:
					size -= len(strings.TrimSpace(readable(k))) // its items have lines of their own
				case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Form, atom.Section, atom.Table:
					blocks++
				}
			}
		}
	}
	return size > maxItemText || blocks > maxItemParts
}

// sentence is the length of a text from which on an item's links stay in its line.
const sentence = 40

// parts divides the lines of an item into its parts: a control is one, a run of
// text is one. A sentence keeps its links.
func parts(lines []run) []run {
	var out []run
	for _, l := range lines {
		prose := false
		controls := 0
		for _, p := range l {
			prose = prose || p.ctl == nil && len(p.text) >= sentence
			if p.ctl != nil {
				controls++
			}
		}
		if prose || controls == 0 || len(l) == 1 {
			out = appendPart(out, l)
			continue
		}
		start := 0
		for i := range l {
			if l[i].ctl != nil {
				if i > start {
					out = appendPart(out, l[start:i:i])
				}
				out = appendPart(out, l[i:i+1:i+1])
				start = i + 1
			}
		}
		if start < len(l) {
			out = appendPart(out, l[start:])
		}
	}
	return out
}

// appendPart adds a part; short texts one after the other are one.
func appendPart(out []run, r run) []run {
	if k := len(out) - 1; k >= 0 && textOnly(out[k]) && textOnly(r) && sizeOf(out[k])+sizeOf(r) <= maxName {
		r[0].space = true
		out[k] = append(out[k], r...)
		return out
	}
	return append(out, r)
}

func textOnly(r run) bool {
	for _, p := range r {
		if p.ctl != nil {
			return false
		}
	}
	return true
}

func sizeOf(r run) int {
	n := 0
	for _, p := range r {
		n += len(p.text)
	}
	return n
}

// repeated is a row of siblings that look alike.
type repeated struct{ from, to *html.Node }

// minRepeated is how many such siblings are a list.
const minRepeated = 6

// repeats finds the first row of siblings with one signature.
func (d *doc) repeats(n *html.Node) *repeated {
	if n.FirstChild == nil || n.DataAtom == atom.Body && n.FirstChild.NextSibling == nil {
		return nil
	}
	var first, last *html.Node
	sig, count := "", 0
	for k := n.FirstChild; ; k = k.NextSibling {
		if k != nil && (k.Type == html.TextNode && strings.TrimSpace(k.Data) == "" || k.Type == html.CommentNode) {
			continue
		}
		s := ""
		if k != nil && k.Type == html.ElementNode {
			s = signature(k)
		}
		if s != "" && s == sig {
			count++
			last = k
			continue
		}
		if count >= minRepeated && d.holdsControl(first) {
			return &repeated{first, last}
		}
		if k == nil {
			return nil
		}
		first, last, sig, count = k, k, s, 1
	}
}

// signature is what siblings of a list have in common: tag, classes and the
// tags of their children. "" for what is never an item.
func signature(n *html.Node) string {
	switch n.DataAtom {
	case atom.Div, atom.Article, atom.Section, atom.Figure, atom.A:
	default:
		if !strings.Contains(n.Data, "-") {
			return ""
		}
	}
	if n.FirstChild == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(n.Data + "." + attr(n, "class"))
	elements := 0
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode {
			b.WriteString(">" + k.Data)
			elements++
		}
	}
	if elements == 0 {
		return ""
	}
	return b.String()
}

// repeatedList walks a row of siblings as a list. It returns the last of them.
func (d *doc) repeatedList(n *html.Node, r *repeated, s state) *html.Node {
	b := &block{kind: place, id: d.page.NodeID(n), folds: true}
	d.within(b, func() {
		for k := r.from; ; k = k.NextSibling {
			if k.Type == html.ElementNode {
				if e := d.elements[d.page.NodeID(k)]; e != nil && roleOf(e) != "" {
					d.controlItem(k, s)
				} else {
					d.item([]*html.Node{k}, s)
				}
			}
			if k == r.to {
				return
			}
		}
	})
	return r.to
}

// controlItem is an item that is a control itself.
func (d *doc) controlItem(n *html.Node, s state) {
	d.flush()
	b := &block{kind: item, id: d.page.NodeID(n), region: d.regionAlias()}
	sink, under := d.sink, d.under
	d.sink, d.under = toParts, b
	d.element(n, s)
	d.flush()
	d.sink, d.under = sink, under
	b.runs = parts(b.runs)
	if len(b.runs) > 0 || len(b.kids) > 0 {
		d.attach(b)
	}
}

func (d *doc) isTable(n *html.Node, e *som.Element) bool {
	return n.DataAtom == atom.Table && e != nil && e.Role == "table"
}

// table walks a data table: each row is a line. What is in it but no cell
// follows it.
func (d *doc) table(n *html.Node, id som.NodeID, e *som.Element, s state) {
	b := &block{kind: place, id: id, alias: "table", folds: true}
	name := e.Label
	if name == "" && e.Table != nil {
		name = e.Table.Caption
	}
	b.name = short(d.attribute(name))
	if b.name == "" {
		b.alias = ""
	}
	d.within(b, func() { d.rows(n, b, e, s, 0) })
}

func (d *doc) rows(n *html.Node, t *block, e *som.Element, s state, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		switch k.DataAtom {
		case atom.Caption:
			if e.Table == nil || e.Table.Caption == "" || e.Label != "" || d.holdsControl(k) || len(readable(k)) > maxName {
				d.element(k, s)
			}
		case atom.Thead, atom.Tbody, atom.Tfoot:
			b := d.css.Of(k, s.box)
			in := d.sees(k, b, s)
			if d.hides(k, b, &in) || d.unseen(k, b, &in) {
				d.hidden(k, &in)
				continue
			}
			d.rows(k, t, e, in, depth+1)
		case atom.Tr:
			d.row(k, t, s)
		default:
			d.element(k, s)
		}
	}
}

func (d *doc) row(n *html.Node, t *block, s state) {
	box := d.css.Of(n, s.box)
	s = d.sees(n, box, s)
	if d.hides(n, box, &s) || d.unseen(n, box, &s) {
		d.hidden(n, &s)
		return
	}
	d.flush()
	b := &block{kind: row, id: d.page.NodeID(n), region: d.regionAlias(), header: true}
	empty := true
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode || k.DataAtom != atom.Td && k.DataAtom != atom.Th {
			continue
		}
		b.header = b.header && k.DataAtom == atom.Th
		kb := d.css.Of(k, s.box)
		in := d.sees(k, kb, s)
		if d.hides(k, kb, &in) || d.unseen(k, kb, &in) {
			d.hidden(k, &in)
			continue
		}
		r := d.finish(d.inline(k, in), b)
		d.own(r, b)
		b.runs = append(b.runs, r)
		empty = empty && len(r) == 0
	}
	if empty {
		return
	}
	b.prose = false
	t.width = max(t.width, len(b.runs))
	d.at.add(b)
}
