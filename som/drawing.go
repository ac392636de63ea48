package som

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"plasmate/som/style"
)

// foreign compiles SVG and MathML. A drawing is an image if it has a name, and
// its links are links; a formula is its alternative text or its symbols.
func (c *compiler) foreign(n *html.Node, id NodeID) {
	if c.leftOut(n, id) {
		c.events++
		return
	}
	css, unseen := c.css, c.unseen
	if !c.styled(n, id) {
		c.events++
		return
	}
	switch n.Data {
	case "svg":
		c.drawing(n, id)
	case "math":
		c.formula(n)
	case "annotation", "annotation-xml":
	case "mi", "mn", "mo", "ms", "mtext": // each a box of its own
		c.space = true
		c.children(n)
		c.space = true
	default:
		if n.Namespace == "svg" {
			c.drawnPart(n, id, false)
		} else {
			c.children(n)
		}
	}
	c.css, c.unseen = css, unseen
}

// formula writes what a formula says: its alternative text, if that has all the
// symbols that are shown, else the symbols.
func (c *compiler) formula(n *html.Node) {
	alt := collapse(attr(n, "alttext"))
	if c.unseen || alt == "" || !holdsWords(alt, n, 0) {
		c.children(n)
		return
	}
	c.text(alt)
}

// holdsWords reports whether each token of a formula with a letter or digit is in s.
func holdsWords(s string, n *html.Node, depth int) bool {
	for k := n.FirstChild; k != nil && depth < 64; k = k.NextSibling {
		switch {
		case k.Type == html.TextNode:
			for _, w := range strings.FieldsFunc(k.Data, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if !strings.Contains(s, w) {
					return false
				}
			}
		case k.Type == html.ElementNode && k.Data != "annotation" && k.Data != "annotation-xml" && !holdsWords(s, k, depth+1):
			return false
		}
	}
	return true
}

func (c *compiler) leftOut(n *html.Node, id NodeID) bool {
	return c.idx.facts[id]&hasAriaHidden != 0 && hasAttr(n, "aria-hidden", "true")
}

// styled makes the box of a foreign element that of the parent; false if it has none.
func (c *compiler) styled(n *html.Node, id NodeID) bool {
	if !c.sheet && c.idx.facts[id]&(hasStyle|hasHidden) == 0 && c.css == (style.Box{}) {
		return true
	}
	b := c.style.Of(n, c.css)
	if b.Display == style.None {
		return false
	}
	c.css, c.unseen = b, !b.Visible
	return true
}

func (c *compiler) drawing(n *html.Node, id NodeID) {
	c.events++
	if !c.unseen && c.absorb == 0 {
		if name := c.names.name(n, id); name != "" {
			c.beginRun()
			e := c.make(roleImage, n, id)
			e.Flags |= FlagInline
			c.str("alt", name)
			c.states(e, n, id)
			c.finish(e, name, c.path)
			e.Label = ""
		}
	}
	c.drawn(n, id, false)
}

// drawn compiles the words and links in a part of a drawing.
func (c *compiler) drawn(n *html.Node, id NodeID, words bool) {
	if c.depth > maxDepth {
		return
	}
	c.depth++
	child, before, pathLen := id+1, 0, len(c.path)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.TextNode && words && !c.unseen {
			c.text(k.Data)
		}
		if k.Type != html.ElementNode {
			continue
		}
		c.path = appendIndex(c.path, before)
		css, unseen := c.css, c.unseen
		if !c.leftOut(k, child) && c.styled(k, child) {
			c.drawnPart(k, child, words)
		}
		c.css, c.unseen = css, unseen
		c.path = c.path[:pathLen]
		before++
		child = NodeID(c.idx.end[child])
	}
	c.depth--
}

func (c *compiler) drawnPart(n *html.Node, id NodeID, words bool) {
	if c.idx.facts[id]&hasRole != 0 && !c.unseen && c.drawnWidget(n, id) {
		return
	}
	if undrawn(n) {
		return
	}
	switch n.Data {
	case "a":
		if href := drawnHref(n); href != "" {
			c.drawnLink(n, id, href, words)
			return
		}
	case "text":
		c.space = true
		c.drawn(n, id, true)
		c.space = true
		return
	case "foreignObject":
		now := c.now
		c.now = id + 1
		c.block(n, id, false)
		c.now = now
		return
	}
	c.drawn(n, id, words)
}

// drawnWidget compiles a part of a drawing that is a control by its role.
func (c *compiler) drawnWidget(n *html.Node, id NodeID) bool {
	role := explicitRole(n, c.idx, id)
	switch role {
	case "button", "link", "checkbox", "radio", "switch", "slider", "spinbutton", "tab", "menuitem", "menuitemcheckbox",
		"menuitemradio", "option", "treeitem", "textbox", "combobox":
	default:
		return false
	}
	if n.Data == "a" && drawnHref(n) != "" || undrawn(n) {
		return false
	}
	now := c.now
	c.now = id + 1
	done := c.byRole(n, id, tagInline, role)
	c.now = now
	return done
}

// undrawn are the elements whose content is never rendered.
func undrawn(n *html.Node) bool {
	switch n.Data {
	case "linearGradient", "radialGradient", "filter", "title", "desc", "metadata", "script", "style":
		return true
	}
	return false
}

// wordless are the elements of a drawing whose own text is not rendered.
func wordless(n *html.Node) bool {
	switch n.Data {
	case "svg", "g", "defs", "symbol", "switch", "use", "path":
		return true
	}
	return false
}

func hasAttr(n *html.Node, key, value string) bool { return equalFold(attr(n, key), value) }

func drawnHref(n *html.Node) string {
	for i := range n.Attr {
		if n.Attr[i].Key == "href" {
			return n.Attr[i].Val
		}
	}
	return ""
}

func (c *compiler) drawnLink(n *html.Node, id NodeID, href string, words bool) {
	c.beginRun()
	c.beginCover()
	start, base, inLine := int32(len(c.txt)), len(c.kids), c.inLine
	c.inLine = c.inLine || c.absorb == 0
	c.absorb++
	c.drawn(n, id, words)
	c.absorb--
	c.inLine = inLine
	c.endCover()
	name := c.names.name(n, id)
	e := c.make(roleLink, n, id)
	e.Flags |= FlagInline
	e.Start, e.End = c.trim(start, int32(len(c.txt)), false)
	e.Children = c.take(base)
	c.href(href)
	c.finish(e, name, c.path)
}
