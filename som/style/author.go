package style

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// author applies the page's declarations to b. floats is whether n floats
// without them; the result is whether it is out of flow with them.
func (c *Computed) author(n *html.Node, sc *scope, parent Box, b *Box, floats bool) (out bool) {
	c.collect(n, sc)
	if len(c.found) == 0 {
		return floats
	}
	if d := c.cascaded(n, propDisplay); d != nil {
		switch d.wide {
		case wideNone:
			b.Display = Display(d.value)
		case wideInherit:
			b.Display = parent.Display
		default:
			b.Display = Inline
		}
	}
	if d := c.cascaded(n, propVisibility); d != nil {
		switch d.wide {
		case wideNone:
			b.Visible = d.value == off
		case wideInitial:
			b.Visible = true
		}
	}
	if d := c.cascaded(n, propContentVisibility); d != nil {
		b.SkipContents = d.value == on || d.wide == wideInherit && parent.SkipContents
	}
	position := c.valueOf(n, propPosition)
	if d := c.cascaded(n, propFloat); d != nil {
		floats = d.wide == wideNone && d.value == on
	}
	if c.valueOf(n, propOffset) == on && (position == positionOut || c.indented()) {
		b.Flags |= Offscreen
	}
	if c.valueOf(n, propClip) == on {
		b.Flags |= Clipped
	}
	if c.valueOf(n, propOpacity) == on {
		b.Flags |= Transparent
	}
	if c.valueOf(n, propFontSize) == on {
		b.Flags |= Tiny
	}
	return floats || position == positionOut
}

// valueOf is the value of a property that is not inherited here.
func (c *Computed) valueOf(n *html.Node, prop property) uint8 {
	d := c.cascaded(n, prop)
	if d == nil || d.wide != wideNone {
		return off
	}
	return d.value
}

// indented says that a text-indent, which needs no position, is far out.
func (c *Computed) indented() bool {
	d := c.winner(propOffset, ^uint64(0))
	return d != nil && d.decl.name == textIndent
}

// adjust makes the display the computed one and works out what the box does to
// its children. Spec: CSS Display 3, Automatic Box Type Transformations.
func adjust(n *html.Node, b *Box, out bool) {
	if isHiddenInput(n) {
		b.Display = None
	}
	isRoot := n.Parent == nil || n.Parent.Type == html.DocumentNode
	b.Display = controlDisplay(n, b.Display)
	if b.items || isRoot || out {
		b.Display = b.Display.block()
		if isRoot && b.Display == Contents {
			b.Display = Block
		}
	}
	switch b.Display {
	case Flex, InlineFlex, Grid, InlineGrid:
		b.items = true
	case Contents:
		if cannotUnbox(n) {
			b.Display = None
		}
	default:
		b.items = false
	}
	b.SkipContents = b.SkipContents && b.Display.canContain()
}

// controlDisplay is what the display of a form control or a legend comes to:
// HTML, Form controls; The fieldset and legend elements.
func controlDisplay(n *html.Node, d Display) Display {
	switch n.DataAtom {
	case atom.Legend:
		return d.block()
	case atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Meter, atom.Progress:
		switch {
		case n.DataAtom == atom.Input && strings.EqualFold(attr(n, "type"), "image"):
		case d == Inline, d == InlineTable, d.IsTablePart():
			return InlineBlock
		case d == ListItem, d == Table:
			return Block
		}
	}
	return d
}

// alignFloats: HTML, Attributes for embedded content and images: the align
// attribute makes them float.
func alignFloats(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Img, atom.Embed, atom.Iframe, atom.Object, atom.Input:
		a := attr(n, "align")
		return (strings.EqualFold(a, "left") || strings.EqualFold(a, "right")) &&
			(n.DataAtom != atom.Input || strings.EqualFold(attr(n, "type"), "image"))
	}
	return false
}

// block is the blockified value.
func (d Display) block() Display {
	switch d {
	case Inline, InlineBlock, Ruby, RubyText, TableRowGroup, TableHeaderGroup, TableFooterGroup,
		TableRow, TableCell, TableCaption, TableColumn, TableColumnGroup:
		return Block
	case InlineFlex:
		return Flex
	case InlineGrid:
		return Grid
	case InlineTable:
		return Table
	}
	return d
}

// canContain says that content-visibility applies to the box (CSS Contain, size
// containment).
func (d Display) canContain() bool {
	switch d {
	case Block, FlowRoot, ListItem, Flex, Grid, InlineBlock, InlineFlex, InlineGrid, TableCaption:
		return true
	}
	return false
}

// cannotUnbox: CSS Display 3, Appendix B: display: contents is none for what has
// no box tree of its own.
func cannotUnbox(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Br, atom.Wbr, atom.Meter, atom.Progress, atom.Canvas, atom.Embed, atom.Object,
		atom.Audio, atom.Iframe, atom.Img, atom.Video, atom.Frame, atom.Frameset,
		atom.Input, atom.Textarea, atom.Select:
		return n.Namespace == ""
	case atom.Svg:
		return n.Parent == nil || n.Parent.Namespace == ""
	}
	return false
}
