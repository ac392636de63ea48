package textview

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som"
)

// dispatch walks an element that is seen, or whose descendants may be.
func (d *doc) dispatch(n *html.Node, s state) {
	id := d.page.NodeID(n)
	e := d.elements[id]
	if e != nil && e.Flags&som.FlagBareText != 0 {
		e = nil
	}
	if e != nil && s.hide == nil {
		if role := roleOf(e); role != "" && d.actable(n, e, role, s) {
			return
		}
	}
	if r := d.regions[id]; r != nil && d.sink == toBlocks && !d.line.naming {
		d.region(n, id, r, s)
		return
	}
	if alias := d.landmarkTag(n); alias != "" && d.sink == toBlocks && !d.line.naming {
		d.within(&block{kind: place, id: id, alias: alias}, func() { d.kids(n, s) })
		return
	}
	switch {
	case n.DataAtom == atom.Label:
		d.label(n, s)
	case n.DataAtom == atom.Select || n.DataAtom == atom.Textarea:
		// not in the SOM: hidden by what this walk does not know
	case n.DataAtom == atom.Option || n.DataAtom == atom.Video || n.DataAtom == atom.Audio || n.DataAtom == atom.Canvas:
	case n.DataAtom == atom.Img || e != nil && e.Role == "image":
		d.image(n, e, s)
	case e != nil && e.Role == "heading":
		d.heading(n, e, s)
	case n.DataAtom == atom.Iframe || n.DataAtom == atom.Frame:
		d.frame(n, id, e)
	case n.DataAtom == atom.Details:
		d.details(n, id, e, s)
	case d.isTable(n, e) && d.sink == toBlocks && !d.line.naming:
		d.table(n, id, e, s)
	case isList(n, e) && !d.line.naming && d.sink != toRun:
		d.list(n, id, e, s)
	case e != nil && (e.Role == "section" || e.Role == "group") && d.sink == toBlocks && !d.line.naming:
		d.group(n, id, e, s)
	case s.hide == nil && d.clickable(n, e, s):
		d.button(n, id, s)
	default:
		d.kids(n, s)
	}
}

func landmark(alias string) bool {
	switch alias {
	case "header", "nav", "main", "aside", "footer", "search":
		return true
	}
	return false
}

// landmarkTag is the landmark of an element that has no text of its own, and so
// is no region of the SOM, but has landmarks within.
func (d *doc) landmarkTag(n *html.Node) string {
	switch n.DataAtom {
	case atom.Header, atom.Footer:
		for p := n.Parent; p != nil; p = p.Parent {
			switch p.DataAtom {
			case atom.Article, atom.Section, atom.Main, atom.Aside, atom.Nav:
				return ""
			}
		}
	case atom.Nav, atom.Main, atom.Aside:
	default:
		return ""
	}
	if attr(n, "role") != "" {
		return ""
	}
	return n.Data
}

// aliasOf is what a region of the SOM is called.
func aliasOf(role string) string {
	switch role {
	case "navigation":
		return "nav"
	case "content":
		return ""
	}
	return role
}

// within fills a new container with what f walks.
func (d *doc) within(b *block, f func()) {
	d.flush()
	outer, sink, under := d.at, d.sink, d.under
	d.at, d.sink, d.under = b, toBlocks, nil
	b.up = outer
	f()
	d.flush()
	d.at, d.sink, d.under = outer, sink, under
	if len(b.kids) > 0 || b.host != "" {
		d.attach(b)
	}
}

// attach puts a container where its content belongs; one that prints nothing
// and holds one container only is left out.
func (d *doc) attach(b *block) {
	if d.sink == toParts && d.under != nil {
		d.under.add(b)
		return
	}
	d.at.add(b)
}

func (d *doc) region(n *html.Node, id som.NodeID, r *som.Region, s state) {
	b := &block{kind: place, id: id, alias: aliasOf(r.Role)}
	b.name = d.regionName(n, r)
	if b.alias == "form" && attr(n, "role") == "search" {
		b.alias = "search"
	}
	b.modal = b.alias == "dialog" && (strings.EqualFold(attr(n, "aria-modal"), "true") || n.DataAtom == atom.Dialog && !has(n, "open"))
	d.within(b, func() { d.kids(n, s) })
}

func (d *doc) regionName(n *html.Node, r *som.Region) string {
	if r.Label == "" {
		return ""
	}
	return short(d.attribute(r.Label))
}

// short is a name as it is printed.
func short(s string) string {
	if head, rest := cutAt(s, maxName); rest != "" {
		return head + "…"
	}
	return s
}

// maxName is how many characters of a name are printed.
const maxName = 120

// group walks sections and groups, which are printed if they have a name.
func (d *doc) group(n *html.Node, id som.NodeID, e *som.Element, s state) {
	role, _ := e.Attr("source_role")
	b := &block{kind: place, id: id}
	name, _ := e.Attr("section_label")
	switch role {
	case "toolbar", "tablist", "menu", "tree":
		b.alias = role
	case "menubar":
		b.alias = "menu"
	case "alert", "status", "log":
		b.live = role
	case "search":
		b.alias = "search"
	case "progressbar", "meter", "scrollbar":
		d.gauge(n, e, s)
		return
	case "video", "audio", "figure", "blockquote":
		d.kids(n, s)
		return
	default:
		if name == "" {
			name = e.Label
		}
		if legend, _ := e.Attr("legend"); legend != "" {
			name = legend
		}
		if name != "" {
			b.alias = "group"
			if e.Role == "section" {
				b.alias = "section"
			}
		}
	}
	if b.alias != "" || b.live != "" {
		if b.alias != "" {
			b.name = short(d.attribute(name))
		}
		d.within(b, func() { d.groupKids(n, e, s) })
		return
	}
	d.kids(n, s)
}

// groupKids walks a group. Its legend is its name already.
func (d *doc) groupKids(n *html.Node, e *som.Element, s state) {
	if legend, _ := e.Attr("legend"); legend == "" || n.DataAtom != atom.Fieldset {
		d.kids(n, s)
		return
	}
	skipped := false
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type == html.TextNode:
			d.textNode(k.Data, &s)
		case k.Type != html.ElementNode:
		case k.DataAtom == atom.Legend && !skipped && !d.holdsControl(k) && len(readable(k)) <= maxName:
			skipped = true
		default:
			d.element(k, s)
		}
	}
}

// gauge prints a progress bar's name and value as text.
func (d *doc) gauge(n *html.Node, e *som.Element, s state) {
	words := []string{d.attribute(e.Label)}
	for _, a := range e.Aria {
		if a.Name == "valuetext" || a.Name == "valuenow" {
			words = append(words, d.attribute(a.Value))
		}
	}
	if t := strings.TrimSpace(strings.Join(words, " ")); t != "" && s.hide == nil {
		d.line.space = true
		d.line.text(t)
		d.line.space = true
	}
	d.kids(n, s)
}

func (d *doc) image(n *html.Node, e *som.Element, s state) {
	if s.hide != nil || e == nil {
		return
	}
	name := e.Label
	if name == "" {
		name, _ = e.Attr("alt")
	}
	if name = d.attribute(name); name == "" {
		return
	}
	if head, rest := cutAt(name, 80); rest != "" {
		name = head + "…"
	}
	d.line.picture(name)
}

// foreign walks a drawing: only its links and pictures with a name are read.
func (d *doc) foreign(n *html.Node, s state) {
	if s.hide != nil {
		return
	}
	e := d.elements[d.page.NodeID(n)]
	if e != nil && e.Role == "image" {
		d.image(n, e, s)
		return
	}
	if n.DataAtom == atom.Math || n.Namespace == "math" {
		d.kids2(n, s)
	}
}

// kids2 takes the text of a formula.
func (d *doc) kids2(n *html.Node, s state) {
	for k := range n.Descendants() {
		if k.Type == html.TextNode && k.Parent.Data != "annotation" && k.Parent.Data != "annotation-xml" {
			d.textNode(k.Data, &s)
		}
	}
}

func (d *doc) heading(n *html.Node, e *som.Element, s state) {
	level := 2
	if v, ok := e.Attr("level"); ok && len(v) == 1 && v[0] >= '1' && v[0] <= '6' {
		level = int(v[0] - '0')
	}
	if d.line.naming {
		d.line.endPart(0)
		s.spoken = true
		d.kids(n, s)
		d.line.endPart(level)
		d.line.space = true
		return
	}
	d.flush()
	s.spoken = true
	if r := d.inline(n, s); len(r) > 0 {
		d.emit(heading, level, r)
	}
	d.line.space = true
}

// inline walks the children of n into one line, whatever blocks they are.
func (d *doc) inline(n *html.Node, s state) run {
	outer, sink := d.line, d.sink
	d.line, d.sink = line{}, toRun
	d.kids(n, s)
	r := d.line.run
	d.line, d.sink = outer, sink
	return r
}

// frame walks a document within the page, if it is there.
func (d *doc) frame(n *html.Node, id som.NodeID, e *som.Element) {
	if e == nil || d.line.naming || d.sink != toBlocks {
		return
	}
	name := e.Label
	if name == "" {
		name, _ = e.Attr("title")
	}
	b := &block{kind: place, id: id, alias: "frame", name: short(d.attribute(name))}
	if len(e.Children) == 0 {
		b.host = "(not loaded)"
		if src := d.resolve(attr(n, "src")); src != "" {
			if h := hostOf(src); h != "" {
				b.host = h + " " + b.host
			}
		}
	}
	d.within(b, func() {
		for _, k := range e.Children {
			d.foreignElement(k)
		}
	})
}

// foreignElement prints an element of a document that has no tree here.
func (d *doc) foreignElement(e *som.Element) {
	if s := e.FullText(); s != "" {
		for _, l := range strings.Split(s, "\n") {
			d.line.text(l)
			d.flush()
		}
	}
}

// details is a button that shows what is in it.
func (d *doc) details(n *html.Node, id som.NodeID, e *som.Element, s state) {
	if e == nil || s.hide != nil {
		d.kids(n, s)
		return
	}
	d.flush()
	name, _ := e.Attr("summary")
	c := &control{id: id, el: e, role: "button", name: d.attribute(name), named: true}
	open := e.Flags&som.FlagOpen != 0
	c.states = []string{"collapsed"}
	if open {
		c.states = []string{"expanded"}
	}
	d.line.control(c)
	summary := false
	var rest []*html.Node
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && k.DataAtom == atom.Summary && !summary {
			summary = true
			if d.holdsControl(k) {
				rest = append(rest, k)
			}
			continue
		}
		rest = append(rest, k)
	}
	d.flush()
	for _, k := range rest {
		switch {
		case !open && k.DataAtom != atom.Summary:
			if k.Type == html.ElementNode {
				d.hidden(k, &s)
			}
		case k.Type == html.TextNode:
			d.textNode(k.Data, &s)
		case k.Type == html.ElementNode:
			d.element(k, s)
		}
	}
}
