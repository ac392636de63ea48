package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som/dom"
	"plasmate/som/metadata"
	"plasmate/som/style"
	"plasmate/som/weburl"
)

// compiler makes one page. It walks the flat tree once; what it finds is
// written to one text and to a stack of elements, from which each container
// takes its children when it ends.
type compiler struct {
	page         *Page
	in           Input
	idx          *index
	origin       string
	resolver     *weburl.Resolver
	addressBytes int // of resolved addresses so far
	style        *style.Computed
	sheet        bool      // the page has style sheets of its own
	css          style.Box // of the parent in the flat tree, if it is not the tag's own
	now          NodeID    // id that the next element in tree order gets

	txt      []byte // text of the page so far, white space collapsed
	space    bool   // a space or block border is due before the next word
	nonspace int32  // bytes of txt that are no spaces

	path    []byte // dom path of the element being walked
	runPath []byte // scratch: path of a bare text run
	attrs   []Attr // scratch: attributes of the element being made
	box     box    // block container being filled
	run     run    // line of text being collected in box

	kids  []*Element // stack of finished elements without a parent yet
	made  arena
	ids   idSet
	regs  regions
	names namer

	absorb        int          // >0: text belongs to an enclosing element, no paragraphs
	cover         cover        // text that needs no paragraph, being the text of an element
	item          *openItem    // list item that has no text yet
	open          int          // containers that are being filled
	flags         Flags        // inherited by every element made
	unseen        bool         // visibility is hidden
	pre           bool         // white space is kept
	events        int          // counts what makes a name differ from the text
	scope         scope        // sectioning ancestors
	form          NodeID       // nearest form ancestor
	control       int          // controls made so far
	owners        []ownerRef   // form_id attributes to fill in at the end
	legend        *html.Node   // of the innermost fieldset, until it is met
	legendText    owned        // its text
	outerDisabled bool         // the innermost fieldset is in a disabled one
	summary       *html.Node   // of the innermost details
	items         []Item       // of the lists that are open
	inCell        bool         // lines of text are a table cell's
	inList        bool         // list items belong to items
	tab           *tableFrame  // innermost data table
	frames        int          // documents that this one is in
	inLine        bool         // in a link or button that stands in a line of text
	hidden        bool         // what is not rendered is kept and marked
	veiled        bool         // visibility is hidden, yet kept
	shell         bool         // noscript content is the page's content
	hosts         []shadowHost // whose shadow trees are being walked
	isBlock       bool         // the element being dispatched is a block
	suggested     int          // options of datalists written
	depth         int
}

// box is a block container: the parent of bare text.
type box struct {
	node    NodeID
	pathLen int  // of the container's own path
	before  int  // element children before the current child
	own     bool // text in it belongs to an element of its own, such as p
	flags   Flags
}

// run is a line of inline content between two block borders.
type run struct {
	start, kids       int32
	nonspace, covered int32
	before            int32
	open              bool
}

type cover struct {
	depth    int
	nonspace int32
}

// maxDepth bounds the recursion for trees that did not come from package dom.
const maxDepth = 4096

// Analyze compiles a document. It never fails: broken HTML gives what a browser would show.
func Analyze(in Input, opts Options) *Page {
	p := &Page{URL: in.URL, tree: &treeSource{}, hidden: opts.IncludeHidden}
	c := &compiler{page: p, in: in, form: NoNode, hidden: opts.IncludeHidden}
	p.Root = in.Root
	if p.Root == nil {
		src := readable(in)
		p.tree.source = src
		t := dom.Parse(src)
		p.Root, c.shell = t.Root, t.NoScript
	}
	c.compile("")
	return p
}

// compile makes the page of its tree. base is the base URL of a document that
// is part of another, "" for others.
func (c *compiler) compile(base string) {
	p, root := c.page, c.page.Root
	c.idx = newIndex(root, len(c.in.Source)/48+16, c.in.Sheets)
	c.head(base)
	if c.idx.loose && p.tree.source != nil {
		c.idx.joinForms(p.tree.source)
	}
	c.style, c.sheet = style.ComputeStyles(root, c.idx.styles, c.idx.external()), c.idx.sheet
	c.names = namer{c: c, x: c.idx, budget: 8*len(c.idx.nodes) + 100_000, spend: 4*len(c.in.Source) + 1<<20}
	c.made.grow(len(c.idx.nodes) / 6)
	c.txt = make([]byte, 0, len(c.in.Source)/6+64)
	c.body()
	if d := metadata.Collect(root, p.BaseURL, metadata.Header{URL: c.in.URL, Link: c.in.LinkHeader}); !d.Empty() {
		p.structured = d.AppendJSON(nil)
	}
	c.finishPage()
}

// head reads what the document says about itself.
func (c *compiler) head(base string) {
	p, x := c.page, c.idx
	p.Lang = "en"
	if x.html != NoNode {
		if l := strings.Trim(attr(x.nodes[x.html], "lang"), asciiSpace); l != "" {
			p.Lang = l
		}
	}
	if x.title != NoNode {
		p.Title = collapse(textContent(x.nodes[x.title]))
	}
	p.BaseURL = p.URL
	if base != "" {
		p.BaseURL = base
	}
	if x.base != NoNode {
		p.BaseURL = baseURL(p.URL, attr(x.nodes[x.base], "href"))
	}
	c.resolver = weburl.NewResolver(p.BaseURL)
	c.origin = originOf(p.URL)
	c.ids.prefix(c.origin)
}

// body walks the rendered part of the document.
func (c *compiler) body() {
	x := c.idx
	if x.body == NoNode {
		return
	}
	n := x.nodes[x.body]
	c.now = x.body + 1
	c.box = box{node: x.body}
	c.regs.begin(0)
	c.children(n)
	c.flush()
	c.closeContent()
}

// children walks the flat-tree children of n, which has been entered.
func (c *compiler) children(n *html.Node) {
	if c.depth > maxDepth {
		return
	}
	parent := c.now - 1
	if len(c.idx.shadows) > 0 {
		if t, ok := c.idx.shadows[parent]; ok {
			c.shadowChildren(n, parent, t)
			return
		}
	}
	c.lightChildren(n, parent)
}

// lightChildren walks the children of n in the node tree.
func (c *compiler) lightChildren(n *html.Node, parent NodeID) {
	c.depth++
	isBox := c.box.node == parent
	before, pathLen := 0, len(c.path)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if !c.unseen {
				c.text(k.Data)
			}
		case html.ElementNode:
			if isBox {
				c.box.before = before
			}
			id := c.now
			if c.idx.lastOwned != nil && looseForm(k) && c.idx.lastOwned[id] > id {
				k, before = c.looseForm(k, id, before)
				before++
				if isBox {
					c.box.before = before
				}
				continue
			}
			c.path = appendIndex(c.path, before)
			c.now++
			c.element(k, id)
			c.now = NodeID(c.idx.end[id])
			c.path = c.path[:pathLen]
			before++
			if isBox {
				c.box.before = before
			}
		}
	}
	c.depth--
}

// element compiles one element; c.now is the id after it.
func (c *compiler) element(n *html.Node, id NodeID) {
	f := c.idx.facts[id]
	if f == 0 && n.Namespace == "" && c.plain(n, id) {
		return
	}
	if n.Namespace != "" {
		c.foreign(n, id)
		return
	}
	t := tagOf(n.DataAtom)
	if t == tagSkip {
		if c.hidden && n.DataAtom == atom.Template {
			c.unrendered(n, id, tagBlock)
		}
		return
	}
	if t == tagArea { // display: none by the user agent's rules, yet it leads somewhere
		if f&hasAriaHidden == 0 {
			c.area(n, id)
		}
		return
	}
	if n.DataAtom == atom.Noscript {
		if c.shell {
			c.block(n, id, false)
		}
		return
	}
	if t == tagDialog && c.toggled(n, id) {
		return
	}
	css := c.css
	b := c.boxOf(n, f, t)
	if b.Display == style.None || b.SkipContents && !lineTag(t) || f&hasAriaHidden != 0 && equalFold(attr(n, "aria-hidden"), "true") {
		c.events++
		if b.Display != style.None {
			c.apart(n)
		}
		c.unrendered(n, id, t)
		c.css = css
		return
	}
	if f&(hasAria|hasTitle) != 0 {
		c.events++
	}
	unseen, flags, veiled := c.unseen, c.flags, c.veiled
	if visible := b.Visible || c.hidden; c.unseen == visible {
		c.unseen = !visible
		c.events++
	}
	if c.hidden && c.veiled == b.Visible {
		c.flush()
		c.veiled = !b.Visible
		c.flags = flags&^FlagHidden | hiddenIf(c.veiled)
	}
	if f&hasInert != 0 {
		c.flags |= FlagInert
	}
	if b.Flags&style.Offscreen != 0 {
		c.flags |= FlagOffscreen
	}
	switch {
	case len(c.hosts) > 0 && n.Data == "slot":
		c.slot(n, id)
	case c.unseen && t != tagForm && t != tagRegion && t != tagDialog:
		c.generic(n, id) // nothing of it is seen but what is visible again in it
	case c.isBlock && lineTag(t):
		c.space = true
		c.dispatch(n, id, f, t)
		c.space = true
	default:
		c.dispatch(n, id, f, t)
	}
	c.unseen, c.css = unseen, css
	if c.veiled != veiled {
		c.flush()
		c.veiled = veiled
	}
	c.flags = flags
}

func hiddenIf(veiled bool) Flags {
	if veiled {
		return FlagHidden
	}
	return 0
}

// apart keeps apart what is around an element that is shown but not read out.
func (c *compiler) apart(n *html.Node) {
	if c.isBlock {
		c.flush()
	} else if saysSomething(n, 4) {
		c.space = true
	}
}

// unrendered compiles an element that is not rendered, if such are asked for.
func (c *compiler) unrendered(n *html.Node, id NodeID, t tag) {
	if !c.hidden || t == tagInput && equalFold(attr(n, "type"), "hidden") {
		return
	}
	flags, box := c.flags, c.box.flags
	c.flush()
	c.flags |= FlagHidden
	c.isBlock = true
	c.dispatch(n, id, c.idx.facts[id], t)
	c.flush()
	c.flags, c.box.flags = flags, box
}

// boxOf is the element's box, computed only where some rule of the page may
// say something else than the tag. It becomes the box of the parent.
func (c *compiler) boxOf(n *html.Node, f facts, t tag) style.Box {
	if !c.sheet && f&(hasHidden|hasStyle|hasPopover) == 0 && c.css == (style.Box{}) && t != tagInput && t != tagDialog {
		b := style.Box{Visible: true}
		if blockTag(t) {
			b.Display = style.Block
		}
		c.isBlock = b.Display == style.Block
		return b
	}
	c.css = c.style.Of(n, c.css)
	c.isBlock = c.css.Display.SeparatesWords()
	return c.css
}

// plain handles the elements that have no attributes worth a look: the most of
// them. It reports whether it did.
func (c *compiler) plain(n *html.Node, id NodeID) bool {
	if c.sheet || c.css != (style.Box{}) || len(c.hosts) > 0 && n.Data == "slot" {
		return false
	}
	switch tagOf(n.DataAtom) {
	case tagSkip:
	case tagInline:
		c.children(n)
	case tagBlock:
		c.block(n, id, false)
	case tagBreak:
		c.space = true
	default:
		return false
	}
	return true
}

func (c *compiler) dispatch(n *html.Node, id NodeID, f facts, t tag) {
	if f&hasRole != 0 {
		if r := explicitRole(n, c.idx, id); r != "" && c.byRole(n, id, t, r) {
			return
		}
	}
	switch t {
	case tagLink:
		if has(n, "href") {
			c.link(n, id)
			return
		}
		c.generic(n, id)
	case tagBreak:
		c.space = true
	case tagRule:
		c.rule(n, id)
	case tagImage:
		c.image(n, id)
	case tagInput:
		c.input(n, id)
	case tagButton:
		c.button(n, id)
	case tagSelect:
		c.selectBox(n, id)
	case tagTextarea:
		c.textarea(n, id)
	case tagHeading:
		c.heading(n, id, int(n.Data[1]-'0'))
	case tagParagraph:
		c.block(n, id, true)
	case tagPre:
		pre := c.pre
		c.pre = true
		c.block(n, id, true)
		c.pre = pre
	case tagList:
		c.list(n, id, n.DataAtom == atom.Ol)
	case tagDescriptions:
		c.list(n, id, false)
	case tagTable:
		c.table(n, id)
	case tagSection:
		c.section(n, id)
	case tagRegion:
		c.landmark(n, id, f)
	case tagForm:
		c.formRegion(n, id)
	case tagItem:
		c.listItem(n, id)
	case tagDialog:
		c.region(n, id, regDialog, true)
	case tagDetails:
		c.details(n, id)
	case tagFieldset:
		c.fieldset(n, id)
	case tagFigure:
		c.figure(n, id)
	case tagLabel:
		c.label(n, id)
	case tagFrame:
		c.iframe(n, id)
	case tagMedia:
		c.media(n, id)
	case tagGauge:
		c.gauge(n, id)
	case tagQuote:
		c.group(n, id, "blockquote")
	default:
		if n.Data == "search" {
			c.group(n, id, "search")
			return
		}
		c.generic(n, id)
	}
}

// generic walks an element that means nothing by itself.
func (c *compiler) generic(n *html.Node, id NodeID) {
	if f := c.idx.facts[id]; f&hasEditable != 0 && editable(attr(n, "contenteditable")) {
		c.editor(n, id)
		return
	}
	switch n.DataAtom {
	case atom.Address, atom.Hgroup:
		if c.absorb == 0 && c.idx.authorNamed(n, id) {
			c.group(n, id, "")
			return
		}
	}
	if c.isBlock {
		c.block(n, id, false)
		return
	}
	c.children(n)
}

// block walks a block container: what is before, in and after it are lines of
// their own.
func (c *compiler) block(n *html.Node, id NodeID, own bool) {
	if n == c.legend {
		c.legendOf(n, id)
		return
	}
	if n.FirstChild == nil {
		c.flush()
		return
	}
	c.flush()
	saved := c.box
	c.box = box{node: id, pathLen: len(c.path), own: own}
	if c.pre {
		c.box.flags = FlagPre
	}
	c.children(n)
	c.flush()
	c.box = saved
}
