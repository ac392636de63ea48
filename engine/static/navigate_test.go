package static_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/som"
)

// HTML, following hyperlinks; AWP §3, click on links.
func TestClickOnLinks(t *testing.T) {
	tests := []struct{ rule, src, request, url, note string }{
		{"a link", `<a id=a href=x>`, "GET a.test/x", "http://a.test/x", ""},
		{"from an element in it", `<a href=x><b id=a>`, "GET a.test/x", "http://a.test/x", ""},
		{"against the base", `<base href=/b/><a id=a href=x>`, "GET a.test/b/x", "http://a.test/b/x", ""},
		{"an area", `<map><area id=a href=x></map>`, "GET a.test/x", "http://a.test/x", ""},
		{"an SVG link", `<svg><a id=a xlink:href=x><text>t</text></a></svg>`, "GET a.test/x", "http://a.test/x", ""},
		{"an empty link loads the page again", `<a id=a href="">`, "GET a.test/p", "http://a.test/p", ""},
		{"a fragment of the page is not fetched", `<a id=a href=#y>`, "", "http://a.test/p#y", ""},
		{"… however it is spelled", `<a id=a href="http://A.test:80/p#y">`, "", "http://a.test/p#y", ""},
		{"under a base it is another page", `<base href=/b><a id=a href=#y>`, "GET a.test/b", "http://a.test/b#y", ""},
		{"a new tab opens in place", `<a id=a href=x target=_blank>`, "GET a.test/x", "http://a.test/x", "in place"},
		{"by the base's target too", `<base target=other><a id=a href=x>`, "GET a.test/x", "http://a.test/x", "in place"},
		{"mailto", `<a id=a href=mailto:a@b.test>`, "", "http://a.test/p", "mailto:"},
		{"tel", `<a id=a href="tel:+1 2">`, "", "http://a.test/p", "tel:"},
		{"javascript", `<a id=a href="java&#10;script:alert(1)">`, "", "http://a.test/p", "script"},
		{"an app's scheme", `<a id=a href=whatsapp://send>`, "", "http://a.test/p", "whatsapp:"},
		{"no valid address", `<a id=a href="http://[">`, "", "http://a.test/p", "not a valid URL"},
		{"without href", `<a id=a>`, "", "http://a.test/p", "scripts"},
		{"a button that does nothing follows the link around it", `<a href=x><button type=button id=a>b</button></a>`, "GET a.test/x", "http://a.test/x", ""},
		{"a checkbox in a link does not", `<a href=x><input type=checkbox id=a></a>`, "", "http://a.test/p", ""},
		{"a button without a form", `<button id=a>b</button>`, "", "http://a.test/p", "no form"},
		{"a text field", `<input id=a>`, "", "http://a.test/p", "focus"},
		{"a server-side image map", `<a href=x><img ismap id=a alt=m src=m></a>`, "GET a.test/x?0,0", "http://a.test/x?0,0", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			p, s := openPage(t, tt.src)
			acted := p.mustAct(engine.Click, "#a")
			if got := strings.Join(lines(s.take()), " "); got != tt.request {
				t.Errorf("request %q, want %q", got, tt.request)
			}
			in, err := p.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if in.URL != tt.url {
				t.Errorf("URL %s, want %s", in.URL, tt.url)
			}
			if moved := tt.url != pageURL || tt.request != ""; (acted.Loaded != nil) != moved {
				t.Errorf("acted %+v, want navigated %v", acted, moved)
			}
			if !strings.Contains(acted.Note, tt.note) || tt.note == "" && acted.Note != "" {
				t.Errorf("note %q, want it to say %q", acted.Note, tt.note)
			}
		})
	}
}

func TestAFragmentKeepsTheStateOfControls(t *testing.T) {
	p, _ := openPage(t, `<input id=c><a id=a href=#y>`)
	p.mustAct(engine.Type, "#c", "x")
	acted := p.mustAct(engine.Click, "#a")
	if acted.Loaded == nil || !acted.Loaded.SameDocument {
		t.Errorf("acted %+v, want a move within the document", acted)
	}
	if got := p.controls("c"); got != "x" {
		t.Errorf("value %q, want x", got)
	}
}

// Referrer Policy §8; Fetch, append a request Origin header.
func TestReferrerAndOrigin(t *testing.T) {
	tests := []struct{ rule, head, body, referer, origin string }{
		{"a link of the same origin", ``, `<a id=a href=/x>`, "http://a.test/p", ""},
		{"of another one", ``, `<a id=a href=http://b.test/x>`, "http://a.test/", ""},
		{"rel=noreferrer", ``, `<a id=a rel="nofollow NoReferrer" href=/x>`, "", ""},
		{"referrerpolicy", ``, `<a id=a referrerpolicy=origin href=/x>`, "http://a.test/", ""},
		{"the page's meta", `<meta name=referrer content=no-referrer>`, `<a id=a href=/x>`, "", ""},
		{"the link's own wins", `<meta name=referrer content=no-referrer>`, `<a id=a referrerpolicy=unsafe-url href=http://b.test/x>`, "http://a.test/p", ""},
		{"a POST", ``, `<form method=post action=/x><button id=a></button></form>`, "http://a.test/p", "http://a.test"},
		{"a POST elsewhere", ``, `<form method=post action=http://b.test/x><button id=a></button></form>`, "http://a.test/", "http://a.test"},
		{"a form's rel=noreferrer", ``, `<form rel=noreferrer action=/x><button id=a></button></form>`, "", ""},
	}
	for _, tt := range tests {
		p, s := openPage(t, tt.head+tt.body)
		p.mustAct(engine.Click, "#a")
		got := s.take()
		if len(got) != 1 || got[0].header.Get("Referer") != tt.referer || got[0].header.Get("Origin") != tt.origin {
			t.Errorf("%s: %v, want Referer %q and Origin %q", tt.rule, got, tt.referer, tt.origin)
		}
	}
}

// Fetch, HTTP-redirect fetch: what becomes of a POST.
func TestRedirectsAfterPost(t *testing.T) {
	for status, want := range map[int]string{301: "GET ", 302: "GET ", 303: "GET ", 307: "POST q=1", 308: "POST q=1"} {
		s := newSite(t, pages(map[string]answer{
			"/p":  {body: `<form method=post action=/go><input name=q value=1><button id=b></button></form>`},
			"/go": {status: status, header: map[string]string{"Location": "/end"}},
		}))
		p := open(t, s)
		p.load(pageURL)
		p.mustAct(engine.Click, "#b")
		got := s.take()
		last := got[len(got)-1]
		if line := strings.Fields(last.line)[0] + " " + last.body; line != want {
			t.Errorf("%d: then %q, want %q", status, line, want)
		}
	}
}

func TestAFailedLoadLeavesThePage(t *testing.T) {
	s := newSite(t, pages(map[string]answer{
		"/p":    {body: `<input id=c value=1><a id=a href=/down></a><form action=/down><button id=b></button></form>`},
		"/down": {status: 500, header: map[string]string{"Content-Type": "text/plain"}, body: "oops"},
	}))
	p := open(t, s)
	p.load(pageURL)
	p.mustAct(engine.Type, "#c", "2")
	for _, ref := range []string{"#a", "#b"} {
		_, err := p.act(engine.Click, ref)
		var e *fetch.Error
		if !errors.As(err, &e) || e.Reason != fetch.HTTPStatus || e.Status != 500 {
			t.Errorf("error %v, want status 500", err)
		}
	}
	if got := p.controls("c"); got != "2" {
		t.Errorf("value %q, want 2", got)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Load(canceled, engine.Request{URL: "http://a.test/other"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a cancel", err)
	}
	if in, _ := p.Snapshot(t.Context()); in.URL != pageURL {
		t.Errorf("URL %s, want %s", in.URL, pageURL)
	}
}

// AWP §3, page.navigate: what is a page and what is an error.
func TestLoadOutcomes(t *testing.T) {
	tests := []struct {
		rule   string
		answer answer
		want   string // reason of the error, "" for a page
	}{
		{"a page", answer{body: "<p>x"}, ""},
		{"404 with HTML", answer{status: 404, body: "<p>x"}, ""},
		{"404 without a body", answer{status: 404}, "http_status"},
		{"404 with JSON", answer{status: 404, header: map[string]string{"Content-Type": "application/json"}, body: "{}"}, "http_status"},
		{"an empty page", answer{}, ""},
		{"text", answer{header: map[string]string{"Content-Type": "text/plain"}, body: "x"}, ""},
		{"a feed", answer{header: map[string]string{"Content-Type": "application/rss+xml"}, body: "<rss/>"}, ""},
		{"an image", answer{header: map[string]string{"Content-Type": "image/png"}, body: "\x89PNG"}, "content_type"},
		{"an SVG image", answer{header: map[string]string{"Content-Type": "image/svg+xml"}, body: "<svg/>"}, "content_type"},
		{"text that is none", answer{header: map[string]string{"Content-Type": "text/plain"}, body: "\x00\x01"}, "content_type"},
		{"a download", answer{header: map[string]string{"Content-Disposition": `attachment; filename="a.html"`}, body: "<p>"}, "content_type"},
		{"inline", answer{header: map[string]string{"Content-Disposition": `inline; filename="a.html"`}, body: "<p>"}, ""},
		{"no content", answer{status: 204}, "http_status"},
		{"not modified", answer{status: 304}, "http_status"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newSite(t, func(*http.Request) *answer { return &tt.answer })
			_, err := open(t, s).Load(t.Context(), engine.Request{URL: pageURL})
			var e *fetch.Error
			got := ""
			if errors.As(err, &e) {
				got = string(e.Reason)
			} else if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// RFC 6266: a download is named.
func TestDownloadIsDescribed(t *testing.T) {
	tests := []struct{ disposition, path, want string }{
		{`attachment; filename="a b.pdf"`, "/x", "a b.pdf"},
		{`attachment; filename*=UTF-8''%e2%82%ac.pdf; filename=e.pdf`, "/x", "€.pdf"},
		{`attachment; filename="../../etc/passwd"`, "/x", "passwd"},
		{`attachment; filename="C:\\dir\\f.txt"`, "/x", "f.txt"},
		{`attachment`, "/dir/report.pdf?x=1", "report.pdf"},
		{`ATTACHMENT; filename=`, "/", "download"},
		{`form-data; name=x`, "/y", "y"},
	}
	for _, tt := range tests {
		s := newSite(t, func(*http.Request) *answer {
			return &answer{header: map[string]string{"Content-Disposition": tt.disposition, "Content-Type": "application/pdf"}, body: "%PDF"}
		})
		_, err := open(t, s).Load(t.Context(), engine.Request{URL: "http://a.test" + tt.path})
		var d *engine.Download
		if !errors.As(err, &d) {
			t.Errorf("%s: error %v is no download", tt.disposition, err)
			continue
		}
		if d.Name != tt.want || d.ContentType != "application/pdf" || d.Size != 4 {
			t.Errorf("%s: %+v, want name %q", tt.disposition, *d, tt.want)
		}
	}
}

func TestDownloadsAreSavedOnlyInTheirFolder(t *testing.T) {
	tests := []struct{ disposition, kind, path, want string }{
		{`attachment; filename="a.txt"`, "text/plain", "/x", "a.txt"},
		{`attachment; filename="a.txt"`, "text/plain", "/x", "a (1).txt"},
		{`attachment; filename="../../b.txt"`, "text/plain", "/x", "b.txt"},
		{`attachment; filename=".bashrc"`, "text/plain", "/x", "bashrc"},
		{`attachment; filename="a:b*.txt"`, "text/plain", "/x", "a_b_.txt"},
		{``, "application/pdf", "/dir/r%20s.pdf", "r s.pdf"},
		{``, "image/png", "/..%2fx.png", "_x.png"},
	}
	dir := t.TempDir()
	for _, tt := range tests {
		s := newSite(t, func(*http.Request) *answer {
			return &answer{header: map[string]string{"Content-Disposition": tt.disposition, "Content-Type": tt.kind}, body: "data"}
		})
		_, err := open(t, s, func(c *static.Config) { c.DownloadDir = dir }).Load(t.Context(), engine.Request{URL: "http://a.test" + tt.path})
		var d *engine.Download
		if !errors.As(err, &d) || d.SavedAs != tt.want {
			t.Errorf("%s %s: %+v, %v; want it saved as %s", tt.disposition, tt.path, d, err, tt.want)
			continue
		}
		if b, err := os.ReadFile(filepath.Join(dir, d.SavedAs)); string(b) != "data" {
			t.Errorf("%s holds %q, %v", d.SavedAs, b, err)
		}
	}
}

func TestNoContentAfterAClickLeavesThePage(t *testing.T) {
	s := newSite(t, pages(map[string]answer{
		"/p": {body: `<form method=post action=/ping><input id=c name=q><button id=b></button></form>`}, "/ping": {status: 204},
	}))
	p := open(t, s)
	p.load(pageURL)
	p.mustAct(engine.Type, "#c", "x")
	acted := p.mustAct(engine.Click, "#b")
	if acted.Loaded != nil || acted.Note == "" || p.controls("c") != "x" {
		t.Errorf("acted %+v, value %q; want a note and the page as it was", acted, p.controls("c"))
	}
}

func TestAddressesWithoutANetwork(t *testing.T) {
	tests := []struct{ url, kind, source, reason string }{
		{"about:blank", "text/html; charset=utf-8", "", ""},
		{"data:,a%20b", "text/plain;charset=US-ASCII", "a b", ""},
		{"data:text/html,<p>x</p>#f", "text/html", "<p>x</p>", ""},
		{"data:text/html;charset=windows-1252;base64,4g==", "text/html;charset=windows-1252", "â", ""},
		{"data:text/html;base64, PHA+ ", "text/html", "<p>", ""},
		{"data:text/html;base64,@@", "", "", "unsupported_scheme"},
		{"data:text/html", "", "", "unsupported_scheme"},
		{"file:///etc/passwd", "", "", "unsupported_scheme"},
		{"javascript:alert(1)", "", "", "unsupported_scheme"},
		{"ftp://a.test/", "", "", "unsupported_scheme"},
		{"about:config", "", "", "unsupported_scheme"},
		{"not a url", "", "", "unsupported_scheme"},
	}
	for _, tt := range tests {
		s := newSite(t, nil)
		p := open(t, s)
		l, err := p.Load(t.Context(), engine.Request{URL: tt.url})
		var e *fetch.Error
		if got := ""; err != nil {
			if errors.As(err, &e) {
				got = string(e.Reason)
			}
			if got != tt.reason {
				t.Errorf("%s: error %v, want %q", tt.url, err, tt.reason)
			}
			continue
		}
		in, _ := p.Snapshot(t.Context())
		if l.ContentType != tt.kind || string(in.Source) != tt.source || tt.reason != "" {
			t.Errorf("%s: %q %q, want %q %q", tt.url, l.ContentType, in.Source, tt.kind, tt.source)
		}
	}
}

// AWP §3 and HTML, shared declarative refresh steps: up to 5 s are followed.
func TestRefresh(t *testing.T) {
	tests := []struct {
		rule    string
		pages   map[string]answer
		url     string
		refresh string // of a refresh that is reported
	}{
		{"at once", map[string]answer{"/p": {body: `<meta http-equiv=refresh content="0;url=/x">`}}, "http://a.test/x", ""},
		{"after 5 s", map[string]answer{"/p": {body: `<meta http-equiv=refresh content="5;url=/x">`}}, "http://a.test/x", ""},
		{"after 6 s it is reported", map[string]answer{"/p": {body: `<meta http-equiv=refresh content="6;url=/x">`}}, "http://a.test/p", "6s http://a.test/x"},
		{"of the page itself it is reported", map[string]answer{"/p": {body: `<meta http-equiv=refresh content=3>`}}, "http://a.test/p", "3s http://a.test/p"},
		{"round in a ring it stops", map[string]answer{"/p": {body: `<meta http-equiv=refresh content="0;/q">`}, "/q": {body: `<meta http-equiv=refresh content="0;/p">`}}, "http://a.test/q", "0s http://a.test/p"},
		{"to what fails it is reported", map[string]answer{"/p": {body: `<meta http-equiv=refresh content="0;/x">`}, "/x": {status: 500}}, "http://a.test/p", "0s http://a.test/x"},
		{"by the base", map[string]answer{"/p": {body: `<base href=/b/><meta http-equiv=refresh content="0;x">`}}, "http://a.test/b/x", ""},
		{"to a script it is none", map[string]answer{"/p": {body: `<meta http-equiv=refresh content="0;url=javascript:x">`}}, "http://a.test/p", ""},
		{"in text it is none", map[string]answer{"/p": {body: `<textarea><meta http-equiv=refresh content="0;/x"></textarea>`}}, "http://a.test/p", ""},
		{"the header wins", map[string]answer{"/p": {header: map[string]string{"Refresh": "0;/h"}, body: `<meta http-equiv=refresh content="0;/x">`}}, "http://a.test/h", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			l := open(t, newSite(t, pages(tt.pages))).load(pageURL)
			got := ""
			if l.Refresh != nil {
				got = fmt.Sprint(l.Refresh.After, " ", l.Refresh.URL)
			}
			if l.URL != tt.url || got != tt.refresh {
				t.Errorf("at %s with refresh %q, want %s with %q", l.URL, got, tt.url, tt.refresh)
			}
		})
	}
}

func TestRefreshesAreBounded(t *testing.T) {
	n := 0
	s := newSite(t, func(*http.Request) *answer {
		n++
		return &answer{body: fmt.Sprintf(`<meta http-equiv=refresh content="0;/%d">`, n)}
	})
	if l := open(t, s).load(pageURL); l.Refresh == nil || n != 6 {
		t.Errorf("%d requests, refresh %v; want 6 and one reported", n, l.Refresh)
	}
}

func TestDecoding(t *testing.T) {
	s := newSite(t, pages(map[string]answer{"/p": {header: map[string]string{"Content-Type": "text/html; charset=iso-8859-1"}, body: "<form action=/go><input name=q value=\xe4\x80><button id=b></button></form>"}}))
	p := open(t, s)
	l := p.load(pageURL)
	if l.Encoding != "windows-1252" || l.HTMLBytes != 69 {
		t.Errorf("encoding %s, %d bytes; want windows-1252, 69", l.Encoding, l.HTMLBytes)
	}
	s.take()
	p.mustAct(engine.Click, "#b")
	if diff := cmp.Diff([]string{"GET a.test/go?q=%E4%80"}, lines(s.take())); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func history(t *testing.T, p tab) engine.History {
	t.Helper()
	h, ok := p.Page.(engine.History)
	if !ok {
		t.Fatal("the page has no history")
	}
	return h
}

func TestHistory(t *testing.T) {
	s := newSite(t, pages(map[string]answer{
		"/1": {body: `<input id=c><a id=a href=/2></a><a id=f href=#y></a>`},
		"/2": {body: `<a id=a href=/3></a>`},
	}))
	p := open(t, s)
	h := history(t, p)
	if _, err := h.Back(t.Context()); reason(err) != "no_history" {
		t.Errorf("back from nothing: %v, want no_history", err)
	}
	p.load("http://a.test/1")
	p.mustAct(engine.Type, "#c", "kept")
	p.mustAct(engine.Click, "#f")
	p.mustAct(engine.Click, "#a")
	s.take()
	visit := func(step func(context.Context) (engine.Loaded, error), want string) {
		t.Helper()
		l, err := step(t.Context())
		if err != nil || l.URL != want {
			t.Errorf("at %s, %v; want %s", l.URL, err, want)
		}
	}
	visit(h.Back, "http://a.test/1#y")
	if got := p.controls("c"); got != "kept" {
		t.Errorf("value %q after going back, want kept", got)
	}
	visit(h.Back, "http://a.test/1")
	visit(h.Forward, "http://a.test/1#y")
	visit(h.Forward, "http://a.test/2")
	if _, err := h.Forward(t.Context()); reason(err) != "no_history" {
		t.Errorf("forward from the end: %v, want no_history", err)
	}
	visit(h.Back, "http://a.test/1#y")
	if got := s.take(); len(got) > 0 {
		t.Errorf("requests %v, want none: the documents were kept", lines(got))
	}
	visit(h.Reload, "http://a.test/1#y")
	if got := p.controls("c"); got != "" {
		t.Errorf("value %q after a reload, want none", got)
	}
	p.load("http://a.test/9")
	if _, err := h.Forward(t.Context()); reason(err) != "no_history" {
		t.Errorf("a new page keeps the way forward: %v", err)
	}
}

func TestHistoryAsActions(t *testing.T) {
	p := open(t, newSite(t, func(*http.Request) *answer { return nil }))
	p.load("http://a.test/1")
	p.load("http://a.test/2")
	for _, step := range []struct {
		kind engine.ActionKind
		want string
	}{{engine.Back, "http://a.test/1"}, {engine.Forward, "http://a.test/2"}, {engine.Reload, "http://a.test/2"}} {
		acted, err := p.Act(t.Context(), p.analysis(), engine.Action{Kind: step.kind, Node: som.NoNode})
		if err != nil || acted.Loaded == nil || acted.Loaded.URL != step.want {
			t.Errorf("%s: %+v, %v; want %s", step.kind, acted, err, step.want)
		}
	}
}

// A declarative shadow root is part of the page.
func TestClickInAShadowTree(t *testing.T) {
	p, s := openPage(t, `<div><template shadowrootmode=open><form action=/go><input name=q value=1><label for=k id=a>x</label><button id=k></button></form></template></div>`)
	p.mustAct(engine.Click, "#a")
	if diff := cmp.Diff([]string{"GET a.test/go?q=1"}, lines(s.take())); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestHistoryFetchesWhatWasNotKept(t *testing.T) {
	s := newSite(t, pages(map[string]answer{"/p": {body: `<form method=post action=/posted><button id=b></button></form>`}, "/posted": {body: `<a id=a href=/end></a>`}}))
	p := open(t, s, func(c *static.Config) { c.KeptBytes = 1 })
	h := history(t, p)
	p.load(pageURL)
	p.mustAct(engine.Click, "#b")
	if _, err := h.Reload(t.Context()); reason(err) != "would_resubmit" {
		t.Errorf("reload of a posted page: %v, want would_resubmit", err)
	}
	p.mustAct(engine.Click, "#a")
	s.take()
	if _, err := h.Back(t.Context()); reason(err) != "would_resubmit" {
		t.Errorf("back to a posted page: %v, want would_resubmit", err)
	}
	if got := s.take(); len(got) > 0 {
		t.Errorf("requests %v, want none", lines(got))
	}
	p.load("http://a.test/x")
	if l, err := h.Back(t.Context()); err != nil || l.URL != "http://a.test/end" {
		t.Errorf("at %s, %v", l.URL, err)
	}
	if diff := cmp.Diff([]string{"GET a.test/x", "GET a.test/end"}, lines(s.take())); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	p := open(t, newSite(t, func(*http.Request) *answer { return nil }), func(c *static.Config) { c.MaxHistory = 3 })
	for i := range 10 {
		p.load(fmt.Sprintf("http://a.test/%d", i))
	}
	n := 0
	for {
		if _, err := history(t, p).Back(t.Context()); err != nil {
			break
		}
		n++
	}
	if n != 3 {
		t.Errorf("went back %d times, want 3", n)
	}
}

// HTML, downloading hyperlinks: of the own origin only.
func TestALinkWithDownloadIsSaved(t *testing.T) {
	dir := t.TempDir()
	s := newSite(t, pages(map[string]answer{
		"/p": {body: `<a id=own download="n.txt" href=/f>own</a><a id=other download="n.txt" href=http://b.test/f>other</a>`}, "/f": {body: "<p>page"},
	}))
	p := open(t, s, func(c *static.Config) { c.DownloadDir = dir })
	p.load(pageURL)
	_, err := p.act(engine.Click, "#own", "")
	var d *engine.Download
	if !errors.As(err, &d) || d.SavedAs != "n.txt" || d.Size != 7 {
		t.Errorf("own origin: %+v, %v; want it saved as n.txt", d, err)
	}
	if acted := p.mustAct(engine.Click, "#other", ""); acted.Loaded == nil || acted.Loaded.URL != "http://b.test/f" {
		t.Errorf("other origin: %+v, want the page", acted)
	}
}
