package reader

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const testPage = `<!doctype html><html lang=de><title> A  page </title>
<style>.off{display:none}</style>
<body><h1>Head</h1><p>Shown H<sub>2</sub>O</p><p class=off>Gone</p>
<noscript><p>Without <b>scripts</b></p></noscript>
<script>document.body.textContent='script ran'</script>
<details><summary>More</summary><p>Folded</p></details>
<span aria-hidden=true>quiet</span>
<a href="/x?a=1">Link</a><a href="hid" style="visibility:hidden">No</a>
<form><label for=q>Query</label><input id=q name=q required><select name=s><option>One<option selected>Two</select></form>
<div><template shadowrootmode=open><p>In shadow <slot></slot></p></template>slotted</div>
<iframe src="https://frame.example.test/"></iframe></body>`

func TestNoscriptCountsWhereNothingElseIsShown(t *testing.T) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	b, err := Start(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for src, want := range map[string]string{
		"<p>a</p><noscript><style>p{display:none}</style><b>b</b></noscript>": "a",
		"<div></div><noscript><b>b</b> c</noscript>":                          "b c",
	} {
		s, err := b.Read(ctx, Page{URL: "http://www.example.test/", ContentType: "text/html", Body: []byte(src)})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(s.Text); got != want {
			t.Errorf("%s: text %q, want %q", src, got, want)
		}
	}
}

func TestReadReportsWhatAPersonSees(t *testing.T) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	b, err := Start(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := b.Read(ctx, Page{URL: "http://www.example.test/dir/page", ContentType: "text/html; charset=utf-8", Body: []byte(testPage)})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Head", "Shown H2O", "More", "quiet", "In shadow", "slotted"} {
		if !strings.Contains(s.Text, want) {
			t.Errorf("text %q lacks %q", s.Text, want)
		}
	}
	for _, bad := range []string{"Without", "Gone", "script ran", "Folded", "document.body"} {
		if strings.Contains(s.Text, bad) {
			t.Errorf("text %q has %q", s.Text, bad)
		}
	}
	got := *s
	got.Text, got.Allowed, got.Spoken, got.Tree = "", "", "", nil
	want := Seen{
		URL: "http://www.example.test/dir/page", Base: "http://www.example.test/dir/page", Title: "A page", Lang: "de",
		Charset: "UTF-8", BodyShown: true, Quiet: "quiet", Details: "Folded", Hidden: "Gone\nNo",
		Links:    []Link{{URL: "http://www.example.test/x?a=1", Href: "/x?a=1", Text: "Link", Kind: "text"}},
		Headings: []Heading{{Level: 1, Text: "Head"}},
		Fields: []Field{
			{Tag: "input", Type: "text", Name: "q", Label: "Query", Role: "textbox", Required: true},
			{Tag: "select", Type: "select-one", Name: "s", Value: "Two", Role: "combobox", Options: []string{"One", "Two"}},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
