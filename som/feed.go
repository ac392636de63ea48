package som

import (
	"bytes"
	"encoding/xml"
	"html"
	"strings"
)

// feed is what an RSS or Atom document says.
type feed struct {
	title, link, about string
	items              []feedItem
}

type feedItem struct{ title, link, summary, date string }

// maxFeedItems bounds what is read of one feed.
const maxFeedItems = 10_000

// xmlPage shows a feed as a list of links, XHTML as HTML and other XML as text.
func xmlPage(in Input) []byte {
	switch rootName(in.Source) {
	case "html":
		return unfoldXHTML(in.Source)
	case "rss", "RDF", "feed":
		if f, ok := readFeed(in.Source); ok {
			return f.page(in)
		}
	}
	var b bytes.Buffer
	beginPage(&b, fileTitle(in.URL))
	writePre(&b, string(in.Source))
	return b.Bytes()
}

func newXMLDecoder(src []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(src))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	return d
}

func rootName(src []byte) string {
	d := newXMLDecoder(src)
	d.CharsetReader = utf8Already
	for {
		tok, err := d.Token()
		if err != nil {
			return ""
		}
		if s, ok := tok.(xml.StartElement); ok {
			return s.Name.Local
		}
	}
}

// readFeed reads RSS 0.9 to 2.0 and Atom token by token. A feed that breaks off
// gives what came before.
func readFeed(src []byte) (feed, bool) {
	d := newXMLDecoder(src)
	d.CharsetReader = utf8Already
	var f feed
	var item *feedItem
	var text strings.Builder
	depth := 0
	for {
		tok, err := d.Token()
		if err != nil {
			break
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			depth++
			text.Reset()
			switch tok.Name.Local {
			case "item", "entry":
				if len(f.items) < maxFeedItems {
					f.items = append(f.items, feedItem{})
					item = &f.items[len(f.items)-1]
				}
			case "link":
				f.atomLink(item, tok)
			}
		case xml.CharData:
			text.Write(tok)
		case xml.EndElement:
			depth--
			if tok.Name.Local == "item" || tok.Name.Local == "entry" {
				item = nil
				continue
			}
			f.set(item, tok.Name.Local, strings.TrimSpace(text.String()))
			text.Reset()
		}
	}
	return f, f.title != "" || len(f.items) > 0
}

func (f *feed) atomLink(item *feedItem, s xml.StartElement) {
	href, rel := "", ""
	for _, a := range s.Attr {
		switch a.Name.Local {
		case "href":
			href = a.Value
		case "rel":
			rel = a.Value
		}
	}
	if href != "" && (rel == "" || rel == "alternate") {
		f.set(item, "link", href)
	}
}

func (f *feed) set(item *feedItem, name, value string) {
	if value == "" {
		return
	}
	first := func(p *string) {
		if *p == "" {
			*p = value
		}
	}
	if item == nil {
		if len(f.items) > 0 && name != "title" {
			return
		}
		switch name {
		case "title":
			first(&f.title)
		case "link":
			first(&f.link)
		case "description", "subtitle":
			first(&f.about)
		}
		return
	}
	switch name {
	case "title":
		first(&item.title)
	case "link":
		first(&item.link)
	case "guid":
		if strings.HasPrefix(value, "http") {
			first(&item.link)
		}
	case "description", "summary", "content", "encoded":
		first(&item.summary)
	case "pubDate", "published", "updated", "date":
		first(&item.date)
	}
}

// page writes the feed as HTML. Summaries are HTML themselves more often than
// not; what they hold is read as text.
func (f feed) page(in Input) []byte {
	var b bytes.Buffer
	beginPage(&b, f.title)
	b.WriteString("<h1>" + html.EscapeString(f.title) + "</h1>")
	if f.about != "" {
		b.WriteString("<p>" + html.EscapeString(f.about) + "</p>")
	}
	b.WriteString("<ul>")
	for _, it := range f.items {
		title := it.title
		if title == "" {
			title = it.link
		}
		b.WriteString("<li>")
		if it.link != "" {
			b.WriteString(`<a href="` + html.EscapeString(it.link) + `">` + html.EscapeString(title) + "</a>")
		} else {
			b.WriteString(html.EscapeString(title))
		}
		if it.date != "" {
			b.WriteString(" <time>" + html.EscapeString(it.date) + "</time>")
		}
		if s := plainText(it.summary); s != "" {
			b.WriteString("<p>" + html.EscapeString(s) + "</p>")
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ul>")
	return b.Bytes()
}
