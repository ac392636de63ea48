package metadata

import (
	"strings"

	"golang.org/x/net/html"
)

// link is a link element that leads somewhere.
type link struct{ rel, href, url, typ, hreflang, title string }

func (l *link) append(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.str("rel", l.rel)
	o.key("href")
	o.dst = appendString(o.dst, l.href)
	o.str("url", l.url)
	o.str("type", l.typ)
	o.str("hreflang", l.hreflang)
	o.str("title", l.title)
	return append(o.dst, '}')
}

func (c *collector) metaElement(n *html.Node) {
	content := cut(collapse(attr(n, "content")), maxValue)
	if content == "" {
		return
	}
	if p := attr(n, "property"); p != "" {
		for _, name := range strings.Fields(strings.ToLower(p)) {
			c.named(name, content, true)
		}
	}
	if name := collapse(strings.ToLower(attr(n, "name"))); name != "" {
		c.named(name, content, false)
	}
	if e := strings.ToLower(strings.TrimSpace(attr(n, "http-equiv"))); e == "refresh" || e == "content-language" {
		c.data.meta.add(e, content)
	}
}

// named files a value under its name. Sites mix up name and property, so both
// are taken for the prefixed names.
func (c *collector) named(name, content string, property bool) {
	switch {
	case strings.HasPrefix(name, "twitter:"):
		c.data.twitter.add(name, content)
	case isOpenGraph(name):
		c.data.openGraph.add(name, content)
	case isMetaName(name):
		c.data.meta.add(name, content)
	}
}

func (c *collector) linkElement(n *html.Node) {
	rel := collapse(strings.ToLower(attr(n, "rel")))
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" || !leads(rel) {
		return
	}
	c.addLink(link{
		rel: rel, href: href,
		typ:      collapse(strings.ToLower(attr(n, "type"))),
		hreflang: collapse(attr(n, "hreflang")),
		title:    cut(collapse(attr(n, "title")), maxValue),
	})
}

// addLink keeps a link that leads somewhere, once.
func (c *collector) addLink(l link) {
	href := l.href
	if href == "" || !leads(l.rel) || len(c.data.links) >= maxEntries || len(href) > maxValue {
		return
	}
	if abs, ok := c.resolver.Resolve(href); ok && abs != href {
		l.url = abs
	}
	for i := range c.data.links {
		if c.data.links[i] == l {
			return
		}
	}
	c.data.linkBytes += len(l.rel) + len(l.href) + len(l.url) + len(l.typ) + len(l.hreflang) + len(l.title)
	if c.data.linkBytes > maxHead {
		return
	}
	c.data.links = append(c.data.links, l)
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

// collapse trims s and makes runs of white space one space.
func collapse(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		switch s[i] {
		case '\t', '\n', '\r', '\f':
			clean = false
		case ' ':
			clean = i > 0 && i < len(s)-1 && s[i+1] != ' '
		}
	}
	if clean {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f'
	}), " ")
}

// cut shortens s to max runes, the last three of which are "...".
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	keep := 0
	for i := range s {
		if n == limit-3 {
			keep = i
		}
		if n++; n > limit {
			return strings.TrimRight(s[:keep], " ") + "..."
		}
	}
	return s
}
