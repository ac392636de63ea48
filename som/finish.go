package som

import "bytes"

// finish turns the walk's findings into the page: texts, ids, counts, JSON.
func (c *compiler) finishPage() {
	p := c.page
	c.number()
	p.text = string(c.txt)
	ids, from, k := string(c.ids.ids), int32(0), 0
	for _, chunk := range c.made.chunks {
		for i := range chunk {
			e := &chunk[i]
			e.ID = ids[from:c.ids.ends[k]]
			from = c.ids.ends[k]
			k++
			if e.Start < e.End && e.Text == "" {
				e.Text = p.text[e.Start:e.End]
			}
			if e.List != nil {
				for j := range e.List.Items {
					it := &e.List.Items[j]
					it.Text = p.text[it.start:it.end]
				}
			}
			if e.Table != nil {
				e.Table.layout(p.text)
			}
		}
	}
	for _, r := range p.Regions {
		c.count(r.Elements)
	}
	defer func() { p.memory = c.memory() }()
	p.Meta.HTMLBytes = c.in.HTMLBytes
	p.json = p.encode(make([]byte, 0, 200*p.Meta.ElementCount+len(p.text)/4+len(p.structured)+512))
	if cap(p.json)-len(p.json) > len(p.json)/8 {
		p.json = bytes.Clone(p.json)
	}
}

// memory estimates what the page keeps alive without its tree.
func (c *compiler) memory() int {
	const element, attribute, fixed = 232, 40, 1024
	p := c.page
	n := fixed + len(p.text) + len(p.json) + len(p.structured) + len(c.ids.ids) + c.made.elements*element
	for _, chunk := range c.made.chunks {
		for i := range chunk {
			e := &chunk[i]
			n += attribute*(len(e.Attrs)+len(e.Aria)) + 8*len(e.Children) + 64*len(e.Options)
			for j := range e.Attrs {
				n += len(e.Attrs[j].Value)
			}
			if e.List != nil {
				n += 64 + 40*len(e.List.Items)
			}
			if e.Table != nil {
				n += 96
				for _, r := range e.Table.Rows {
					n += 24 + 16*len(r)
				}
			}
		}
	}
	if p.tree != nil {
		n += len(p.tree.source)
	}
	return n
}

func (c *compiler) count(es []*Element) {
	m := &c.page.Meta
	for _, e := range es {
		m.ElementCount++
		if interactive(e.Role) && e.Flags&FlagHidden == 0 {
			m.InteractiveCount++
		}
		c.count(e.Children)
	}
}
