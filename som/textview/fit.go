package textview

import (
	"plasmate/som"
)

// session is one rendering.
type session struct {
	d      *doc
	refs   *Refs
	o      Options
	root   *block
	budget int
	byID   map[som.NodeID]candidate
}

// try prints under some limits, without consequences.
func (s *session) try(lim limits, collapsed map[*block]bool) *printer {
	p := newPrinter(s.d, s.refs, lim, s.byID)
	p.collapsed = collapsed
	p.touched = map[som.NodeID]bool{}
	for _, id := range s.o.Touched {
		p.touched[id] = true
	}
	if s.root != s.d.root {
		if t, err := s.refs.Resolve(s.o.Ref); err == nil {
			p.asked = t.Node
		}
		p.alone(s.root)
		return p
	}
	if m := s.d.modal(); m != nil && s.o.Ref == 0 {
		p.dialog(m)
		return p
	}
	p.kids(s.root, 0)
	p.textFold(0)
	if lim.mode == Read {
		p.controlsFold(s.root)
	}
	return p
}

// controlsFold says how many controls a view of the text leaves out.
func (p *printer) controlsFold(root *block) {
	n := 0
	root.controls(func(c *control) {
		if c.role != "link" {
			n++
		}
	})
	if n > 0 {
		p.add(out{kind: "fold", text: fold(n, "controls", "observe full")})
	}
}

// alone prints the subtree of a ref.
func (p *printer) alone(b *block) {
	switch b.kind {
	case place:
		if b.folds && p.folds(b) {
			p.ref(b.id)
			p.foldKids(b, 0)
		} else {
			p.kids(b, 0)
		}
	default:
		p.block(b, 0, &block{kids: []*block{b}}, 0)
		if p.moreOptions > 0 {
			p.add(out{kind: "fold", text: fold(p.moreOptions, "options", observeRef(p.ref(p.asked))+" offset "+itoa(p.lim.from+p.lim.items))})
		}
	}
	p.textFold(0)
}

// modal is the dialog that is open over the page.
func (d *doc) modal() *block {
	var m *block
	d.root.walk(func(b *block) bool {
		if b.modal && len(b.kids) > 0 {
			m = b
		}
		return true
	})
	return m
}

// dialog prints a modal dialog, and how many lines are behind it.
func (p *printer) dialog(m *block) {
	p.behind = nil
	p.place(m, 0)
	behind := newPrinter(p.d, p.refs, p.lim, p.byID)
	behind.behind = m
	behind.kids(p.d.root, 0)
	n := len(behind.lines)
	if n == 0 {
		return
	}
	page := p.d.mainBlock(m)
	p.add(out{kind: "fold", text: "… +" + itoa(n) + " more lines (behind dialog; " + observeRef(p.ref(page)) + ")"})
}

// mainBlock is what stands for the page behind a dialog: its main landmark, or
// the page where there is more than that.
func (d *doc) mainBlock(m *block) som.NodeID {
	var main *block
	others := false
	d.root.walk(func(b *block) bool {
		switch {
		case b == m:
			return false
		case b.alias == "main":
			main = b
			return false
		case b.kind != place:
			others = true
		}
		return true
	})
	if main != nil && !others || d.root.id == som.NoNode {
		if main == nil {
			main = m
		}
		return main.id
	}
	return d.root.id
}

// fit prints within the budget: first as the mode says, then with less and less.
func (s *session) fit(lim limits) *printer {
	p := s.try(lim, nil)
	if s.o.Offset == 0 && s.fits(p) {
		return p
	}
	for _, step := range []func(*limits){
		func(l *limits) { l.prose = smaller(l.prose, 80) },
		func(l *limits) { l.images = false },
		func(l *limits) { l.items = min(l.items, 5) },
		func(l *limits) { l.items = min(l.items, 3) },
		func(l *limits) { l.oneLine = true },
		func(l *limits) { l.options = 2 },
		func(l *limits) { l.screen = true },
	} {
		if s.root != s.d.root || lim.mode == Read {
			break // what was asked for is not thinned out
		}
		step(&lim)
		p = s.try(lim, nil)
		if s.o.Offset == 0 && s.fits(p) {
			return p
		}
	}
	if s.root == s.d.root && lim.mode != Read && s.o.Offset == 0 {
		if q := s.collapse(lim); q != nil {
			return q
		}
	}
	for s.root != s.d.root && s.root.folds && lim.items > 1 { // fewer items at a time
		lim.items /= 2
		if p = s.try(lim, nil); s.fits(p) {
			return p
		}
	}
	s.truncate(p)
	return p
}

func smaller(a, b int) int {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func (s *session) fits(p *printer) bool { return s.size(p.lines) <= s.budget }

func (s *session) size(lines []out) int {
	ascii, other := len(s.d.title)+len(s.d.page.URL), 0
	for _, l := range lines {
		for _, r := range l.text {
			if r < 0x80 {
				ascii++
			} else {
				other++
			}
		}
		ascii += l.depth + 1
	}
	return (ascii*10+31)/32 + other
}

// collapse folds containers from the far end of the page until it fits; nil if
// that is not enough.
func (s *session) collapse(lim limits) *printer {
	var places []*block
	s.d.root.walk(func(b *block) bool {
		if b.kind == place && b.id != som.NoNode && (b.alias != "" || b.folds) && b.alias != "main" && !b.modal {
			places = append(places, b)
			return b.alias == "form" || b.alias == "section"
		}
		return true
	})
	collapsed := map[*block]bool{}
	for i, n := len(places), 1; i > 0; n *= 2 {
		for k := 0; k < n && i > 0; k++ {
			i--
			if p := places[i]; s.holdsKept(p) || countText(p) < 3 {
				continue
			}
			collapsed[places[i]] = true
		}
		if p := s.try(lim, collapsed); s.fits(p) {
			return p
		}
	}
	return nil
}

func (s *session) holdsKept(b *block) bool {
	kept := false
	b.walk(func(k *block) bool {
		kept = kept || k.live == "alert"
		return !kept
	})
	b.controls(func(c *control) { kept = kept || c.urgent() })
	return kept
}

// truncate leaves out the lines before the offset, and those behind the budget
// but for the ones that are never cut.
func (s *session) truncate(p *printer) {
	lines := p.lines
	from := min(s.o.Offset, len(lines))
	lines = lines[from:]
	n, size := 0, s.size(nil)+16
	for n < len(lines) {
		if size += s.size(lines[n:n+1]) - s.size(nil); size > s.budget && n > 0 {
			break
		}
		n++
	}
	p.lines = append([]out(nil), lines[:n]...)
	if n == len(lines) {
		return
	}
	rest := lines[n:]
	hint := "observe offset " + itoa(from+n)
	if s.o.Ref != 0 {
		hint = observeRef(s.o.Ref) + " offset " + itoa(from+n)
		if s.root.folds || s.root.kind != place {
			hint = observeRef(s.o.Ref) + " budget " + itoa(min(2*s.budget, maxBudget))
		}
	}
	p.lines = append(p.lines, out{kind: "fold", text: fold(len(rest), "lines", hint)})
	heads := 0
	for _, l := range rest {
		if l.kind == "heading" && heads < 20 && from == 0 {
			heads++
			p.lines = append(p.lines, l)
		} else if l.keep {
			p.lines = append(p.lines, l)
		}
	}
}
