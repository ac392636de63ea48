package som

// Part is the page restricted to one element or region.
func (p *Page) Part(id string) (*Page, bool) { return nil, false }

// ElementFor is the element made from a node; nil if there is none.
func (p *Page) ElementFor(id NodeID) *Element { return nil }

// Candidate is the matched element as it is named to a caller.
func (m Match) Candidate() Candidate { return Candidate{} }
