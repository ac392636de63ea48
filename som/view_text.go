package som

// Text is the page as plain readable text: UTF-8, one block a line. Controls
// are shown as they would be on paper: a name, then what it holds in brackets.
func (p *Page) Text() string {
	v := view{p: p}
	return v.render()
}
