package style

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Computed answers for the elements of one tree. It is not safe for concurrent
// use: it remembers what it matched.
type Computed struct {
	doc    *scope
	shadow map[*html.Node]*scope // by the template that stands for the shadow root
	slots  map[*html.Node]*slots // by host, where its shadow tree styles what is slotted
	m      matcher
	custom map[string]bool // custom properties that decide something
	vars   map[varKey]varValue

	path      []frame // the elements above the one last asked for
	pathScope *scope  // the tree that path is in

	entries []entry       // scratch
	found   []candidate   // scratch
	inline  []declaration // scratch: those of a style attribute; found points at them
}

// A scope holds the rules of one tree: the document or a shadow root.
type scope struct {
	sheets []string
	index  *ruleIndex
	quirks bool
}

// Compute reads the style sheets in a tree, which must not change afterwards.
// It never fails: what CSS drops as invalid has no effect.
func Compute(root *html.Node) *Computed {
	var styles []*html.Node
	for n := root; n != nil; n = nextNode(n, root) {
		if n.Type == html.ElementNode && n.Data == "style" {
			styles = append(styles, n)
		}
	}
	return ComputeStyles(root, styles, nil)
}

// ComputeStyles is [Compute] for a caller that has walked the tree anyway and
// saves this package a walk of its own: styles are all style elements below
// root, of any namespace and in templates too, in tree order. Among them may be
// link elements whose sheets the caller has loaded: external holds their text,
// in UTF-8, and which links are stylesheets in use is the caller's decision.
// A link's media attribute is heeded here; @import never is.
func ComputeStyles(root *html.Node, styles []*html.Node, external map[*html.Node]string) *Computed {
	c := &Computed{doc: &scope{quirks: isQuirks(root)}}
	c.m.quirks, c.m.steps = c.doc.quirks, baseSteps
	for _, n := range styles {
		sc := c.scopeFor(n, true)
		if sc == nil || !appliesStyle(n) {
			continue
		}
		if css, ok := external[n]; ok {
			sc.sheets = append(sc.sheets, css)
		} else if n.Data == "style" {
			sc.sheets = append(sc.sheets, text(n))
		}
	}
	// Custom properties are left out of a first reading; if a value that matters
	// refers to one, the sheets are read again, with those it refers to.
	for range maxVarDepth {
		wanted := map[string]bool{}
		c.doc.read(c.custom, wanted)
		for _, sc := range c.shadow {
			sc.read(c.custom, wanted)
		}
		if len(wanted) <= len(c.custom) {
			break
		}
		c.custom = wanted
	}
	return c
}

// nextNode is the node after n in tree order, template contents included.
func nextNode(n, top *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != top && n.NextSibling == nil {
		n = n.Parent
	}
	if n == top {
		return nil
	}
	return n.NextSibling
}

// scopeFor is the scope whose rules apply to n; nil in the content of a template
// that is no shadow root, and of noscript.
func (c *Computed) scopeFor(n *html.Node, create bool) *scope {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.Noscript:
			if create {
				return nil
			}
		case atom.Template:
			sc := c.shadow[p]
			if sc == nil && create && hasAttr(p, "shadowrootmode") {
				if c.shadow == nil {
					c.shadow = map[*html.Node]*scope{}
				}
				sc = &scope{quirks: c.doc.quirks}
				c.shadow[p] = sc
			}
			return sc
		}
	}
	return c.doc
}

// scopeOf is the scope of an element; nil if it has none.
func (c *Computed) scopeOf(n *html.Node) *scope {
	if len(c.shadow) == 0 {
		return c.doc
	}
	return c.scopeFor(n, false)
}

// appliesStyle: HTML, update a style block, steps on type and media.
func appliesStyle(n *html.Node) bool {
	t := attr(n, "type")
	return (t == "" || strings.EqualFold(t, "text/css")) && matchMedia(attr(n, "media"))
}

func text(n *html.Node) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// read compiles the sheets, keeping custom properties of those names, and notes
// the names that kept values refer to.
func (sc *scope) read(custom, wanted map[string]bool) {
	p := sheetReader{
		sel:    selectorParser{quirks: sc.quirks},
		index:  newRuleIndex(),
		root:   &layer{},
		custom: custom,
		wanted: wanted,
	}
	for _, s := range sc.sheets {
		p.read(s)
	}
	p.root.number(0)
	sc.index = p.index
}

// Of is the box of an element, given the box of its parent in the flattened
// tree (the zero Box for the root). Asked for in tree order it is quickest;
// any order gives the same answers.
func (c *Computed) Of(n *html.Node, parent Box) Box {
	b := Box{Visible: parent.Visible || !parent.styled, styled: true, items: parent.items}
	if n.Type != html.ElementNode {
		return b
	}
	c.m.steps += elementSteps
	sc := c.scopeOf(n)
	b.Display = uaDisplay(n)
	uaHides(n, &b)
	out := alignFloats(n)
	if sc != nil && sc.index.size > 0 || len(c.shadow) > 0 || hasAttr(n, "style") {
		out = c.author(n, sc, parent, &b, out)
	}
	adjust(n, &b, out)
	return b
}
