package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bounds of a look around an element.
const (
	maxNearby       = 100 // characters shown
	maxNearbyLevels = 16  // ancestors
	maxNearbyText   = 600 // bytes read of each
)

// nearby is the text around an element that tells it from others with the same
// name: that of the nearest list item, row, cell, article or group that says
// more than the element itself, without the element's own words.
func (p *Page) nearby(e *Element) string {
	own := normal(e.shownName())
	n := p.Node(e.Node)
	for i := 0; n != nil && i < maxNearbyLevels; i++ {
		if n = n.Parent; n == nil || n.Type != html.ElementNode || n.DataAtom == atom.Body {
			return ""
		}
		if !groups(n) {
			continue
		}
		var b strings.Builder
		readNearby(&b, n, 0)
		text := normal(b.String())
		if rest := strings.TrimSpace(strings.Replace(text, own, "", 1)); rest != "" {
			return shorten(normal(rest), maxNearby)
		}
	}
	return ""
}

// groups reports whether an element holds together what belongs to one thing.
func groups(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Li, atom.Tr, atom.Td, atom.Th, atom.Article, atom.Section, atom.Fieldset, atom.P, atom.Dd, atom.Dt, atom.Form, atom.Div, atom.Figure, atom.Details:
		return true
	}
	switch attr(n, "role") {
	case "listitem", "row", "cell", "gridcell", "article", "group":
		return true
	}
	return false
}

func readNearby(b *strings.Builder, n *html.Node, depth int) {
	for k := n.FirstChild; k != nil && b.Len() < maxNearbyText; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			b.WriteString(k.Data[:min(len(k.Data), maxNearbyText)])
		case html.ElementNode:
			switch k.DataAtom {
			case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Select, atom.Textarea:
				continue
			}
			if has(k, "hidden") || hasAttr(k, "aria-hidden", "true") {
				continue
			}
			b.WriteByte(' ')
			if depth < 64 {
				readNearby(b, k, depth+1)
			}
			b.WriteByte(' ')
		}
	}
}

// shorten cuts s after n characters.
func shorten(s string, n int) string {
	k := 0
	for i := range s {
		if k == n {
			return s[:i] + "..."
		}
		k++
	}
	return s
}
