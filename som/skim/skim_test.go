package skim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func walk(t testing.TB, src string) Skimmed {
	t.Helper()
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	return Walk(root)
}

func TestBothReadersAgree(t *testing.T) {
	tests := []struct {
		rule, src string
		want      Skimmed
	}{
		{"title and text", "<!doctype html><title> A\n&amp; B </title><p>One<b>two</b><p>three<br>four", Skimmed{Title: "A & B", Text: "Onetwo three four"}},
		{"links of every kind", `<base href="/b/"><base href="/c/"><link rel=canonical href=" /x "><link rel="alternate" type="application/rss+xml" href=/feed>
			<link rel=stylesheet href=/s.css><a href="/1?a=1&amp;b=2">1</a><a href="#top">t</a><a>n</a><map><area href=/2 rel="noopener nofollow"></map><iframe src=/3></iframe>`,
			Skimmed{Base: "/b/", Canonical: "/x", Text: "1tn", Links: []Link{{Href: "/feed"}, {Href: "/1?a=1&b=2"}, {Href: "/2", NoFollow: true}, {Href: "/3"}}}},
		{"what is said to crawlers", `<meta name=Robots content="noindex, nofollow"><meta name=viewport content=x><meta name=plasmate content=none>`,
			Skimmed{Robots: []Meta{{"robots", "noindex, nofollow"}, {"plasmate", "none"}}}},
		{"refresh", `<meta http-equiv=Refresh content="5; URL='/next'">`, Skimmed{Refresh: "/next"}},
		{"no text of scripts, styles and templates", `<script>var a="<a href=/no>"</script><style>p{}</style><template><a href=/no>no</a></template><p>yes`, Skimmed{Text: "yes"}},
		{"letter case of tags and attributes", `<A HREF=/x REL=NoFollow>x</A>`, Skimmed{Text: "x", Links: []Link{{Href: "/x", NoFollow: true}}}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(Scan([]byte(tt.src)), tt.want); d != "" {
			t.Errorf("%s: Scan (-got +want):\n%s", tt.rule, d)
		}
		tt.want.Text = ""
		if d := cmp.Diff(walk(t, tt.src), tt.want); d != "" {
			t.Errorf("%s: Walk (-got +want):\n%s", tt.rule, d)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("<a href=x><title>t</title><meta name=robots content=none>"))
	f.Fuzz(func(_ *testing.T, src []byte) { Scan(src) })
}
