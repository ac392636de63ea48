package textview

import (
	"sort"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// Search is what is looked for in a page (text protocol §11, find).
type Search struct {
	// Query is words, all of which must occur, and the filters role:NAME,
	// label:WORD, text:WORD; a minus before one excludes what it fits. css: and a
	// selector is the whole query, and Nodes has what it matched.
	Query string
	Nodes []som.NodeID // of a css: query, in tree order
	Limit int          // 0: 10
	Links bool

	At    At
	Vault *privacy.Vault
}

// maxFound bounds what one search prints.
const maxFound = 50

// hit is a line that fits.
type hit struct {
	b     *block
	c     *control
	level int
}

// Find prints the controls and lines that fit a query, the best first.
// Folded content is searched, too.
func Find(page *som.Page, refs *Refs, s Search) string {
	d := read(page, s.Vault, nil)
	refs.bind(d, s.At)
	limit := min(max(s.Limit, 0), maxFound)
	if limit == 0 {
		limit = 10
	}
	byID := map[som.NodeID]candidate{}
	for _, c := range d.candidates() {
		byID[c.id] = c
	}
	lim := limitsOf(Full)
	lim.links = s.Links
	p := newPrinter(d, refs, lim, byID)
	var hits []hit
	head := ""
	if css, ok := strings.CutPrefix(s.Query, "css:"); ok {
		hits, head = d.byNodes(s.Nodes, css)
	} else {
		hits = d.matching(parseQuery(s.Query))
		head = itoa(min(len(hits), limit)) + " of " + itoa(len(hits)) + " for " + oneLine(s.Query)
	}
	var w strings.Builder
	w.WriteString(head)
	for _, h := range hits[:min(len(hits), limit)] {
		w.WriteString("\n" + p.hitText(h))
	}
	if len(hits) == 0 {
		if near := d.near(s.Query); near != "" {
			w.WriteString("\nclose: " + near)
		}
	}
	p.commit()
	return w.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// hitText is a control's or block's line and the path to it.
func (p *printer) hitText(h hit) string {
	var refs []int
	s := ""
	if h.c != nil {
		s = p.controlText(h.c, &refs)
	} else {
		for i, r := range h.b.runs {
			if i > 0 {
				s += " | "
			}
			s += p.runText(r, h.b, i == 0, false, true, &refs)
		}
		if h.b.kind == heading {
			s = "h" + itoa(max(h.b.level, 1)) + " " + s
		}
	}
	p.lines = append(p.lines, out{refs: refs})
	if path := pathOf(h.b); path != "" {
		s += " · " + path
	}
	return s
}

// pathOf names the containers around a block.
func pathOf(b *block) string {
	var parts []string
	for u := b.up; u != nil; u = u.up {
		if u.alias != "" {
			s := u.alias
			if u.name != "" {
				s += " " + quote(u.name)
			}
			parts = append([]string{s}, parts...)
		}
	}
	return strings.Join(parts, " > ")
}

// query is a parsed Search.Query.
type query struct{ terms []term }

type term struct {
	field string // "", role, label, text
	word  string
	not   bool
}

func parseQuery(q string) query {
	var out query
	for _, f := range strings.Fields(q) {
		t := term{}
		if len(f) > 1 && f[0] == '-' {
			t.not, f = true, f[1:]
		}
		for _, k := range [...]string{"role", "label", "text"} {
			if v, ok := strings.CutPrefix(f, k+":"); ok && v != "" {
				t.field, f = k, v
			}
		}
		t.word = folded(f)
		out.terms = append(out.terms, t)
	}
	return out
}

// folded is s without case and accents.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// levels of a hit, the best first.
const (
	exactName = iota
	prefixName
	partOfName
	inText
	noHit
)

func (d *doc) matching(q query) []hit {
	var hits []hit
	d.root.walk(func(b *block) bool {
		if b.kind == place {
			return true
		}
		any := false
		for _, r := range b.runs {
			for _, p := range r {
				if p.ctl == nil {
					continue
				}
				if l := q.control(p.ctl); l < noHit {
					hits = append(hits, hit{b, p.ctl, l})
					any = true
				}
			}
		}
		if !any && q.block(b) {
			hits = append(hits, hit{b, nil, inText})
		}
		return true
	})
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].level < hits[j].level })
	return hits
}

func (q query) control(c *control) int {
	name, all := folded(c.name), folded(c.name+" "+c.value)
	var words []string
	for _, t := range q.terms {
		fits := false
		switch t.field {
		case "role":
			fits = c.role == t.word
		case "label":
			fits = strings.Contains(name, t.word)
		default:
			fits = strings.Contains(all, t.word)
			if t.field == "" && !t.not {
				words = append(words, t.word)
			}
		}
		if fits == t.not {
			return noHit
		}
	}
	phrase := strings.Join(words, " ")
	switch {
	case phrase == "" || name == phrase:
		return exactName
	case strings.HasPrefix(name, phrase):
		return prefixName
	}
	return partOfName
}

// block reports whether a line's text fits: it is no control's then.
func (q query) block(b *block) bool {
	if len(b.runs) == 0 {
		return false
	}
	var parts []string
	for _, r := range b.runs {
		parts = append(parts, plainRun(r))
	}
	all := folded(strings.Join(parts, " "))
	words := 0
	for _, t := range q.terms {
		fits := strings.Contains(all, t.word)
		switch {
		case t.field == "role":
			fits = t.word == "heading" && b.kind == heading
		case t.field == "label":
			return false
		case !t.not:
			words++
		}
		if fits == t.not {
			return false
		}
	}
	return words > 0 || b.kind == heading && len(q.terms) > 0
}

// near are up to three names that are like what was not found.
func (d *doc) near(q string) string {
	type scored struct {
		name string
		s    int
	}
	var best []scored
	seen := map[string]bool{}
	for _, c := range d.candidates() {
		if c.ctl == nil || c.name == "" || seen[c.name] {
			continue
		}
		seen[c.name] = true
		if s := likeness(c.name, q); s > 0 {
			best = append(best, scored{c.role + " " + quote(c.name), s})
		}
	}
	sort.SliceStable(best, func(i, j int) bool { return best[i].s > best[j].s })
	var out []string
	for _, b := range best[:min(len(best), 3)] {
		out = append(out, b.name)
	}
	return strings.Join(out, ", ")
}

// byNodes are the lines that hold what a selector matched, and its summary.
func (d *doc) byNodes(nodes []som.NodeID, css string) ([]hit, string) {
	holder := map[som.NodeID]hit{}
	d.root.walk(func(b *block) bool {
		if b.kind != place {
			if _, ok := holder[b.id]; !ok && b.id != som.NoNode {
				holder[b.id] = hit{b: b}
			}
			b2 := b
			for _, r := range b.runs {
				for _, p := range r {
					if p.ctl != nil {
						holder[p.ctl.id] = hit{b: b2, c: p.ctl}
					}
				}
			}
		}
		return true
	})
	var hits []hit
	visible := 0
	counts := map[string]int{}
	for _, id := range nodes {
		n := d.page.Node(id)
		if n == nil {
			continue
		}
		if h, ok := holder[id]; ok {
			hits = append(hits, h)
			visible++
		} else if e := d.elements[id]; e != nil && e.Flags&som.FlagHidden == 0 {
			visible++
		}
		for _, w := range strings.Fields(attr(n, "class")) {
			counts[n.Data+"."+w]++
		}
		for _, a := range n.Attr {
			if a.Key != "class" && a.Key != "style" && a.Namespace == "" {
				counts[a.Key]++
			}
		}
	}
	head := "css " + oneLine(css) + ": " + itoa(visible) + " visible of " + itoa(len(nodes))
	return hits, head + commonest(counts)
}

// commonest lists the most frequent classes and attributes of what matched.
func commonest(counts map[string]int) string {
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if counts[keys[i]] != counts[keys[j]] {
			return counts[keys[i]] > counts[keys[j]]
		}
		return keys[i] < keys[j]
	})
	var w strings.Builder
	for _, k := range keys[:min(len(keys), 8)] {
		w.WriteString(" · " + k)
		if n := counts[k]; n > 1 {
			w.WriteString(" ×" + strconv.Itoa(n))
		}
	}
	return w.String()
}
