package static

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html"

	"plasmate/engine/static/forms"
	"plasmate/fetch"
	"plasmate/fetch/charset"
	"plasmate/som"
	"plasmate/som/weburl"
)

// The limits of a document's external style sheets. What is beyond them is left
// out, as what cannot be fetched is: a page without a sheet is still a page.
const (
	maxSheets     = 32
	maxSheetBytes = 1 << 20 // of one
	maxStyleBytes = 4 << 20 // of all
	sheetTime     = 5 * time.Second
	sheetsAtOnce  = 6
)

// withSheets fetches the document's external style sheets; what they hold is
// part of the document from then on, of its hash too.
func (p *page) withSheets(ctx context.Context, doc *document) {
	if !isMarkup(doc.contentType) {
		return
	}
	links := p.sheetLinks(doc)
	if len(links) == 0 {
		return
	}
	ctx, stop := context.WithTimeout(ctx, sheetTime)
	defer stop()
	texts := make([]string, len(links))
	turns := make(chan struct{}, sheetsAtOnce)
	var all sync.WaitGroup
	for i, l := range links {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			texts[i] = p.sheet(ctx, doc, l)
		})
	}
	all.Wait()
	size := 0
	sheets := make(map[som.NodeID]string, len(links))
	for i, l := range links {
		if size += len(texts[i]); texts[i] != "" && size <= maxStyleBytes {
			sheets[l.node] = texts[i]
		}
	}
	doc.setSheets(sheets)
}

// setSheets gives a document its sheets.
func (d *document) setSheets(sheets map[som.NodeID]string) {
	if len(sheets) == 0 {
		return
	}
	d.sheets = sheets
	h := sha256.New()
	h.Write(d.hash[:])
	for _, node := range slices.Sorted(maps.Keys(sheets)) {
		_, _ = fmt.Fprintf(h, "\n%d %d\n%s", node, len(sheets[node]), sheets[node])
	}
	h.Sum(d.hash[:0])
}

// sheetLink is a link element that asks for a style sheet.
type sheetLink struct {
	node   som.NodeID
	url    *weburl.URL
	policy string
}

// sheetLinks are the links to sheets that a browser would apply.
//
// Spec: HTML, link type "stylesheet".
func (p *page) sheetLinks(doc *document) []sheetLink {
	root := doc.tree()
	resolver := weburl.NewResolver(baseURL(root, doc.url), weburl.QueryEncoding(doc.encoding))
	var links []sheetLink
	for id, n := range elements(root) {
		if !isSheetLink(n) || len(links) == maxSheets {
			continue
		}
		abs, ok := resolver.Resolve(forms.Attr(n, "href"))
		if !ok {
			continue
		}
		u, err := weburl.Parse(abs)
		if err != nil || u.Scheme() != "http" && u.Scheme() != "https" && u.Scheme() != "data" {
			continue
		}
		links = append(links, sheetLink{som.NodeID(id), u, cmp.Or(linkPolicy(n), doc.policy)})
	}
	return links
}

func isSheetLink(n *html.Node) bool {
	if !isElement(n, "link") || forms.Attr(n, "href") == "" || forms.HasAttr(n, "disabled") {
		return false
	}
	rel := strings.Fields(strings.ToLower(forms.Attr(n, "rel")))
	kind, _, _ := strings.Cut(strings.ToLower(forms.Attr(n, "type")), ";")
	if !slices.Contains(rel, "stylesheet") || slices.Contains(rel, "alternate") || kind != "" && strings.TrimSpace(kind) != "text/css" {
		return false
	}
	if strings.EqualFold(strings.TrimSpace(forms.Attr(n, "media")), "print") {
		return false
	}
	for a := n.Parent; a != nil; a = a.Parent {
		if isElement(a, "noscript") || isElement(a, "template") && !forms.HasAttr(a, "shadowrootmode") {
			return false
		}
	}
	return true
}

// sheet is the text of a sheet; "" if it cannot be had.
func (p *page) sheet(ctx context.Context, doc *document, l sheetLink) string {
	if l.url.Scheme() == "data" {
		resp, err := dataResponse(l.url)
		if err != nil {
			return ""
		}
		return sheetText(resp, doc.encoding)
	}
	nav := fetch.Navigation{
		Session: p.profile.Session, URL: l.url.String(), Header: p.sessionHeader(l.url, navigation{from: doc}),
		UserAgent: p.profile.UserAgent, AcceptLanguage: p.profile.AcceptLanguage,
		Referrer: doc.url, ReferrerPolicy: l.policy, Proxy: p.profile.Network.Proxy,
		MaxRedirects: p.engine.config.MaxRedirects, MaxBodyBytes: maxSheetBytes, Now: p.engine.config.Now,
	}
	nav.Header.Set("Accept", "text/css,*/*;q=0.1")
	for _, name := range []string{"Upgrade-Insecure-Requests", "Sec-Fetch-User", "Sec-Fetch-Dest", "Sec-Fetch-Mode"} {
		nav.Header[name] = nil // what navigations have
	}
	if l.url.Scheme() == "https" { // Fetch Metadata goes to trustworthy addresses only
		nav.Header.Set("Sec-Fetch-Dest", "style")
		nav.Header.Set("Sec-Fetch-Mode", "no-cors")
	}
	if sameOrigin(l.url, doc.url) { // cookies of another site would be third-party ones
		nav.Jar = p.jar()
	}
	resp, _, err := fetch.Follow(ctx, network{p.profile.Network, p.engine.config.Exchanger}, nav)
	if err != nil || resp.Status >= 300 {
		return ""
	}
	return sheetText(resp, doc.encoding)
}

// charsetRule is the one form of @charset that counts.
var charsetRule = regexp.MustCompile(`^@charset "([^"]{1,40})";`)

// sheetText decodes a sheet; "" if it is none.
//
// Spec: CSS Syntax 3 §3.2, determine the fallback encoding.
func sheetText(resp *fetch.Response, encoding string) string {
	declared := resp.Header.Get("Content-Type")
	if e := essenceOf(declared); e != "" && e != "text/css" {
		return ""
	}
	label := ""
	if _, after, ok := strings.Cut(strings.ToLower(declared), "charset="); ok {
		label = strings.Trim(after, `"' `)
	}
	if m := charsetRule.FindSubmatch(resp.Body); label == "" && m != nil {
		label = string(m[1])
	}
	name, ok := charset.Canonical(cmp.Or(label, encoding))
	if !ok {
		name = encoding
	}
	text, _ := charset.Decode(resp.Body, "text/plain; charset="+name)
	return string(text)
}
