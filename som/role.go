package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// explicitRole is the first token of the role attribute that is a role an
// author may use, presentational roles resolved (WAI-ARIA "Handling author
// errors"); "" if there is none.
func explicitRole(n *html.Node, x *index, id NodeID) string {
	v := attr(n, "role")
	for len(v) > 0 {
		v = strings.TrimLeft(v, asciiSpace)
		i := strings.IndexAny(v, asciiSpace)
		if i < 0 {
			i = len(v)
		}
		tok := strings.ToLower(v[:i])
		v = v[i:]
		if !ariaRole(tok) {
			continue
		}
		switch tok {
		case "none", "presentation":
			// Conflict resolution: focusable elements and those with global
			// properties keep their own role.
			if focusable(n, x.facts[id]) || globalARIA(n) {
				return ""
			}
			return "none"
		case "img":
			return "image"
		case "directory":
			return "list"
		case "region", "form":
			if !x.authorNamed(n, id) {
				continue
			}
		}
		return tok
	}
	return ""
}

// authorNamed is a cheap test for a name given by the author.
func (x *index) authorNamed(n *html.Node, id NodeID) bool {
	if x.facts[id]&hasTitle != 0 && strings.Trim(attr(n, "title"), asciiSpace) != "" {
		return true
	}
	if x.facts[id]&hasAria == 0 {
		return false
	}
	if strings.Trim(attr(n, "aria-label"), asciiSpace) != "" {
		return true
	}
	for r := range strings.FieldsSeq(attr(n, "aria-labelledby")) {
		if k := x.element(r); k != NoNode && (saysSomething(x.nodes[k], 64) || attr(x.nodes[k], "aria-label") != "") {
			return true
		}
	}
	return false
}

// saysSomething reports whether there is text in an element, as far as a look at
// its first descendants tells.
func saysSomething(n *html.Node, depth int) bool {
	i := 0
	for k := n.FirstChild; k != nil && i < 64; k = k.NextSibling {
		i++
		if k.Type == html.TextNode && strings.Trim(k.Data, asciiSpace) != "" {
			return true
		}
		if k.Type == html.ElementNode && depth > 0 && saysSomething(k, min(depth-1, 8)) {
			return true
		}
	}
	return false
}

// focusable reports whether an element can have the focus.
func focusable(n *html.Node, f facts) bool {
	if f&(hasTabindex|hasEditable) != 0 {
		return true
	}
	switch n.DataAtom {
	case atom.A, atom.Area:
		return has(n, "href")
	case atom.Input, atom.Select, atom.Textarea, atom.Button:
		return !has(n, "disabled")
	case atom.Summary:
		return true
	}
	return false
}

// globalARIA reports whether an element has a global ARIA attribute that
// overrides role=none. aria-hidden does not count.
func globalARIA(n *html.Node) bool {
	for i := range n.Attr {
		if len(n.Attr[i].Key) < 6 || n.Attr[i].Key[:5] != "aria-" {
			continue
		}
		switch n.Attr[i].Key[5:] {
		case "atomic", "busy", "controls", "current", "describedby", "description", "details", "dropeffect", "flowto",
			"grabbed", "keyshortcuts", "label", "labelledby", "live", "owns", "relevant", "roledescription", "braillelabel",
			"brailleroledescription":
			if strings.Trim(n.Attr[i].Val, asciiSpace) != "" {
				return true
			}
		}
	}
	return false
}

func ariaRole(r string) bool {
	switch r {
	case "alert", "alertdialog", "application", "article", "banner", "blockquote", "button", "caption", "cell", "checkbox",
		"code", "columnheader", "combobox", "comment", "complementary", "contentinfo", "definition", "deletion", "dialog",
		"directory", "document", "emphasis", "feed", "figure", "form", "generic", "grid", "gridcell", "group", "heading",
		"image", "img", "insertion", "link", "list", "listbox", "listitem", "log", "main", "mark", "marquee", "math", "menu",
		"menubar", "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "navigation", "none", "note", "option",
		"paragraph", "presentation", "progressbar", "radio", "radiogroup", "region", "row", "rowgroup", "rowheader",
		"scrollbar", "search", "searchbox", "sectionfooter", "sectionheader", "separator", "slider", "spinbutton", "status",
		"strong", "subscript", "suggestion", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term",
		"textbox", "time", "timer", "toolbar", "tooltip", "tree", "treegrid", "treeitem":
		return true
	}
	return strings.HasPrefix(r, "doc-") || strings.HasPrefix(r, "graphics-")
}

// role is the computed ARIA role of an element.
func (m *namer) role(n *html.Node, id NodeID) string {
	if m.x.facts[id]&hasRole != 0 {
		if r := explicitRole(n, m.x, id); r != "" {
			return r
		}
	}
	if n.Namespace == "svg" {
		return m.svgRole(n, id)
	}
	if n.Namespace == "math" {
		if n.Data == "math" {
			return "math"
		}
		return ""
	}
	return m.nativeRole(n, id)
}

func (m *namer) svgRole(n *html.Node, id NodeID) string {
	switch n.Data {
	case "svg":
		return "image"
	case "a":
		for i := range n.Attr {
			if n.Attr[i].Key == "href" {
				return "link"
			}
		}
		return "group"
	case "image":
		return "image"
	case "text":
		return "group"
	case "foreignObject":
		return "generic"
	}
	if m.x.authorNamed(n, id) || childNamed(n, "title") || childNamed(n, "desc") {
		return "group"
	}
	return "generic"
}

func childNamed(n *html.Node, name string) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && k.Data == name {
			return true
		}
	}
	return false
}

// nativeRole is the role that HTML-AAM gives an element.
func (m *namer) nativeRole(n *html.Node, id NodeID) string {
	switch n.DataAtom {
	case atom.A, atom.Area:
		if has(n, "href") {
			return "link"
		}
		return "generic"
	case atom.Address, atom.Fieldset, atom.Details, atom.Optgroup, atom.Hgroup:
		return "group"
	case atom.Article:
		return "article"
	case atom.Aside:
		if m.inside(n, sectioningContent) && !m.x.authorNamed(n, id) {
			return "generic"
		}
		return "complementary"
	case atom.Blockquote:
		return "blockquote"
	case atom.Button, atom.Summary:
		return m.buttonRole(n)
	case atom.Caption:
		return "caption"
	case atom.Code:
		return "code"
	case atom.Datalist:
		return "listbox"
	case atom.Dd:
		return "definition"
	case atom.Del, atom.S:
		return "deletion"
	case atom.Dfn, atom.Dt:
		return "term"
	case atom.Dialog:
		return "dialog"
	case atom.Em:
		return "emphasis"
	case atom.Figure:
		return "figure"
	case atom.Header, atom.Footer:
		return m.headerRole(n)
	case atom.Form:
		return "form"
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return "heading"
	case atom.Hr:
		return "separator"
	case atom.Html:
		return "document"
	case atom.Img:
		return m.imgRole(n, id)
	case atom.Input:
		return inputRole(n)
	case atom.Ins:
		return "insertion"
	case atom.Li:
		return m.itemRole(n)
	case atom.Main:
		return "main"
	case atom.Mark:
		return "mark"
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		return "list"
	case atom.Meter:
		return "meter"
	case atom.Nav:
		return "navigation"
	case atom.Option:
		return "option"
	case atom.Output:
		return "status"
	case atom.P:
		return "paragraph"
	case atom.Progress:
		return "progressbar"
	case atom.Section:
		if m.x.authorNamed(n, id) {
			return "region"
		}
		return "generic"
	case atom.Select:
		if has(n, "multiple") || atoi(attr(n, "size"), 1) > 1 {
			return "listbox"
		}
		return "combobox"
	case atom.Strong:
		return "strong"
	case atom.Sub:
		return "subscript"
	case atom.Sup:
		return "superscript"
	case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th:
		return m.tableRole(n, id)
	case atom.Textarea:
		return "textbox"
	case atom.Time:
		return "time"
	}
	switch n.Data {
	case "search":
		return "search"
	}
	return "generic"
}

func (m *namer) buttonRole(n *html.Node) string {
	if n.DataAtom == atom.Summary {
		p := n.Parent
		if p == nil || p.DataAtom != atom.Details || childElement(p, atom.Summary) != n {
			return "generic"
		}
	}
	return "button"
}

// imgRole: an empty alt makes decoration of an image that nothing else names.
func (m *namer) imgRole(n *html.Node, id NodeID) string {
	alt, ok := lookup(n, "alt")
	if ok && alt == "" && !focusable(n, m.x.facts[id]) && !globalARIA(n) && attr(n, "title") == "" {
		return "none"
	}
	return "image"
}

func inputRole(n *html.Node) string {
	kind := strings.ToLower(attr(n, "type"))
	switch kind {
	case "button", "image", "reset", "submit":
		return "button"
	case "checkbox":
		if has(n, "switch") {
			return "switch"
		}
		return "checkbox"
	case "radio":
		return "radio"
	case "range":
		return "slider"
	case "number":
		return "spinbutton"
	case "color", "date", "datetime-local", "file", "month", "time", "week", "hidden", "password":
		if kind == "password" {
			return "textbox"
		}
		return ""
	}
	if has(n, "list") {
		return "combobox"
	}
	if kind == "search" {
		return "searchbox"
	}
	return "textbox"
}

func sectioningContent(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Article, atom.Aside, atom.Nav, atom.Section:
		return true
	}
	switch attr(n, "role") {
	case "article", "complementary", "navigation", "region":
		return true
	}
	return false
}

func sectioningOrMain(n *html.Node) bool {
	return n.DataAtom == atom.Main || attr(n, "role") == "main" || sectioningContent(n)
}

func (m *namer) inside(n *html.Node, f func(*html.Node) bool) bool {
	for p := n.Parent; p != nil && p.Type == html.ElementNode; p = p.Parent {
		if m.budget--; m.budget < 0 {
			return false
		}
		if f(p) {
			return true
		}
	}
	return false
}

// headerRole: a header or footer is a landmark only of the page itself.
func (m *namer) headerRole(n *html.Node) string {
	if m.inside(n, sectioningOrMain) {
		if n.DataAtom == atom.Header {
			return "sectionheader"
		}
		return "sectionfooter"
	}
	if n.DataAtom == atom.Header {
		return "banner"
	}
	return "contentinfo"
}

// itemRole: li is an item only in a list.
func (m *namer) itemRole(n *html.Node) string {
	if p := n.Parent; p != nil {
		switch p.DataAtom {
		case atom.Ul, atom.Ol, atom.Menu:
			if r := attr(p, "role"); r == "" || r == "list" {
				return "listitem"
			} else if r == "none" || r == "presentation" {
				return "none"
			}
			return "generic"
		}
		if attr(p, "role") == "list" {
			return "listitem"
		}
	}
	return "generic"
}

// tableRole: parts of a table take after the table they are in.
func (m *namer) tableRole(n *html.Node, id NodeID) string {
	if n.DataAtom == atom.Table {
		return "table"
	}
	table := n.Parent
	for table != nil && table.DataAtom != atom.Table {
		table = table.Parent
	}
	kind := ""
	if table != nil {
		kind = attr(table, "role")
	}
	if kind == "none" || kind == "presentation" {
		return "none"
	}
	switch n.DataAtom {
	case atom.Tr:
		return "row"
	case atom.Td:
		if kind == "grid" || kind == "treegrid" {
			return "gridcell"
		}
		return "cell"
	case atom.Th:
		return headerCellRole(n)
	}
	return "rowgroup"
}

// headerCellRole follows the scope attribute, else HTML's guess for "auto":
// a header in a row without data cells heads its column.
func headerCellRole(n *html.Node) string {
	switch strings.ToLower(attr(n, "scope")) {
	case "row", "rowgroup":
		return "rowheader"
	case "col", "colgroup":
		return "columnheader"
	}
	if p := n.Parent; p != nil {
		if p.Parent != nil && p.Parent.DataAtom == atom.Thead {
			return "columnheader"
		}
		for k := p.FirstChild; k != nil; k = k.NextSibling {
			if k.DataAtom == atom.Td {
				return "rowheader"
			}
		}
	}
	return "columnheader"
}

// fromContent reports whether a role takes its name from content.
func (m *namer) fromContent(n *html.Node, id NodeID, role string) bool {
	if role == "" {
		role = m.role(n, id)
	}
	switch role {
	case "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
		"menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem", "comment",
		"doc-backlink", "doc-biblioref", "doc-glossref", "doc-noteref":
		return true
	}
	return n.DataAtom == atom.Legend || n.DataAtom == atom.Label || n.DataAtom == atom.Summary
}
