package textview

import (
	"strconv"
	"strings"
)

// Diff is what an action's answer says about the page: what changed since base,
// or the whole of next where that is no more, or where there is nothing to
// compare with. base is what was last sent for the tab in that mode; nil: nothing.
//
// Spec: text protocol §7.3.
func (next *View) Diff(base *View) string {
	if base == nil || base.Mode != next.Mode || base.at.Tab != next.at.Tab || base.at.Load != next.at.Load || !base.full || !next.full || next.Err != nil {
		return next.Text
	}
	for _, l := range next.lines {
		if strings.HasPrefix(l.text, "… ") && strings.Contains(l.text, "behind dialog") {
			return next.Text // a dialog that has opened is printed whole
		}
	}
	d := compare(base.lines, next.lines)
	notes := newNotes(base.notes, next.notes)
	text := strings.Join(append(notes, d.text()), "\n")
	if Estimate(text)*4 > next.Tokens*3 && !d.none() {
		return next.Text
	}
	return text
}

func newNotes(before, now []string) []string {
	var out []string
next:
	for _, n := range now {
		for _, o := range before {
			if n == o {
				continue next
			}
		}
		out = append(out, n)
	}
	return out
}

// entry is one line of a diff.
type entry struct {
	mark string // +, −, ~
	line out
	at   int // position in the new view
}

type delta struct {
	entries        []entry
	added, removed int
	changed        int
}

func (d *delta) none() bool { return len(d.entries) == 0 }

// key is what makes two lines the same line in two views.
func (l *out) key() string {
	switch {
	case l.kind == "fold":
		return "fold\x00" + l.in + "\x00" + strconv.Itoa(int(l.id))
	case l.ref > 0:
		return "ref\x00" + strconv.Itoa(l.ref)
	}
	return l.in + "\x00" + l.kind + "\x00" + l.text
}

// compare finds what changed from one view to the next.
func compare(before, now []out) *delta {
	oldOf, newOf := matchKeys(before, now)
	matchPlaces(before, now, oldOf, newOf)
	d := &delta{}
	for i := range now {
		j := oldOf[i]
		switch {
		case j < 0:
			d.add("+", now[i], i)
			d.added++
		case now[i].text != before[j].text:
			if ticking(&before[j], &now[i]) {
				continue
			}
			d.add("~", now[i], i)
			d.changed++
		}
	}
	at := 0
	for j := range before {
		if i := newOf[j]; i >= 0 {
			at = i + 1
			continue
		}
		d.insert(entry{"−", before[j], at})
		d.removed++
	}
	if d.none() {
		d.reordered(now, oldOf)
	}
	return d
}

// matchKeys pairs lines of one key in order; -1 stands for none.
func matchKeys(before, now []out) (oldOf, newOf []int) {
	oldOf, newOf = make([]int, len(now)), make([]int, len(before))
	have := map[string][]int{}
	for j := range before {
		newOf[j] = -1
		k := before[j].key()
		have[k] = append(have[k], j)
	}
	for i := range now {
		oldOf[i] = -1
		k := now[i].key()
		if js := have[k]; len(js) > 0 {
			oldOf[i], newOf[js[0]] = js[0], i
			have[k] = js[1:]
		}
	}
	return oldOf, newOf
}

// matchPlaces pairs lines without refs that stand at the same place: in the
// same container, of one kind, behind the same line.
func matchPlaces(before, now []out, oldOf, newOf []int) {
	type spot struct {
		in, kind string
		after    int
	}
	free := map[spot][]int{}
	last := -1
	for j := range before {
		if newOf[j] >= 0 {
			last = j
		} else if before[j].ref == 0 {
			s := spot{before[j].in, before[j].kind, last}
			free[s] = append(free[s], j)
		}
	}
	last = -1
	for i := range now {
		if oldOf[i] >= 0 {
			last = oldOf[i]
			continue
		}
		s := spot{now[i].in, now[i].kind, last}
		if js := free[s]; now[i].ref == 0 && len(js) > 0 {
			oldOf[i], newOf[js[0]] = js[0], i
			free[s] = js[1:]
		}
	}
}

// ticking reports whether a text only counts: nobody acts on a clock.
func ticking(a, b *out) bool {
	if b.kind != "text" && b.kind != "item" && b.kind != "row" || strings.Contains(b.in, "] form") || strings.Contains(b.in, "] dialog") {
		return false
	}
	return digitless(a.text) == digitless(b.text)
}

func (d *delta) add(mark string, l out, at int) {
	d.entries = append(d.entries, entry{mark, l, at})
}

// insert puts a removed line where it was.
func (d *delta) insert(e entry) {
	k := len(d.entries)
	for k > 0 && d.entries[k-1].at >= e.at {
		k--
	}
	for k < len(d.entries) && d.entries[k].mark == "−" && d.entries[k].at == e.at {
		k++
	}
	d.entries = append(d.entries, entry{})
	copy(d.entries[k+1:], d.entries[k:])
	d.entries[k] = e
}

// reordered notes containers whose lines are the same in another order.
func (d *delta) reordered(now []out, oldOf []int) {
	last := map[string]int{}
	seen := map[string]bool{}
	for i := range now {
		in := now[i].in
		if j := oldOf[i]; j < last[in] && !seen[in] {
			seen[in] = true
			name := in
			if name == "" {
				name = "page"
			}
			d.entries = append(d.entries, entry{"~", out{text: name + " reordered"}, i})
			d.changed++
		} else {
			last[in] = max(last[in], oldOf[i])
		}
	}
}

// subtree is how many lines of an added container are printed.
const subtree = 8

func (d *delta) text() string {
	if d.none() {
		return "Δ none"
	}
	var w strings.Builder
	w.WriteString("Δ +" + itoa(d.added) + " −" + itoa(d.removed) + " ~" + itoa(d.changed))
	in := ""
	for i := 0; i < len(d.entries); i++ {
		e := &d.entries[i]
		if e.line.in != in {
			if in = e.line.in; in != "" {
				w.WriteString("\n @ " + in)
			}
		}
		w.WriteString("\n " + e.mark + " " + e.line.changeText())
		end := d.subtreeEnd(i)
		switch {
		case e.mark == "−":
			i = end - 1
		case e.mark == "+" && end-i > subtree+2:
			for k := i + 1; k < i+subtree; k++ {
				w.WriteString("\n + " + d.entries[k].line.text)
			}
			w.WriteString("\n … +" + itoa(end-i-subtree) + " more lines (" + d.reach(e) + ")")
			i = end - 1
		}
	}
	return w.String()
}

// changeText is a line as an entry has it. Of a fold the container is named.
func (l *out) changeText() string {
	if l.kind == "fold" && l.folds > 0 {
		text, _, _ := strings.Cut(l.text, " (")
		return "[" + itoa(l.folds) + "] list " + text
	}
	return l.text
}

// reach says how the rest of an added container is read.
func (d *delta) reach(e *entry) string {
	if e.line.ref > 0 && e.line.kind == "place" {
		return observeRef(e.line.ref)
	}
	return "observe"
}

// subtreeEnd is the index behind the entries that are in the one at i: deeper
// lines that came or went with it.
func (d *delta) subtreeEnd(i int) int {
	e := &d.entries[i]
	if !e.line.top {
		if e.mark == "+" {
			return d.runEnd(i)
		}
		return i + 1
	}
	k := i + 1
	for k < len(d.entries) && d.entries[k].mark == e.mark && d.entries[k].line.depth > e.line.depth {
		k++
	}
	return k
}

// runEnd is the index behind added lines in a row that have one depth or more.
func (d *delta) runEnd(i int) int {
	k := i + 1
	for k < len(d.entries) && d.entries[k].mark == "+" && d.entries[k].at == d.entries[k-1].at+1 && d.entries[k].line.in == d.entries[i].line.in {
		k++
	}
	return k
}
