package som

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som/style"
)

// openItem is a list item whose own text has not come yet.
type openItem struct {
	start, end int32
	mixed      bool // the text is not just that of links and controls
}

// frame is the state around a container element.
type frame struct {
	base  int
	item  *openItem
	scope scope
	box   box
	list  bool
	cell  bool
}

// enter begins a container: what is in it becomes its children.
func (c *compiler) enter(n *html.Node, id NodeID) frame {
	c.flush()
	f := frame{base: len(c.kids), item: c.item, scope: c.scope, box: c.box, list: c.inList, cell: c.inCell}
	c.item, c.inList, c.inCell = nil, false, false
	c.open++
	c.box = newBox(id, len(c.path), c.pre)
	return f
}

func (c *compiler) leave(f frame) {
	c.flush()
	c.open--
	c.item, c.scope, c.box, c.inList, c.inCell = f.item, f.scope, f.box, f.list, f.cell
}

// section compiles section and article.
func (c *compiler) section(n *html.Node, id NodeID) { c.sectionAs(n, id, "") }

func (c *compiler) sectionAs(n *html.Node, id NodeID, source string) {
	f := c.enter(n, id)
	c.scope |= inSectioning
	c.children(n)
	c.leave(f)
	if len(c.kids) == f.base {
		return
	}
	label := c.names.authorName(n, id)
	e := c.make(roleSection, n, id)
	e.Children = c.take(f.base)
	if label != "" {
		c.str("section_label", label)
	}
	if source != "" {
		c.str("source_role", source)
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
	e.Label = ""
}

// group compiles a container with a name of its own.
func (c *compiler) group(n *html.Node, id NodeID, source string) {
	f := c.enter(n, id)
	c.children(n)
	c.leave(f)
	label := c.names.authorName(n, id)
	if len(c.kids) == f.base && label == "" {
		return
	}
	c.groupElement(n, id, f, source, label)
}

func (c *compiler) groupElement(n *html.Node, id NodeID, f frame, source, label string) *Element {
	e := c.make(roleGroup, n, id)
	e.Children = c.take(f.base)
	if source != "" {
		c.str("source_role", source)
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
	return e
}

func (c *compiler) fieldset(n *html.Node, id NodeID) {
	disabled, flags, legend, outer, text := has(n, "disabled"), c.flags, c.legend, c.outerDisabled, c.legendText
	c.legend, c.outerDisabled, c.legendText = firstLegend(n), c.flags&FlagDisabled != 0, owned{}
	if disabled {
		c.flags |= FlagDisabled
	}
	c.events++ // in a name it counts as its legend
	f := c.enter(n, id)
	c.children(n)
	c.leave(f)
	own := string(c.txt[c.legendText.start:c.legendText.end])
	c.flags, c.legend, c.outerDisabled, c.legendText = flags, legend, outer, text
	label := own
	if g := c.idx.facts[id]; g&(hasAria|hasTitle) != 0 || label == "" {
		label = c.names.name(n, id)
	}
	if len(c.kids) == f.base && label == "" {
		return
	}
	e := c.make(roleGroup, n, id)
	e.Children = c.take(f.base)
	if own != "" {
		c.str("legend", own)
	}
	if disabled || e.Flags&FlagDisabled != 0 {
		c.yes("disabled")
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

// legendOf compiles the legend of a fieldset: its text is the group's, and the
// controls in it stay enabled (HTML "concept-fe-disabled").
func (c *compiler) legendOf(n *html.Node, id NodeID) {
	c.legend = nil
	flags := c.flags
	if !c.outerDisabled {
		c.flags &^= FlagDisabled
	}
	o := c.covered(n, id)
	c.flags = flags
	c.legendText = o
}

// firstLegend is a fieldset's first legend child.
func firstLegend(n *html.Node) *html.Node { return childElement(n, atom.Legend) }

func childElement(n *html.Node, a atom.Atom) *html.Node {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && k.DataAtom == a {
			return k
		}
	}
	return nil
}

// covered compiles the element that names its parent: a legend, caption or
// summary. Its text is the parent's, what it holds besides text are elements.
func (c *compiler) covered(n *html.Node, id NodeID) owned { return c.owner(n, id, true) }

func (c *compiler) figure(n *html.Node, id NodeID) { c.group(n, id, "figure") }

func (c *compiler) details(n *html.Node, id NodeID) {
	open := has(n, "open")
	if s, ok := c.in.State[id]; ok && s.Open != nil {
		open = *s.Open
	}
	flags, sum := c.flags, c.summary
	c.summary = childElement(n, atom.Summary)
	f := c.enter(n, id)
	summary := c.detailsContent(n, id, open)
	c.leave(f)
	c.flags, c.summary = flags, sum
	label := ""
	if c.idx.facts[id]&(hasAria|hasTitle) != 0 {
		label = c.names.authorName(n, id)
	}
	if summary == "" && len(c.kids) == f.base {
		return
	}
	e := c.make(roleDetails, n, id)
	e.Children = c.take(f.base)
	if open {
		e.Flags |= FlagOpen
	}
	c.bool("open", open)
	if summary == "" {
		summary = "Details"
	}
	c.str("summary", summary)
	c.states(e, n, id)
	if label == "" {
		label = summary
	}
	c.finish(e, label, c.path)
	if e.Label == summary {
		e.Label = ""
	}
}

// detailsContent compiles the summary and the rest, which is not rendered while
// the element is closed: it is kept and marked.
func (c *compiler) detailsContent(n *html.Node, id NodeID, open bool) string {
	var text string
	shown := c.flags
	if !open {
		c.flags |= FlagHidden
		c.box.flags |= FlagHidden
	}
	child, before, pathLen := id+1, 0, len(c.path)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.TextNode && !c.unseen {
			c.text(k.Data)
		}
		if k.Type != html.ElementNode {
			continue
		}
		c.box.before = before
		c.path = appendIndex(c.path, before)
		c.now = child + 1
		if k == c.summary {
			c.flush()
			hidden, css, unseen := c.flags, c.css, c.unseen
			c.flags = shown
			if b := c.boxOf(k, c.idx.facts[child], tagBlock); b.Display != style.None {
				c.unseen = !b.Visible && !c.hidden
				o := c.covered(k, child)
				text = string(c.txt[o.start:o.end])
			}
			c.flags, c.css, c.unseen = hidden, css, unseen
		} else {
			c.element(k, child)
		}
		c.path = c.path[:pathLen]
		before++
		c.box.before = before
		child = NodeID(c.idx.end[child])
		c.now = child
	}
	c.flush()
	c.flags = shown
	return text
}

// list compiles ul, ol, menu and dl.
func (c *compiler) list(n *html.Node, id NodeID, ordered bool) {
	if c.absorb > 0 {
		c.block(n, id, false)
		return
	}
	f := c.enter(n, id)
	from := len(c.items)
	c.inList = true
	c.children(n)
	c.leave(f)
	own := slices.Clone(c.items[from:])
	c.items = c.items[:from]
	if len(own) == 0 && len(c.kids) == f.base {
		return
	}
	label := c.names.authorName(n, id)
	e := c.make(roleList, n, id)
	e.Children = c.take(f.base)
	for i := range own {
		own[i].From -= int32(f.base)
		own[i].To -= int32(f.base)
	}
	e.List = &List{Ordered: ordered, Items: own, Start: 1}
	c.bool("ordered", ordered)
	if ordered {
		if s := atoi(attr(n, "start"), 1); s != 1 {
			e.List.Start = s
		}
	}
	if n.DataAtom == atom.Dl {
		c.str("source_role", "dl")
	}
	for i := range own {
		if own[i].start < own[i].end {
			c.kind("items", attrItems)
			break
		}
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
	if c.regs.in == regHeader && c.open == 0 && onlyLinks(e) {
		c.regs.list = append(c.regs.list, &Region{Role: regNav, Node: NoNode, Label: label, Elements: c.take(f.base)})
	}
}

// minNavLinks is how many links a list in a header has at least if it is taken
// for the page's navigation.
const minNavLinks = 3

// onlyLinks reports whether a list is made of links and nothing else.
func onlyLinks(list *Element) bool {
	for _, k := range list.Children {
		if k.Role != roleLink {
			return false
		}
	}
	for i := range list.List.Items {
		if it := &list.List.Items[i]; it.mixed || it.To-it.From != 1 {
			return false
		}
	}
	return len(list.Children) >= minNavLinks
}

// listItem compiles li, dt and dd, if a list is open around them.
func (c *compiler) listItem(n *html.Node, id NodeID) {
	if !c.inList || c.absorb > 0 {
		c.block(n, id, false)
		return
	}
	c.flush()
	it := c.made.item()
	item, box := c.item, c.box
	c.item = it
	from := len(c.kids)
	c.box = newBox(id, len(c.path), c.pre)
	c.open++
	c.inList = false
	c.children(n)
	c.flush()
	c.open--
	c.item, c.box = item, box
	c.inList = true
	if it.start == it.end && len(c.kids) == from {
		return
	}
	c.items = append(c.items, Item{
		Term: n.DataAtom == atom.Dt, From: int32(from), To: int32(len(c.kids)), start: it.start, end: it.end, mixed: it.mixed,
	})
}
