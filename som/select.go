package som

// Select lists the elements that a CSS selector matches, in tree order. The
// error says what is wrong with the selector.
func (p *Page) Select(css string) ([]NodeID, error) {
	nodes, err := p.query(css)
	if err != nil {
		return nil, err
	}
	ids := make([]NodeID, len(nodes))
	for i, n := range nodes {
		ids[i] = p.NodeID(n)
	}
	return ids, nil
}
