package som

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The roles of regions (SOM §4).
const (
	regNav     = "navigation"
	regMain    = "main"
	regAside   = "aside"
	regHeader  = "header"
	regFooter  = "footer"
	regForm    = "form"
	regDialog  = "dialog"
	regContent = "content"
)

// regions collects the page's regions in document order.
type regions struct {
	list    []*Region
	content int    // index in the stack of elements where the open content region begins
	at      int    // index in list where the open content region belongs
	depth   int    // landmarks that are open
	in      string // role of the innermost open landmark
}

// scope tells which ancestors a header or footer has (SOM §4: page-level only).
type scope uint8

const (
	inSectioning scope = 1 << iota // article, aside, main, nav, section
)

func (r *regions) begin(kids int) { r.content, r.at = kids, len(r.list) }

// ownerRef is a form_id attribute that waits for its region's id.
type ownerRef struct {
	element *Element
	attr    int
	form    NodeID
}

// closeContent makes a content region of what stands outside of landmarks so far.
func (c *compiler) closeContent() {
	if len(c.kids) == c.regs.content {
		c.regs.at = len(c.regs.list)
		return
	}
	r := &Region{Role: regContent, Node: NoNode, Elements: c.take(c.regs.content)}
	c.regs.list = append(c.regs.list, nil)
	copy(c.regs.list[c.regs.at+1:], c.regs.list[c.regs.at:])
	c.regs.list[c.regs.at] = r
	c.regs.at = len(c.regs.list)
}

// landmark compiles an element that is a region by its tag.
func (c *compiler) landmark(n *html.Node, id NodeID, f facts) {
	switch n.DataAtom {
	case atom.Nav:
		c.region(n, id, regNav, true)
	case atom.Main:
		c.region(n, id, regMain, true)
	case atom.Aside:
		c.region(n, id, regAside, true)
	case atom.Header:
		c.pageLevel(n, id, regHeader)
	case atom.Footer:
		c.pageLevel(n, id, regFooter)
	default: // search
		c.group(n, id, "search")
	}
}

func (c *compiler) pageLevel(n *html.Node, id NodeID, role string) {
	if c.scope&inSectioning != 0 {
		c.block(n, id, false)
		return
	}
	c.region(n, id, role, false)
}

// region compiles the content of n as a region of its own.
func (c *compiler) region(n *html.Node, id NodeID, role string, sectioning bool) {
	c.regionIf(n, id, role, sectioning, nil)
}

// regionIf is region, but if keep says no at the end, the content stays with
// what is around.
func (c *compiler) regionIf(n *html.Node, id NodeID, role string, sectioning bool, keep func() bool) *Region {
	scope := c.scope
	if sectioning {
		c.scope |= inSectioning
	}
	r := c.regionOf(n, id, role, keep, func() { c.block(n, id, false) })
	c.scope = scope
	return r
}

// regionOf is regionIf for what body compiles.
func (c *compiler) regionOf(n *html.Node, id NodeID, role string, keep func() bool, body func()) *Region {
	c.flush()
	if c.absorb > 0 || c.regs.depth > 64 {
		body()
		return nil
	}
	top := c.regs.depth == 0 && c.open == 0
	if top && keep == nil {
		c.closeContent()
	}
	r := &Region{Role: role, Node: id}
	slot := len(c.regs.list)
	c.regs.list = append(c.regs.list, r)
	base := len(c.kids)
	regs, item, inList, open, inCell := c.regs, c.item, c.inList, c.open, c.inCell
	c.regs.depth++
	c.regs.in = role
	c.item, c.inList, c.open, c.inCell = nil, false, 0, false
	body()
	c.flush()
	c.item, c.inList, c.open, c.inCell = item, inList, open, inCell
	c.regs.depth, c.regs.in = regs.depth, regs.in
	if keep != nil && !keep() {
		c.regs.list[slot] = nil // compacted by number
		return nil
	}
	r.Elements = c.take(base)
	if top {
		if keep != nil && len(c.kids) > c.regs.content {
			// The content before it was not closed, because this region was not sure.
			before := c.take(c.regs.content)
			c.insertContent(before)
		}
		c.regs.at = len(c.regs.list)
	}
	r.Label = c.names.regionName(n, id)
	return r
}

// insertContent puts a content region where the open content began.
func (c *compiler) insertContent(es []*Element) {
	c.regs.list = append(c.regs.list, nil)
	copy(c.regs.list[c.regs.at+1:], c.regs.list[c.regs.at:])
	c.regs.list[c.regs.at] = &Region{Role: regContent, Node: NoNode, Elements: es}
}

// formRegion compiles a form. One without controls is no region.
func (c *compiler) formRegion(n *html.Node, id NodeID) {
	form, had := c.form, c.control
	c.form = id
	r := c.regionIf(n, id, regForm, false, func() bool { return c.control > had || c.idx.authorNamed(n, id) })
	c.form = form
	c.formAttrs(r, n)
}

// formAttrs writes how a form is sent.
func (c *compiler) formAttrs(r *Region, n *html.Node) {
	if r == nil {
		return
	}
	r.Action = strings.Trim(attr(n, "action"), asciiSpace)
	r.Method = "GET"
	if m := attr(n, "method"); equalFold(m, "post") || equalFold(m, "dialog") {
		r.Method = strings.ToUpper(m)
	}
	c.attrs = c.attrs[:0]
	c.strOf(n, "target", "target")
	c.strOf(n, "enctype", "enctype")
	if has(n, "novalidate") {
		c.yes("novalidate")
	}
	c.strOf(n, "accept-charset", "accept_charset")
	c.strOf(n, "autocomplete", "autocomplete")
	r.Attrs = c.made.attributes(c.attrs)
	c.attrs = c.attrs[:0]
}

// toggled compiles a dialog that the user's actions opened or closed, of which
// the style knows nothing. It reports whether it is one.
func (c *compiler) toggled(n *html.Node, id NodeID) bool {
	s, ok := c.in.State[id]
	if !ok || s.Open == nil || *s.Open == has(n, "open") {
		return false
	}
	if *s.Open {
		c.region(n, id, regDialog, true)
	} else {
		c.events++
		c.unrendered(n, id, tagBlock)
	}
	return true
}

// number gives the regions that have elements their ids.
func (c *compiler) number() {
	counts := map[string]int{}
	out := c.regs.list[:0]
	for _, r := range c.regs.list {
		if r == nil || len(r.Elements) == 0 {
			continue
		}
		r.ID = "r_" + r.Role
		if k := counts[r.Role]; k > 0 {
			r.ID += "_" + strconv.Itoa(k)
		}
		counts[r.Role]++
		out = append(out, r)
	}
	c.page.Regions = out
	c.nameOwners()
}

// nameOwners fills in which form each control belongs to: the form's region,
// or the form's own id where it is no region.
func (c *compiler) nameOwners() {
	if len(c.owners) == 0 {
		return
	}
	byForm := map[NodeID]string{}
	for _, r := range c.page.Regions {
		if r.Role == regForm {
			byForm[r.Node] = r.ID
		}
	}
	for _, o := range c.owners {
		name, ok := byForm[o.form]
		if !ok {
			f := c.idx.nodes[o.form]
			name = attr(f, "id")
			if name == "" {
				name = attr(f, "name")
			}
		}
		o.element.Attrs[o.attr].Value = name
	}
}
