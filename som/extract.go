package som

import (
	"regexp"
	"sort"
	"strings"
)

// Query selects elements and what to read off them (AWP §3 page.extract).
// All given filters must hold.
type Query struct {
	Role      string
	Level     int // 0: any
	TextMatch string
	Ref       string
	CSS       string
	Region    string // region id or role
	Name      string // accessible name, normalised
	All       bool
	Props     []string
}

// QueryError says which field's query is wrong and why.
type QueryError struct{ Field, Param, Msg string }

func (e *QueryError) Error() string { return e.Msg }

// maxPattern bounds the length of a regular expression in bytes.
const maxPattern = 4096

// Extract answers a set of queries. Both results are compact JSON objects with
// the fields in the order of names.
func (p *Page) Extract(names []string, queries map[string]Query) (data, provenance []byte, err *QueryError) {
	data, provenance = append(data, '{'), append(provenance, '{')
	for i, name := range names {
		if i > 0 {
			data, provenance = append(data, ','), append(provenance, ',')
		}
		f, err := p.filter(name, queries[name])
		if err != nil {
			return nil, nil, err
		}
		data, provenance = append(appendString(data, name), ':'), append(appendString(provenance, name), ':')
		data, provenance = f.answer(p, data, provenance)
	}
	return append(data, '}'), append(provenance, '}'), nil
}

// filter is a query that has been checked.
type filter struct {
	Query
	re    *regexp.Regexp
	nodes map[NodeID]bool // what CSS matches, nil without CSS
	first NodeID
	name  string
}

func (p *Page) filter(field string, q Query) (*filter, *QueryError) {
	f := &filter{Query: q, first: NoNode}
	if q.Role == "" && q.Level == 0 && q.TextMatch == "" && q.Ref == "" && q.CSS == "" && q.Region == "" && q.Name == "" {
		return nil, &QueryError{field, "query", "query is empty: give role, text_match, ref, css, region or name"}
	}
	if len(q.TextMatch) > maxPattern {
		return nil, &QueryError{field, "text_match", "regular expression is too long"}
	}
	if q.TextMatch != "" {
		re, err := regexp.Compile(q.TextMatch)
		if err != nil {
			return nil, &QueryError{field, "text_match", "invalid regular expression: " + err.Error()}
		}
		f.re = re
	}
	if q.CSS != "" {
		nodes, err := p.query(q.CSS)
		if err != nil {
			return nil, &QueryError{field, "css", err.Error()}
		}
		f.nodes = make(map[NodeID]bool, len(nodes))
		t := p.index()
		for _, n := range nodes {
			id := t.ids[n]
			if f.first == NoNode {
				f.first = id
			}
			f.nodes[id] = true
		}
	}
	f.name = strings.ToLower(normal(q.Name))
	return f, nil
}

// hit is one element that fits, with the part of its text that matched.
type hit struct {
	e    *Element
	part string
}

func (f *filter) answer(p *Page, data, prov []byte) ([]byte, []byte) {
	hits := f.hits(p)
	if !f.All {
		if len(hits) == 0 {
			return append(data, "null"...), append(prov, "null"...)
		}
		return f.value(data, hits[0]), appendString(prov, hits[0].e.ID)
	}
	data, prov = append(data, '['), append(prov, '[')
	for i, h := range hits {
		if i > 0 {
			data, prov = append(data, ','), append(prov, ',')
		}
		data, prov = f.value(data, h), appendString(prov, h.e.ID)
	}
	return append(data, ']'), append(prov, ']')
}

func (f *filter) hits(p *Page) []hit {
	var hits []hit
	if f.Ref != "" {
		e := p.ElementByID(f.Ref)
		if e == nil {
			return nil
		}
		for _, r := range p.Regions {
			if h, ok := f.fits(e, r); ok && holds(r.Elements, e) {
				return []hit{h}
			}
		}
		return nil
	}
	p.Walk(func(e *Element, r *Region) bool {
		if e.Flags&FlagHidden != 0 || len(hits) > 0 && !f.All {
			return false
		}
		// A child that is part of a text that matched is not a second match.
		if k := len(hits) - 1; f.re != nil && k >= 0 && hits[k].e.shows(e) {
			return true
		}
		if h, ok := f.fits(e, r); ok {
			hits = f.parts(hits, h)
		}
		return true
	})
	if len(hits) == 0 && f.onlyCSS() && f.first != NoNode {
		t := p.index()
		if e := p.elementsByNode().nearest(t, t.nodes[f.first], f.first); e != nil && e.Flags&FlagHidden == 0 {
			hits = append(hits, hit{e: e})
		}
	}
	return hits
}

// maxHits bounds what one query gives.
const maxHits = 100_000

// parts adds a hit: with all, one for each match of the pattern in the text.
func (f *filter) parts(hits []hit, h hit) []hit {
	if f.re == nil || !f.All || len(f.Props) > 0 {
		return append(hits, h)
	}
	text := h.e.ownText()
	for _, m := range f.re.FindAllStringSubmatchIndex(text, maxHits-min(len(hits), maxHits)) {
		hits = append(hits, hit{h.e, matched(text, m)})
	}
	return hits
}

// matched is group 1 of a match, or all of it where the pattern has no group.
func matched(text string, m []int) string {
	if len(m) <= 2 {
		return text[m[0]:m[1]]
	}
	if m[2] < 0 {
		return ""
	}
	return text[m[2]:m[3]]
}

// shows reports whether the text of k, which comes after e, is part of e's own text.
func (e *Element) shows(k *Element) bool {
	if k.Start >= k.End {
		return false
	}
	switch {
	case e.Table != nil:
		return e.Table.start <= k.Start && k.End <= e.Table.end
	case e.List != nil:
		items := e.List.Items
		i := sort.Search(len(items), func(i int) bool { return items[i].end >= k.End })
		return i < len(items) && items[i].start <= k.Start
	}
	return within(k, e)
}

func (f *filter) onlyCSS() bool {
	return f.CSS != "" && f.Role == "" && f.Level == 0 && f.re == nil && f.Region == "" && f.Name == ""
}

func holds(es []*Element, e *Element) bool {
	for _, x := range es {
		if x == e || holds(x.Children, e) {
			return true
		}
	}
	return false
}

func (f *filter) fits(e *Element, r *Region) (hit, bool) {
	h := hit{e: e}
	if f.Role != "" && !hasRoleName(e, f.Role) {
		return h, false
	}
	if f.Level != 0 {
		if l, _ := e.Attr("level"); atoi(l, 0) != f.Level {
			return h, false
		}
	}
	if f.Region != "" && f.Region != r.ID && f.Region != r.Role {
		return h, false
	}
	if f.nodes != nil && !f.nodes[e.Node] {
		return h, false
	}
	if f.name != "" && strings.ToLower(normal(e.Name())) != f.name {
		return h, false
	}
	if f.re != nil {
		text := e.ownText()
		m := f.re.FindStringSubmatchIndex(text)
		if m == nil {
			return h, false
		}
		h.part = matched(text, m)
	}
	return h, true
}

func (f *filter) value(buf []byte, h hit) []byte {
	if len(f.Props) == 0 {
		if f.re != nil {
			return appendString(buf, h.part)
		}
		return appendString(buf, h.e.FullText())
	}
	buf = append(buf, '{')
	for i, p := range f.Props {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(appendString(buf, p), ':')
		if p == "text" && f.re != nil {
			buf = appendString(buf, h.part)
			continue
		}
		buf = h.e.appendProp(buf, p)
	}
	return append(buf, '}')
}

// appendProp writes one property of an element, null if it has none of that name.
func (e *Element) appendProp(buf []byte, name string) []byte {
	switch name {
	case "id":
		return appendString(buf, e.ID)
	case "role":
		return appendString(buf, e.Role)
	case "text":
		return appendString(buf, e.FullText())
	case "label":
		return appendOrNull(buf, e.Name())
	case "html_id":
		return appendOrNull(buf, e.HTMLID)
	case "actions":
		return appendStrings(buf, e.Actions())
	case "headers":
		if e.Table != nil {
			return appendWhole(buf, e.Table.Headers)
		}
	case "rows":
		if e.Table != nil {
			return e.Table.appendRows(buf)
		}
	case "row_count":
		if e.Table != nil {
			return appendInt(buf, len(e.Table.Rows))
		}
	case "url":
		if _, ok := e.Attr("url"); !ok {
			name = "href"
		}
	}
	for i := range e.Attrs {
		if a := &e.Attrs[i]; a.Name == name && a.Kind != attrTable {
			return appendValue(buf, e, a)
		}
	}
	return append(buf, "null"...)
}

func appendOrNull(buf []byte, s string) []byte {
	if s == "" {
		return append(buf, "null"...)
	}
	return appendString(buf, s)
}

func appendWhole(buf []byte, ss []string) []byte {
	buf = append(buf, '[')
	for i, s := range ss {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendString(buf, s)
	}
	return append(buf, ']')
}

func (t *Table) appendRows(buf []byte) []byte {
	buf = append(buf, '[')
	for i, r := range t.Rows {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendWhole(buf, r)
	}
	return append(buf, ']')
}
