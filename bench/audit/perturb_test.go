package audit

import (
	"strings"
	"testing"

	"plasmate/som"
)

// TestIDsSurvive reports the share of element ids that are still there, with the
// same role and text, after changes to 100 pages that concern other things.
func TestIDsSurvive(t *testing.T) {
	pages, source, err := Corpus()
	if err != nil {
		t.Fatal(err)
	}
	floor := map[string]float64{
		"white space": .999, "comments": .999, "attribute order": .999, "class names": .995,
		"banner after the content": .999,
	}
	chosen := spread(pages, 100)
	for _, c := range Perturbations() {
		kept, all := 0, 0
		var worst []string
		for _, p := range chosen {
			changed := c.Apply(p.Source)
			if changed == nil {
				continue
			}
			k, n := survivors(p, changed)
			kept, all = kept+k, all+n
			if n > 0 && float64(k)/float64(n) < .98 && len(worst) < 4 {
				worst = append(worst, p.Name)
			}
		}
		got := share(kept, all)
		t.Logf("%s: %d of %d ids survive (%s) on %d pages of the %s; below 98 %%: %s", c.Name, kept, all, pct(got), len(chosen), source, strings.Join(worst, ", "))
		if got < floor[c.Name] {
			t.Errorf("%s: %.4f of ids survive, want at least %.4f", c.Name, got, floor[c.Name])
		}
	}
}

// spread takes n pages of at most 200 KiB, evenly from all kinds.
func spread(pages []Page, n int) []*Page {
	var small []*Page
	for i := range pages {
		if len(pages[i].Source) <= 200<<10 {
			small = append(small, &pages[i])
		}
	}
	n = min(n, len(small))
	out := make([]*Page, n)
	for i := range out {
		out[i] = small[i*len(small)/n]
	}
	return out
}

func survivors(p *Page, changed []byte) (kept, all int) {
	in := som.Input{URL: p.URL, ContentType: p.ContentType, Source: p.Source}
	before := som.Analyze(in, som.Options{})
	in.Source = changed
	after := som.Analyze(in, som.Options{})
	before.Walk(func(e *som.Element, _ *som.Region) bool {
		all++
		if f := after.ElementByID(e.ID); f != nil && f.Role == e.Role && key(f.Text) == key(e.Text) {
			kept++
		}
		return true
	})
	return kept, all
}
