package compact

import (
	"strconv"
	"strings"

	"plasmate/som"
)

// keys are the short names of the roles that have one of their own.
var keys = map[string]string{
	"link": "a", "button": "b", "text_input": "in", "textarea": "ta", "select": "sel",
	"checkbox": "cb", "radio": "ra", "image": "img",
}

// elementNode is an element with everything in it; nil if it says nothing.
func elementNode(e *som.Element) *node {
	if e.Flags&som.FlagHidden != 0 {
		return nil // behind the fold of the details that holds it
	}
	switch e.Role {
	case "paragraph":
		return lineNode(e)
	case "heading":
		return headingNode(e)
	case "list":
		if e.List != nil {
			return listNode(e)
		}
	case "table":
		if e.Table != nil {
			return tableNode(e)
		}
	case "image":
		if e.Text == "" && e.Label == "" && attr(e, "alt") == "" && len(e.Children) == 0 {
			return nil
		}
	case "details":
		return detailsNode(e)
	}
	if key := keys[e.Role]; key != "" {
		return controlNode(e, key)
	}
	return otherNode(e)
}

// lineNode is text, with the elements that stand in it at their places.
func lineNode(e *som.Element) *node {
	parts := line(e)
	if len(parts) == 1 {
		return parts[0]
	}
	if len(parts) == 0 {
		return nil
	}
	n := &node{head: []byte("["), tail: "]", kids: parts, id: e.ID}
	n.measure()
	return n
}

// line cuts an element's text at its children.
func line(e *som.Element) []*node {
	var parts []*node
	text, pos := e.Text, e.Start
	ranged := int(e.End-e.Start) == len(text)
	say := func(s string) {
		if s != "" && s != " " {
			parts = append(parts, leaf(som.AppendString(nil, s), wordsIn(s)))
		}
	}
	var later []*node
	for _, k := range e.Children {
		kid := elementNode(k)
		if kid == nil {
			continue // its text, if it has any, is part of the line's
		}
		inside := ranged && k.Start >= pos && k.End <= e.End && (k.Start < k.End || k.Start > e.Start)
		if inside {
			say(text[pos-e.Start : k.Start-e.Start])
			pos = k.End
		}
		if inside || !ranged {
			parts = append(parts, kid)
		} else {
			later = append(later, kid)
		}
	}
	if ranged {
		say(text[pos-e.Start:])
	} else if len(parts) == 0 {
		say(text)
	} else {
		parts = append([]*node{leaf(som.AppendString(nil, text), wordsIn(text))}, parts...)
	}
	return append(parts, later...)
}

func headingNode(e *som.Element) *node {
	level := attr(e, "level")
	if level == "" {
		level = "2"
	}
	n := &node{head: append(som.AppendString([]byte("{"), "h"+level), ':'), tail: "}"}
	parts := line(e)
	switch len(parts) {
	case 0:
		n.head = som.AppendString(n.head, e.Label)
		n.words = wordsIn(e.Label)
	case 1:
		n.kids = parts
	default:
		n.head, n.tail, n.kids = append(n.head, '['), "]}", parts
	}
	n.measure()
	n.elements++
	return n
}

func controlNode(e *som.Element, key string) *node {
	name := e.Text
	if name == "" || e.Label != "" && e.Role != "link" && e.Role != "button" {
		name = e.Label
	}
	if alt := attr(e, "alt"); name == "" || e.Role == "image" && alt != "" && alt != name {
		name = strings.TrimSpace(alt + " " + name)
	}
	b := som.AppendString([]byte(`{"`+key+`":`), name)
	words := wordsIn(name)
	if e.Role != "image" {
		b = som.AppendString(append(b, `,"i":`...), e.ID)
	}
	b = appendFacts(b, e)
	if len(e.Options) > 0 {
		var n int
		b, n = appendOptions(b, e)
		words += n
	}
	var kids []*node
	for _, k := range e.Children {
		if kid := elementNode(k); kid != nil && !(k.Start < k.End && k.Start >= e.Start && k.End <= e.End && k.Flags&som.FlagInline != 0 && k.Role == "paragraph") {
			kids = append(kids, kid)
		}
	}
	if len(kids) == 0 {
		return leaf(append(b, '}'), words)
	}
	n := &node{head: append(b, `,"e":[`...), tail: "]}", kids: kids, words: words}
	n.measure()
	n.elements++
	return n
}

// appendFacts writes what a control says besides its name.
func appendFacts(b []byte, e *som.Element) []byte {
	if t := attr(e, "input_type"); t != "" && t != "text" {
		b = som.AppendString(append(b, `,"ty":`...), t)
	}
	if v := attr(e, "placeholder"); v != "" && v != e.Label {
		b = som.AppendString(append(b, `,"ph":`...), v)
	}
	if v := attr(e, "value"); v != "" && e.Role != "select" && e.Role != "checkbox" && e.Role != "radio" {
		b = som.AppendString(append(b, `,"v":`...), v)
	}
	for _, f := range [...]struct{ attr, json string }{
		{"checked", `,"c":1`}, {"required", `,"req":1`}, {"disabled", `,"dis":1`}, {"readonly", `,"ro":1`},
	} {
		if attr(e, f.attr) == "true" {
			b = append(b, f.json...)
		}
	}
	return b
}

func appendOptions(b []byte, e *som.Element) ([]byte, int) {
	words := 0
	b = append(b, `,"o":[`...)
	for i, o := range e.Options {
		if i > 0 {
			b = append(b, ',')
		}
		b = som.AppendString(b, o.Text)
		words += wordsIn(o.Text)
	}
	b = append(b, `],"v":[`...)
	first := true
	for i, o := range e.Options {
		if o.Selected {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = appendInt(b, i)
		}
	}
	return append(b, ']'), words
}

func listNode(e *som.Element) *node {
	key := `{"ul":[`
	if e.List.Ordered {
		key = `{"ol":[`
	}
	n := &node{id: e.ID, head: []byte(key), tail: "]}"}
	at := 0
	for _, item := range e.List.Items {
		from, to := within(int(item.From), at, e), within(int(item.To), at, e)
		n.addAll(e.Children[at:from])
		n.add(itemNode(e, item))
		at = to
	}
	n.addAll(e.Children[at:])
	n.name(e)
	n.measure()
	n.elements++
	return n
}

// within is an index into the children of a list, not before at.
func within(i, at int, e *som.Element) int { return min(max(i, at), len(e.Children)) }

// name says what a list or table is called, before its content.
func (n *node) name(e *som.Element) {
	if e.Label == "" || e.Label == attr(e, "caption") {
		return
	}
	key := n.head[1:]
	n.head = append(append(som.AppendString([]byte(`{"l":`), e.Label), ','), key...)
	n.words += wordsIn(e.Label)
}

// itemNode is an item's own first line and what else is in it.
func itemNode(list *som.Element, item som.Item) *node {
	kids := list.Children[item.From:item.To]
	first := &som.Element{ID: list.ID, Text: item.Text, Children: kids}
	first.Start, first.End = item.Span()
	parts := line(first)
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	n := &node{head: []byte("["), tail: "]", kids: parts}
	n.measure()
	return n
}

// tableNode is one row after the other; links in cells follow the rows.
func tableNode(e *som.Element) *node {
	n := &node{id: e.ID, head: []byte("{"), tail: "]}"}
	if e.Table.Caption != "" {
		n.head = append(som.AppendString(append(n.head, `"cap":`...), e.Table.Caption), ',')
		n.words += wordsIn(e.Table.Caption)
	}
	n.head = append(n.head, `"tb":[`...)
	if len(e.Table.Headers) > 0 {
		n.add(rowNode(e.Table.Headers))
	}
	for _, row := range e.Table.Rows {
		n.add(rowNode(row))
	}
	n.addAll(e.Children)
	n.name(e)
	n.measure()
	n.elements++
	return n
}

func rowNode(cells []string) *node {
	b, words := []byte("["), 0
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = som.AppendString(b, c)
		words += wordsIn(c)
	}
	n := leaf(append(b, ']'), words)
	n.elements = 0
	return n
}

// otherNode is an element of a role without a short key.
func otherNode(e *som.Element) *node {
	b := som.AppendString([]byte(`{"role":`), e.Role)
	words := 0
	if label := label(e); label != "" && label != e.Text {
		b = som.AppendString(append(b, `,"l":`...), label)
		words += wordsIn(label)
	}
	b = som.AppendString(append(b, `,"i":`...), e.ID)
	b = appendFacts(b, e)
	kids := line(e)
	if len(kids) == 0 {
		if e.Role == "separator" {
			return nil
		}
		return leaf(append(b, '}'), words)
	}
	n := &node{id: e.ID, head: append(b, `,"e":[`...), tail: "]}", kids: kids, words: words}
	n.measure()
	n.elements++
	return n
}

// label is what an element without a short key is called.
func label(e *som.Element) string {
	for _, name := range [...]string{"section_label", "legend", "title"} {
		if s := attr(e, name); s != "" && e.Label == "" {
			return s
		}
	}
	return e.Label
}

// detailsNode is a details element; what a closed one holds is behind a fold.
func detailsNode(e *som.Element) *node {
	b := som.AppendString([]byte(`{"role":"details","l":`), attr(e, "summary"))
	b = som.AppendString(append(b, `,"i":`...), e.ID)
	n := &node{id: e.ID, head: append(b, `,"e":[`...), tail: "]}", words: wordsIn(attr(e, "summary"))}
	n.addAll(e.Children)
	if hidden, words := hiddenIn(e.Children); hidden > 0 {
		fold := appendInt(append(som.AppendString([]byte(`{"+":`), e.ID), `,"n":`...), hidden)
		fold = append(appendInt(append(fold, `,"w":`...), words), '}')
		n.kids = append(n.kids, &node{head: fold, size: len(fold), elements: hidden, words: words})
	}
	n.measure()
	n.elements++
	return n
}

// hiddenIn counts hidden elements and their words.
func hiddenIn(es []*som.Element) (elements, words int) {
	for _, e := range es {
		if e.Flags&som.FlagHidden != 0 {
			elements++
			words += wordsIn(e.Text)
		}
		n, w := hiddenIn(e.Children)
		elements, words = elements+n, words+w
	}
	return elements, words
}

// attr is a plain attribute as text; "" if it is absent.
func attr(e *som.Element, name string) string {
	value, _ := e.Attr(name)
	return value
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }
