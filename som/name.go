package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som/style"
)

// namer computes accessible names by the steps of accname 1.2, "Computation
// steps". What is typed or chosen in controls has no influence, so that names
// and ids do not change by it.
type namer struct {
	c      *compiler
	x      *index
	out    []byte // scratch
	spent  int    // bytes of names computed
	spend  int    // bytes that they may have before they are kept short
	budget int    // nodes that may still be visited, against hostile nesting
	memo   string // the name computed last
	memoOf NodeID // and of which element
}

// nameWalk is one computation of a name.
type nameWalk struct {
	m       *namer
	out     []byte
	space   bool
	visited []NodeID     // referenced elements on the way, against cycles
	hosts   []shadowHost // whose shadow trees are being read
	target  NodeID       // the element that is being named
	skip    *html.Node   // the control whose label is being read
	said    []NodeID     // labels that are in the name already
}

// traversal says on whose behalf a node is looked at.
type traversal struct {
	root       bool      // the element that is being named
	labelledby bool      // inside of an aria-labelledby or -describedby traversal
	reference  bool      // this node itself is what a reference points to
	content    bool      // descendant of a node that is named by its content
	hidden     bool      // the reference pointed into a hidden part: hidden nodes count
	native     bool      // inside of a native label of another element
	unseen     bool      // visibility is hidden
	css        style.Box // of the parent, if it is not the tag's own
	boxed      bool      // css and unseen are the node's own, and it is not hidden
	depth      int
}

// name is the accessible name of an element, "" if it has none.
func (m *namer) name(n *html.Node, id NodeID) string {
	w := nameWalk{m: m, target: id, out: m.out[:0]}
	w.node(n, id, traversal{root: true, css: m.boxNow(n)})
	m.out = w.out
	m.spent += len(w.out)
	m.memo, m.memoOf = collapse(string(w.out)), id
	return m.memo
}

// Accessible is what assistive technology is told of an element of the tree: its
// accessible name, description and ARIA role ("generic" and "none" say nothing).
func (p *Page) Accessible(id NodeID) (name, description, role string) {
	n := p.Node(id)
	if n == nil {
		return "", "", ""
	}
	root := p.Tree()
	c := &compiler{page: p, idx: newIndex(root, 64, nil), style: style.Compute(root)}
	c.sheet = c.idx.sheet
	c.names = namer{c: c, x: c.idx, budget: 8*len(c.idx.nodes) + 100_000, spend: 1 << 20}
	n = c.idx.nodes[id]
	return c.names.name(n, id), c.names.description(n, id), c.names.role(n, id)
}

// boxNow is the box of an element that is being compiled, or of any other.
func (m *namer) boxNow(n *html.Node) style.Box {
	if m.c.css != (style.Box{}) || !m.c.sheet {
		return m.c.css
	}
	return m.boxOf(n)
}

// authorName is the name that the author gave: no name from content.
func (m *namer) authorName(n *html.Node, id NodeID) string {
	if m.x.facts[id]&(hasAria|hasTitle) == 0 {
		return ""
	}
	w := nameWalk{m: m, target: NoNode}
	if w.labelledby(n, id, traversal{root: true}) || w.ariaLabel(n, id) {
		return collapse(string(w.out))
	}
	return collapse(attr(n, "title"))
}

// regionName is the label of a landmark.
func (m *namer) regionName(n *html.Node, id NodeID) string { return m.authorName(n, id) }

// description is the accessible description (accname 1.2, description computation).
func (m *namer) description(n *html.Node, id NodeID) string {
	w := nameWalk{m: m, target: NoNode}
	if refs := strings.Fields(attr(n, "aria-describedby")); len(refs) > 0 && w.references(refs) {
		m.spent += len(w.out)
		return collapse(string(w.out))
	}
	if d := attr(n, "aria-description"); strings.Trim(d, asciiSpace) != "" {
		return collapse(d)
	}
	if n.DataAtom == atom.Table {
		if k := childElement(n, atom.Caption); k != nil {
			if t := collapse(textContent(k)); t != m.name(n, id) {
				return t
			}
		}
	}
	if t := collapse(attr(n, "title")); t != m.name(n, id) {
		return t
	}
	return ""
}

// node appends the text alternative of an element. It reports whether the
// element had one of its own, so that an empty one ends the search.
func (w *nameWalk) node(n *html.Node, id NodeID, t traversal) {
	m := w.m
	if m.budget--; m.budget < 0 || t.depth > 512 {
		return
	}
	f := m.x.facts[id]
	// 2A. Hidden nodes count only where a reference led into something hidden.
	if !t.root && !t.hidden && !t.boxed && m.hides(n, f) {
		return
	}
	t.boxed = false
	// 2B. aria-labelledby, unless this is part of such a traversal already.
	if f&hasAria != 0 && !t.labelledby && w.labelledby(n, id, t) {
		return
	}
	role := ""
	if f&hasRole != 0 || t.content || t.native || t.reference {
		role = m.role(n, id)
	}
	if t.content && composite(role) {
		return
	}
	// 2C. Embedded controls give their value.
	if !t.root && id != w.target && (t.content || t.native || t.labelledby) && w.embedded(n, id, f, role, t) {
		return
	}
	// 2D. aria-label.
	if f&hasAria != 0 && !t.unseen && w.ariaLabel(n, id) {
		return
	}
	before := len(w.out)
	// 2E. The host language's label.
	none := role == "none"
	if !none && !t.unseen && w.native(n, id, t) {
		return
	}
	// 2F. Name from content.
	if t.content || t.reference || t.native || w.m.fromContent(n, id, role) {
		w.content(n, id, t)
		if strings.Trim(string(w.out[before:]), asciiSpace) != "" {
			return
		}
	}
	// 2I. Tooltip.
	if v := attr(n, "title"); f&hasTitle != 0 && v != "" && !none && !t.unseen && !emptyAlt(n) {
		w.text(v)
		return
	}
	if t.root {
		w.placeholder(n, id)
	}
}

// placeholder names text fields only.
func (w *nameWalk) placeholder(n *html.Node, id NodeID) {
	switch w.m.role(n, id) {
	case "textbox", "searchbox", "combobox", "spinbutton":
	default:
		if n.DataAtom != atom.Input || !equalFold(attr(n, "type"), "password") {
			return
		}
	}
	switch n.DataAtom {
	case atom.Input, atom.Textarea:
		if v := attr(n, "placeholder"); v != "" {
			w.text(v)
			return
		}
	case atom.Select:
		return
	}
	if v := attr(n, "aria-placeholder"); v != "" {
		w.text(v)
	}
}

// maxName is how long a computed name may get, in bytes.
const maxName = 8 << 10

// text appends text, white space collapsed, up to the longest name.
func (w *nameWalk) text(s string) {
	limit := maxName
	if w.m.spent > w.m.spend {
		limit = maxText
	}
	for i := 0; i < len(s) && len(w.out) < limit; i++ {
		if isSpace(s[i]) {
			w.space = true
			continue
		}
		if w.space && len(w.out) > 0 {
			w.out = append(w.out, ' ')
		}
		w.space = false
		w.out = append(w.out, s[i])
	}
}

// labelledby follows aria-labelledby; it reports whether that gave the name.
func (w *nameWalk) labelledby(n *html.Node, id NodeID, t traversal) bool {
	v := attr(n, "aria-labelledby")
	if v == "" {
		return false
	}
	return w.references(strings.Fields(v))
}

func (w *nameWalk) references(refs []string) bool {
	before, found := len(w.out), false
	for i, r := range refs {
		if i > 0 && i > 256 {
			break
		}
		id := w.m.x.element(r)
		if id == NoNode {
			continue
		}
		found = true
		n := w.m.x.nodes[id]
		w.space = true
		hidden, css := w.m.hidden(n, id)
		w.node(n, id, traversal{labelledby: true, reference: true, hidden: hidden, boxed: true, css: css, unseen: !hidden && !css.Visible && css != (style.Box{})})
		w.space = true
	}
	return found && len(w.out) > before
}

// ariaLabel appends aria-label if it is more than white space.
func (w *nameWalk) ariaLabel(n *html.Node, id NodeID) bool {
	v := attr(n, "aria-label")
	if strings.Trim(v, asciiSpace) == "" {
		return false
	}
	w.text(v)
	return true
}

// content appends the text alternatives of the children (2F, 2G, 2H).
func (w *nameWalk) content(n *html.Node, id NodeID, t traversal) {
	next := t
	next.root, next.reference, next.content = false, false, true
	next.depth++
	w.flatChildren(n, id, next)
	w.owned(n, id, next)
}

func (w *nameWalk) child(k *html.Node, id NodeID, t traversal) {
	if k == w.skip {
		w.space = true
		return
	}
	switch k.DataAtom {
	case atom.Br:
		w.space = true
		return
	case atom.Label:
		if hasNode(w.said, id) {
			return
		}
		if len(w.said) < 64 {
			w.said = append(w.said, id)
		}
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Title, atom.Datalist:
		if k.Namespace == "" && !(k.DataAtom == atom.Title) {
			return
		}
	}
	apart := false
	if f := w.m.x.facts[id]; k.Namespace == "" && !w.m.c.sheet && f&(hasStyle|hasHidden|hasPopover) == 0 && t.css == (style.Box{}) {
		apart = apartTag(k)
		if !t.hidden && w.m.hides(k, f) {
			return
		}
	} else {
		t.css = w.m.c.style.Of(k, t.css)
		apart = apartBox(t.css.Display)
		if !t.hidden {
			if t.css.Display == style.None || w.m.hides(k, f) {
				return
			}
			t.unseen = !t.css.Visible
		}
	}
	t.boxed = true
	if apart {
		w.space = true
	}
	w.node(k, id, t)
	if apart {
		w.space = true
	}
}

// apartTag reports whether an element's text is separated from what is around
// it by the user agent's rules.
func apartTag(n *html.Node) bool {
	t := tagOf(n.DataAtom)
	switch t {
	case tagInput, tagSelect, tagTextarea, tagButton:
		return true
	}
	return blockTag(t) && n.DataAtom != atom.Option
}

func apartBox(d style.Display) bool {
	switch d {
	case style.InlineBlock, style.InlineFlex, style.InlineGrid, style.InlineTable:
		return true
	}
	return d.SeparatesWords()
}

// owned appends what aria-owns adds as children.
func (w *nameWalk) owned(n *html.Node, id NodeID, t traversal) {
	if w.m.x.facts[id]&hasAria == 0 {
		return
	}
	v := attr(n, "aria-owns")
	if v == "" {
		return
	}
	for r := range strings.FieldsSeq(v) {
		o := w.m.x.element(r)
		if o == NoNode || len(w.visited) > 32 || hasNode(w.visited, o) || (o <= id && int32(id) < w.m.x.end[o]) {
			continue
		}
		w.visited = append(w.visited, o)
		w.child(w.m.x.nodes[o], o, t)
		w.visited = w.visited[:len(w.visited)-1]
	}
}

func hasNode(ns []NodeID, n NodeID) bool {
	for _, x := range ns {
		if x == n {
			return true
		}
	}
	return false
}

// boxOf is an element's box with the chain of its ancestors taken into account.
func (m *namer) boxOf(n *html.Node) style.Box {
	return m.boxUp(n, 0)
}

func (m *namer) boxUp(n *html.Node, depth int) style.Box {
	if n == nil || n.Type != html.ElementNode || depth > 600 {
		return style.Box{}
	}
	return m.c.style.Of(n, m.boxUp(n.Parent, depth+1))
}

// hides reports whether an element is left out whatever its style.
func (m *namer) hides(n *html.Node, f facts) bool {
	if f&hasAriaHidden != 0 && equalFold(attr(n, "aria-hidden"), "true") {
		return true
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript:
		return n.Namespace == ""
	case atom.Dialog:
		return !has(n, "open")
	}
	return false
}

// hidden reports whether an element or an ancestor is hidden, and its box.
func (m *namer) hidden(n *html.Node, id NodeID) (bool, style.Box) {
	var chain [600]*html.Node
	k := 0
	for p := n; p != nil && p.Type == html.ElementNode && k < len(chain); p = p.Parent {
		chain[k] = p
		k++
	}
	var b style.Box
	for k--; k >= 0; k-- {
		m.budget--
		if equalFold(attr(chain[k], "aria-hidden"), "true") {
			return true, b
		}
		if b = m.c.style.Of(chain[k], b); b.Display == style.None {
			return true, b
		}
	}
	return !b.Visible, b
}

// embedded appends the value of a control inside of another element's label (2C).
func (w *nameWalk) embedded(n *html.Node, id NodeID, f facts, role string, t traversal) bool {
	if t.unseen {
		return false
	}
	switch role {
	case "textbox", "searchbox":
		switch n.DataAtom {
		case atom.Input:
			if !equalFold(attr(n, "type"), "password") {
				w.text(attr(n, "value"))
			}
		case atom.Textarea:
			w.text(textContent(n))
		default:
			w.content(n, id, t)
		}
		return true
	case "combobox", "listbox":
		w.choice(n, id, t)
		return true
	case "slider", "spinbutton", "scrollbar", "progressbar", "meter":
		v := attr(n, "aria-valuetext")
		if v == "" {
			v = attr(n, "aria-valuenow")
		}
		if v == "" {
			v = attr(n, "value")
		}
		w.text(v)
		return true
	}
	return false
}

// choice appends the chosen options of a combobox or listbox, or what it has typed in.
func (w *nameWalk) choice(n *html.Node, id NodeID, t traversal) {
	if n.DataAtom == atom.Select {
		os := optionsOf(n, nil, false)
		if !has(n, "multiple") {
			selectDefault(os, n)
		}
		for i := range os {
			if os[i].Selected {
				w.space = true
				w.text(os[i].Text)
			}
		}
		return
	}
	if n.DataAtom == atom.Input {
		w.text(attr(n, "value"))
		return
	}
	for k := id + 1; k < NodeID(w.m.x.end[id]); k++ {
		if w.m.budget--; w.m.budget < 0 {
			return
		}
		o := w.m.x.nodes[k]
		if attr(o, "role") == "option" && equalFold(attr(o, "aria-selected"), "true") {
			w.space = true
			w.content(o, k, t)
			continue
		}
		if o.DataAtom == atom.Input && w.m.role(o, k) == "textbox" {
			w.text(attr(o, "value"))
			return
		}
	}
}

// composite are the roles whose content is a widget of its own and no part of
// the text around it.
func composite(role string) bool {
	switch role {
	case "menu", "menubar", "tree", "treegrid", "grid", "tablist", "radiogroup":
		return true
	}
	return false
}

// emptyAlt reports whether an image says that it has no name.
func emptyAlt(n *html.Node) bool {
	if n.DataAtom != atom.Img {
		return false
	}
	alt, ok := lookup(n, "alt")
	return ok && alt == ""
}
