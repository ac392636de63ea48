package metadata

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// syntax is the attributes by which microdata or RDFa Lite marks items up.
type syntax struct {
	scope, types, prop, id string
	rdfa                   bool
}

func microdataSyntax() syntax {
	return syntax{scope: "itemscope", types: "itemtype", prop: "itemprop", id: "itemid"}
}

func rdfaSyntax() syntax {
	return syntax{scope: "typeof", types: "typeof", prop: "property", id: "resource", rdfa: true}
}

// Limits on items.
const (
	maxDepth   = 12  // items in items
	maxText    = 500 // runes of a property
	maxProps   = 200 // values of an item
	maxItemRef = 20
	maxSteps   = 1 << 20 // nodes looked at for all items of a page
)

// An item is a microdata or RDFa item.
type item struct {
	typ, id string
	props   []prop
}

// A prop is a property's value: text, or an item.
type prop struct {
	name, text string
	item       *item
}

// items writes the items of the types that matter, the outermost of them.
func (c *collector) items() {
	for _, n := range c.scopes {
		c.data.microdata = c.outermost(c.data.microdata, n, microdataSyntax(), 0)
	}
	for _, n := range c.typed {
		c.data.rdfa = c.outermost(c.data.rdfa, n, rdfaSyntax(), 0)
	}
}

// outermost appends the item at n if its type matters, else those in it.
func (c *collector) outermost(dst []byte, n *html.Node, s syntax, depth int) []byte {
	if t := typeOf(n, s); matters(t) {
		r := itemReader{c: c, s: s, open: map[*html.Node]bool{}}
		it := r.read(n, 0)
		if len(it.props) == 0 {
			return dst
		}
		b := it.append(nil)
		if len(dst)+len(b)+1 > maxItems {
			return dst
		}
		if len(dst) > 0 {
			dst = append(dst, ',')
		}
		return append(dst, b...)
	}
	if depth > maxDepth {
		return dst
	}
	for d := next(n, n); d != nil && c.step(); {
		if d.Type == html.ElementNode && hasAttr(d, s.scope) {
			dst = c.outermost(dst, d, s, depth+1)
			d = after(d, n)
			continue
		}
		d = next(d, n)
	}
	return dst
}

// step counts a node that is looked at for items. References and nested
// properties can lead to the same nodes over and over.
func (c *collector) step() bool {
	c.steps++
	return c.steps <= maxSteps
}

// typeOf is an item's first type: the name if it is of schema.org or the old
// data-vocabulary.org, else as written.
func typeOf(n *html.Node, s syntax) string {
	t := ""
	if f := strings.Fields(attr(n, s.types)); len(f) > 0 {
		t = f[0]
	}
	return localName(t)
}

func localName(t string) string {
	rest := t
	for _, p := range [...]string{"https://", "http://", "//", "www."} {
		rest = strings.TrimPrefix(rest, p)
	}
	for _, p := range [...]string{"schema.org/", "data-vocabulary.org/", "schema:"} {
		if strings.HasPrefix(rest, p) {
			return strings.TrimLeft(rest[len(p):], "#/")
		}
	}
	return t
}

// matters says that a schema.org type is one an agent asks for. Types for the
// parts of a page, such as WPHeader, only repeat its text.
func matters(t string) bool {
	switch t {
	case "Product", "ProductGroup", "ProductModel", "IndividualProduct", "SomeProducts", "Offer",
		"AggregateOffer", "Article", "NewsArticle", "BlogPosting", "SocialMediaPosting",
		"DiscussionForumPosting", "TechArticle", "ScholarlyArticle", "MedicalScholarlyArticle",
		"Report", "LiveBlogPosting", "AdvertiserContentArticle", "SatiricalArticle",
		"BackgroundNewsArticle", "OpinionNewsArticle", "ReviewNewsArticle", "AnalysisNewsArticle",
		"BreadcrumbList", "Breadcrumb", "ListItem", "Review", "AggregateRating", "Review-aggregate",
		"Recipe", "Event", "MusicEvent", "SportsEvent", "TheaterEvent", "Festival", "Book", "Movie",
		"TVSeries", "VideoObject", "JobPosting", "Person", "Organization", "LocalBusiness", "Store",
		"Restaurant", "Hotel", "LodgingBusiness", "Place", "FAQPage", "QAPage", "Question", "HowTo",
		"SoftwareApplication", "MobileApplication", "WebApplication", "SoftwareSourceCode", "Course",
		"Dataset", "CreativeWork", "MusicAlbum", "MusicRecording", "Vehicle", "Car", "Residence",
		"House", "Apartment", "RealEstateListing":
		return true
	}
	return false
}

// itemReader reads one item with what it contains.
type itemReader struct {
	c    *collector
	s    syntax
	open map[*html.Node]bool // items being read; itemref may make cycles
	size int
}

func (r *itemReader) read(n *html.Node, depth int) *item {
	it := &item{typ: typeOf(n, r.s)}
	it.id = r.url(attr(n, r.s.id))
	if it.id == "" && r.s.rdfa { // RDFa Core, typed resource
		it.id = r.url(attr(n, "href"))
	}
	if depth > maxDepth || r.open[n] {
		return it
	}
	r.open[n] = true
	defer delete(r.open, n)
	r.below(it, n, depth)
	if ref := attr(n, "itemref"); ref != "" && !r.s.rdfa {
		for i, id := range strings.Fields(ref) {
			if m := r.c.elementByID(id); m != nil && i < maxItemRef && !r.open[m] {
				if hasAttr(m, r.s.prop) {
					r.property(it, m, depth)
				}
				if !hasAttr(m, r.s.scope) {
					r.below(it, m, depth)
				}
			}
		}
	}
	return it
}

// below reads the properties among the descendants of n.
func (r *itemReader) below(it *item, n *html.Node, depth int) {
	for d := next(n, n); d != nil && r.c.step(); {
		if d.Type != html.ElementNode {
			d = next(d, n)
			continue
		}
		if hasAttr(d, r.s.prop) {
			r.property(it, d, depth)
		}
		if hasAttr(d, r.s.scope) {
			d = after(d, n)
			continue
		}
		d = next(d, n)
	}
}

func (r *itemReader) property(it *item, n *html.Node, depth int) {
	if len(it.props) >= maxProps || r.size > maxItems {
		return
	}
	var p prop
	if hasAttr(n, r.s.scope) {
		p.item = r.read(n, depth+1)
	} else {
		p.text = cut(collapse(r.value(n)), maxText)
		if p.text == "" {
			return
		}
	}
	for _, name := range strings.Fields(attr(n, r.s.prop)) {
		p.name = localName(name)
		if strings.Contains(p.name, ":") && !strings.Contains(p.name, "//") && r.s.rdfa {
			continue // of another vocabulary
		}
		r.size += len(p.name) + len(p.text) + 8
		it.props = append(it.props, p)
	}
}

// value is a property's value (HTML, microdata, values; RDFa Lite adds content
// and resource on any element).
func (r *itemReader) value(n *html.Node) string {
	// In microdata content means something on meta only, but many sites put it
	// elsewhere too, and search engines read it there.
	if v := attr(n, "content"); v != "" || n.DataAtom == atom.Meta {
		return v
	}
	if r.s.rdfa && hasAttr(n, "resource") {
		return r.url(attr(n, "resource"))
	}
	switch n.DataAtom {
	case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
		return r.url(attr(n, "src"))
	case atom.A, atom.Area, atom.Link:
		if hasAttr(n, "href") {
			return r.url(attr(n, "href"))
		}
	case atom.Object:
		return r.url(attr(n, "data"))
	case atom.Data, atom.Meter:
		return attr(n, "value")
	case atom.Time:
		if v := attr(n, "datetime"); v != "" {
			return v
		}
	}
	return r.c.visibleText(n)
}

func (r *itemReader) url(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxValue {
		return ""
	}
	if abs, ok := r.c.resolver.Resolve(s); ok {
		return abs
	}
	return s
}

// visibleText is the text in n without scripts and styles, as far as it will be
// kept.
func (c *collector) visibleText(n *html.Node) string {
	var b strings.Builder
	for d := n.FirstChild; d != nil && b.Len() < 8*maxText && c.step(); {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Script, d.DataAtom == atom.Style, d.DataAtom == atom.Template:
			d = after(d, n)
			continue
		case d.Type == html.ElementNode && !isInline(d.DataAtom):
			b.WriteByte(' ')
		}
		d = next(d, n)
	}
	return b.String()
}

func isInline(a atom.Atom) bool {
	switch a {
	case atom.Span, atom.A, atom.B, atom.I, atom.Em, atom.Strong, atom.Small, atom.Sup, atom.Sub,
		atom.Abbr, atom.Mark, atom.U, atom.S, atom.Font, atom.Wbr:
		return true
	}
	return false
}

func (c *collector) elementByID(id string) *html.Node {
	if c.byID == nil {
		c.byID = map[string]*html.Node{}
		for n := c.root; n != nil; n = next(n, c.root) {
			if v := attr(n, "id"); v != "" && n.Type == html.ElementNode && c.byID[v] == nil {
				c.byID[v] = n
			}
		}
	}
	return c.byID[id]
}

// append writes the item as JSON-LD would. Properties stand in the order in
// which their names were first met; several values of one make an array.
func (it *item) append(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.str("@type", it.typ)
	o.str("@id", it.id)
	at := map[string][]int{}
	for i := range it.props {
		at[it.props[i].name] = append(at[it.props[i].name], i)
	}
	for i := range it.props {
		name := it.props[i].name
		same := at[name]
		if same[0] != i || name == "" {
			continue
		}
		o.key(name)
		if len(same) > 1 {
			o.dst = append(o.dst, '[')
		}
		for j, k := range same {
			if j > 0 {
				o.dst = append(o.dst, ',')
			}
			o.dst = it.props[k].append(o.dst)
		}
		if len(same) > 1 {
			o.dst = append(o.dst, ']')
		}
	}
	return append(o.dst, '}')
}

func (p *prop) append(dst []byte) []byte {
	if p.item != nil {
		return p.item.append(dst)
	}
	return appendString(dst, p.text)
}
