package style

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// uaDisplay is the display of an element under the user agent style sheet.
// Elements not named are inline. Spec: HTML, Rendering, Non-replaced elements
// and after; form controls are inline-block.
func uaDisplay(n *html.Node) Display {
	if n.Namespace != "" {
		return uaForeignDisplay(n)
	}
	switch n.DataAtom {
	case atom.Area, atom.Base, atom.Basefont, atom.Datalist, atom.Head, atom.Link,
		atom.Meta, atom.Noembed, atom.Noframes, atom.Param, atom.Rp, atom.Script,
		atom.Style, atom.Template, atom.Title, atom.Noscript:
		return None
	case atom.Html, atom.Body, atom.Address, atom.Blockquote, atom.Center, atom.Dialog,
		atom.Div, atom.Figure, atom.Figcaption, atom.Footer, atom.Form, atom.Header,
		atom.Hr, atom.Legend, atom.Listing, atom.Main, atom.P, atom.Plaintext, atom.Pre,
		atom.Xmp, atom.Search, atom.Article, atom.Aside, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6, atom.Hgroup, atom.Nav, atom.Section, atom.Dir,
		atom.Dd, atom.Dl, atom.Dt, atom.Menu, atom.Ol, atom.Ul, atom.Details,
		atom.Fieldset, atom.Optgroup, atom.Option, atom.Frameset, atom.Frame:
		return Block
	case atom.Summary:
		return uaSummary(n)
	case atom.Li:
		return ListItem
	case atom.Table:
		return Table
	case atom.Caption:
		return TableCaption
	case atom.Colgroup:
		return TableColumnGroup
	case atom.Col:
		return TableColumn
	case atom.Thead:
		return TableHeaderGroup
	case atom.Tbody:
		return TableRowGroup
	case atom.Tfoot:
		return TableFooterGroup
	case atom.Tr:
		return TableRow
	case atom.Td, atom.Th:
		return TableCell
	case atom.Input, atom.Select, atom.Button, atom.Textarea, atom.Meter,
		atom.Progress, atom.Marquee:
		return InlineBlock
	case atom.Ruby:
		return Ruby
	case atom.Rt:
		if p := n.Parent; p != nil && p.DataAtom == atom.Ruby {
			return RubyText
		}
	case atom.Slot:
		return Contents
	case atom.Audio:
		if !hasAttr(n, "controls") {
			return None
		}
	}
	return Inline
}

func uaForeignDisplay(n *html.Node) Display {
	switch n.Data {
	case "script", "style":
		return None
	case "foreignObject", "text":
		return Block
	}
	return Inline
}

// uaSummary: only the summary that stands for its details is a list item.
func uaSummary(n *html.Node) Display {
	if p := n.Parent; p != nil && p.DataAtom == atom.Details {
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.DataAtom == atom.Summary {
				return Block
			}
		}
		return ListItem
	}
	return Block
}

// uaHides applies the user agent rules that depend on attributes.
func uaHides(n *html.Node, b *Box) {
	if n.Namespace != "" {
		return
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			if strings.EqualFold(a.Val, "until-found") {
				b.SkipContents = true
			} else if n.DataAtom != atom.Embed { // which keeps a box of no size
				b.Display = None
			}
		case "popover":
			b.Display = None
		}
	}
	if n.DataAtom == atom.Dialog && !hasAttr(n, "open") {
		b.Display = None
	}
}

// isHiddenInput: the only user agent rule here that authors cannot override.
func isHiddenInput(n *html.Node) bool {
	return n.DataAtom == atom.Input && strings.EqualFold(attr(n, "type"), "hidden")
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return true
		}
	}
	return false
}
