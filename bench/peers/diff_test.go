package peers

import (
	"testing"

	"plasmate/bench"
	"plasmate/bench/corpus"
	"plasmate/som"
	"plasmate/som/textview"
)

// What an act on a page answers is a small part of the page.
func TestDiffSizes(t *testing.T) {
	pages, source, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	counter, err := bench.NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(s string) float64 { return float64(counter.Tokens([]byte(s))) }
	var shares, sizes []float64
	for _, p := range pages {
		in := som.Input{URL: p.URL, ContentType: p.ContentType(), Source: p.UTF8(), HTMLBytes: len(p.Body)}
		doc := som.Analyze(in, som.Options{})
		state := touch(doc)
		if state == nil {
			continue
		}
		var refs textview.Refs
		o := textview.Options{Mode: textview.Full, At: textview.At{Load: 1}}
		base := textview.Render(doc, &refs, o)
		in.State = state
		next := textview.Render(som.Analyze(in, som.Options{}), &refs, o)
		d := tokens(next.Diff(&base))
		shares = append(shares, d/tokens(next.Text))
		sizes = append(sizes, d)
	}
	m := median(shares)
	t.Logf("%s, %d pages with a field or box: a diff has %.0f tokens, %.1f %% of the full view (medians)", source, len(shares), median(sizes), 100*m)
	if m > 0.08 {
		t.Errorf("got a median of %.3f, want at most 0.08", m)
	}
}

// touch types into the first field of a page, or ticks its first box.
func touch(doc *som.Page) som.State {
	var state som.State
	doc.Walk(func(e *som.Element, _ *som.Region) bool {
		if state != nil || e.Node == som.NoNode || e.Flags&(som.FlagHidden|som.FlagDisabled) != 0 {
			return state == nil
		}
		switch kind, _ := e.Attr("input_type"); {
		case e.Role == "text_input" && (kind == "text" || kind == "search" || kind == "email"):
			value := "jane@example.com"
			state = som.State{e.Node: {Value: &value}}
		case e.Role == "checkbox":
			checked := true
			state = som.State{e.Node: {Checked: &checked}}
		}
		return true
	})
	return state
}
