package som

import (
	"strings"

	"plasmate/som/weburl"
)

// run is the line of text from start to end with the elements in it at their
// places. text is the same for elements whose text is not page text.
func (v *view) run(start, end int32, text string, kids []*Element) string {
	if start >= end || int(end) > len(v.p.text) {
		b := lineBuf{out: []byte(v.escape(text)), md: v.md}
		for _, k := range kids {
			b.piece(v.piece(k, text))
		}
		return string(b.out)
	}
	b := lineBuf{md: v.md}
	kids = unwrap(kids, false)
	pos, later := start, 0
	for i, k := range kids {
		switch {
		case k.Start < k.End && k.Start >= pos && k.End <= end:
			b.text(v.escape(v.p.text[pos:k.Start]))
			first, last := pieceAtEnds(k)
			b.apart = b.apart || first
			b.text(v.piece(k, ""))
			b.apart = last
			pos = k.End
		case k.Start < k.End && k.Start >= start && k.End <= pos: // its text is there already
		case k.Start == k.End && k.Start > pos && k.Start <= end:
			b.text(v.escape(v.p.text[pos:k.Start]))
			b.piece(v.piece(k, text))
			pos = k.Start
		default:
			for later = max(later, i+1); later < len(kids) && kids[later].Start >= kids[later].End; {
				later++
			}
			at := v.besideName(k, pos, nextStart(kids[later:], pos, end))
			b.text(v.escape(v.p.text[pos:at]))
			b.piece(v.piece(k, text))
			pos = at
		}
	}
	b.text(v.escape(v.p.text[pos:end]))
	v.pos = max(v.pos, end)
	return string(b.out)
}

// pieceAtEnds reports whether an element's content begins and ends with a piece
// that is not text, which is set apart from the words around the element.
func pieceAtEnds(e *Element) (first, last bool) {
	if n := len(e.Children); n > 0 {
		a, z := e.Children[0], e.Children[n-1]
		first = a.Start == a.End && a.Start == e.Start
		last = z.Start == z.End && z.Start == e.End
	}
	return first, last
}

// nextStart is where the text of the first of es begins, end if there is none.
func nextStart(es []*Element, pos, end int32) int32 {
	if len(es) == 0 {
		return end
	}
	return max(pos, min(es[0].Start, end))
}

// besideName is where a control stands in a line that says its name: after it,
// boxes to tick before it. Without a name it stands where the line has come to.
func (v *view) besideName(e *Element, pos, end int32) int32 {
	switch e.Role {
	case roleInput, roleTextarea, roleSelect, roleCheckbox, roleRadio:
	default:
		return pos
	}
	if e.Label == "" || end-pos > 4096 {
		return pos
	}
	i := strings.Index(v.p.text[pos:end], e.Label)
	switch {
	case i < 0:
		return pos
	case e.Role == roleCheckbox || e.Role == roleRadio:
		return pos + int32(i)
	}
	return pos + int32(i+len(e.Label))
}

// lineBuf is a line being put together. Pieces are set apart by spaces, text is not.
type lineBuf struct {
	out   []byte
	md    bool
	apart bool
}

func (b *lineBuf) text(s string) {
	if s == "" {
		return
	}
	if n := len(b.out); b.apart && !isSpace(s[0]) && n > 0 && !isSpace(b.out[n-1]) {
		b.out = append(b.out, ' ')
	}
	b.apart = false
	b.plainMark(s)
	b.out = append(b.out, s...)
}

// plainMark escapes an exclamation mark that a link after it would make the
// beginning of a picture.
func (b *lineBuf) plainMark(s string) {
	if n := len(b.out); b.md && s[0] == '[' && n > 0 && b.out[n-1] == '!' {
		b.out = append(b.out[:n-1], `\!`...)
	}
}

func (b *lineBuf) piece(s string) {
	if s == "" {
		return
	}
	if n := len(b.out); n > 0 && !isSpace(b.out[n-1]) {
		b.out = append(b.out, ' ')
	}
	b.out = append(b.out, s...)
	b.apart = true
}

// piece is one element within a line. around is the text of the line, which
// need not be said again.
func (v *view) piece(e *Element, around string) string {
	switch e.Role {
	case roleLink:
		return v.link(e)
	case roleImage:
		n := imageName(e)
		if e.Start < e.End { // drawn with text
			s := v.content(e)
			if n == "" || said(s, n) {
				return s
			}
			return v.escape(n) + " " + s
		}
		if n != "" && said(around, n) {
			return "" // a picture of what the line says
		}
		return v.image(e)
	case roleButton:
		s := v.content(e)
		switch {
		case s == "":
			return ""
		case e.Start == e.End && e.Text != "": // its label may say more than what is on it
			return v.named(e, around+e.Text, v.brackets(s))
		}
		return v.brackets(s)
	case roleInput, roleTextarea:
		value, _ := e.Attr("value")
		if value == "" {
			value, _ = e.Attr("placeholder")
		}
		if value == "" || value == e.Label {
			return v.named(e, around, v.brackets(" "))
		}
		return v.named(e, around, v.brackets(v.escape(strings.Join(strings.Fields(value), " "))))
	case roleSelect:
		return v.named(e, around, v.choices(e))
	case roleCheckbox, roleRadio:
		return v.tick(e, around)
	case roleFrame:
		return v.frame(e)
	}
	if e.Table != nil || e.List != nil {
		return v.inlineBlock(e)
	}
	return v.content(e)
}

// content is an element's text with what is in it; its name if it has none.
func (v *view) content(e *Element) string {
	s := strings.Trim(v.run(e.Start, e.End, e.Text, e.Children), asciiSpace)
	if s == "" {
		s = v.escape(e.Label)
	}
	return s
}

// inlineBlock is a list or table that stands within a line.
func (v *view) inlineBlock(e *Element) string {
	w := view{p: v.p}
	w.element(e)
	return v.escape(strings.Join(strings.Fields(string(w.out)), " "))
}

func (v *view) link(e *Element) string {
	s := v.content(e)
	if s == "" && v.md { // a picture without a name
		for _, k := range e.Children {
			if k.Role == roleImage {
				s = v.picture(k, "")
				break
			}
		}
	}
	return v.linked(e, s)
}

// linked is s as the text of the link e, or as it is if e is none.
func (v *view) linked(e *Element, s string) string {
	s = collapse(s)
	if !v.md || e.Role != roleLink {
		return s
	}
	url, ok := e.Attr("url")
	if !ok {
		url, ok = e.Attr("href")
	}
	if !ok {
		return s
	}
	return "[" + s + "](" + destination(url) + ")"
}

// image is a picture's name. In Markdown it is a picture, unless it says nothing.
func (v *view) image(e *Element) string {
	name := imageName(e)
	if !v.md || name == "" {
		return name
	}
	return v.picture(e, name)
}

func imageName(e *Element) string {
	if e.Label != "" {
		return e.Label
	}
	alt, _ := e.Attr("alt")
	return alt
}

func (v *view) picture(e *Element, name string) string {
	src, _ := e.Attr("src")
	if src == "" || strings.HasPrefix(src, "data:") {
		return "![" + v.escape(name) + "]()"
	}
	return "![" + v.escape(name) + "](" + destination(v.resolve(src)) + ")"
}

// resolve is an address as the page's base makes it absolute.
func (v *view) resolve(ref string) string {
	if v.urls == nil {
		v.urls = weburl.NewResolver(v.p.BaseURL)
	}
	url, ok := v.urls.Resolve(ref)
	if !ok {
		return ref
	}
	// A long base would be repeated with every address.
	if v.addressBytes += len(url); v.addressBytes > 4*v.p.Meta.HTMLBytes+1<<20 {
		return ref
	}
	return url
}

func (v *view) frame(e *Element) string {
	name := e.Label
	if name == "" {
		name, _ = e.Attr("title")
	}
	src, _ := e.Attr("src")
	if !v.md || src == "" {
		return v.escape(name)
	}
	src = v.resolve(src)
	return "[" + v.escape(name) + "](" + destination(src) + ")"
}

// named puts a control's name before what it holds.
func (v *view) named(e *Element, around, what string) string {
	name := e.Label
	if name == "" || said(around, name) {
		return what
	}
	if a, _ := e.Attr("required"); a == "true" && !strings.HasSuffix(name, "*") {
		name += " *"
	}
	return v.escape(name) + " " + what
}

// said reports whether the line has a control's name already. Long lines are
// not searched for each of their controls.
func said(around, name string) bool {
	return len(around) < 4096 && strings.Contains(around, name)
}

// choices lists all options, the chosen ones first.
func (v *view) choices(e *Element) string {
	var chosen, all []string
	group := ""
	for i := range e.Options {
		o := &e.Options[i]
		s := v.escape(o.Text)
		if o.Group != group {
			group = o.Group
			if group != "" {
				s = v.escape(group) + ": " + s
			}
		}
		if o.Selected {
			chosen = append(chosen, v.escape(o.Text))
		}
		all = append(all, s)
	}
	if len(chosen) == 0 {
		chosen = []string{" "}
	}
	s := v.brackets(strings.Join(chosen, ", "))
	if len(all) > 0 {
		s += " (" + strings.Join(all, v.bar()) + ")"
	}
	return s
}

func (v *view) bar() string {
	if v.md {
		return ` \| `
	}
	return " | "
}

func (v *view) tick(e *Element, around string) string {
	mark := " "
	if a, _ := e.Attr("checked"); a == "true" {
		mark = "x"
	}
	if e.Role == roleRadio {
		mark = "(" + mark + ")"
	} else {
		mark = v.brackets(mark)
	}
	name := e.Label
	if name == "" {
		name = e.Text
	}
	if name == "" || said(around, name) {
		return mark
	}
	return mark + " " + v.escape(name)
}

// brackets marks what can be used or filled in.
func (v *view) brackets(s string) string {
	if v.md {
		return `\[` + s + `\]`
	}
	return "[" + s + "]"
}
