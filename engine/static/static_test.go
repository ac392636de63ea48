package static_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/som"
)

// answer is what the site says to a request.
type answer struct {
	status int // 0 is 200
	header map[string]string
	body   string
}

// request is one that the site got.
type request struct {
	line   string // METHOD host/target
	body   string
	header http.Header
}

// site serves all hosts under .test on loopback and writes down what it is asked.
type site struct {
	rule fetch.HostRule
	mu   sync.Mutex
	got  []request
	// answer gives the response for a host and path; nil means a small page.
	answer func(r *http.Request) *answer
}

func newSite(t testing.TB, f func(r *http.Request) *answer) *site {
	t.Helper()
	s := &site{answer: f}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	rule, err := fetch.ParseHostRule("*.test=" + strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	s.rule = rule
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.got = append(s.got, request{r.Method + " " + r.Host + r.RequestURI, string(body), r.Header.Clone()})
	s.mu.Unlock()
	a := s.answer(r)
	if a == nil {
		a = &answer{body: "<title>ok</title>"}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	for k, v := range a.header {
		w.Header().Set(k, v)
		if v == "" {
			w.Header()[http.CanonicalHeaderKey(k)] = nil
		}
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	fmt.Fprint(w, a.body)
}

// take gives the requests since the last take.
func (s *site) take() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

// pages answers by path, whatever the host.
func pages(m map[string]answer) func(r *http.Request) *answer {
	return func(r *http.Request) *answer {
		if a, ok := m[r.URL.Path]; ok {
			return &a
		}
		return nil
	}
}

// tab drives one page of the engine.
type tab struct {
	t testing.TB
	engine.Page
}

func open(t testing.TB, s *site, change ...func(*static.Config)) tab {
	t.Helper()
	client, err := fetch.New(fetch.Config{Resolve: []fetch.HostRule{s.rule}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	c := static.Config{Exchanger: client}
	for _, f := range change {
		f(&c)
	}
	return tab{t, static.New(c).NewPage(engine.Profile{Session: "s_1"})}
}

func (p tab) load(url string) engine.Loaded {
	p.t.Helper()
	l, err := p.Load(p.t.Context(), engine.Request{URL: url})
	if err != nil {
		p.t.Fatalf("load %s: %v", url, err)
	}
	return l
}

// analysis is the last snapshot's tree, as som gives it.
func (p tab) analysis() *som.Page {
	p.t.Helper()
	in, err := p.Snapshot(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return som.Analyze(in, som.Options{})
}

// node finds an element by a CSS id such as "#b".
func node(doc *som.Page, ref string) som.NodeID {
	id := som.NodeID(0)
	for n := range doc.Tree().Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			if a.Key == "id" && a.Val == strings.TrimPrefix(ref, "#") {
				return id
			}
		}
		id++
	}
	return som.NoNode
}

func (p tab) act(kind engine.ActionKind, ref string, values ...string) (engine.Acted, error) {
	p.t.Helper()
	a := engine.Action{Kind: kind, Values: values}
	if len(values) > 0 {
		a.Value = values[0]
	}
	return p.do(ref, a)
}

func (p tab) do(ref string, a engine.Action) (engine.Acted, error) {
	p.t.Helper()
	doc := p.analysis()
	a.Node = node(doc, ref)
	if a.Node == som.NoNode {
		p.t.Fatalf("no element %s", ref)
	}
	return p.Act(p.t.Context(), doc, a)
}

func (p tab) mustAct(kind engine.ActionKind, ref string, values ...string) engine.Acted {
	p.t.Helper()
	acted, err := p.act(kind, ref, values...)
	if err != nil {
		p.t.Fatalf("%s %s: %v", kind, ref, err)
	}
	return acted
}

func lines(got []request) []string {
	list := []string{}
	for _, r := range got {
		list = append(list, r.line)
	}
	return list
}

// elementAt is the element with that id.
func elementAt(doc *som.Page, id som.NodeID) *html.Node {
	for n := range doc.Tree().Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id == 0 {
			return n
		}
		id--
	}
	return nil
}

// treatedAs is the kind that a load's outcome speaks of.
func treatedAs(l engine.Loaded, err error) string {
	var e *fetch.Error
	if errors.As(err, &e) && e.Reason == fetch.ContentType {
		return "binary"
	}
	kind, _, _ := strings.Cut(strings.ToLower(l.ContentType), ";")
	_, sub, _ := strings.Cut(kind, "/")
	switch sub {
	case "xhtml+xml":
		return "xhtml"
	case "plain":
		return "text"
	}
	return sub
}
