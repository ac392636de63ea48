package som

import (
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som/dom"
)

func utf8Already(_ string, r io.Reader) (io.Reader, error) { return r, nil }

// plainText is the text of a piece of HTML.
func plainText(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return collapse(s)
	}
	return collapse(strings.ReplaceAll(textContent(dom.Parse([]byte(s)).Root), "\u00a0", " "))
}

// maxSrcdoc bounds the documents within documents, in bytes and in depth.
const (
	maxSrcdoc      = 1 << 20
	maxSrcdocDepth = 2
)

// srcdoc compiles the document that an iframe holds in an attribute. Its
// elements have no nodes in the page's tree, so that they can be read only.
func (c *compiler) srcdoc(src string) []*Element {
	if len(src) > maxSrcdoc || c.frames >= maxSrcdocDepth {
		return nil
	}
	in := Input{URL: c.in.URL, Source: []byte(src)}
	p := &Page{URL: in.URL, tree: &treeSource{}}
	p.Root = dom.Parse(in.Source).Root
	k := &compiler{page: p, in: in, form: NoNode, frames: c.frames + 1}
	k.path = append(append(k.path, c.path...), "/#document"...)
	k.compile(c.page.BaseURL)
	var es []*Element
	for _, r := range p.Regions {
		es = append(es, r.Elements...)
	}
	detach(es)
	return es
}

func detach(es []*Element) {
	for _, e := range es {
		e.Node = NoNode
		detach(e.Children)
	}
}

func (c *compiler) iframe(n *html.Node, id NodeID) {
	if c.unseen {
		return
	}
	src := strings.Trim(attr(n, "src"), asciiSpace)
	var kids []*Element
	doc, has := lookup(n, "srcdoc")
	if has {
		kids = c.srcdoc(doc)
	}
	label := c.names.name(n, id)
	if label == "" && len(kids) == 0 && (src == "" || equalFold(src, "about:blank")) {
		return
	}
	c.flush()
	e := c.make(roleFrame, n, id)
	e.Children = kids
	if src != "" {
		c.str("src", shortData(src))
	}
	if t := collapse(attr(n, "title")); t != "" {
		c.str("title", t)
	}
	if has {
		c.yes("has_srcdoc")
	}
	c.strOf(n, "sandbox", "sandbox")
	c.states(e, n, id)
	c.finish(e, label, c.path)
	if e.Label == collapse(attr(n, "title")) {
		e.Label = ""
	}
}

// media compiles what plays or draws. What stands in a video or audio element is
// for browsers that do not know it; a canvas without scripts is what stands in it.
func (c *compiler) media(n *html.Node, id NodeID) {
	switch n.DataAtom {
	case atom.Object, atom.Canvas:
		c.generic(n, id)
		return
	case atom.Video, atom.Audio:
	default:
		return
	}
	src := strings.Trim(attr(n, "src"), asciiSpace)
	if src == "" {
		if s := childElement(n, atom.Source); s != nil {
			src = attr(s, "src")
		}
	}
	if c.unseen || n.DataAtom == atom.Audio && !has(n, "controls") {
		return
	}
	c.beginRun()
	label := c.names.name(n, id)
	e := c.make(roleGroup, n, id)
	e.Flags |= FlagInline
	c.str("source_role", n.Data)
	if src != "" {
		c.str("src", shortData(src))
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

// gauge compiles meter and progress.
func (c *compiler) gauge(n *html.Node, id NodeID) {
	if c.unseen {
		return
	}
	c.events++
	c.beginRun()
	label := c.names.name(n, id)
	e := c.make(roleGroup, n, id)
	e.Flags |= FlagInline
	role := "progressbar"
	if n.DataAtom == atom.Meter {
		role = "meter"
	}
	c.str("source_role", role)
	for _, k := range [...]string{"value", "min", "max"} {
		c.strOf(n, k, k)
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

// editor compiles an element that the user can edit: a field if it holds text
// only, else what it holds.
func (c *compiler) editor(n *html.Node, id NodeID) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && k.DataAtom != atom.Br {
			c.editorGroup(n, id)
			return
		}
	}
	o := c.owner(n, id, c.isBlock)
	c.control++
	label := c.names.name(n, id)
	e := c.make(roleTextarea, n, id)
	c.yes("contenteditable")
	if v := string(c.txt[o.start:o.end]); v != "" {
		c.str("value", v)
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

func (c *compiler) editorGroup(n *html.Node, id NodeID) {
	if c.absorb > 0 {
		c.children(n)
		return
	}
	f := c.enter(n, id)
	c.children(n)
	c.leave(f)
	label := c.names.authorName(n, id)
	e := c.make(roleGroup, n, id)
	e.Children = c.take(f.base)
	c.yes("contenteditable")
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

// area compiles a region of an image map.
func (c *compiler) area(n *html.Node, id NodeID) {
	href, ok := lookup(n, "href")
	if !ok || c.unseen {
		return
	}
	c.beginRun()
	name := c.names.name(n, id)
	e := c.make(roleLink, n, id)
	e.Flags |= FlagInline
	c.href(href)
	c.states(e, n, id)
	c.finish(e, name, c.path)
}
