package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// hasText reports whether a reader with scripts off would see any text or
// control outside noscript. It looks at inline hiding only.
func hasText(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			if strings.Trim(c.Data, " \t\n\f\r") != "" {
				return true
			}
		case html.ElementNode:
			if !unrendered(c) && hasText(c) {
				return true
			}
		}
	}
	return false
}

func unrendered(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Title, atom.Svg, atom.Iframe, atom.Object:
		return true
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			return a.Val == "true"
		case "style":
			s := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(s, "display:none") || strings.Contains(s, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
