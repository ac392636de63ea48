// Package skim reads of a page what a crawl needs to go on: title, links
// and what the page says to crawlers. [Walk] takes them from a tree that is
// there anyway; [Scan] reads them and the text from tokens, at a fraction of
// what a tree costs, and so knows neither hidden elements nor the parser's
// repairs. The package is pure.
//
// Spec: HTML §4.2 (document metadata), §4.6 (links); RFC 6596 (canonical).
package skim

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Skimmed is what a page says. Addresses are as written; join them to Base.
type Skimmed struct {
	Title     string // white space collapsed
	Base      string // href of the first base element; "": the page's URL
	Canonical string // first link rel=canonical
	Refresh   string // address of a meta refresh
	Robots    []Meta // meta elements that speak to crawlers, by name
	Links     []Link // of a, area, iframe and frame; feeds, next and previous of the head
	Text      string // white space collapsed; Scan only
}

// Meta is a meta element: its name in lower case, and what it says.
type Meta struct{ Name, Content string }

// Link is one place that a page leads to.
type Link struct {
	Href     string
	NoFollow bool // rel has nofollow
}

// maxLinks bounds the links of one page.
const maxLinks = 100_000

// Walk reads the tree of a document.
func Walk(root *html.Node) Skimmed {
	var c collector
	titled := false
	for n := root; n != nil; {
		skip := false
		if n.Type == html.ElementNode && n.Namespace == "" {
			switch n.DataAtom {
			case atom.Template, atom.Script, atom.Style:
				skip = true
			case atom.Title:
				if !titled && n.FirstChild != nil {
					titled = true
					c.out.Title = strings.Join(strings.Fields(n.FirstChild.Data), " ")
				}
			case atom.A, atom.Area, atom.Base, atom.Link, atom.Meta, atom.Iframe, atom.Frame:
				c.element(n.DataAtom, func(name string) string {
					for i := range n.Attr {
						if n.Attr[i].Key == name && n.Attr[i].Namespace == "" {
							return n.Attr[i].Val
						}
					}
					return ""
				})
			}
		}
		n = following(root, n, skip)
	}
	return c.out
}

// following is the next node in tree order, with or without n's children.
func following(root, n *html.Node, skip bool) *html.Node {
	if !skip && n.FirstChild != nil {
		return n.FirstChild
	}
	for ; n != nil && n != root; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// collector takes elements one by one.
type collector struct{ out Skimmed }

func (c *collector) element(name atom.Atom, attr func(string) string) {
	switch name {
	case atom.A, atom.Area:
		c.link(attr("href"), attr("rel"))
	case atom.Iframe, atom.Frame:
		c.link(attr("src"), "")
	case atom.Base:
		if c.out.Base == "" {
			c.out.Base = strings.TrimSpace(attr("href"))
		}
	case atom.Meta:
		c.meta(attr)
	case atom.Link:
		c.head(attr)
	}
}

func (c *collector) link(href, rel string) {
	if href = strings.TrimSpace(href); href == "" || strings.HasPrefix(href, "#") || len(c.out.Links) >= maxLinks {
		return
	}
	c.out.Links = append(c.out.Links, Link{Href: href, NoFollow: rel != "" && hasToken(rel, "nofollow")})
}

func (c *collector) head(attr func(string) string) {
	rel := attr("rel")
	switch {
	case hasToken(rel, "canonical"):
		if c.out.Canonical == "" {
			c.out.Canonical = strings.TrimSpace(attr("href"))
		}
	case hasToken(rel, "next"), hasToken(rel, "prev"):
		c.link(attr("href"), rel)
	case hasToken(rel, "alternate"):
		if t := strings.ToLower(attr("type")); strings.HasPrefix(t, "application/rss+xml") || strings.HasPrefix(t, "application/atom+xml") {
			c.link(attr("href"), rel)
		}
	}
}

// meta keeps what may speak to crawlers: the caller knows its own name.
func (c *collector) meta(attr func(string) string) {
	if name := strings.ToLower(strings.TrimSpace(attr("name"))); name != "" {
		content := attr("content")
		if len(name) <= 32 && len(content) <= 512 && len(c.out.Robots) < 64 && !plainMeta(name) {
			c.out.Robots = append(c.out.Robots, Meta{Name: name, Content: content})
		}
		return
	}
	if !strings.EqualFold(strings.TrimSpace(attr("http-equiv")), "refresh") || c.out.Refresh != "" {
		return
	}
	_, rest, ok := strings.Cut(attr("content"), "=")
	if before, _, _ := strings.Cut(attr("content"), "="); ok && strings.Contains(strings.ToLower(before), "url") {
		c.out.Refresh = strings.Trim(rest, " \t\r\n'\"")
	}
}

// plainMeta are the commonest names that speak to nobody we know.
func plainMeta(name string) bool {
	switch name {
	case "viewport", "description", "keywords", "author", "generator", "theme-color":
		return true
	}
	return strings.Contains(name, ":")
}

func hasToken(list, token string) bool {
	if len(list) < len(token) {
		return false
	}
	for f := range strings.FieldsSeq(list) {
		if strings.EqualFold(f, token) {
			return true
		}
	}
	return false
}

// Scan reads the tokens of a document, which is UTF-8.
func Scan(src []byte) Skimmed {
	s := scanner{text: make([]byte, 0, len(src)/4)}
	z := html.NewTokenizer(bytes.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			s.out.Text = string(s.text)
			return s.out
		case html.TextToken:
			if s.hidden == 0 {
				s.words(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			s.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			s.end(atom.Lookup(name))
		}
	}
}

type scanner struct {
	collector
	text   []byte
	space  bool // a border stands before the next word
	hidden int  // elements open whose text is not shown
	title  int  // 1: within the first title, 2: behind it
	from   int  // of text, where the title begins
}

func (s *scanner) start(z *html.Tokenizer) {
	tag, more := z.TagName()
	name := atom.Lookup(tag)
	switch name {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Noframes:
		s.hidden++
		return
	case atom.Title:
		if s.title == 0 && s.hidden == 0 {
			s.title, s.from = 1, len(s.text)
		}
		s.space = true
		return
	case atom.A, atom.Area, atom.Base, atom.Link, atom.Meta, atom.Iframe, atom.Frame:
		if more && s.hidden == 0 {
			attrs := readAttrs(z)
			s.element(name, attrs.get)
		}
	}
	if !inline(name) {
		s.space = true
	}
}

func (s *scanner) end(name atom.Atom) {
	switch name {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Noframes:
		s.hidden = max(s.hidden-1, 0)
	case atom.Title:
		if s.title == 1 {
			s.title = 2
			s.out.Title = strings.TrimSpace(string(s.text[s.from:]))
			s.text = s.text[:s.from] // the head is no text of the page
		}
	}
	if !inline(name) {
		s.space = true
	}
}

// words appends text with its white space collapsed.
func (s *scanner) words(t []byte) {
	for len(t) > 0 {
		i := 0
		for i < len(t) && isSpace(t[i]) {
			i++
		}
		if i > 0 {
			s.space = true
			t = t[i:]
			continue
		}
		for i < len(t) && !isSpace(t[i]) {
			i++
		}
		if s.space && len(s.text) > 0 {
			s.text = append(s.text, ' ')
		}
		s.space = false
		s.text = append(s.text, t[:i]...)
		t = t[i:]
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// inline elements do not separate words.
func inline(name atom.Atom) bool {
	switch name {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Data, atom.Dfn, atom.Em, atom.Font,
		atom.I, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strong,
		atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// attrs are the first attributes of a tag.
type attrs struct {
	names  [16]string
	values [16]string
	n      int
}

func readAttrs(z *html.Tokenizer) *attrs {
	a := &attrs{}
	for more := true; more; {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch string(k) {
		case "href", "rel", "src", "name", "content", "http-equiv", "type":
			if a.n < len(a.names) {
				a.names[a.n], a.values[a.n] = string(k), string(v)
				a.n++
			}
		}
	}
	return a
}

func (a *attrs) get(name string) string {
	for i := range a.n {
		if a.names[i] == name {
			return a.values[i]
		}
	}
	return ""
}
