package textview

import (
	"strings"
)

// limits say how much of a page is printed.
type limits struct {
	mode     Mode
	items    int  // of a list, rows of a table
	from     int  // first item, of the container that is asked for
	prose    int  // characters of a stretch of text; 0: all
	controls bool // print controls; else links are text
	images   bool
	links    bool // print where links lead to
	options  int
	aside    int  // controls of a nav, footer or aside; -1: all, 0: none
	oneLine  bool // nav, footer and aside are one line
	screen   bool // no text beyond the first screen
	root     *block
}

// The line count of one virtual screen.
const screen = 40

func limitsOf(m Mode) limits {
	switch m {
	case Full:
		return limits{mode: m, items: 40, prose: 600, controls: true, images: true, options: 5, aside: -1}
	case Read:
		return limits{mode: m, items: 40, images: true, options: 5}
	}
	return limits{mode: Actions, items: 8, prose: 160, controls: true, images: true, options: 5, aside: 12}
}

// slack is by how much a list may be longer than what is shown of it.
const slack = 2

// kids prints what is in a container.
func (p *printer) kids(b *block, depth int) {
	for i, k := range b.kids {
		if p.behind != nil && k == p.behind {
			continue
		}
		p.block(k, depth, b, i)
	}
}

func (p *printer) block(k *block, depth int, in *block, i int) {
	switch k.kind {
	case place:
		p.place(k, depth)
	case heading:
		p.heading(k, depth)
	case item:
		p.item(k, depth)
	case row:
		p.row(k, depth)
	default:
		p.text(k, depth, in, i)
	}
}

// prints reports whether anything in a block would be printed.
func (p *printer) prints(b *block) bool {
	if b == p.behind {
		return false
	}
	if b.kind != place {
		if p.lim.controls || b.kind == heading {
			return len(b.runs) > 0 || len(b.kids) > 0
		}
		for _, r := range b.runs {
			for _, q := range r {
				if q.ctl == nil || q.ctl.role == "link" {
					return true
				}
			}
		}
	}
	if b.host != "" {
		return true
	}
	for _, k := range b.kids {
		if p.prints(k) {
			return true
		}
	}
	return false
}

// place prints a container: its own line, if it has one, and what is in it.
func (p *printer) place(b *block, depth int) {
	if !p.prints(b) {
		return
	}
	in, quota, cutText := p.in, p.quota, p.cutText
	folded := b.folds && p.folds(b)
	table := b.isTable()
	marked := b.alias == "form" || b.alias == "dialog" || b.alias == "frame" || b.alias == "scroll" || folded && (b.alias != "" || table)
	at := depth
	if b.alias != "" || table && folded {
		p.cutText = 0
		p.container(b, depth, marked, folded)
		at++
	} else if folded {
		p.ref(b.id) // before those of the items
	}
	if len(b.kids) == 1 && b.alias == "" {
		at = depth
	}
	before := len(p.lines)
	outer := p.quota
	switch {
	case p.collapsed[b]:
		p.rest(b, at)
	case p.outlying(b) && (p.lim.oneLine || p.lim.mode == Read):
		p.rest(b, at)
	case folded:
		p.foldKids(b, at)
	default:
		if n, _ := nouns(b); p.outlying(b) && p.lim.aside >= 0 && p.quota == nil && n > p.lim.aside+slack {
			left := p.lim.aside
			p.quota = &left
		}
		p.kids(b, at)
		if p.quota != nil && outer == nil {
			p.overQuota(b, at)
		}
	}
	p.quota = quota
	if b.alias != "" || table && folded {
		p.textFold(at)
		p.cutText = cutText
		if before == len(p.lines) && len(p.lines) > 0 && b.host == "" {
			p.lines = p.lines[:before-1] // nothing in it
		}
	}
	p.in = in
}

func (b *block) isTable() bool {
	return len(b.kids) > 0 && b.folds && b.kids[0].kind == row
}

// outlying are the landmarks around the content.
func (p *printer) outlying(b *block) bool {
	return (b.alias == "nav" || b.alias == "footer" || b.alias == "aside") && b != p.lim.root
}

// container prints the line of a container.
func (p *printer) container(b *block, depth int, marked, folded bool) {
	var w strings.Builder
	l := out{depth: depth, kind: "place", id: b.id, top: true}
	if marked {
		l.ref = p.ref(b.id)
		l.refs = []int{l.ref}
		w.WriteString("[" + itoa(l.ref) + "] ")
	}
	alias := b.alias
	if alias == "" {
		alias = "table"
	}
	w.WriteString(alias)
	if b.name != "" {
		w.WriteString(" " + quote(b.name))
	}
	for _, s := range b.states {
		w.WriteString(" " + s)
	}
	if b.host != "" {
		w.WriteString(" " + b.host)
	}
	if folded && b.isTable() {
		w.WriteString(" " + itoa(len(b.kids)) + "×" + itoa(b.width))
	}
	l.text = w.String()
	p.add(l)
	if marked || landmark(b.alias) {
		p.in = l.text
	}
}

// rest is the one line that stands for all that is in a container.
func (p *printer) rest(b *block, depth int) {
	n, noun := nouns(b.kids...)
	if n == 0 {
		n, noun = countText(b), "text blocks"
	}
	if n > 0 {
		p.add(out{depth: depth, kind: "fold", id: b.id, text: fold(n, noun, observeRef(p.ref(b.id)))})
	}
}

func countText(b *block) int {
	n := 0
	b.walk(func(k *block) bool {
		if k.kind != place {
			n++
		}
		return true
	})
	return n
}

// overQuota says how many controls of a landmark were left out.
func (p *printer) overQuota(b *block, depth int) {
	if left := *p.quota; left < 0 {
		_, noun := nouns(b)
		p.add(out{depth: depth, kind: "fold", id: b.id, text: fold(-left, noun, observeRef(p.ref(b.id)))})
	}
}

// textFold says how much text was left out of a container.
func (p *printer) textFold(depth int) {
	if p.cutText > 0 {
		p.add(out{depth: depth, kind: "fold", text: fold(p.cutText, "text blocks", "extract text")})
		p.cutText = 0
	}
}

// folds reports whether a list or table is longer than what is shown of it.
func (p *printer) folds(b *block) bool {
	if p.quota != nil {
		return false
	}
	return len(b.kids)-header(b) > p.lim.items+slack || b == p.lim.root && p.lim.from > 0
}

func header(b *block) int {
	if len(b.kids) > 0 && b.kids[0].kind == row && b.kids[0].header {
		return 1
	}
	return 0
}

// foldKids prints the first items, those that matter, and how many more there are.
func (p *printer) foldKids(b *block, depth int) {
	from, to := 0, p.lim.items
	if b == p.lim.root {
		from, to = p.lim.from, p.lim.from+p.lim.items
	}
	h := header(b)
	left := 0
	for i, k := range b.kids {
		if i < h || i-h >= from && i-h < to || p.matters(k) {
			p.block(k, depth, b, i)
			continue
		}
		if i-h >= to {
			left++
		}
	}
	if left == 0 {
		return
	}
	ref := p.ref(b.id)
	hint, noun := observeRef(ref), "items"
	if b.isTable() {
		noun = "rows"
	}
	switch {
	case b == p.lim.root:
		hint += " offset " + itoa(to)
	case b.isTable():
		hint = "extract table " + itoa(ref)
	}
	p.add(out{depth: depth, kind: "fold", id: b.id, folds: ref, text: fold(left, noun, hint)})
}

// matters reports whether an item is shown whatever is folded.
func (p *printer) matters(b *block) bool {
	yes := p.touched[b.id]
	marked := 0
	b.walk(func(k *block) bool {
		yes = yes || k.live == "alert"
		return true
	})
	b.controls(func(c *control) {
		yes = yes || c.urgent() || p.touched[c.id]
		if c.marked() {
			marked++
		}
	})
	return yes || marked > 0 && p.lim.mode == Actions
}

func (p *printer) heading(b *block, depth int) {
	if !p.take(b) {
		return
	}
	var refs []int
	s := p.runText(b.runs[0], b, false, false, false, &refs)
	if s == "" {
		return
	}
	p.add(out{depth: depth, kind: "heading", id: b.id, text: "h" + itoa(max(b.level, 1)) + " " + s, ref: first(refs), refs: refs})
}

// take counts the controls of a block against what its landmark may print.
func (p *printer) take(b *block) bool {
	if p.quota == nil {
		return true
	}
	n := 0
	b.controls(func(*control) { n++ })
	if n == 0 {
		return *p.quota > 0
	}
	was := *p.quota
	if was <= 0 && !p.matters(b) {
		*p.quota -= n
		return false
	}
	if was-n < 0 && was > 0 { // a line is printed whole
		*p.quota = 0
		return true
	}
	*p.quota -= n
	return true
}

func first(refs []int) int {
	if len(refs) == 0 {
		return 0
	}
	return refs[0]
}

// item prints an item's line, and what has lines of its own below it.
func (p *printer) item(b *block, depth int) {
	if !p.take(b) {
		return
	}
	var refs []int
	var parts []string
	for _, r := range b.runs {
		if s := p.runText(r, b, false, false, true, &refs); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) > 0 {
		s, kind := strings.Join(parts, " · "), "item"
		if !p.lim.controls || !b.single() {
			s = "- " + s
		}
		if len(refs) > 0 {
			kind = "control"
		}
		p.add(out{depth: depth, kind: kind, id: b.id, text: s, ref: first(refs), refs: refs, keep: p.keeps(b)})
	}
	p.kids(b, depth+min(1, len(parts)))
}

// single reports whether an item is one control and nothing else: it needs no mark.
func (b *block) single() bool {
	return len(b.runs) == 1 && len(b.runs[0]) == 1 && b.runs[0][0].ctl != nil
}

func (p *printer) keeps(b *block) bool {
	keep := b.live == "alert"
	for _, r := range b.runs {
		for _, q := range r {
			keep = keep || q.ctl != nil && (q.ctl.urgent() || p.touched[q.ctl.id])
		}
	}
	return keep
}

func (p *printer) row(b *block, depth int) {
	var refs []int
	cells := make([]string, len(b.runs))
	for i, r := range b.runs {
		cells[i] = p.runText(r, b, i == 0, len(b.runs) == 1, true, &refs)
	}
	s := strings.TrimSpace(strings.Join(cells, " | "))
	if strings.Trim(s, "| ") == "" {
		return
	}
	p.add(out{depth: depth, kind: "row", id: b.id, text: s, ref: first(refs), refs: refs, keep: p.keeps(b)})
}

// text prints a line of text and controls, if the mode shows it.
func (p *printer) text(b *block, depth int, in *block, i int) {
	if b.prose && !p.showsProse(b, in, i) {
		p.cutText++
		return
	}
	if !p.take(b) {
		return
	}
	var refs []int
	s := p.runText(b.runs[0], b, b.live == "", b.live == "", false, &refs)
	if s == "" {
		return
	}
	kind := "text"
	if len(refs) > 0 {
		kind = "control"
	}
	if b.live != "" {
		s, kind = b.live+": "+s, b.live
	}
	p.add(out{depth: depth, kind: kind, id: b.id, text: s, ref: first(refs), refs: refs, keep: p.keeps(b)})
}

// nearText is how long text beside a control may be in a view for acting.
const nearText = 120

func (p *printer) showsProse(b, in *block, i int) bool {
	if b.live != "" {
		return true
	}
	if p.lim.screen && len(p.lines) >= screen {
		return false
	}
	if p.lim.mode != Actions || b == p.lim.root {
		return true
	}
	if b.region == "main" && p.proseMain < 2 {
		p.proseMain++
		return true
	}
	if b.size > nearText {
		return false
	}
	return i > 0 && in.kids[i-1].acts() || i+1 < len(in.kids) && in.kids[i+1].acts()
}

// acts reports whether a line holds a control.
func (b *block) acts() bool {
	if b.kind == place {
		return false
	}
	for _, r := range b.runs {
		for _, q := range r {
			if q.ctl != nil {
				return true
			}
		}
	}
	return false
}
