package audit

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"plasmate/bench/corpus"
	"plasmate/som"
	"plasmate/som/compact"
)

var worst = flag.String("worst", "", "write the lowest scoring pages to this file")

// TestCorpus holds the SOM and its views of every page to what a person sees of it.
func TestCorpus(t *testing.T) {
	pages, source, err := Corpus()
	if err != nil {
		t.Fatal(err)
	}
	r := Run(pages, compactView(0), compactView(1<<30))
	t.Logf("%d pages of the %s\n%s", len(pages), source, r.Table())
	if *worst != "" {
		if err := os.WriteFile(*worst, []byte(digest(r, source)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range r.Pages {
		if !p.Title || !p.Lang {
			t.Errorf("%s: title right %v, language right %v", p.Name, p.Title, p.Lang)
		}
	}
	for _, s := range r.Summary[:3] {
		for _, g := range gates(s) {
			if g.got < g.min {
				t.Errorf("%s: %s is %.4f, want at least %.4f", s.Form, g.what, g.got, g.min)
			}
		}
		if s.Empty > 0 {
			t.Errorf("%d pages have visible text and an empty SOM", s.Empty)
		}
	}
}

// compactView is the page in short keys, within a budget or whole.
func compactView(budget int) func(*som.Page) *View {
	name := "compact"
	if budget > 0 {
		name = "compact, folds open"
	}
	return func(p *som.Page) *View {
		return JSONView(name, compact.Encode(p, compact.Options{Budget: budget}), "v", "id", "i", "url", "+", "r", "role", "ty")
	}
}

type gate struct {
	what     string
	got, min float64
}

// gates are the bars that every form of a page has to pass.
func gates(s Summary) []gate {
	g := []gate{
		{"word recall of the median page", s.RecallMedian, .997},
		{"share of pages with 98 % of the words", s.Recall98, .95},
		{"share of words that are not hidden text", 1 - s.Hidden, .995},
	}
	if s.HasLinks {
		g = append(g, gate{"recall of distinct links", s.Links, .997})
	}
	if s.HasHeadings {
		g = append(g, gate{"recall of headings", s.Headings, .997})
	}
	if s.HasFields {
		g = append(g, gate{"recall of form fields", s.Fields, .997}, gate{"labels of form fields", s.FieldLabel, .997},
			gate{"types of form fields", s.FieldType, .997}, gate{"required fields", s.FieldRequired, .997}, gate{"options of selects", s.FieldOptions, .997})
	}
	return g
}

// TestTruth holds each form of a page to what was written down by reading it.
func TestTruth(t *testing.T) {
	dir, err := corpus.Testdata("truth")
	if err != nil {
		t.Fatal(err)
	}
	truths, err := LoadTruths(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages, source, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string]*corpus.Page{}
	for i := range pages {
		byFile[pages[i].File] = &pages[i]
	}
	held, checked := 0, 0
	for i := range truths {
		tr := &truths[i]
		p := byFile[tr.File]
		if p == nil {
			t.Logf("%s is not in the %s", tr.File, source)
			continue
		}
		v := tr.Check(som.Analyze(som.Input{URL: tr.URL, ContentType: p.ContentType(), Source: p.UTF8(), HTMLBytes: len(p.Body)}, som.Options{}))
		checked += v.Checked
		held += v.Checked - len(v.Failed)
		for _, f := range v.Failed {
			t.Errorf("%s: %s", tr.File, f)
		}
	}
	t.Logf("%d of %d statements about %d pages hold", held, checked, len(truths))
}

// digest lists what is missing where, shortest form that helps.
func digest(r Report, source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", source, r.Table())
	for form := range r.Summary {
		fmt.Fprintf(&b, "\n## %s: lowest word recall\n", r.Summary[form].Form)
		n := 0
		for _, p := range r.WorstIn(form) {
			f := p.Forms[form]
			if f.Words.Recall() >= .997 || n >= 25 {
				break
			}
			n++
			fmt.Fprintf(&b, "- %s %s (%d of %d) missing: %s | foreign: %s\n", p.Name, pct(f.Words.Recall()), f.Words.Found, f.Words.Required,
				strings.Join(f.Words.Missing.Top(12), " "), strings.Join(f.Words.Foreign.Top(8), " "))
		}
	}
	lists := []struct {
		name string
		of   func(f *Form) []string
	}{
		{"links", func(f *Form) []string { return f.MissingLinks }},
		{"headings", func(f *Form) []string { return f.MissingHeadings }},
		{"fields", func(f *Form) []string { return f.MissingFields }},
	}
	for form := range 3 {
		for _, l := range lists {
			fmt.Fprintf(&b, "\n## %s: missing %s\n", r.Summary[form].Form, l.name)
			n := 0
			for i := range r.Pages {
				m := l.of(&r.Pages[i].Forms[form])
				if len(m) == 0 || n >= 25 {
					continue
				}
				n++
				fmt.Fprintf(&b, "- %s: %d\n", r.Pages[i].Name, len(m))
				for _, x := range m[:min(3, len(m))] {
					if len(x) > 160 {
						x = x[:160]
					}
					fmt.Fprintf(&b, "  - %s\n", x)
				}
			}
		}
		fmt.Fprintf(&b, "\n## %s: hidden words shown\n", r.Summary[form].Form)
		for i := range r.Pages {
			if f := &r.Pages[i].Forms[form]; f.Words.Hidden > 2 {
				fmt.Fprintf(&b, "- %s: %d (≤ %d of %d): %s\n", r.Pages[i].Name, f.Words.Hidden, f.Words.HiddenUp, f.Words.Got, strings.Join(f.Words.Foreign.Top(12), " "))
			}
		}
	}
	return b.String()
}
