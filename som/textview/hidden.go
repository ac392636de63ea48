package textview

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/policy/hygiene"
	"plasmate/som/style"
)

// concealed is one topmost hidden element.
type concealed struct{ text strings.Builder }

// state is what the walk inherits from the elements around.
type state struct {
	box    style.Box
	sight  hygiene.Sight
	hide   *concealed // set while text is not seen, though elements within may be
	hosts  []*html.Node
	inert  bool
	spoken bool // within a control, label or heading: text for screen readers counts
}

// conceal closes a hidden element: it is counted, and scanned.
func (d *doc) conceal(h *concealed) {
	s := h.text.String()
	if strings.IndexFunc(s, unicode.IsLetter) < 0 {
		return
	}
	d.safety.HiddenBlocks++
	if hygiene.Scan(s).Score >= hygiene.Concealed {
		d.safety.HiddenInstructions++
	}
}

// hides reports whether an element is not seen with all that is in it.
func (d *doc) hides(n *html.Node, b style.Box, s *state) bool {
	if b.Display == style.None || b.SkipContents {
		return true
	}
	if strings.EqualFold(attr(n, "aria-hidden"), "true") && n.DataAtom != atom.Body && !d.ignoreAria {
		d.ariaHidden += len(strings.TrimSpace(readable(n)))
		return true
	}
	if s.sight.Faded && !(s.sight.Reveals && d.harmless(n)) || s.sight.Collapsed {
		return true
	}
	if d.unread && d.hiddenByClass(n) && (!d.isControl(n) && !d.holdsControl(n) || !d.harmless(n)) {
		return true // where the sheet was not read, what can be used is kept
	}
	if d.isAside(n, b, s) && !s.spoken && !d.keepAside(n) {
		return true
	}
	return false
}

func (d *doc) harmless(n *html.Node) bool {
	return hygiene.Scan(readable(n)).Score < hygiene.Concealed
}

func (d *doc) isAside(n *html.Node, b style.Box, s *state) bool {
	return s.sight.Aside || b.Flags&(style.Offscreen|style.Clipped) != 0 || d.unread && asideClass(attr(n, "class"))
}

// longAside is the length in characters from which on text for screen readers
// is a hidden block.
const longAside = 100

// keepAside reports whether what stands out of sight is kept: short texts, and
// places with controls, which may be moved in.
func (d *doc) keepAside(n *html.Node) bool {
	s := strings.Join(strings.Fields(readable(n)), " ")
	if hygiene.Scan(s).Score >= hygiene.Concealed {
		return false
	}
	return len([]rune(s)) <= longAside || d.holdsControl(n)
}

func (d *doc) holdsControl(n *html.Node) bool {
	for k := range n.Descendants() {
		if k.Type == html.ElementNode {
			if e := d.elements[d.page.NodeID(k)]; e != nil && roleOf(e) != "" {
				return true
			}
		}
	}
	return false
}

// sees works out the state within an element.
func (d *doc) sees(n *html.Node, b style.Box, s state) state {
	inline, class := d.styleOf(n), ""
	if inline != "" || s.sight.Faded {
		class = attr(n, "class") + " " + strings.Repeat("aos", min(1, len(attr(n, "data-aos"))))
	}
	if n.DataAtom == atom.A && has(n, "href") || n.DataAtom == atom.Button || n.DataAtom == atom.Input {
		s.sight = s.sight.OwnColour() // the browser's, whatever is around
	}
	s.sight = s.sight.Within(inline, class, false)
	if b.Flags&style.Transparent != 0 && !s.sight.Faded {
		// Style sheets fade what is shown later; what moves it is not known here.
		s.sight = s.sight.Transparent()
		s.sight.Reveals = s.sight.Reveals || inline == "" || !strings.Contains(inline, "opacity")
	}
	if b.Flags&style.Tiny != 0 && !d.harmless(n) {
		s.sight = s.sight.Tiny()
	}
	s.box = b
	return s
}

// unseen reports whether the text right in an element is not seen. What can be
// used is there all the same, such as a link whose text makes way for an icon.
func (d *doc) unseen(n *html.Node, b style.Box, s *state) bool {
	if !b.Visible {
		return true
	}
	if !s.sight.Unreadable && b.Flags&style.Tiny == 0 {
		return false
	}
	return !(d.isControl(n) && s.hide == nil && d.harmless(n))
}

func (d *doc) isControl(n *html.Node) bool {
	e := d.elements[d.page.NodeID(n)]
	return e != nil && roleOf(e) != ""
}

// asideClass knows the class words that frameworks use for screen readers.
func asideClass(class string) bool {
	for _, w := range strings.Fields(class) {
		switch w {
		case "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "a-offscreen", "cdk-visually-hidden":
			return true
		}
	}
	return false
}

// hiddenByClass knows the class words that hide where their sheet was not read,
// unless another one shows the element on some screens.
func (d *doc) hiddenByClass(n *html.Node) bool {
	class := attr(n, "class")
	if !strings.Contains(class, "d-none") && !strings.Contains(class, "hidden") {
		return false
	}
	hidden, shown := false, false
	for _, w := range strings.Fields(class) {
		switch {
		case w == "d-none" || w == "hidden":
			hidden = true
		case strings.HasPrefix(w, "d-") && strings.Count(w, "-") == 2, strings.Contains(w, ":") && !strings.HasSuffix(w, ":hidden"):
			shown = true
		}
	}
	return hidden && !shown
}

// collect appends the text of a hidden element, all of it.
func (h *concealed) collect(n *html.Node) {
	h.text.WriteString(readable(n))
	h.text.WriteByte('\n')
}

// readable is the text in an element that is page text at all.
func readable(n *html.Node) string {
	var b strings.Builder
	appendReadable(&b, n, 0)
	return b.String()
}

func appendReadable(b *strings.Builder, n *html.Node, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type == html.TextNode:
			b.WriteString(k.Data)
		case k.Type != html.ElementNode || depth > maxDepth:
		case k.DataAtom == atom.Script || k.DataAtom == atom.Style || k.DataAtom == atom.Noscript:
		case k.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			appendReadable(b, k, depth+1)
			if blockTag(k.DataAtom) {
				b.WriteByte('\n')
			}
		}
	}
}

func blockTag(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Li, atom.Tr, atom.Td, atom.Th, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Section, atom.Article, atom.Ul, atom.Ol, atom.Table, atom.Dt, atom.Dd, atom.Option:
		return true
	}
	return false
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key && a.Namespace == "" {
			return true
		}
	}
	return false
}
