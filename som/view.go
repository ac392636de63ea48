package som

import (
	"strings"

	"plasmate/som/weburl"
)

// view prints a page for reading, as plain text or as CommonMark. Both come
// from the same walk over the elements; only the marks differ.
type view struct {
	p            *Page
	md           bool
	addressBytes int // of resolved addresses so far
	urls         *weburl.Resolver
	out          []byte
	line         string // what each further line of the block begins with
	next         string // what the next block's first line begins with: a list marker
	gap          bool   // a blank line is due before the next block
	pos          int32  // how far in the page's text the view has come
	marked       byte   // marker of the list printed last, if nothing came after it
	markedAt     string // indentation of that list
}

// render prints all regions.
func (v *view) render() string {
	for _, r := range v.p.Regions {
		v.pos = 0 // a region within another one is printed after it
		v.blocks(r.Elements)
		v.gap = true
	}
	return string(v.out)
}

// blocks prints elements that stand for themselves.
func (v *view) blocks(es []*Element) {
	inline := false // the element before was a line of inline content
	for _, e := range es {
		was := inline
		inline = lineRole(e.Role)
		if inline && was {
			v.gap = false
		}
		v.element(e)
	}
}

// lineRole are the roles that are no blocks in Markdown.
func lineRole(role string) bool {
	switch role {
	case roleLink, roleButton, roleInput, roleTextarea, roleSelect, roleCheckbox, roleRadio, roleImage, roleFrame:
		return true
	}
	return false
}

func (v *view) element(e *Element) {
	if e.Flags&FlagHidden != 0 && !v.p.hidden {
		return // in a closed details: the SOM has it, marked
	}
	switch e.Role {
	case roleHeading:
		v.heading(e)
	case rolePar:
		v.paragraph(e)
	case roleList:
		v.list(e)
	case roleTable:
		v.table(e)
	case roleDetails:
		v.details(e)
	case roleSeparator:
		v.block("---")
	case roleGroup:
		if s, _ := e.Attr("legend"); s != "" {
			v.block(v.bold(v.escape(s)))
		}
		v.own(e)
		v.blocks(e.Children)
	case roleSection:
		v.own(e)
		v.blocks(e.Children)
	default:
		v.alone(e)
	}
}

// alone prints an element that stands alone on its line. Headings in it, as in
// a link around a whole card, are headings still, each with the link's address.
func (v *view) alone(e *Element) {
	kids := unwrap(e.Children, false)
	if !holdsHeading(kids) {
		v.block(v.atStart(v.piece(e, "")))
		return
	}
	kids = withoutPictures(kids, e.Text)
	pos, from := e.Start, 0
	for i, k := range kids {
		if k.Role != roleHeading || k.Start < pos {
			continue
		}
		v.part(e, v.run(pos, k.Start, "", kids[from:i]))
		v.headingAs(k, v.linked(e, v.content(k)))
		pos, from = k.End, i+1
	}
	v.part(e, v.run(pos, e.End, "", kids[from:]))
}

// withoutPictures leaves out pictures whose name the text says.
func withoutPictures(es []*Element, text string) []*Element {
	out := make([]*Element, 0, len(es))
	for _, e := range es {
		if n := imageName(e); e.Role == roleImage && n != "" && said(text, n) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// part prints what stands before, between or after the headings of e.
func (v *view) part(e *Element, s string) {
	if strings.TrimSpace(s) != "" {
		v.block(v.atStart(v.linked(e, s)))
	}
}

// unwrap puts the children of containers without text of their own in their
// place; those of lists and tables too where lists is set, as in a cell, whose
// text has theirs in it.
func unwrap(es []*Element, lists bool) []*Element {
	for _, e := range es {
		if wraps(e, lists) {
			return appendUnwrapped(nil, es, lists)
		}
	}
	return es
}

func appendUnwrapped(out, es []*Element, lists bool) []*Element {
	for _, e := range es {
		if wraps(e, lists) {
			out = appendUnwrapped(out, e.Children, lists)
		} else {
			out = append(out, e)
		}
	}
	return out
}

func wraps(e *Element, lists bool) bool {
	return e.Start == e.End && e.Text == "" && !lineRole(e.Role) && (lists || e.List == nil && e.Table == nil && len(e.Children) > 0)
}

func holdsHeading(es []*Element) bool {
	for _, k := range es {
		if k.Role == roleHeading && k.Start < k.End {
			return true
		}
	}
	return false
}

// own prints the text of a container that has text of its own.
func (v *view) own(e *Element) {
	if e.Text != "" {
		v.block(v.escape(e.Text))
	}
}

// block prints one block, which may have several lines.
func (v *view) block(s string) {
	s = strings.Trim(s, " \t\n\r\f")
	if s == "" {
		return
	}
	if len(v.out) > 0 {
		v.out = append(v.out, '\n')
		if v.gap && (v.md || v.line == "") {
			v.out = append(v.out, strings.TrimRight(v.line, " ")...)
			v.out = append(v.out, '\n')
		}
	}
	v.gap = v.md
	v.marked = 0
	first := v.next
	if first == "" {
		first = v.line
	}
	v.next = ""
	for {
		l, rest, more := strings.Cut(s, "\n")
		v.out = append(v.out, first...)
		v.out = append(v.out, strings.TrimRight(l, " \t\r")...)
		if !more {
			return
		}
		v.out = append(v.out, '\n')
		s, first = rest, v.line
	}
}

// maxIndent bounds what hostile nesting adds to every line.
const maxIndent = 120

// within prints what f prints with every line indented by in; the first line
// begins with mark.
func (v *view) within(mark, in string, f func()) {
	line := v.line
	if len(line) > maxIndent {
		in = ""
	}
	v.next, v.line = v.lineStart()+mark, line+in
	f()
	v.next, v.line = "", line
}

// lineStart is what the next line begins with: a marker that waits, or the indentation.
func (v *view) lineStart() string {
	if v.next != "" {
		return v.next
	}
	return v.line
}

func (v *view) heading(e *Element) {
	s := v.run(e.Start, e.End, e.Text, e.Children)
	if strings.TrimSpace(s) == "" {
		s = v.escape(e.Label)
	}
	v.headingAs(e, s)
}

// headingAs prints s as the heading e.
func (v *view) headingAs(e *Element, s string) {
	if v.md && strings.TrimSpace(s) != "" {
		level := 2
		if a, ok := e.Attr("level"); ok {
			level = min(max(atoi(a, 2), 1), 6)
		}
		s = strings.Repeat("#", level) + " " + strings.Join(strings.Fields(s), " ")
	}
	v.gap = v.gap || len(v.out) > 0
	v.block(s)
}

func (v *view) paragraph(e *Element) {
	if e.Is(FlagPre) {
		v.pre(e)
		return
	}
	v.block(v.atStart(v.run(e.Start, e.End, e.Text, e.Children)))
}

// pre prints text whose line breaks count.
func (v *view) pre(e *Element) {
	if !v.md {
		v.block(strings.Trim(v.run(e.Start, e.End, e.Text, e.Children), "\n"))
		return
	}
	if len(e.Children) == 0 {
		fence := "```"
		for strings.Contains(e.Text, fence) {
			fence += "`"
		}
		v.block(fence + "\n" + strings.Trim(e.Text, "\n") + "\n" + fence)
		return
	}
	lines := strings.Split(v.run(e.Start, e.End, e.Text, e.Children), "\n")
	for i, l := range lines {
		lines[i] = v.atStart(strings.TrimSpace(l))
	}
	v.block(strings.Join(lines, "\\\n"))
}

func (v *view) details(e *Element) {
	s, _ := e.Attr("summary")
	v.block(v.bold(v.escape(s)))
	v.within("", "", func() { v.blocks(e.Children) })
}

// list prints each item: its first line after the marker, the rest below it.
func (v *view) list(e *Element) {
	l := e.List
	if l == nil {
		v.blocks(e.Children)
		return
	}
	bullet := v.bullet(l.Ordered)
	at := 0
	number := l.Start
	for i := range l.Items {
		it := &l.Items[i]
		from, to := clamp(int(it.From), at, len(e.Children)), clamp(int(it.To), at, len(e.Children))
		v.blocks(e.Children[at:from]) // what stands in the list outside of items
		v.item(it, e.Children[from:to], v.marker(l.Ordered, bullet, number))
		at = to
		number++
	}
	v.blocks(e.Children[at:])
	v.gap = v.md
	v.marked, v.markedAt = bullet, v.line
}

// bullet is the character that marks a list's items. A list right after
// another one at the same depth needs another, or both were one list.
func (v *view) bullet(ordered bool) byte {
	first, other := byte('-'), byte('*')
	if ordered {
		first, other = '.', ')'
	}
	if v.md && v.marked == first && v.markedAt == v.line && v.next == "" {
		return other
	}
	return first
}

func (v *view) marker(ordered bool, bullet byte, number int) string {
	if ordered {
		return string(append(appendInt(nil, number), bullet, ' '))
	}
	return string([]byte{bullet, ' '})
}

func (v *view) item(it *Item, kids []*Element, mark string) {
	before := kidsBefore(kids, it.start)
	head, rest := splitKids(kids[len(before):], it.start, it.end)
	if v.allHeads(head, it.start, it.end) {
		head, rest = nil, kids
		it = &Item{}
	}
	s := v.atStart(v.run(it.start, it.end, it.Text, head))
	if it.Term {
		mark, s = "", v.bold(s)
		v.gap = v.md && len(v.out) > 0
	}
	v.within(mark, strings.Repeat(" ", len(mark)), func() {
		v.blocks(before)
		if s != "" {
			v.block(s)
			v.gap = false
		}
		v.blocks(rest)
	})
	v.gap = false
}

// allHeads reports whether a line is made of links only, of which one holds a
// heading: each is a block of its own then.
func (v *view) allHeads(es []*Element, start, end int32) bool {
	heading := false
	for _, e := range es {
		if e.Start == e.End {
			continue
		}
		if e.Start < start || strings.TrimSpace(v.p.text[start:e.Start]) != "" {
			return false
		}
		start = e.End
		heading = heading || holdsHeading(unwrap(e.Children, false))
	}
	return heading && start == end
}

// kidsBefore are the elements whose text stands before a line.
func kidsBefore(kids []*Element, start int32) []*Element {
	n := 0
	for i, k := range kids {
		if k.Start < k.End && k.End <= start {
			n = i + 1
		}
	}
	return kids[:n]
}

// splitKids parts the elements that lie in a line of text from the others.
func splitKids(kids []*Element, start, end int32) (in, out []*Element) {
	for i, k := range kids {
		if k.End > end || k.Start == 0 && k.End == 0 && !lineRole(k.Role) || !lineRole(k.Role) || start == end {
			return kids[:i], kids[i:]
		}
	}
	return kids, nil
}

func clamp(x, low, high int) int { return min(max(x, low), high) }

// bold marks what names the lines below it.
func (v *view) bold(s string) string {
	s = strings.TrimSpace(s)
	if !v.md || s == "" {
		return s
	}
	return "**" + s + "**"
}
