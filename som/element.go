package som

import (
	"strconv"

	"golang.org/x/net/html"
)

// The roles of elements (SOM §4 and the further roles of SOM v1.0).
const (
	roleLink      = "link"
	roleButton    = "button"
	roleInput     = "text_input"
	roleTextarea  = "textarea"
	roleSelect    = "select"
	roleCheckbox  = "checkbox"
	roleRadio     = "radio"
	roleHeading   = "heading"
	roleImage     = "image"
	roleList      = "list"
	roleTable     = "table"
	rolePar       = "paragraph"
	roleSection   = "section"
	roleGroup     = "group"
	roleSeparator = "separator"
	roleDetails   = "details"
	roleFrame     = "iframe"
)

// arena hands out the memory of a page in a few large pieces.
type arena struct {
	chunks   [][]Element
	elements int // room for them in chunks
	pointers []*Element
	attrs    []Attr
	items    []openItem
	next     int
}

func (a *arena) item() *openItem {
	if len(a.items) == cap(a.items) {
		a.items = make([]openItem, 0, 64)
	}
	a.items = append(a.items, openItem{})
	return &a.items[len(a.items)-1]
}

// grow sets the size of the first piece by a guess of how many elements come.
func (a *arena) grow(n int) { a.next = min(max(n, 8), 512) }

func (a *arena) element() *Element {
	k := len(a.chunks) - 1
	if k < 0 || len(a.chunks[k]) == cap(a.chunks[k]) {
		a.chunks = append(a.chunks, make([]Element, 0, max(a.next, 16)))
		a.elements += a.next
		a.next = min(max(a.elements/4, 16), 512)
		k++
	}
	a.chunks[k] = append(a.chunks[k], Element{})
	return &a.chunks[k][len(a.chunks[k])-1]
}

// list keeps a copy of es.
func (a *arena) list(es []*Element) []*Element {
	if len(es) == 0 {
		return nil
	}
	if cap(a.pointers)-len(a.pointers) < len(es) {
		a.pointers = make([]*Element, 0, max(len(es), 64))
	}
	i := len(a.pointers)
	a.pointers = append(a.pointers, es...)
	return a.pointers[i:len(a.pointers):len(a.pointers)]
}

func (a *arena) attributes(as []Attr) []Attr {
	if len(as) == 0 {
		return nil
	}
	if cap(a.attrs)-len(a.attrs) < len(as) {
		a.attrs = make([]Attr, 0, max(len(as), 64))
	}
	i := len(a.attrs)
	a.attrs = append(a.attrs, as...)
	return a.attrs[i:len(a.attrs):len(a.attrs)]
}

// make begins an element. Its attributes are collected in c.attrs, so that
// children must be made before the first of them is set.
func (c *compiler) make(role string, n *html.Node, id NodeID) *Element {
	e := c.made.element()
	e.Role, e.Node, e.Flags = role, id, c.flags
	if n != nil {
		e.HTMLID = c.htmlID(id)
	}
	c.attrs = c.attrs[:0]
	return e
}

// place notes where in the text an element without text stands.
func (c *compiler) place(e *Element) {
	e.Start = int32(len(c.txt))
	e.End = e.Start
}

func (c *compiler) htmlID(id NodeID) string {
	if c.idx.facts[id]&hasID == 0 {
		return ""
	}
	return attr(c.idx.nodes[id], "id")
}

// finish completes e, whose accessible name is name, or its text if name is
// empty, and pushes it on the stack of elements that wait for their parent.
func (c *compiler) finish(e *Element, name string, path []byte) {
	if e.Node >= 0 && c.idx.facts[e.Node]&hasTestID != 0 && e.Flags&FlagBareText == 0 {
		c.str("test_id", attr(c.idx.nodes[e.Node], "data-testid"))
	}
	c.inherited(e)
	e.Attrs = c.made.attributes(c.attrs)
	c.attrs = c.attrs[:0]
	text := c.txt[e.Start:e.End]
	if name == "" {
		addID(&c.ids, e.Role, text, path)
	} else {
		addID(&c.ids, e.Role, name, path)
		if name != string(text) {
			e.Label = name
		}
	}
	c.kids = append(c.kids, e)
}

// inherited writes the states that come from ancestors.
func (c *compiler) inherited(e *Element) {
	if e.Flags&FlagHidden != 0 {
		c.yes("hidden")
	}
	if e.Flags&FlagOffscreen != 0 {
		c.yes("offscreen")
	}
	if e.Flags&FlagInert != 0 && interactive(e.Role) {
		c.yes("inert")
	}
}

// take removes the elements from index from on from the stack.
func (c *compiler) take(from int) []*Element {
	es := c.made.list(c.kids[from:])
	c.kids = c.kids[:from]
	return es
}

func (c *compiler) str(name, value string) {
	c.attrs = append(c.attrs, Attr{Name: name, Value: value})
}

// strOf copies an attribute of the source if it is there and not empty.
func (c *compiler) strOf(n *html.Node, key, name string) {
	if v := attr(n, key); v != "" {
		c.str(name, v)
	}
}

func (c *compiler) yes(name string) { c.bool(name, true) }

func (c *compiler) bool(name string, v bool) {
	a := Attr{Name: name, Value: "false", Kind: AttrBool}
	if v {
		a.Value = "true"
	}
	c.attrs = append(c.attrs, a)
}

func (c *compiler) int(name string, v int) {
	c.attrs = append(c.attrs, Attr{Name: name, Value: strconv.Itoa(v), Kind: AttrInt})
}

// numeric writes a value as a number if it is a whole one.
func (c *compiler) numeric(name, value string) {
	if i, err := strconv.Atoi(value); err == nil && strconv.Itoa(i) == value {
		c.attrs = append(c.attrs, Attr{Name: name, Value: value, Kind: AttrInt})
	} else if value != "" {
		c.str(name, value)
	}
}

func (c *compiler) kind(name string, k AttrKind) {
	c.attrs = append(c.attrs, Attr{Name: name, Kind: k})
}

// interactive reports whether elements of a role count as interactive.
func interactive(role string) bool {
	switch role {
	case roleLink, roleButton, roleInput, roleTextarea, roleSelect, roleCheckbox, roleRadio:
		return true
	}
	return false
}

func appendInt(b []byte, i int) []byte {
	if 0 <= i && i < 10 {
		return append(b, byte('0'+i))
	}
	return strconv.AppendInt(b, int64(i), 10)
}

func appendIndex(path []byte, i int) []byte {
	if len(path) > 0 {
		path = append(path, '/')
	}
	return appendInt(path, i)
}
