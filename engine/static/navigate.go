package static

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/fetch/charset"
	"plasmate/som/weburl"
)

const (
	// maxRefresh bounds a chain of refreshes; patience is the longest that is followed.
	maxRefresh = 5
	patience   = 5 * time.Second
)

// navigation is what a user or a document asks for.
type navigation struct {
	url, method string // GET if empty
	body        []byte
	contentType string
	from        *document // that navigates; nil for the user
	policy      string    // referrer policy
	target      string
	download    *string // what comes is saved under this name, whatever it is
	reload      bool
	replace     bool // the history does not grow
}

// navigate brings another document. After an error the page is as it was.
//
// Spec: HTML, navigate.
func (p *page) navigate(ctx context.Context, nav navigation) (engine.Loaded, error) {
	u, err := weburl.Parse(nav.url)
	if err != nil {
		return engine.Loaded{}, &fetch.Error{URL: clip(nav.url), Reason: fetch.UnsupportedScheme, Phase: "url", Err: err,
			Msg: fmt.Sprintf("%q is not a valid URL", clip(nav.url))}
	}
	if p.withinDocument(u, nav) {
		moved := *p.doc
		moved.url = u.String()
		p.enter(&moved, nav.replace)
		l := p.doc.loaded()
		l.SameDocument = true
		return l, nil
	}
	doc, err := p.load(ctx, u, nav)
	if err != nil {
		return engine.Loaded{}, err
	}
	if doc, err = p.refresh(ctx, doc); err != nil {
		return engine.Loaded{}, err
	}
	if p.engine.config.Styles {
		p.withSheets(ctx, doc)
	}
	p.enter(doc, nav.replace)
	return doc.loaded(), nil
}

// withinDocument: only the document's own links move within it; an address that
// a user gives is fetched.
func (p *page) withinDocument(u *weburl.URL, nav navigation) bool {
	if p.doc == nil || nav.from == nil || nav.reload || nav.download != nil || cmp.Or(nav.method, http.MethodGet) != http.MethodGet || !u.HasFragment() {
		return false
	}
	here, err := weburl.Parse(p.doc.url)
	return err == nil && here.WithoutFragment().String() == u.WithoutFragment().String()
}

// refresh follows the refreshes of a document that are short enough. One that
// leads nowhere, goes round or fails stays in the document that asks for it.
func (p *page) refresh(ctx context.Context, doc *document) (*document, error) {
	seen := map[string]bool{doc.url: true}
	for range maxRefresh {
		r := doc.refresh
		if r == nil || r.After > patience || seen[r.URL] {
			return doc, nil
		}
		seen[r.URL] = true
		u, err := weburl.Parse(r.URL)
		if err != nil {
			return doc, nil
		}
		next, err := p.load(ctx, u, navigation{url: r.URL, from: doc, policy: doc.policy})
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			return doc, nil
		}
		next.took += doc.took
		doc = next
	}
	return doc, nil
}

// load makes the exchanges of a navigation and a document of the answer.
func (p *page) load(ctx context.Context, u *weburl.URL, nav navigation) (*document, error) {
	switch {
	case u.Scheme() == "about" && u.Path() == "blank":
		return newDocument(&fetch.Response{
			URL: u.String(), Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		})
	case u.Scheme() == "data":
		resp, err := dataResponse(u)
		if err != nil {
			return nil, err
		}
		return p.document(resp, nav)
	}
	c := p.engine.config
	from := ""
	if nav.from != nil {
		from = nav.from.url
	}
	header := p.sessionHeader(u, nav)
	if nav.contentType != "" { // an empty body has a type too
		header.Set("Content-Type", nav.contentType)
	}
	resp, hops, err := fetch.Follow(ctx, network{p.profile.Network, c.Exchanger}, fetch.Navigation{
		Session: p.profile.Session, Method: nav.method, URL: u.String(), Header: header, Body: nav.body,
		UserAgent: p.profile.UserAgent, AcceptLanguage: p.profile.AcceptLanguage, Jar: p.jar(),
		Referrer: from, ReferrerPolicy: nav.policy, Reload: nav.reload,
		Proxy: p.profile.Network.Proxy, MaxRedirects: c.MaxRedirects, MaxBodyBytes: c.MaxBodyBytes, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	doc, err := p.document(resp, nav)
	if err != nil {
		return nil, err
	}
	for _, h := range hops {
		doc.posted = h.Method == http.MethodPost
		if h.Took != resp.Took {
			doc.took += h.Took
		}
	}
	return doc, nil
}

// document makes a document of a response, or saves what is none.
func (p *page) document(resp *fetch.Response, nav navigation) (*document, error) {
	if nav.download != nil && resp.Status < 400 {
		d := attachment(resp)
		if d == nil {
			d = download(resp, resp.Header.Get("Content-Type"), map[string]string{"filename": *nav.download})
		}
		return nil, save(p.engine.config.DownloadDir, resp, noPage(resp, d))
	}
	doc, err := newDocument(resp)
	if err != nil {
		return nil, save(p.engine.config.DownloadDir, resp, err)
	}
	return doc, nil
}

// jar keeps a nil jar nil in the other interface.
func (p *page) jar() fetch.CookieJar {
	if p.profile.Jar == nil {
		return nil
	}
	return p.profile.Jar
}

// newDocument makes a document of a response, or says why it is none.
//
// Spec: HTML, load a document; AWP §3, page.navigate.
func newDocument(resp *fetch.Response) (*document, error) {
	if err := noDocument(resp); err != nil {
		return nil, err
	}
	kind := classify(resp.Header, resp.Body)
	if err := notShown(resp, kind); err != nil {
		return nil, err
	}
	source, encoding := charset.Decode(resp.Body, kind.contentType)
	doc := &document{
		loading: new(loading), url: resp.URL, status: resp.Status, header: resp.Header, contentType: kind.contentType,
		source: source, encoding: encoding, received: len(resp.Body), incomplete: resp.Incomplete,
		took: resp.Took, policy: headerPolicy(resp.Header),
	}
	h := sha256.New()
	h.Write([]byte(kind.contentType + "\n" + encoding + "\n"))
	for _, v := range resp.Header.Values("Link") { // it stands in the SOM
		h.Write([]byte(v + "\n"))
	}
	h.Write(resp.Body)
	h.Sum(doc.hash[:0])
	if cap(source)-len(source) > len(source)/8 { // a page may be kept for long
		doc.source = bytes.Clone(source)
	}
	doc.refresh = findRefresh(doc)
	if isMarkup(kind.contentType) {
		doc.needsJS = RecognizeScripts(source, resp.Header, resp.Status)
	}
	return doc, nil
}

// noDocument: answers that never replace the page.
func noDocument(resp *fetch.Response) error {
	switch resp.Status {
	case http.StatusNoContent, http.StatusResetContent, http.StatusNotModified:
		return &fetch.Error{URL: resp.URL, Reason: fetch.HTTPStatus, Phase: "body", Status: resp.Status,
			Msg: fmt.Sprintf("%s answered %d: there is nothing to show, and the page stays as it is", clip(resp.URL), resp.Status), Err: errNoContent}
	}
	if d := attachment(resp); d != nil {
		return noPage(resp, d)
	}
	return nil
}

func noPage(resp *fetch.Response, d *engine.Download) error {
	return &fetch.Error{URL: resp.URL, Reason: fetch.ContentType, Phase: "body", Status: resp.Status, Err: d,
		ContentType: d.ContentType, Size: d.Size,
		Msg: fmt.Sprintf("%s is a download, not a page: %s (%s, %d bytes)", clip(resp.URL), clip(d.Name), d.ContentType, d.Size)}
}

var errNoContent = errors.New("no content")

func isNoContent(err error) bool { return errors.Is(err, errNoContent) }

// notShown: failures without a page of HTML, and what is no text.
func notShown(resp *fetch.Response, kind content) error {
	if resp.Status >= 400 && (!isMarkup(kind.contentType) || len(strings.TrimSpace(string(resp.Body))) == 0) {
		return &fetch.Error{URL: resp.URL, Reason: fetch.HTTPStatus, Phase: "body", Status: resp.Status,
			ContentType: kind.contentType, Size: int64(len(resp.Body)),
			Msg: fmt.Sprintf("%s answered %d %s without a page", clip(resp.URL), resp.Status, http.StatusText(resp.Status))}
	}
	if kind.family == binaryFamily {
		return &fetch.Error{URL: resp.URL, Reason: fetch.ContentType, Phase: "body", Status: resp.Status,
			ContentType: kind.contentType, Size: int64(len(resp.Body)), Err: download(resp, kind.contentType, nil),
			Msg: fmt.Sprintf("%s is %s (%d bytes), which has no text to show", clip(resp.URL), clip(kind.contentType), len(resp.Body))}
	}
	return nil
}

// headerPolicy is the last known token of the Referrer-Policy header (Referrer Policy §8.1).
func headerPolicy(h http.Header) string {
	policy := ""
	for _, v := range h.Values("Referrer-Policy") {
		for token := range strings.SplitSeq(v, ",") {
			policy = cmp.Or(validPolicy(token), policy)
		}
	}
	return policy
}

// validPolicy is token as a referrer policy, "" if it is none.
func validPolicy(token string) string {
	switch t := strings.ToLower(strings.TrimSpace(token)); t {
	case "no-referrer", "no-referrer-when-downgrade", "same-origin", "origin", "strict-origin",
		"origin-when-cross-origin", "strict-origin-when-cross-origin", "unsafe-url":
		return t
	}
	return ""
}
