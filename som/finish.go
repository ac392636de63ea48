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
	p.Meta.HTMLBytes = c.in.HTMLBytes
	p.json = bytes.Clone(p.encode(make([]byte, 0, 200*p.Meta.ElementCount+len(p.structured)+512)))
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
