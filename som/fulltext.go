package som

import "strings"

// ownText is what text_match looks at: the text that belongs to the element
// itself, not to elements in it.
func (e *Element) ownText() string {
	switch {
	case e.Table != nil || e.List != nil:
		var b strings.Builder
		e.writeContent(&b)
		return strings.TrimSuffix(b.String(), "\n")
	case e.Text != "":
		return e.Text
	}
	return e.Name()
}

// FullText is the whole text of an element and what is in it, not cut, a block a line.
func (e *Element) FullText() string {
	if e.Text != "" {
		return e.Text
	}
	var b strings.Builder
	e.writeText(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// writeText writes what is shown of an element, each text once.
func (e *Element) writeText(b *strings.Builder) {
	if e.Flags&FlagHidden != 0 {
		return
	}
	switch {
	case e.Table != nil:
		e.writeContent(b)
		return
	case e.List != nil:
		e.writeItems(b)
		return
	case e.Text != "":
		writeLine(b, e.Text)
	default:
		writeLine(b, e.Name())
	}
	for _, k := range e.Children {
		if !within(k, e) {
			k.writeText(b)
		}
	}
}

func (e *Element) writeItems(b *strings.Builder) {
	for i := range e.List.Items {
		it := &e.List.Items[i]
		writeLine(b, it.Text)
		for _, k := range e.Children[it.From:it.To] {
			if k.Start >= k.End || k.Start < it.start || k.End > it.end {
				k.writeText(b)
			}
		}
	}
}

// writeContent writes the cells of a table or the items of a list, a row a line.
func (e *Element) writeContent(b *strings.Builder) {
	if e.List != nil {
		for i := range e.List.Items {
			writeLine(b, e.List.Items[i].Text)
		}
		return
	}
	t := e.Table
	writeLine(b, t.Caption)
	writeLine(b, strings.Join(t.Headers, "\t"))
	for _, r := range t.Rows {
		writeLine(b, strings.Join(r, "\t"))
	}
}

func writeLine(b *strings.Builder, s string) {
	if s != "" {
		b.WriteString(s)
		b.WriteByte('\n')
	}
}
