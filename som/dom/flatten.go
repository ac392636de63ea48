package dom

import (
	"bytes"

	"golang.org/x/net/html"
)

// depthLimit is how many elements may be open at once in rewritten source. The
// parser behind gives up at 512 and opens a few (html, body, tbody …) itself.
const depthLimit = 480

// formattingLimit is how many formatting elements may be open at once in
// rewritten source.
const formattingLimit = 8

// flatten rewrites source that the parser cannot take. Past limit open elements
// a new element closes the one before it and becomes its sibling, as in
// Chromium; parts of tables become div there. Surplus formatting elements are
// left out. Text, attributes and void elements stay as they are.
func flatten(src []byte, limit int) []byte {
	f := &flattener{limit: limit, count: map[string]int{}, out: make([]byte, 0, len(src)+len(src)/4)}
	z := html.NewTokenizer(bytes.NewReader(src))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return f.out
		case html.StartTagToken:
			raw := z.Raw()
			name, _ := z.TagName()
			f.start(string(name), raw)
		case html.EndTagToken:
			raw := z.Raw()
			name, _ := z.TagName()
			f.end(string(name), raw)
		default:
			f.out = append(f.out, z.Raw()...)
		}
	}
}

// flattener follows which elements are open, roughly: implied end tags that it
// misses only make it count too many.
type flattener struct {
	limit   int
	out     []byte
	stack   []open
	count   map[string]int // open elements by name, virtual ones too
	depth   int            // elements that are really open
	slot    string         // element open past the limit, "" if there is none
	formats int            // formatting elements really open
}

// open is one element of the source that has not ended.
type open struct {
	name string
	real bool // it is open in the output too
}

func (f *flattener) start(name string, raw []byte) {
	if void(name) {
		f.out = append(f.out, raw...)
		return
	}
	f.imply(name)
	if formatting([]byte(name)) {
		f.startFormatting(name, raw)
		return
	}
	if f.depth < f.limit {
		f.push(name, true)
		f.out = append(f.out, raw...)
		return
	}
	f.push(name, false)
	switch {
	case opaque(f.slot):
		return // parts of a drawing or template
	case f.slot == "select" && (name == "option" || name == "optgroup"):
		f.out = append(f.out, raw...)
		return
	}
	f.closeSlot()
	f.slot = name
	if tablePart(name) {
		f.slot = "div"
		f.out = append(f.out, "<div>"...)
		return
	}
	f.out = append(f.out, raw...)
}

func (f *flattener) startFormatting(name string, raw []byte) {
	if f.formats >= formattingLimit || f.depth >= f.limit {
		f.push(name, false)
		return
	}
	f.push(name, true)
	f.formats++
	if len(raw) > maxFormattingTag {
		f.out = append(append(append(f.out, '<'), name...), '>')
		return
	}
	f.out = append(f.out, raw...)
}

func (f *flattener) push(name string, real bool) {
	f.stack = append(f.stack, open{name, real})
	f.count[name]++
	if real {
		f.depth++
	}
}

// pop ends the innermost element; written says that its end tag is in the output.
func (f *flattener) pop() open {
	o := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	f.count[o.name]--
	if o.real {
		f.depth--
		if formatting([]byte(o.name)) {
			f.formats--
		}
	}
	return o
}

func (f *flattener) end(name string, raw []byte) {
	if f.count[name] == 0 {
		f.out = append(f.out, raw...)
		return
	}
	if formatting([]byte(name)) && f.endFormatting(name, raw) {
		return
	}
	for {
		o := f.pop()
		if o.name == name {
			f.endOne(o, raw)
			return
		}
		if o.real && formatting([]byte(o.name)) {
			continue // stays active for what follows, as the parser does it
		}
		if o.real {
			f.closeSlot()
			f.writeEnd(o.name)
		}
	}
}

// endFormatting ends a formatting element without what was opened in it.
func (f *flattener) endFormatting(name string, raw []byte) bool {
	for i := len(f.stack) - 1; i >= 0 && i >= len(f.stack)-64; i-- {
		if f.stack[i].name != name {
			continue
		}
		if f.stack[i].real {
			f.out = append(f.out, raw...)
			f.depth--
			f.formats--
		}
		f.count[name]--
		f.stack = append(f.stack[:i], f.stack[i+1:]...)
		return true
	}
	return false
}

func (f *flattener) endOne(o open, raw []byte) {
	if o.real {
		f.closeSlot()
		f.out = append(f.out, raw...)
		return
	}
	if f.slot == "select" && (o.name == "option" || o.name == "optgroup") {
		f.out = append(f.out, raw...)
		return
	}
	if f.slot == o.name || f.slot == "div" && tablePart(o.name) {
		f.closeSlot()
	}
}

func (f *flattener) closeSlot() {
	if f.slot != "" {
		f.writeEnd(f.slot)
		f.slot = ""
	}
}

func (f *flattener) writeEnd(name string) {
	f.out = append(append(append(f.out, '<', '/'), name...), '>')
}

// imply ends the elements whose end tag may be left out before a start tag.
func (f *flattener) imply(name string) {
	if len(f.stack) == 0 {
		return
	}
	top := f.stack[len(f.stack)-1]
	implied := false
	switch top.name {
	case "li":
		implied = name == "li"
	case "dt", "dd":
		implied = name == "dt" || name == "dd"
	case "option":
		implied = name == "option" || name == "optgroup"
	case "td", "th":
		implied = name == "td" || name == "th" || name == "tr"
	case "p":
		implied = closesP(name)
	}
	if !implied {
		return
	}
	f.pop()
	if !top.real && f.slot == top.name {
		f.closeSlot()
	}
	if name == "tr" && len(f.stack) > 0 && f.stack[len(f.stack)-1].name == "tr" {
		f.pop()
	}
}

func closesP(name string) bool {
	switch name {
	case "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "dd", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
		"li", "main", "menu", "nav", "ol", "p", "pre", "search", "section", "summary", "table", "ul":
		return true
	}
	return false
}

func void(name string) bool {
	switch name {
	case "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "image", "input", "keygen", "link",
		"meta", "param", "source", "track", "wbr", "html", "head", "body":
		return true
	}
	return false
}

func tablePart(name string) bool {
	switch name {
	case "table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "colgroup":
		return true
	}
	return false
}

// opaque are the elements whose insides are no content of the page.
func opaque(name string) bool {
	switch name {
	case "svg", "math", "template":
		return true
	}
	return false
}
