package audit

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/bench/audit/reader"
	"plasmate/som"
)

func TestScoreLinksCountsDistinctAddresses(t *testing.T) {
	o := &Oracle{Links: []reader.Link{
		{URL: "https://a.test/x", Href: "/x", Kind: "text"},
		{URL: "https://a.test/x", Href: "x", Kind: "text"},
		{URL: "https://a.test/y", Href: "/y", Kind: "image"},
		{URL: "https://a.test/e", Href: "/e", Kind: "empty"},
		{URL: "https://a.test/q", Href: "/q", Kind: "text", Quiet: true},
	}}
	got, missing := scoreLinks(o, &View{Links: []som.Link{{Href: "/x", URL: "https://a.test/x"}}})
	if d := cmp.Diff(Count{Required: 2, Found: 1}, got); d != "" || len(missing) != 1 {
		t.Errorf("%s, missing %v", d, missing)
	}
}

func TestScoreHeadingsWantsLevelAndText(t *testing.T) {
	o := &Oracle{Headings: []reader.Heading{{Level: 1, Text: "One"}, {Level: 2, Text: "Two"}, {Level: 2, Text: "Two"}}}
	v := &View{Headings: []reader.Heading{{Level: 1, Text: "ONE"}, {Level: 2, Text: "Two"}, {Level: 3, Text: "Two"}}}
	if got, _ := scoreHeadings(o, v); got != (Count{Required: 3, Found: 2}) {
		t.Errorf("got %+v", got)
	}
}

func TestScoreFieldsPairsByNameAndLabel(t *testing.T) {
	o := &Oracle{Fields: []reader.Field{
		{Tag: "input", Type: "email", Name: "m", Label: "Mail", Required: true},
		{Tag: "select", Type: "select-one", Name: "s", Label: "Size", Options: []string{"S", "M"}},
		{Tag: "input", Type: "text", Name: "x"},
	}}
	v := &View{Fields: []Field{
		{Role: "select", Label: "Size", Options: []string{"S", "M"}},
		{Role: "text_input", Type: "email", Name: "m", Label: "Mail"},
	}}
	got, _ := scoreFields(o, v)
	want := FieldScore{Fields: Count{3, 2}, Label: Count{2, 2}, Type: Count{2, 2}, Required: Count{2, 1}, Options: Count{1, 1}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOraclesAreReadAsTheyWereSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o.zst")
	want := map[string]*Oracle{
		"a.html": {File: "a.html", Source: "test", Text: "two words", Visible: BagOf("two words")},
		"b.html": {File: "b.html", Source: "test", Visible: BagOf("x"), Links: []reader.Link{{URL: "u", Href: "h", Kind: "text"}}},
	}
	if err := Save(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := LoadOracles(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestApproximateSaysSoAndLeavesScriptsOut(t *testing.T) {
	o := Approximate("x", "https://a.test/", []byte(`<title>T</title><p>a<b>b</b></p><script>no</script><a href=/x>l</a><h2>h</h2><img alt=pic>`))
	if !o.Approximate || o.Title != "T" {
		t.Errorf("got %+v", o)
	}
	if d := cmp.Diff(BagOf("ab l h"), o.Visible); d != "" {
		t.Error(d)
	}
	if len(o.Links) != 1 || len(o.Headings) != 1 || o.Allowed["pic"] != 1 {
		t.Errorf("links %v headings %v allowed %v", o.Links, o.Headings, o.Allowed)
	}
}
