package som

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// byRole compiles an element by its explicit ARIA role. It reports whether the
// role decided; if not the element is compiled by its tag.
func (c *compiler) byRole(n *html.Node, id NodeID, t tag, role string) bool {
	switch t {
	case tagInput, tagSelect, tagTextarea, tagForm, tagDetails, tagFrame:
		return false // they work as what they are, whatever they are called
	case tagLink:
		if has(n, "href") {
			return false
		}
	case tagButton:
		switch role {
		case "checkbox", "switch", "radio":
		default:
			return false
		}
	}
	switch role {
	case "navigation":
		c.region(n, id, regNav, true)
	case "main":
		c.region(n, id, regMain, true)
	case "complementary":
		c.region(n, id, regAside, true)
	case "banner":
		c.region(n, id, regHeader, false)
	case "contentinfo":
		c.region(n, id, regFooter, false)
	case "form":
		c.region(n, id, regForm, false)
	case "dialog", "alertdialog":
		c.region(n, id, regDialog, true)
	case "heading":
		c.heading(n, id, atoi(attr(n, "aria-level"), headingLevel(n)))
	case "image", "graphics-document", "graphics-symbol":
		c.roleImage(n, id)
	case "link":
		c.link(n, id)
	case "button", "tab", "menuitem", "option", "treeitem", "menuitemcheckbox", "menuitemradio":
		c.widget(n, id, role)
	case "checkbox", "switch", "radio":
		c.tickRole(n, id, role)
	case "combobox":
		c.combobox(n, id)
	case "textbox", "searchbox", "spinbutton", "slider":
		c.fieldRole(n, id, role)
	case "table", "grid", "treegrid":
		if t == tagTable {
			return false
		}
		c.ariaTable(n, id, role)
	case "row", "cell", "gridcell", "columnheader", "rowheader":
		if c.tab == nil || !c.tab.aria || c.inCell {
			return false
		}
		c.ariaTablePart(n, id, role)
	case "list":
		c.list(n, id, n.DataAtom == atom.Ol)
	case "listitem":
		c.listItem(n, id)
	case "separator":
		c.rule(n, id)
		c.block(n, id, false)
	case "article", "region", "tabpanel", "feed", "search":
		c.sectionAs(n, id, sourceRole(role))
	case "group", "radiogroup", "toolbar", "tablist", "menu", "menubar", "listbox", "tree", "alert", "status", "log", "note", "figure":
		c.group(n, id, sourceRole(role))
	case "progressbar", "meter", "scrollbar":
		c.gaugeRole(n, id, role)
	case "document", "application", "marquee", "timer", "tooltip":
		if c.absorb > 0 || !c.idx.authorNamed(n, id) {
			return false
		}
		c.group(n, id, role)
	case "none":
		c.noRole(n, id, t)
	default:
		return false
	}
	return true
}

// sourceRole is the ARIA role where ours says less.
func sourceRole(role string) string {
	switch role {
	case "group", "article", "region", "button", "checkbox", "radio", "textbox":
		return ""
	}
	return role
}

func headingLevel(n *html.Node) int {
	if tagOf(n.DataAtom) == tagHeading {
		return int(n.Data[1] - '0')
	}
	return 2
}

// combobox compiles a combobox that is no native control: what opens a list, or
// what is around a field.
func (c *compiler) combobox(n *html.Node, id NodeID) {
	for k := id + 1; k < NodeID(c.idx.end[id]) && c.names.budget > 0; k++ {
		c.names.budget--
		switch c.idx.nodes[k].DataAtom {
		case atom.Input, atom.Textarea, atom.Select:
			c.group(n, id, "combobox")
			return
		}
	}
	c.widget(n, id, "combobox")
}

// noRole compiles an element whose role is none or presentation: what it holds counts.
func (c *compiler) noRole(n *html.Node, id NodeID, t tag) {
	if t == tagImage {
		c.events++
		return
	}
	if c.isBlock {
		c.block(n, id, t == tagParagraph)
		return
	}
	c.children(n)
}

// roleImage compiles an element that is an image by its role, with the text in it.
func (c *compiler) roleImage(n *html.Node, id NodeID) {
	if n.DataAtom == atom.Img {
		c.image(n, id)
		return
	}
	name := c.names.name(n, id)
	c.events++
	if name == "" || c.unseen {
		c.generic(n, id)
		return
	}
	o := c.owner(n, id, c.blockInside(n, id))
	kids := c.take(o.base)
	e := c.make(roleImage, n, id)
	e.Start, e.End, e.Children = o.start, o.end, kids
	e.Flags |= FlagInline
	c.str("alt", name)
	c.states(e, n, id)
	c.finish(e, name, c.path)
	e.Label = ""
}

// widget compiles what is clicked: buttons and the items of composite widgets.
func (c *compiler) widget(n *html.Node, id NodeID, role string) {
	o := c.owner(n, id, c.blockInside(n, id))
	c.control++
	e := c.make(roleButton, n, id)
	e.Start, e.End = o.start, o.end
	name := c.ownedName(n, id, o)
	e.Children = c.take(o.base)
	if s := sourceRole(role); s != "" {
		c.str("source_role", s)
	}
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.hints(e, n, id)
	c.finish(e, name, c.path)
}

// gaugeRole compiles what shows a value, with the text in it.
func (c *compiler) gaugeRole(n *html.Node, id NodeID, role string) {
	if c.absorb > 0 {
		c.generic(n, id)
		return
	}
	o := c.owner(n, id, true)
	label := c.names.name(n, id)
	if o.start == o.end && label == "" && len(c.kids) == o.base && c.idx.facts[id]&hasAria == 0 {
		return
	}
	kids := c.take(o.base)
	e := c.make(roleGroup, n, id)
	e.Start, e.End, e.Children = o.start, o.end, kids
	c.str("source_role", role)
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

func (c *compiler) tickRole(n *html.Node, id NodeID, role string) {
	o := c.owner(n, id, c.blockInside(n, id))
	c.control++
	kind := roleCheckbox
	if role == "radio" {
		kind = roleRadio
	}
	e := c.make(kind, n, id)
	e.Start, e.End = o.start, o.end
	name := c.ownedName(n, id, o)
	e.Children = c.take(o.base)
	if equalFold(attr(n, "aria-checked"), "true") {
		c.yes("checked")
	}
	if s := sourceRole(role); s != "" {
		c.str("source_role", s)
	}
	c.required(n, id)
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.finish(e, name, c.path)
}

// fieldRole compiles an element that is a text field by its role.
func (c *compiler) fieldRole(n *html.Node, id NodeID, role string) {
	o := c.owner(n, id, c.blockInside(n, id))
	c.control++
	kids := c.take(o.base)
	e := c.make(roleInput, n, id)
	name := c.names.name(n, id)
	e.Children = kids
	if s := sourceRole(role); s != "" {
		c.str("source_role", s)
	}
	if v := string(c.txt[o.start:o.end]); v != "" {
		c.str("value", v)
	}
	if v := attr(n, "aria-placeholder"); v != "" {
		c.str("placeholder", v)
	}
	c.required(n, id)
	c.readonly(e, n)
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.finish(e, name, c.path)
}
