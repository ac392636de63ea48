package metadata

import (
	"strconv"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som/weburl"
)

// Limits. Values are cut; what lies beyond the others is left out.
const (
	maxValue   = 2000      // runes of a meta or link value
	maxJSONLD  = 256 << 10 // bytes of all JSON-LD together
	maxItems   = 64 << 10  // bytes of all microdata, and of all RDFa
	maxEntries = 500       // members of each object and of links
	maxRepeats = 100       // values of one key
	maxHead    = 128 << 10 // bytes of each object's, and of all links', strings
)

// Data is what was collected. Its zero value is empty.
type Data struct {
	jsonLD    [][]byte
	ldBytes   int
	ldErrors  int
	openGraph pairs
	twitter   pairs
	meta      pairs
	links     []link
	linkBytes int
	microdata []byte // members of the array
	rdfa      []byte
}

// pairs keeps keys in the order they were first seen, with all their values.
type pairs struct {
	keys   []string
	size   int // bytes
	values map[string][]string
}

func (p *pairs) add(key, value string) {
	if value == "" || p.size+len(key)+len(value) > maxHead {
		return
	}
	have := p.values[key]
	if have == nil {
		if len(p.keys) >= maxEntries {
			return
		}
		if p.values == nil {
			p.values = map[string][]string{}
		}
		p.keys = append(p.keys, key)
	}
	if len(have) >= maxRepeats {
		return
	}
	for _, v := range have {
		if v == value {
			return
		}
	}
	p.size += len(key) + len(value)
	p.values[key] = append(have, value)
}

// Collect reads a document's metadata. base is the document base URL; what the
// response said comes behind what the document says.
func Collect(root *html.Node, base string, headers ...Header) Data {
	c := collector{resolver: weburl.NewResolver(base), root: root}
	if root != nil {
		c.tree()
	}
	for _, h := range headers {
		c.header(h)
	}
	return c.data
}

func (c *collector) tree() {
	root := c.root
	for n := root; n != nil; n = next(n, root) {
		if n.Type == html.ElementNode {
			c.element(n)
		}
	}
	c.items()
}

// collector is a collection in progress.
type collector struct {
	data     Data
	resolver *weburl.Resolver
	root     *html.Node
	byID     map[string]*html.Node // made for the first itemref
	steps    int
	scopes   []*html.Node // elements with itemscope, outermost only
	typed    []*html.Node // elements with typeof, outermost only
}

func (c *collector) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Meta:
		c.metaElement(n)
	case atom.Link:
		c.linkElement(n)
	case atom.Script:
		c.script(n)
		return
	}
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "itemscope":
			if !inside(n, c.scopes) {
				c.scopes = append(c.scopes, n)
			}
		case "typeof":
			if !inside(n, c.typed) {
				c.typed = append(c.typed, n)
			}
		}
	}
}

// inside says that n lies in the last of roots; the others have been left
// behind, as n is met in tree order.
func inside(n *html.Node, roots []*html.Node) bool {
	if len(roots) == 0 {
		return false
	}
	last := roots[len(roots)-1]
	for p := n.Parent; p != nil; p = p.Parent {
		if p == last {
			return true
		}
	}
	return false
}

// next is the node after n in tree order; template contents are left out.
func next(n, top *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	return after(n, top)
}

// after is the node after n and all that it contains.
func after(n, top *html.Node) *html.Node {
	for n != top && n != nil {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// Empty says that nothing was found.
func (d Data) Empty() bool {
	return len(d.jsonLD) == 0 && d.ldErrors == 0 && len(d.openGraph.keys) == 0 && len(d.twitter.keys) == 0 &&
		len(d.meta.keys) == 0 && len(d.links) == 0 && len(d.microdata) == 0 && len(d.rdfa) == 0
}

// AppendJSON appends the structured_data object, compact; "{}" if d is empty.
func (d Data) AppendJSON(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	if len(d.jsonLD) > 0 {
		o.key("json_ld")
		o.dst = append(o.dst, '[')
		for i, b := range d.jsonLD {
			if i > 0 {
				o.dst = append(o.dst, ',')
			}
			o.dst = append(o.dst, b...)
		}
		o.dst = append(o.dst, ']')
	}
	if d.ldErrors > 0 {
		o.key("json_ld_errors")
		o.dst = strconv.AppendInt(o.dst, int64(d.ldErrors), 10)
	}
	o.pairs("open_graph", &d.openGraph)
	o.pairs("twitter_card", &d.twitter)
	o.pairs("meta", &d.meta)
	if len(d.links) > 0 {
		o.key("links")
		o.dst = append(o.dst, '[')
		for i := range d.links {
			if i > 0 {
				o.dst = append(o.dst, ',')
			}
			o.dst = d.links[i].append(o.dst)
		}
		o.dst = append(o.dst, ']')
	}
	o.array("microdata", d.microdata)
	o.array("rdfa", d.rdfa)
	o.repeated(&d.openGraph, &d.twitter, &d.meta)
	return append(o.dst, '}')
}

// object writes the members of a JSON object.
type object struct {
	dst []byte
	any bool
}

func (o *object) key(k string) {
	if o.any {
		o.dst = append(o.dst, ',')
	}
	o.any = true
	o.dst = append(appendString(o.dst, k), ':')
}

func (o *object) str(k, v string) {
	if v != "" {
		o.key(k)
		o.dst = appendString(o.dst, v)
	}
}

func (o *object) array(k string, members []byte) {
	if len(members) > 0 {
		o.key(k)
		o.dst = append(append(append(o.dst, '['), members...), ']')
	}
}

func (o *object) pairs(k string, p *pairs) {
	if len(p.keys) == 0 {
		return
	}
	o.key(k)
	in := object{dst: append(o.dst, '{')}
	for _, k := range p.keys {
		in.str(k, p.values[k][0])
	}
	o.dst = append(in.dst, '}')
}

func (o *object) repeated(all ...*pairs) {
	in := object{}
	for _, p := range all {
		for _, k := range p.keys {
			if values := p.values[k]; len(values) > 1 {
				in.key(k)
				in.dst = append(in.dst, '[')
				for i, v := range values {
					if i > 0 {
						in.dst = append(in.dst, ',')
					}
					in.dst = appendString(in.dst, v)
				}
				in.dst = append(in.dst, ']')
			}
		}
	}
	if in.any {
		o.key("repeated")
		o.dst = append(append(append(o.dst, '{'), in.dst...), '}')
	}
}

// appendString appends a JSON string without escaping HTML. Bytes that are no
// UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			dst = append(append(dst, s[start:i]...), "\ufffd"...)
		} else if b >= ' ' && b != '"' && b != '\\' {
			i++
			continue
		} else {
			dst = append(dst, s[start:i]...)
			switch b {
			case '"', '\\':
				dst = append(dst, '\\', b)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\t':
				dst = append(dst, '\\', 't')
			case '\r':
				dst = append(dst, '\\', 'r')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
			}
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}
