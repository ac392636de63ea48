package static_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/fetch/cookie"
)

// styled opens a page with external style sheets on, and gives the sheets by
// their order and the requests.
func styled(t *testing.T, head string, sheets map[string]answer) (map[int]string, []string) {
	t.Helper()
	sheets["/p"] = answer{body: "<!doctype html><html><head>" + head}
	s := newSite(t, pages(sheets))
	p := open(t, s, func(c *static.Config) { c.Styles = true })
	p.load(pageURL)
	in, err := p.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for node, text := range in.Sheets {
		got[int(node)] = text
	}
	requests := lines(s.take())
	return got, requests[1:]
}

func css(body string) answer {
	return answer{header: map[string]string{"Content-Type": "text/css"}, body: body}
}

// HTML, link type "stylesheet".
func TestExternalSheets(t *testing.T) {
	tests := []struct {
		rule, head string
		want       map[int]string
		requests   int
	}{
		{"a sheet, by its link", `<link rel=stylesheet href=/a.css>`, map[int]string{2: "a"}, 1},
		{"rel is a list", `<link rel="preload  STYLESHEET" href=/a.css>`, map[int]string{2: "a"}, 1},
		{"against the base", `<base href=/d/><link rel=stylesheet href=../a.css>`, map[int]string{3: "a"}, 1},
		{"data:", `<link rel=stylesheet href="data:text/css,b%20c">`, map[int]string{2: "b c"}, 0},
		{"not an alternate one", `<link rel="alternate stylesheet" href=/a.css>`, map[int]string{}, 0},
		{"not a disabled one", `<link rel=stylesheet disabled href=/a.css>`, map[int]string{}, 0},
		{"not another language", `<link rel=stylesheet type=text/less href=/a.css>`, map[int]string{}, 0},
		{"not for print", `<link rel=stylesheet media=print href=/a.css>`, map[int]string{}, 0},
		{"not without an address", `<link rel=stylesheet>`, map[int]string{}, 0},
		{"not in a template", `<template><link rel=stylesheet href=/a.css></template>`, map[int]string{}, 0},
		{"an error is no sheet", `<link rel=stylesheet href=/missing.css><link rel=stylesheet href=/a.css>`, map[int]string{3: "a"}, 2},
		{"another type is no sheet", `<link rel=stylesheet href=/html>`, map[int]string{}, 1},
		{"a redirect is followed", `<link rel=stylesheet href=/r.css>`, map[int]string{2: "a"}, 2},
		{"decoded as it says", `<link rel=stylesheet href=/latin.css>`, map[int]string{2: `@charset "windows-1251";Привет`}, 1},
		{"32 at most", strings.Repeat(`<link rel=stylesheet href=/none.css>`, 40), map[int]string{}, 32},
		{"one that is too large is left out", `<link rel=stylesheet href=/huge.css>`, map[int]string{}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got, requests := styled(t, tt.head, map[string]answer{
				"/a.css": css("a"), "/html": {body: "a"}, "/r.css": {status: 301, header: map[string]string{"Location": "/a.css"}},
				"/missing.css": {status: 404, header: map[string]string{"Content-Type": "text/css"}, body: "a"},
				"/none.css":    css(""),
				"/latin.css":   css("@charset \"windows-1251\";\xcf\xf0\xe8\xe2\xe5\xf2"), "/huge.css": css(strings.Repeat("a", 2<<20)),
			})
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Errorf("sheets, got - want +\n%s", diff)
			}
			if len(requests) != tt.requests {
				t.Errorf("requests %q, want %d", requests, tt.requests)
			}
		})
	}
}

// Without being asked for, sheets are not fetched.
func TestSheetsAreOffByDefault(t *testing.T) {
	s := newSite(t, func(*http.Request) *answer { return &answer{body: `<link rel=stylesheet href=/a.css>`} })
	p := open(t, s)
	p.load(pageURL)
	if got := lines(s.take()); len(got) != 1 {
		t.Errorf("requests %q, want the page alone", got)
	}
}

// Two documents that differ in their sheets only are two documents.
func TestSheetsAreInTheHash(t *testing.T) {
	body := "a"
	s := newSite(t, func(r *http.Request) *answer {
		if r.URL.Path == "/a.css" {
			a := css(body)
			return &a
		}
		return &answer{body: `<link rel=stylesheet href=/a.css>`}
	})
	p := open(t, s, func(c *static.Config) { c.Styles = true })
	hash := func() [32]byte {
		l, err := p.Load(t.Context(), engine.Request{URL: pageURL})
		if err != nil {
			t.Fatal(err)
		}
		return l.BodyHash
	}
	first := hash()
	if hash() != first {
		t.Error("the same sheet gives another hash")
	}
	if body = "b"; hash() == first {
		t.Error("another sheet gives the same hash")
	}
}

// A sheet is asked for as by its document: with Referer, and cookies of its own
// origin only.
func TestSheetRequests(t *testing.T) {
	s := newSite(t, pages(map[string]answer{
		"/p":     {header: map[string]string{"Set-Cookie": "a=1"}, body: `<link rel=stylesheet href=/a.css><link rel=stylesheet href=http://b.test/b.css>`},
		"/a.css": css("a"), "/b.css": css("b"),
	}))
	client, err := fetch.New(fetch.Config{Resolve: []fetch.HostRule{s.rule}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := static.New(static.Config{Exchanger: client, Styles: true})
	p := tab{t, e.NewPage(engine.Profile{Jar: &cookie.Jar{}, UserAgent: "agent/1"})}
	p.load(pageURL)
	for _, r := range s.take()[1:] {
		cookie, referer := "", "http://a.test/"
		if strings.Contains(r.line, "a.test") {
			cookie, referer = "a=1", pageURL
		}
		want := map[string]string{
			"Cookie": cookie, "Referer": referer, "User-Agent": "agent/1", "Accept": "text/css,*/*;q=0.1",
			"Upgrade-Insecure-Requests": "", "Sec-Fetch-Dest": "", "Origin": "",
		}
		for name, v := range want {
			if got := r.header.Get(name); got != v {
				t.Errorf("%s: %s is %q, want %q", r.line, name, got, v)
			}
		}
	}
}
