package textview

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"plasmate/policy/hygiene"
	"plasmate/som"
)

// out is one printed line.
type out struct {
	depth int
	text  string
	ref   int    // first ref in it
	in    string // nearest container as a diff names it
	kind  string // what it is, for a diff: control, text, fold …
	id    som.NodeID
	keep  bool // never cut
	folds int  // fold: ref of what it is in
	top   bool // begins a subtree: its lines are deeper
	refs  []int
}

// printer prints a tree of lines under some limits. It gives refs that are
// made known only when the caller commits.
type printer struct {
	d     *doc
	refs  *Refs
	lim   limits
	lines []out
	fresh map[som.NodeID]int // refs given by this printer
	given []candidate
	next  int
	byID  map[som.NodeID]candidate

	in          string
	asked       som.NodeID     // control whose options are asked for
	moreOptions int            // of them, behind those that are printed
	proseMain   int            // prose blocks of main that were printed
	cutText     int            // blocks of text that were cut or left out in this place
	quota       *int           // controls that the landmark may print still
	spoofs      map[*block]int // lines that imitate the protocol
	collapsed   map[*block]bool
	touched     map[som.NodeID]bool
	behind      *block // the modal dialog, if one is open
}

func newPrinter(d *doc, refs *Refs, lim limits, byID map[som.NodeID]candidate) *printer {
	return &printer{d: d, refs: refs, lim: lim, asked: som.NoNode, fresh: map[som.NodeID]int{}, next: refs.next, byID: byID, spoofs: map[*block]int{}}
}

// ref is the number of an element, a new one if it has none.
func (p *printer) ref(id som.NodeID) int {
	if e := p.refs.current[id]; e != nil {
		return e.n
	}
	if n, ok := p.fresh[id]; ok {
		return n
	}
	c, ok := p.byID[id]
	if !ok {
		return 0
	}
	p.next++
	p.fresh[id] = p.next
	p.given = append(p.given, c)
	return p.next
}

// commit makes the printer's refs known, and what was read of all printed ones.
func (p *printer) commit() {
	for _, c := range p.given {
		p.refs.add(c)
	}
	for _, l := range p.lines {
		for _, n := range l.refs {
			if e := p.refs.known[n]; e != nil {
				e.sent = e.role + "\x00" + e.name
			}
		}
	}
}

func (p *printer) add(l out) {
	l.text = strings.TrimRight(l.text, " ")
	if l.text == "" {
		return
	}
	l.in = p.in
	p.lines = append(p.lines, l)
}

// runText formats one run. first says that it begins a line, alone that it is all of it.
func (p *printer) runText(r run, b *block, first, alone, part bool, refs *[]int) string {
	var w strings.Builder
	spoof := false
	var before piece
	for i, q := range r {
		s := ""
		switch {
		case q.ctl != nil && p.lim.controls:
			s = p.controlText(q.ctl, refs)
		case q.img:
			if !p.lim.images {
				continue
			}
			s = "img " + hygiene.Quoted(q.text)
		default:
			s = p.cut(strings.TrimRight(q.words(), " "))
			t, x := hygiene.Run(s)
			spoof = spoof || x
			if part {
				t = hygiene.Part(t)
			}
			if w.Len() == 0 && first {
				t, x = hygiene.Start(t, alone && i == len(r)-1)
				spoof = spoof || x
			} else if before.ctl != nil && p.lim.controls {
				t = afterControl(t)
			}
			s = t
		}
		if s == "" {
			continue
		}
		if w.Len() > 0 && (q.space || q.ctl != nil && p.lim.controls || q.img || endsBlank(before) || !p.closing(s, before)) {
			w.WriteByte(' ')
		}
		w.WriteString(s)
		before = q
	}
	if spoof {
		p.spoofs[b] = 1
	}
	return w.String()
}

func endsBlank(p piece) bool { return p.ctl == nil && !p.img && strings.HasSuffix(p.text, " ") }

// closing reports whether text may follow without a blank: after text always,
// after a control that ends with its name if it is punctuation.
func (p *printer) closing(s string, before piece) bool {
	if before.ctl == nil && !before.img || !p.lim.controls && !before.img {
		return true
	}
	c := before.ctl
	if c != nil && (!c.named || p.lim.links && c.url != "" || c.hasValue || len(c.options) > 0 || len(c.states) > 0 || c.secret != "" || c.limits != "" || c.warn != "") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune(".,;:!?)]}%'’”»…。、，", r)
}

// afterControl escapes text that would read as more of the control before it.
func afterControl(s string) string {
	word, _, _ := strings.Cut(s, " ")
	for _, st := range stateOrder() {
		if word == st {
			return `\` + s
		}
	}
	for _, mark := range [...]string{"(", "= ", "→ ", `"`, "⚿"} {
		if strings.HasPrefix(s, mark) {
			return `\` + s
		}
	}
	return s
}

// cut shortens a stretch of text to what the mode allows.
func (p *printer) cut(s string) string {
	if p.lim.prose == 0 || len(s) <= p.lim.prose {
		return s
	}
	head, rest := cutAt(s, p.lim.prose)
	if rest == "" {
		return s
	}
	p.cutText++
	return head + "…"
}

// words are what a piece says in a view without controls: a link's name is text there.
func (p piece) words() string {
	switch {
	case p.ctl == nil:
		return p.text
	case p.ctl.role == "link":
		return p.ctl.name
	}
	return ""
}

// controlText is a control as its line has it.
func (p *printer) controlText(c *control, refs *[]int) string {
	n := p.ref(c.id)
	if refs != nil && n > 0 {
		*refs = append(*refs, n)
	}
	var w strings.Builder
	w.WriteString("[" + strconv.Itoa(n) + "] " + c.role)
	if c.named && (c.name != "" || !c.content) {
		w.WriteString(" " + hygiene.Quoted(c.name))
	}
	if c.hasValue {
		w.WriteString(" = " + hygiene.Quoted(c.value))
	}
	if o := p.optionsText(c); o != "" {
		w.WriteString(" " + o)
	}
	for _, st := range c.states {
		w.WriteString(" " + st)
	}
	if c.secret != "" {
		w.WriteString(" ⚿" + c.secret)
	}
	if c.warn != "" {
		w.WriteString(" → " + c.warn)
	} else if p.lim.links && c.url != "" {
		w.WriteString(" → " + p.d.relative(c.url))
	}
	return w.String()
}

// optionsText is the list of choices: five, or the first four and a count.
func (p *printer) optionsText(c *control) string {
	if c.limits != "" {
		return "(" + c.limits + ")"
	}
	if len(c.options) == 0 {
		return ""
	}
	shown := c.options
	if c.id == p.asked { // a page of a hundred
		from := min(p.lim.from, len(shown))
		shown = shown[from:min(len(shown), from+p.lim.items)]
		p.moreOptions = len(c.options) - from - len(shown)
	} else if len(shown) > p.lim.options {
		shown = shown[:max(p.lim.options-1, 1)]
	}
	opts := make([]string, len(shown))
	for i, o := range shown {
		opts[i] = hygiene.Option(short(o))
	}
	s := "(" + strings.Join(opts, ", ")
	if more := len(c.options) - len(shown); more > 0 && c.id != p.asked {
		s += " +" + strconv.Itoa(more)
	}
	return s + ")"
}

// relative is a link's target as it is printed.
func (d *doc) relative(url string) string {
	url = d.redact(url)
	if d.origin != "" && strings.HasPrefix(url, d.origin+"/") {
		c := Compact(url)
		if i := strings.IndexByte(strings.TrimPrefix(c, "http://"), '/'); i >= 0 {
			return strings.TrimPrefix(c, "http://")[i:]
		}
		return "/"
	}
	return Compact(url)
}

// fold is a line that says what was left out, and how to reach it.
func fold(n int, noun, hint string) string {
	return "… +" + strconv.Itoa(n) + " more " + noun + " (" + hint + ")"
}

func observeRef(n int) string { return "observe ref " + strconv.Itoa(n) }

// nouns counts the controls in blocks and names them.
func nouns(bs ...*block) (n int, noun string) {
	for _, b := range bs {
		b.controls(func(c *control) {
			n++
			role := "controls"
			switch c.role {
			case "link", "button", "option":
				role = c.role + "s"
			}
			if noun == "" {
				noun = role
			} else if noun != role {
				noun = "controls"
			}
		})
	}
	return n, noun
}
