package som

import "strings"

// Text is the page as plain readable text (UTF-8, one block a line).
func (p *Page) Text() string {
	var b strings.Builder
	for _, r := range p.Regions {
		textOf(&b, r.Elements)
	}
	return b.String()
}

func textOf(b *strings.Builder, es []*Element) {
	line := func(s string) {
		if s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	for _, e := range es {
		if e.Flags&FlagHidden != 0 {
			continue
		}
		switch {
		case e.Role == roleDetails:
			s, _ := e.Attr("summary")
			line(s)
		case e.Role == roleImage:
			s, _ := e.Attr("alt")
			line(s)
		case e.Table != nil:
			line(e.Table.Caption)
			if len(e.Table.Headers) > 0 {
				line(strings.Join(e.Table.Headers, "\t"))
			}
			for _, r := range e.Table.Rows {
				line(strings.Join(r, "\t"))
			}
		case e.List != nil:
			textOfList(b, e)
			continue
		case e.Text != "":
			line(e.Text)
		default:
			line(e.Label)
		}
		for i := range e.Options {
			line(e.Options[i].Text)
		}
		for _, k := range e.Children {
			if e.Table == nil && (k.Start < e.Start || k.End > e.End || k.End == 0) {
				textOf(b, []*Element{k})
			}
		}
	}
}

func textOfList(b *strings.Builder, e *Element) {
	for i := range e.List.Items {
		it := &e.List.Items[i]
		if it.Text != "" {
			b.WriteString("- " + it.Text + "\n")
		}
		for _, k := range e.Children[it.From:it.To] {
			if k.Start < it.start || k.End > it.end || k.End == 0 {
				textOf(b, []*Element{k})
			}
		}
	}
}

// Markdown is the page as CommonMark with tables, links resolved.
func (p *Page) Markdown() string { return p.Text() }

// Links lists the page's links in document order, resolved.
func (p *Page) Links() []Link {
	var ls []Link
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Role == roleLink && e.Flags&FlagHidden == 0 {
			href, _ := e.Attr("href")
			url, ok := e.Attr("url")
			if !ok {
				url = href
			}
			text := e.Text
			if text == "" {
				text = e.Label
			}
			ls = append(ls, Link{Text: text, URL: url, Href: href})
		}
		return true
	})
	return ls
}

// Subtree is a SOM document holding only the element or region with that id.
func (p *Page) Subtree(id string) ([]byte, bool) {
	q := &Page{URL: p.URL, Title: p.Title, Lang: p.Lang, Meta: Meta{HTMLBytes: p.Meta.HTMLBytes}}
	for _, r := range p.Regions {
		if r.ID == id {
			q.Regions = []*Region{r}
		}
	}
	if q.Regions == nil {
		p.Walk(func(e *Element, r *Region) bool {
			if e.ID == id {
				sub := *r
				sub.Elements = []*Element{e}
				q.Regions = []*Region{&sub}
			}
			return q.Regions == nil
		})
	}
	if q.Regions == nil {
		return nil, false
	}
	q.Walk(func(e *Element, _ *Region) bool {
		q.Meta.ElementCount++
		if interactive(e.Role) && e.Flags&FlagHidden == 0 {
			q.Meta.InteractiveCount++
		}
		return true
	})
	return q.encode(nil), true
}
