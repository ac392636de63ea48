package compact_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"plasmate/bench/corpus"
	"plasmate/som"
	"plasmate/som/compact"
)

func analyze(src string) *som.Page {
	return som.Analyze(som.Input{URL: "http://a.test/", Source: []byte(src), HTMLBytes: len(src)}, som.Options{})
}

func TestEncode(t *testing.T) {
	for _, row := range []struct{ name, html, want string }{
		{"paragraph and heading", `<h1>Hi</h1><p>Text`, `{"r":"content","id":"r_content","e":[{"h1":"Hi"},"Text"]}`},
		{"link in a line", `<p>See <a href=x>this</a> now`, `{"r":"content","id":"r_content","e":[["See ",{"a":"this","i":"ID"}," now"]]}`},
		{
			"form", `<form action=/s><label>Name <input name=n required value=Ada></label><label><input type=checkbox checked> Yes</label><select aria-label=S><option>A<option selected>B</select><button>Go</button></form>`,
			`{"r":"form","id":"r_form","e":[{"in":"Name","i":"ID","v":"Ada","req":1},{"cb":"Yes","i":"ID","c":1},{"sel":"S","i":"ID","o":["A","B"],"v":[1]},{"b":"Go","i":"ID"}]}`,
		},
		{"list", `<ul><li>one<li><a href=y>two</a> more</ul>`, `{"r":"content","id":"r_content","e":[{"ul":["one",[{"a":"two","i":"ID"}," more"]]}]}`},
		{"table", `<table><caption>C</caption><tr><th>A<th>B<tr><td>1<td>2</table>`, `{"r":"content","id":"r_content","e":[{"cap":"C","tb":[["A","B"],["1","2"]]}]}`},
		{"password", `<input type=password value=hunter2 aria-label=P>`, `{"r":"content","id":"r_content","e":[{"in":"P","i":"ID","ty":"password"}]}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			page := analyze("<!doctype html>" + row.html)
			got := string(compact.Encode(page, compact.Options{}))
			page.Walk(func(e *som.Element, _ *som.Region) bool { got = strings.ReplaceAll(got, e.ID, "ID"); return true })
			want := `{"v":"0.1c","url":"http://a.test/","title":"","r":[` + row.want + `]}`
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestCorpus: within its budget the document loses nothing: what is not
// printed is behind a fold, and the fold's id opens it.
func TestCorpus(t *testing.T) {
	pages, source, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	var ratios, recalls []float64
	for _, p := range pages {
		page := som.Analyze(som.Input{URL: p.URL, ContentType: p.ContentType(), Source: p.UTF8(), HTMLBytes: len(p.Body)}, som.Options{})
		got := compact.Encode(page, compact.Options{})
		if !json.Valid(got) {
			t.Fatalf("%s: not JSON: %.300s", p.File, got)
		}
		ratios = append(ratios, float64(len(got))/float64(len(p.Body)))
		r := recall(t, p.File, page, got)
		if r < 0.98 {
			t.Logf("%s: %.4f", p.File, r)
		}
		recalls = append(recalls, r)
	}
	slices.Sort(ratios)
	slices.Sort(recalls)
	ratio, worst, median := ratios[len(ratios)/2], recalls[len(recalls)/20], recalls[len(recalls)/2]
	t.Logf("%d pages of %s: compact/HTML median %.3f; words shown or behind a fold: median %.4f, p5 %.4f", len(pages), source, ratio, median, worst)
	if ratio > 0.12 {
		t.Errorf("median size %.3f of the HTML, want at most 0.12", ratio)
	}
	if median < 0.997 || worst < 0.98 {
		t.Errorf("word recall median %.4f, p5 %.4f; want 0.997 and 0.98", median, worst)
	}
}

// recall is the share of the page's words that are printed or behind a fold.
func recall(t *testing.T, file string, page *som.Page, doc []byte) float64 {
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	note := func(s string) {
		for _, w := range words(s) {
			have[w] = true
		}
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			note(v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if id, ok := v["+"].(string); ok {
				part, ok := page.Part(id)
				if !ok {
					t.Fatalf("%s: fold %q opens nothing", file, id)
				}
				note(part.Text())
				return
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
	all, found := 0, 0
	for _, w := range words(page.Text()) {
		all++
		if have[w] {
			found++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

func TestBudgetHolds(t *testing.T) {
	src := "<!doctype html><nav>" + strings.Repeat("<a href=x>Somewhere else</a> ", 200) + "</nav><main>" +
		strings.Repeat("<p>A paragraph of the main part.</p>", 500) + "</main><footer><p>Foot</footer>"
	page := analyze(src)
	for _, budget := range []int{300, 1000, 5000, 50_000} {
		got := compact.Encode(page, compact.Options{Budget: budget})
		if len(got) > budget+300 {
			t.Errorf("%d bytes for a budget of %d", len(got), budget)
		}
		if budget < 10_000 && !strings.Contains(string(got), `{"+":"r_main","n":`) {
			t.Errorf("no fold of main in %.200s", got)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	page := analyze("<!doctype html><main>" + strings.Repeat("<p>A <a href=x>link</a> in a paragraph.</p>", 1000))
	b.ReportAllocs()
	for b.Loop() {
		compact.Encode(page, compact.Options{Budget: 1 << 20})
	}
}
