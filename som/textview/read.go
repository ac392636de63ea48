package textview

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/policy/hygiene"
	"plasmate/policy/privacy"
	"plasmate/som"
	"plasmate/som/style"
	"plasmate/som/weburl"
)

// doc is a page as a tree of lines, before mode and budget.
type doc struct {
	page   *som.Page
	vault  *privacy.Vault
	origin string
	host   string
	title  string
	root   *block
	safety Safety

	elements   map[som.NodeID]*som.Element
	regions    map[som.NodeID]*som.Region
	byHTMLID   map[string]*html.Node
	labelFor   map[som.NodeID]*html.Node // control to the first label of it
	css        *style.Computed
	shell      bool // noscript is the page's content
	unread     bool // there are style sheets that were not read
	ignoreAria bool
	sheet      sheets
	ariaHidden int // bytes of text that aria-hidden hides
	shown      int // bytes of text that is shown

	at    *block // container being filled
	line  line
	sink  sink
	under *block // item or row being filled

	suspicions []*suspicion
	secrets    map[som.NodeID]bool // fields that hold a resolved token
}

// sink says where a finished line goes.
type sink uint8

const (
	toBlocks sink = iota // a block of its own
	toParts              // a part of the item
	toRun                // the caller takes it: blocks are set apart by blanks
)

// maxDepth bounds the recursion on trees that come from elsewhere.
const maxDepth = 2000

// read makes the tree of lines of a page.
func read(page *som.Page, vault *privacy.Vault, secrets map[som.NodeID]bool) *doc {
	d := newDoc(page, vault, secrets)
	d.build()
	if d.ariaHidden >= 200 && d.ariaHidden > d.shown {
		again := newDoc(page, vault, secrets)
		again.ignoreAria = true
		again.safety.AriaIgnored = true
		again.build()
		d = again
	}
	d.finishPage()
	return d
}

func newDoc(page *som.Page, vault *privacy.Vault, secrets map[som.NodeID]bool) *doc {
	d := &doc{
		page: page, vault: vault, secrets: secrets,
		elements: map[som.NodeID]*som.Element{}, regions: map[som.NodeID]*som.Region{},
		byHTMLID: map[string]*html.Node{}, labelFor: map[som.NodeID]*html.Node{},
		root: &block{kind: place, id: som.NoNode},
	}
	if u, err := weburl.Parse(page.URL); err == nil {
		d.origin, d.host = u.Origin(), u.Host()
	}
	d.safety.Level = 1
	return d
}

func (d *doc) build() {
	d.title = d.titleOf()
	root := d.page.Tree()
	if root == nil {
		return
	}
	d.index(root)
	d.css = style.Compute(root)
	d.at = d.root
	s := state{sight: hygiene.InSight()}
	if d.sheet.white {
		s.sight = s.sight.OnWhite()
	}
	for k := root.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode {
			d.element(k, s)
		}
	}
	d.flush()
}

// index notes what is looked up by id or label.
func (d *doc) index(root *html.Node) {
	d.page.Walk(func(e *som.Element, _ *som.Region) bool {
		if e.Node != som.NoNode {
			if old := d.elements[e.Node]; old == nil || e.Flags&som.FlagBareText == 0 && old.Flags&som.FlagBareText != 0 {
				d.elements[e.Node] = e
			}
		}
		return true
	})
	for _, r := range d.page.Regions {
		if r.Node != som.NoNode {
			d.regions[r.Node] = r
		}
	}
	var labels, styles []*html.Node
	elements := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements++
		if id := attr(n, "id"); id != "" && d.byHTMLID[id] == nil {
			d.byHTMLID[id] = n
		}
		switch n.DataAtom {
		case atom.Body:
			if d.root.id == som.NoNode {
				d.root.id = d.page.NodeID(n)
			}
		case atom.Style:
			styles = append(styles, n)
		case atom.Label:
			labels = append(labels, n)
		case atom.Noscript:
			d.shell = d.shell || d.madeFrom(n)
		case atom.Link:
			if strings.Contains(strings.ToLower(attr(n, "rel")), "stylesheet") {
				d.unread = true
			}
		}
	}
	d.readSheets(styles, elements)
	for _, l := range labels {
		if c := d.labelled(l); c != nil {
			if id := d.page.NodeID(c); d.labelFor[id] == nil {
				d.labelFor[id] = l
			}
		}
	}
}

// madeFrom reports whether the SOM holds something of what is in n.
func (d *doc) madeFrom(n *html.Node) bool {
	for k := range n.Descendants() {
		if k.Type == html.ElementNode && d.elements[d.page.NodeID(k)] != nil {
			return true
		}
	}
	return false
}

// labelled is the control that a label is of (HTML "labeled control").
func (d *doc) labelled(l *html.Node) *html.Node {
	if has(l, "for") {
		return d.byHTMLID[attr(l, "for")]
	}
	for k := range l.Descendants() {
		if k.Type != html.ElementNode {
			continue
		}
		switch k.DataAtom {
		case atom.Input:
			if !strings.EqualFold(attr(k, "type"), "hidden") {
				return k
			}
		case atom.Select, atom.Textarea, atom.Button:
			return k
		}
	}
	return nil
}

// kids walks the children of n in the flat tree.
func (d *doc) kids(n *html.Node, s state) {
	if t := shadowRoot(n); t != nil {
		s.hosts = append(s.hosts[:len(s.hosts):len(s.hosts)], n)
		d.each(t, s, nil)
		return
	}
	if k := len(s.hosts) - 1; k >= 0 && n.Data == "slot" {
		host, name := s.hosts[k], attr(n, "name")
		if slotted(host, name) {
			s.hosts = s.hosts[:k]
			d.each(host, s, &name)
			return
		}
	}
	d.each(n, s, nil)
}

// each walks the children of n: all, or those for one slot.
func (d *doc) each(n *html.Node, s state, slot *string) {
	var group *repeated
	if slot == nil && d.sink == toBlocks {
		group = d.repeats(n)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if slot == nil || *slot == "" {
				d.textNode(k.Data, &s)
			}
		case html.ElementNode:
			if slot != nil && attr(k, "slot") != *slot {
				continue
			}
			if group != nil && group.from == k {
				k = d.repeatedList(n, group, s)
				group = nil
				continue
			}
			d.element(k, s)
		}
	}
}

func shadowRoot(n *html.Node) *html.Node {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom == atom.Template && (strings.EqualFold(attr(k, "shadowrootmode"), "open") || strings.EqualFold(attr(k, "shadowrootmode"), "closed")) {
			switch n.DataAtom {
			case atom.A, atom.Button, atom.Ul, atom.Table, atom.Tr, atom.Select, atom.Form, atom.Details:
				return nil
			}
			return k
		}
	}
	return nil
}

func slotted(host *html.Node, name string) bool {
	for k := host.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if name == "" && strings.TrimSpace(k.Data) != "" {
				return true
			}
		case html.ElementNode:
			if attr(k, "slot") == name && k.DataAtom != atom.Template {
				return true
			}
		}
	}
	return false
}

func (d *doc) textNode(data string, s *state) {
	if s.hide != nil {
		s.hide.text.WriteString(data)
		return
	}
	d.shown += len(strings.TrimSpace(data))
	d.line.text(data)
}

// element walks one element.
func (d *doc) element(n *html.Node, s state) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Head, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Source, atom.Track, atom.Col,
		atom.Colgroup, atom.Param, atom.Noembed, atom.Noframes, atom.Rp:
		if n.Namespace == "" {
			return
		}
	case atom.Noscript:
		if !d.shell {
			return
		}
	case atom.Br:
		d.breakLine()
		return
	case atom.Wbr:
		return
	}
	if n.Namespace == "svg" || n.Namespace == "math" || n.DataAtom == atom.Svg {
		d.foreign(n, s)
		return
	}
	b := d.css.Of(n, s.box)
	s = d.sees(n, b, s)
	if n.DataAtom == atom.Template || n.DataAtom == atom.Datalist || n.DataAtom == atom.Dialog && !d.opened(n) || d.hides(n, b, &s) {
		d.hidden(n, &s)
		return
	}
	if has(n, "inert") {
		s.inert = true
	}
	outer := s.hide
	if d.unseen(n, b, &s) {
		if s.hide == nil {
			s.hide = &concealed{}
		}
	} else {
		s.hide = nil
	}
	breaks := b.Display.SeparatesWords()
	if breaks {
		d.flush()
	}
	d.dispatch(n, s)
	if breaks {
		d.flush()
		if s.hide != nil {
			s.hide.text.WriteByte('\n')
		}
	}
	if s.hide != nil && s.hide != outer {
		d.conceal(s.hide)
	}
}

// hidden leaves out an element that is not seen. What stands for a hidden
// control is its label; a focusable control in aria-hidden keeps its line.
func (d *doc) hidden(n *html.Node, s *state) {
	if s.hide != nil {
		s.hide.collect(n)
		return
	}
	h := &concealed{}
	h.collect(n)
	d.conceal(h)
}

// opened reports whether a dialog is open: it is a region then.
func (d *doc) opened(n *html.Node) bool {
	return d.regions[d.page.NodeID(n)] != nil || has(n, "open")
}

// breakLine is br: it ends a line only in long blocks, elsewhere it is a blank.
func (d *doc) breakLine() {
	if d.line.naming || d.sink != toBlocks {
		d.line.space = true
		return
	}
	size := 0
	for _, p := range d.line.run {
		size += len(p.text)
		if p.ctl != nil {
			size += len(p.ctl.name) + 8
		}
	}
	if size > 80 {
		d.flush()
		return
	}
	d.line.space = true
}

// flush ends the current line, at the border of a block.
func (d *doc) flush() {
	if d.line.naming {
		d.line.endPart(0)
		d.line.space = true
		return
	}
	if d.sink == toRun {
		d.line.space = true
		return
	}
	r := d.line.run
	d.line.run, d.line.space = nil, true
	if len(r) == 0 {
		return
	}
	d.emit(text, 0, r)
}

// emit puts a finished line where it belongs.
func (d *doc) emit(k kind, level int, r run) {
	b := &block{kind: k, id: som.NoNode, level: level, region: d.regionAlias()}
	r = d.finish(r, b)
	if len(r) == 0 {
		return
	}
	switch d.sink {
	case toParts:
		d.under.runs = append(d.under.runs, r)
		d.own(r, d.under)
	default:
		b.runs = []run{r}
		d.own(r, b)
		b.live = d.liveOf()
		d.at.add(b)
	}
}

// own sets the block of a run's controls, and sums up its text.
func (d *doc) own(r run, b *block) {
	for _, p := range r {
		if p.ctl != nil {
			p.ctl.block = b
			b.size += len(p.ctl.name)
			continue
		}
		b.size += len(p.text)
	}
	b.prose = true
	for _, q := range b.runs {
		for _, p := range q {
			b.prose = b.prose && p.ctl == nil
		}
	}
	if k := len(d.suspicions) - 1; k >= 0 && d.suspicions[k].block != b && d.suspicions[k].block.up == nil && d.sink != toBlocks {
		d.suspicions[k].block = b
	}
}

func (d *doc) regionAlias() string {
	for b := d.at; b != nil; b = b.up {
		if landmark(b.alias) {
			return b.alias
		}
	}
	return ""
}

// liveOf is the kind of live region that is being filled.
func (d *doc) liveOf() string {
	for b := d.at; b != nil && b.kind == place; b = b.up {
		if b.live != "" {
			return b.live
		}
	}
	return ""
}

// finishPage decides what is known only at the end.
func (d *doc) finishPage() {
	d.root.walk(func(b *block) bool {
		for _, r := range b.runs {
			for i := range r {
				if c := r[i].ctl; c != nil && c.secret != "" {
					d.safety.sensitive(c.secret)
				}
			}
		}
		return true
	})
	d.safety.Challenge = d.challenge()
}

// titleOf is the document's title as the header has it.
func (d *doc) titleOf() string {
	t := strings.TrimSpace(d.clean(d.page.Title))
	if f := hygiene.Scan(t); f.Score >= hygiene.Visible {
		d.suspicions = append(d.suspicions, &suspicion{Finding: f, block: &block{region: "title"}})
	}
	t = strings.ReplaceAll(d.redact(t), " · ", " - ")
	if head, rest := cutAt(t, 100); rest != "" {
		t = head + "…"
	}
	if t == "" {
		return "untitled"
	}
	return t
}

// challenge names the service whose test stands in the way of the page.
func (d *doc) challenge() string {
	if d.shown > 3000 || d.page.Tree() == nil {
		return ""
	}
	for n := range d.page.Tree().Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		src := attr(n, "src") + attr(n, "action") + attr(n, "id")
		switch {
		case strings.Contains(src, "challenges.cloudflare.com"), strings.Contains(src, "/cdn-cgi/challenge-platform"), attr(n, "id") == "challenge-form":
			return "Cloudflare"
		case strings.Contains(src, "captcha-delivery.com"):
			return "DataDome"
		case attr(n, "id") == "px-captcha":
			return "PerimeterX"
		case strings.Contains(src, "/_Incapsula_Resource"):
			return "Imperva"
		}
	}
	return ""
}
