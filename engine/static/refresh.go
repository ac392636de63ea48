package static

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
	"plasmate/som/dom"
	"plasmate/som/weburl"
)

// findRefresh is the refresh that a document asks for by its header, else by a
// meta element; nil if it asks for none.
func findRefresh(doc *document) *engine.Refresh {
	for _, v := range doc.header.Values("Refresh") {
		if r := parseRefresh(v, doc.url, "utf-8", doc.url); r != nil {
			return r
		}
	}
	if !isMarkup(doc.contentType) || !mentionsRefresh(doc.source) {
		return nil
	}
	root := dom.Parse(doc.source).Root
	base := baseURL(root, doc.url)
	for n := range root.Descendants() {
		if !isElement(n, "meta") || !strings.EqualFold(forms.Attr(n, "http-equiv"), "refresh") || inTemplate(n) {
			continue
		}
		if r := parseRefresh(forms.Attr(n, "content"), base, doc.encoding, doc.url); r != nil {
			return r
		}
	}
	return nil
}

// mentionsRefresh says whether the source has http-equiv=refresh, however it is
// written, which spares the other documents a parse. An attribute value could
// spell the word with character references, but nobody does.
func mentionsRefresh(src []byte) bool {
	const before, after = "http-e", "uiv"
	for _, q := range []byte("qQ") { // a rare letter of http-equiv
		for rest := src; ; {
			i := bytes.IndexByte(rest, q)
			if i < 0 {
				break
			}
			end := min(i+64, len(rest))
			if i >= len(before) && bytes.EqualFold(rest[i-len(before):i], []byte(before)) && isRefresh(rest[i+1:end], after) {
				return true
			}
			rest = rest[i+1:]
		}
	}
	return false
}

func isRefresh(s []byte, rest string) bool {
	if len(s) < len(rest) || !bytes.EqualFold(s[:len(rest)], []byte(rest)) {
		return false
	}
	s = bytes.TrimLeft(s[len(rest):], asciiSpace+"='\"")
	return len(s) >= len("refresh") && bytes.EqualFold(s[:len("refresh")], []byte("refresh"))
}

func inTemplate(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if isElement(n, "template") {
			return true
		}
	}
	return false
}

// parseRefresh reads the value of a refresh; nil if it is none, or leads to what
// cannot be fetched. Without an address it leads to self.
//
// Spec: HTML, shared declarative refresh steps.
func parseRefresh(input, base, encoding, self string) *engine.Refresh {
	s := strings.TrimLeft(input, asciiSpace)
	digits := leading(s, "0123456789")
	if digits == "" && !strings.HasPrefix(s, ".") {
		return nil
	}
	s = strings.TrimLeft(s[len(digits):], "0123456789.")
	r := &engine.Refresh{After: seconds(digits), URL: self}
	if s == "" {
		return r
	}
	if !strings.ContainsRune(asciiSpace+";,", rune(s[0])) {
		return nil
	}
	s = strings.TrimLeft(s, asciiSpace)
	if s != "" && (s[0] == ';' || s[0] == ',') {
		s = strings.TrimLeft(s[1:], asciiSpace)
	}
	if s == "" {
		return r
	}
	abs, ok := weburl.NewResolver(base, weburl.QueryEncoding(encoding)).Resolve(refreshTarget(s))
	if !ok {
		return nil
	}
	switch u, err := weburl.Parse(abs); {
	case err != nil:
		return nil
	case u.Scheme() == "http", u.Scheme() == "https", u.Scheme() == "data", u.Scheme() == "about":
		r.URL = abs
		return r
	}
	return nil
}

// refreshTarget takes "url=" and quotes off an address.
func refreshTarget(s string) string {
	rest := s
	if rest[0] == 'u' || rest[0] == 'U' {
		if len(rest) < 3 || !strings.EqualFold(rest[:3], "url") {
			return s
		}
		rest = strings.TrimLeft(rest[3:], asciiSpace)
		if !strings.HasPrefix(rest, "=") {
			return s
		}
		rest = strings.TrimLeft(rest[1:], asciiSpace)
	}
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	return rest
}

func leading(s, set string) string {
	return s[:len(s)-len(strings.TrimLeft(s, set))]
}

// seconds reads digits; more than a day is a day.
func seconds(digits string) time.Duration {
	n, err := strconv.Atoi(digits)
	if digits == "" {
		return 0
	}
	if err != nil || n > 86400 {
		n = 86400
	}
	return time.Duration(n) * time.Second
}

const asciiSpace = " \t\n\f\r"

// baseURL: HTML, document base URLs: the first base element with an href counts,
// but not where it leads to data: or javascript:.
func baseURL(root *html.Node, url string) string {
	for n := range root.Descendants() {
		if !isElement(n, "base") || !forms.HasAttr(n, "href") || inTemplate(n) {
			continue
		}
		u, err := weburl.Parse(url)
		if err != nil {
			return url
		}
		b, err := u.Join(forms.Attr(n, "href"))
		if err != nil || b.Scheme() == "data" || b.Scheme() == "javascript" {
			return url
		}
		return b.String()
	}
	return url
}
