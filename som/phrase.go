package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// owner compiles an element whose text is its own: link, button, heading. It
// returns the range of the text and the children found in it, still on the
// stack from base on. Blocks inside separate words but make no paragraphs.
type owned struct {
	start, end int32
	base       int
	events     bool // the accessible name may differ from the text
}

func (c *compiler) owner(n *html.Node, id NodeID, block bool) owned {
	if block {
		c.flush()
	} else {
		c.beginRun()
		c.beginCover()
	}
	o := owned{base: len(c.kids)}
	events := c.events
	o.start = int32(len(c.txt))
	item, box, inLine := c.item, c.box, c.inLine
	if c.absorb == 0 && !block {
		c.inLine = true
	}
	c.absorb++
	if block {
		c.item = nil
		c.box = newBox(id, len(c.path), c.pre)
	}
	c.children(n)
	if block {
		c.flush()
		c.item, c.box = item, box
	} else {
		c.endCover()
	}
	c.absorb--
	c.inLine = inLine
	o.start, o.end = c.trim(o.start, int32(len(c.txt)), false)
	o.events = c.events != events
	return o
}

func newBox(id NodeID, pathLen int, pre bool) box {
	b := box{node: id, pathLen: pathLen}
	if pre {
		b.flags = FlagPre
	}
	return b
}

// holdsBlock reports whether an inline element's content has block borders in it.
func (c *compiler) holdsBlock(n *html.Node, depth int) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode || k.Namespace != "" {
			continue
		}
		if blockTag(tagOf(k.DataAtom)) || depth < 64 && k.FirstChild != nil && c.holdsBlock(k, depth+1) {
			return true
		}
	}
	return false
}

// ownedName is the accessible name of an element named by its content: the
// text, unless something in it counts otherwise. "" stands for the text.
func (c *compiler) ownedName(n *html.Node, id NodeID, o owned) string {
	if !o.events && c.idx.facts[id]&(hasAria|hasTitle) == 0 {
		return ""
	}
	return c.names.name(n, id)
}

func (c *compiler) link(n *html.Node, id NodeID) {
	o := c.owner(n, id, c.blockInside(n, id))
	e := c.make(roleLink, n, id)
	e.Start, e.End = o.start, o.end
	name := c.ownedName(n, id, o)
	e.Children = c.take(o.base)
	c.linkAttrs(n)
	c.states(e, n, id)
	c.finish(e, name, c.path)
}

func (c *compiler) blockInside(n *html.Node, id NodeID) bool {
	return c.isBlock || c.holdsBlock(n, 0)
}

func (c *compiler) linkAttrs(n *html.Node) {
	href, ok := lookup(n, "href")
	if !ok {
		return // a link by role only
	}
	c.href(href)
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "target", "hreflang", "type":
			if a.Val != "" {
				c.str(a.Key, a.Val)
			}
		case "download":
			c.str("download", a.Val)
		}
	}
}

// href writes an address as it is in the page, and resolved where that differs.
func (c *compiler) href(href string) {
	href = strings.Trim(href, asciiSpace)
	c.str("href", href)
	url, ok := c.resolver.Resolve(href)
	if !ok || url == href {
		return
	}
	// A long base would be repeated with every link.
	if c.addressBytes += len(url); c.addressBytes > 4*len(c.in.Source)+1<<20 {
		return
	}
	c.str("url", url)
}

func (c *compiler) heading(n *html.Node, id NodeID, level int) {
	o := c.owner(n, id, true)
	if o.start == o.end && len(c.kids) == o.base {
		return
	}
	e := c.make(roleHeading, n, id)
	e.Start, e.End = o.start, o.end
	name := c.ownedName(n, id, o)
	e.Children = c.take(o.base)
	c.int("level", level)
	c.states(e, n, id)
	c.finish(e, name, c.path)
}

func (c *compiler) button(n *html.Node, id NodeID) {
	o := c.owner(n, id, c.blockInside(n, id))
	c.control++
	e := c.make(roleButton, n, id)
	e.Start, e.End = o.start, o.end
	o.events = o.events || len(c.idx.labels) > 0 && len(c.idx.labelsFor(id)) > 0
	name := c.ownedName(n, id, o)
	e.Children = c.take(o.base)
	if n.DataAtom == atom.Button {
		kind := strings.ToLower(attr(n, "type"))
		if kind != "button" && kind != "reset" {
			kind = "submit"
		}
		c.str("button_type", kind)
		c.strOf(n, "name", "name")
		c.strOf(n, "value", "value")
		c.submitter(n)
		c.enabled(e, n, id)
	}
	c.states(e, n, id)
	c.hints(e, n, id)
	c.finish(e, name, c.path)
	c.ownedBy(e, n, id)
}

// rule compiles hr.
func (c *compiler) rule(n *html.Node, id NodeID) {
	c.flush()
	label := c.names.authorName(n, id)
	e := c.make(roleSeparator, n, id)
	c.finish(e, label, c.path)
}

// image compiles img. One with an empty alt or without a source is decoration.
func (c *compiler) image(n *html.Node, id NodeID) {
	alt, hasAlt := lookup(n, "alt")
	f := c.idx.facts[id]
	if c.unseen || hasAlt && strings.Trim(alt, asciiSpace) == "" && f&(hasAria|hasTitle) == 0 {
		c.events++
		return
	}
	src := imageSource(n)
	if f&(hasAria|hasTitle) == 0 && (src == "" && !hasAlt || spacer(n)) {
		return
	}
	c.events++
	c.beginRun()
	e := c.make(roleImage, n, id)
	e.Flags |= FlagInline
	c.place(e)
	name := ""
	if hasAlt || f&(hasAria|hasTitle) != 0 {
		name = c.names.name(n, id)
	}
	alt = collapse(alt)
	if alt != "" {
		c.str("alt", alt)
	}
	if src != "" {
		c.str("src", shortData(src))
	}
	c.states(e, n, id)
	c.finish(e, name, c.path)
	if e.Label == alt {
		e.Label = ""
	}
}

// spacer reports whether an image is too small to be seen: it counts visits or
// keeps a distance. What an alt says is content even so.
func spacer(n *html.Node) bool {
	return pixels(n, "width") && pixels(n, "height") && strings.Trim(attr(n, "alt"), asciiSpace) == ""
}

func pixels(n *html.Node, key string) bool {
	v := strings.TrimSuffix(strings.Trim(attr(n, key), asciiSpace), "px")
	return v == "0" || v == "1" || v == "2"
}

// imageSource is what a browser would load: src, or the first candidate of
// srcset, here or in a picture's sources; lazy loaders' placeholders are
// replaced by what they would load.
func imageSource(n *html.Node) string {
	src := strings.Trim(attr(n, "src"), asciiSpace)
	if src == "" || strings.HasPrefix(src, "data:") {
		for _, k := range [...]string{"srcset", "data-src", "data-srcset"} {
			if v := strings.Trim(attr(n, k), asciiSpace); v != "" && !strings.HasPrefix(v, "data:") {
				v, _, _ = strings.Cut(v, " ")
				return strings.TrimSuffix(v, ",")
			}
		}
	}
	return src
}

// maxData is how much of a data: URL is written; the rest is of no use to a reader.
const maxData = 64

func shortData(src string) string {
	if len(src) > maxData && equalFold(src[:5], "data:") {
		return src[:maxData] + "..."
	}
	return src
}

// atoi is the number that s begins with (HTML "rules for parsing integers"); or
// if it begins with none.
func atoi(s string, or int) int {
	s = strings.Trim(s, asciiSpace)
	minus := strings.HasPrefix(s, "-")
	if minus || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	v, digits := 0, 0
	for ; digits < len(s) && '0' <= s[digits] && s[digits] <= '9'; digits++ {
		v = min(v*10+int(s[digits]-'0'), 1<<30)
	}
	switch {
	case digits == 0:
		return or
	case minus:
		return -v
	}
	return v
}
