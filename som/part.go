package som

// Part is the page restricted to the element or region with that id; false if
// there is none.
func (p *Page) Part(id string) (*Page, bool) {
	region := p.regionOf(id)
	if region == nil {
		return nil, false
	}
	q := &Page{
		URL: p.URL, Title: p.Title, Lang: p.Lang, BaseURL: p.BaseURL, Regions: []*Region{region},
		Meta: Meta{HTMLBytes: p.Meta.HTMLBytes},
		Root: p.Root, text: p.text, memory: p.memory, tree: p.tree,
		hidden: p.hidden || region.ID != id, // who asks for a closed details by its id wants to read it
	}
	q.Walk(func(e *Element, _ *Region) bool {
		q.Meta.ElementCount++
		if interactive(e.Role) && e.Flags&FlagHidden == 0 {
			q.Meta.InteractiveCount++
		}
		return true
	})
	q.json = q.encode(nil)
	return q, true
}

// regionOf is the region with that id, or the region of the element with that
// id holding nothing else; nil if there is neither.
func (p *Page) regionOf(id string) *Region {
	for _, r := range p.Regions {
		if r.ID == id {
			return r
		}
	}
	var only *Region
	p.Walk(func(e *Element, r *Region) bool {
		if e.ID == id {
			part := *r
			part.Elements = []*Element{e}
			only = &part
		}
		return only == nil
	})
	return only
}

// ElementFor is the element made from a node; nil if there is none.
func (p *Page) ElementFor(id NodeID) *Element {
	var found *Element
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Node == id {
			found = e
		}
		return found == nil
	})
	return found
}

// Candidate is the matched element as it is named to a caller.
func (m Match) Candidate() Candidate { return m.Element.candidate() }

func (e *Element) candidate() Candidate {
	text := e.Text
	if text == "" {
		text = e.Label
	}
	for _, name := range [...]string{"summary", "alt"} {
		if text == "" {
			text, _ = e.Attr(name)
		}
	}
	return Candidate{ElementID: e.ID, Role: e.Role, Text: shortened(text)}
}

// shortened is text as a snapshot shows it.
func shortened(text string) string {
	n := 0
	for i := range text {
		if n == maxText {
			return text[:i] + "..."
		}
		n++
	}
	return text
}

// AppendString writes s as a JSON string as the SOM has it: nothing escaped
// that need not be, bytes that are no UTF-8 as U+FFFD. For other printers of pages.
func AppendString(b []byte, s string) []byte { return appendString(b, s) }

// Span is where the item's Text lies in the text of the page, as Element.Start
// and End are.
func (i Item) Span() (start, end int32) { return i.start, i.end }
