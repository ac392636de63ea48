package som

import (
	"strconv"
	"unicode/utf8"
)

// The cuts of a snapshot (SOM §4).
const (
	maxText = 200 // characters of a text
	maxRows = 20  // rows of a table
)

// encode is the page as compact JSON: members in the order of the
// specification, no HTML escaping. meta.som_bytes is the length of the result.
func (p *Page) encode(buf []byte) []byte {
	buf = append(buf, `{"som_version":"`+Version+`","url":`...)
	buf = appendString(buf, p.URL)
	buf = append(buf, `,"title":`...)
	buf = appendString(buf, p.Title)
	buf = append(buf, `,"lang":`...)
	buf = appendString(buf, p.Lang)
	buf = append(buf, `,"regions":[`...)
	for i, r := range p.Regions {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendRegion(buf, r)
	}
	buf = append(buf, ']')
	return p.encodeMeta(buf)
}

func (p *Page) encodeMeta(buf []byte) []byte {
	buf = append(buf, `,"meta":{"html_bytes":`...)
	buf = strconv.AppendInt(buf, int64(p.Meta.HTMLBytes), 10)
	buf = append(buf, `,"som_bytes":`...)
	at := len(buf)
	buf = append(buf, `,"element_count":`...)
	buf = strconv.AppendInt(buf, int64(p.Meta.ElementCount), 10)
	buf = append(buf, `,"interactive_count":`...)
	buf = strconv.AppendInt(buf, int64(p.Meta.InteractiveCount), 10)
	buf = append(buf, '}')
	if p.structured != nil {
		buf = append(buf, `,"structured_data":`...)
		buf = append(buf, p.structured...)
	}
	buf = append(buf, '}')
	// The length counts its own digits.
	size := len(buf)
	digits := len(strconv.Itoa(size))
	for len(strconv.Itoa(size+digits)) != digits {
		digits++
	}
	size += digits
	p.Meta.SOMBytes = size
	num := strconv.Itoa(size)
	buf = append(buf, num...)
	copy(buf[at+len(num):], buf[at:len(buf)-len(num)])
	copy(buf[at:], num)
	return buf
}

func appendRegion(buf []byte, r *Region) []byte {
	buf = append(buf, `{"id":`...)
	buf = appendString(buf, r.ID)
	buf = append(buf, `,"role":"`...)
	buf = append(buf, r.Role...)
	buf = append(buf, '"')
	if r.Label != "" {
		buf = append(buf, `,"label":`...)
		buf = appendCut(buf, r.Label)
	}
	if r.Role == regForm && r.Method != "" {
		buf = append(buf, `,"action":`...)
		buf = appendString(buf, r.Action)
		buf = append(buf, `,"method":`...)
		buf = appendString(buf, r.Method)
		for i := range r.Attrs {
			buf = append(buf, ',')
			buf = appendAttr(buf, nil, &r.Attrs[i])
		}
	}
	buf = append(buf, `,"elements":[`...)
	buf = appendElements(buf, r.Elements)
	return append(buf, "]}"...)
}

func appendElements(buf []byte, es []*Element) []byte {
	for i, e := range es {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendElement(buf, e)
	}
	return buf
}

func appendElement(buf []byte, e *Element) []byte {
	buf = append(buf, `{"id":"`...)
	buf = append(buf, e.ID...)
	if e.HTMLID != "" {
		buf = append(buf, `","html_id":`...)
		buf = appendString(buf, e.HTMLID)
		buf = append(buf, `,"role":"`...)
	} else {
		buf = append(buf, `","role":"`...)
	}
	buf = append(buf, e.Role...)
	buf = append(buf, '"')
	if e.Text != "" {
		buf = append(buf, `,"text":`...)
		buf = appendCut(buf, e.Text)
	}
	if e.Label != "" {
		buf = append(buf, `,"label":`...)
		buf = appendCut(buf, e.Label)
	}
	buf = append(buf, actionsJSON(e)...)
	if len(e.Attrs) > 0 {
		buf = append(buf, `,"attrs":{`...)
		for i := range e.Attrs {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = appendAttr(buf, e, &e.Attrs[i])
		}
		buf = append(buf, '}')
	}
	if len(e.Children) > 0 {
		buf = append(buf, `,"children":[`...)
		buf = appendElements(buf, e.Children)
		buf = append(buf, ']')
	}
	if len(e.Hints) > 0 {
		buf = append(buf, `,"hints":`...)
		buf = appendStrings(buf, e.Hints)
	}
	return append(buf, '}')
}

// actionsJSON is the actions member of a role. Nothing can be done to what is
// not rendered.
func actionsJSON(e *Element) string {
	if e.Flags&FlagHidden != 0 {
		return ""
	}
	switch e.Role {
	case roleLink, roleButton:
		return `,"actions":["click"]`
	case roleInput, roleTextarea:
		return `,"actions":["type","clear"]`
	case roleSelect, roleRadio:
		return `,"actions":["select"]`
	case roleCheckbox, roleDetails:
		return `,"actions":["toggle"]`
	}
	return ""
}

// Actions are what can be done with the element.
func (e *Element) Actions() []string {
	if e.Flags&FlagHidden != 0 {
		return nil
	}
	switch e.Role {
	case roleLink, roleButton:
		return []string{"click"}
	case roleInput, roleTextarea:
		return []string{"type", "clear"}
	case roleSelect, roleRadio:
		return []string{"select"}
	case roleCheckbox, roleDetails:
		return []string{"toggle"}
	}
	return nil
}

func appendAttr(buf []byte, e *Element, a *Attr) []byte {
	if a.Kind == attrTable {
		return appendTable(buf, e.Table)
	}
	buf = append(buf, '"')
	buf = append(buf, a.Name...)
	buf = append(buf, '"', ':')
	return appendValue(buf, e, a)
}

func appendValue(buf []byte, e *Element, a *Attr) []byte {
	switch a.Kind {
	case AttrBool, AttrInt:
		return append(buf, a.Value...)
	case attrItems:
		return appendItems(buf, e.List.Items)
	case attrOptions:
		return appendOptions(buf, e.Options)
	case attrSelected:
		return appendSelected(buf, e.Options)
	case attrAria:
		buf = append(buf, '{')
		for i := range e.Aria {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = appendAttr(buf, e, &e.Aria[i])
		}
		return append(buf, '}')
	}
	return appendString(buf, a.Value)
}

func appendItems(buf []byte, items []Item) []byte {
	buf = append(buf, '[')
	first := true
	for i := range items {
		if items[i].Text == "" {
			continue
		}
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = append(buf, `{"text":`...)
		buf = appendCut(buf, items[i].Text)
		buf = append(buf, '}')
	}
	return append(buf, ']')
}

func appendOptions(buf []byte, os []Option) []byte {
	buf = append(buf, '[')
	for i := range os {
		o := &os[i]
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, `{"value":`...)
		buf = appendString(buf, o.Value)
		buf = append(buf, `,"text":`...)
		buf = appendString(buf, o.Text)
		if o.Selected {
			buf = append(buf, `,"selected":true`...)
		}
		if o.Disabled {
			buf = append(buf, `,"disabled":true`...)
		}
		if o.Group != "" {
			buf = append(buf, `,"group":`...)
			buf = appendString(buf, o.Group)
		}
		buf = append(buf, '}')
	}
	return append(buf, ']')
}

func appendSelected(buf []byte, os []Option) []byte {
	buf = append(buf, '[')
	first := true
	for i := range os {
		if !os[i].Selected {
			continue
		}
		if !first {
			buf = append(buf, ',')
		}
		first = false
		buf = appendString(buf, os[i].Value)
	}
	return append(buf, ']')
}

func appendTable(buf []byte, t *Table) []byte {
	buf = append(buf, `"headers":`...)
	buf = appendStrings(buf, t.Headers)
	buf = append(buf, `,"rows":[`...)
	for i, r := range t.Rows {
		if i == maxRows {
			break
		}
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendStrings(buf, r)
	}
	buf = append(buf, ']')
	if len(t.Rows) > maxRows {
		buf = append(buf, `,"row_count":`...)
		buf = strconv.AppendInt(buf, int64(len(t.Rows)), 10)
	}
	return buf
}

func appendStrings(buf []byte, ss []string) []byte {
	buf = append(buf, '[')
	for i, s := range ss {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendCut(buf, s)
	}
	return append(buf, ']')
}

// appendCut writes at most maxText characters of s; "..." stands for the rest.
func appendCut(buf []byte, s string) []byte {
	if len(s) <= maxText {
		return appendString(buf, s)
	}
	n := 0
	for i := range s {
		if n == maxText {
			buf = appendString(buf, s[:i])
			return append(buf[:len(buf)-1], `..."`...)
		}
		n++
	}
	return appendString(buf, s)
}

// appendString writes a JSON string. Bytes that are no UTF-8 become U+FFFD.
func appendString(buf []byte, s string) []byte {
	buf = append(buf, '"')
	from := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if b >= 0x20 && b != '"' && b != '\\' {
				i++
				continue
			}
			buf = append(buf, s[from:i]...)
			buf = appendEscape(buf, b)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			buf = append(append(buf, s[from:i]...), "\uFFFD"...)
			i++
			from = i
			continue
		}
		i += size
	}
	buf = append(buf, s[from:]...)
	return append(buf, '"')
}

func appendEscape(buf []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(buf, '\\', b)
	case '\n':
		return append(buf, '\\', 'n')
	case '\t':
		return append(buf, '\\', 't')
	case '\r':
		return append(buf, '\\', 'r')
	}
	const hex = "0123456789abcdef"
	return append(buf, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
}
