package som

// Links lists the page's links in document order, resolved, each place once:
// with the first text that any link to it has.
func (p *Page) Links() []Link {
	var out []Link
	at := map[string]int{}
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Flags&FlagHidden != 0 && !p.hidden {
			return false
		}
		href, ok := e.Attr("href")
		if e.Role != roleLink || !ok {
			return true
		}
		l := Link{Text: e.Text, Href: href, URL: href}
		if url, ok := e.Attr("url"); ok {
			l.URL = url
		}
		if l.Text == "" {
			l.Text = e.Label
		}
		i, seen := at[l.URL]
		switch {
		case !seen:
			at[l.URL] = len(out)
			out = append(out, l)
		case out[i].Text == "":
			out[i].Text = l.Text
		}
		return true
	})
	return out
}
