package textview

import (
	"bytes"
	"encoding/json"
	"strings"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// Extraction is what is to be taken out of a page (text protocol §11, extract).
type Extraction struct {
	Kind   string // table, list, text, meta
	Ref    int    // of a table, list or container; 0: the largest in main, or the page
	Offset int
	Limit  int // rows; 0: 100
	Links  bool
	JSON   bool // objects keyed by the headers, or c1 …

	At    At
	Vault *privacy.Vault
}

// The bounds of one page of an extraction.
const (
	extractRows   = 100
	extractTokens = 3000
)

// Extract takes a table, a list or the text out of a page, a row a line.
func Extract(page *som.Page, refs *Refs, x Extraction) (string, *RefError) {
	d := read(page, x.Vault, nil)
	refs.bind(d, x.At)
	if x.Kind == "meta" {
		return d.meta(), nil
	}
	root := d.root
	if x.Ref != 0 {
		b, err := d.subtree(refs, x.Ref)
		if err != nil {
			return "", err
		}
		root = b
	} else if x.Kind != "text" {
		if root = d.largest(x.Kind == "table"); root == nil {
			return "", &RefError{"not-found", "no " + x.Kind + " on this page (observe it)"}
		}
	}
	if x.JSON && x.Kind != "text" {
		return d.asJSON(root, x), nil
	}
	lim := limits{mode: Full, items: 1 << 30, images: true, options: 5, aside: -1, links: x.Links, root: root}
	p := newPrinter(d, refs, lim, nil)
	if root.kind == place {
		p.kids(root, 0)
	} else {
		p.block(root, 0, &block{kids: []*block{root}}, 0)
	}
	return page1(p.lines, x), nil
}

// page1 is one page of rows, and how many there are after it.
func page1(lines []out, x Extraction) string {
	limit := x.Limit
	if limit <= 0 {
		limit = extractRows
	}
	from := min(max(x.Offset, 0), len(lines))
	var w strings.Builder
	n := from
	for ; n < len(lines) && n < from+limit; n++ {
		l := strings.Repeat(" ", lines[n].depth) + lines[n].text
		if n > from && Estimate(w.String())+Estimate(l) > extractTokens {
			break
		}
		if n > from {
			w.WriteByte('\n')
		}
		w.WriteString(l)
	}
	if n < len(lines) {
		w.WriteString("\n" + fold(len(lines)-n, "rows", "extract offset "+itoa(n)))
	}
	return w.String()
}

// largest is the largest table or list in main, or in the page.
func (d *doc) largest(table bool) *block {
	var best *block
	bestMain := false
	d.root.walk(func(b *block) bool {
		if b.folds && b.isTable() == table && len(b.kids) > 1 {
			main := b.inMain()
			if best == nil || main && !bestMain || main == bestMain && len(b.kids)*max(b.width, 1) > len(best.kids)*max(best.width, 1) {
				best, bestMain = b, main
			}
		}
		return true
	})
	return best
}

func (b *block) inMain() bool {
	for ; b != nil; b = b.up {
		if b.alias == "main" {
			return true
		}
	}
	return false
}

// asJSON is a table or list as one array of objects.
func (d *doc) asJSON(b *block, x Extraction) string {
	var heads []string
	rows := b.kids
	if header(b) == 1 {
		for _, r := range rows[0].runs {
			heads = append(heads, plainRun(r))
		}
		rows = rows[1:]
	}
	from := min(max(x.Offset, 0), len(rows))
	limit := x.Limit
	if limit <= 0 {
		limit = extractRows
	}
	rows = rows[from:min(len(rows), from+limit)]
	var w bytes.Buffer
	w.WriteByte('[')
	for i, r := range rows {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('{')
		used := map[string]bool{}
		for k, c := range r.runs {
			key := "c" + itoa(k+1)
			if k < len(heads) && heads[k] != "" && !used[heads[k]] {
				key = heads[k]
			}
			used[key] = true
			if k > 0 {
				w.WriteByte(',')
			}
			name, _ := json.Marshal(key)
			value, _ := json.Marshal(plainRun(c))
			w.Write(name)
			w.WriteByte(':')
			w.Write(value)
		}
		w.WriteByte('}')
	}
	w.WriteByte(']')
	return w.String()
}

// plainRun is the text of a run, controls by their names.
func plainRun(r run) string {
	var parts []string
	for _, p := range r {
		s := p.text
		if p.ctl != nil {
			s = p.ctl.name
			if p.ctl.hasValue {
				s = p.ctl.value
			}
		}
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

// meta is what the page says about itself: attribute text.
func (d *doc) meta() string {
	var w strings.Builder
	w.WriteString("title: " + d.title)
	w.WriteString("\nlang: " + d.attribute(d.page.Lang))
	for n := range d.page.Tree().Descendants() {
		switch {
		case n.Data == "meta":
			name := attr(n, "name")
			if name == "" {
				name = attr(n, "property")
			}
			name = strings.ToLower(name)
			if name == "description" || name == "author" || name == "date" || strings.HasPrefix(name, "og:") || strings.HasPrefix(name, "article:") {
				if v := short(d.attribute(attr(n, "content"))); v != "" {
					w.WriteString("\n" + name + ": " + v)
				}
			}
		case n.Data == "link" && strings.EqualFold(attr(n, "rel"), "canonical"):
			w.WriteString("\ncanonical: " + d.attribute(attr(n, "href")))
		}
	}
	return w.String()
}
