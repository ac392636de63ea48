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

// TestCorpus: within its budget the document loses nothing: each word, as often
// as the page has it, is printed in the whole document; each control is printed
// or behind a fold, whose id opens it.
func TestCorpus(t *testing.T) {
	pages, source, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	var ratios, recalls []float64
	controls, lost := 0, 0
	for _, p := range pages {
		page := som.Analyze(som.Input{URL: p.URL, ContentType: p.ContentType(), Source: p.UTF8(), HTMLBytes: len(p.Body)}, som.Options{})
		got := readDoc(t, p.File, compact.Encode(page, compact.Options{}))
		whole := readDoc(t, p.File, compact.Encode(page, compact.Options{Budget: 1 << 30}))
		ratios = append(ratios, float64(got.size)/float64(len(p.Body)))
		recalls = append(recalls, recall(page, whole))
		reached := map[string]bool{}
		for _, id := range got.folds {
			part, ok := page.Part(id)
			if !ok {
				t.Fatalf("%s: fold %q opens nothing", p.File, id)
			}
			part.Walk(func(e *som.Element, _ *som.Region) bool { reached[e.ID] = true; return true })
		}
		page.Walk(func(e *som.Element, _ *som.Region) bool {
			if e.Actions() == nil {
				return true
			}
			controls++
			if !got.ids[e.ID] && !reached[e.ID] {
				lost++
				t.Logf("%s: %s %s %q is neither printed nor behind a fold", p.File, e.Role, e.ID, e.Name())
			}
			return true
		})
	}
	slices.Sort(ratios)
	slices.Sort(recalls)
	ratio, p5, median := ratios[len(ratios)/2], recalls[len(recalls)/20], recalls[len(recalls)/2]
	t.Logf("%d pages of %s: compact/HTML median %.3f; words of the whole form: median %.4f, p5 %.4f, worst %.4f; %d controls",
		len(pages), source, ratio, median, p5, recalls[0], controls)
	if ratio > 0.12 {
		t.Errorf("median size %.3f of the HTML, want at most 0.12", ratio)
	}
	if median < 0.997 || p5 < 0.98 {
		t.Errorf("word recall median %.4f, p5 %.4f; want 0.997 and 0.98", median, p5)
	}
	if lost > 0 {
		t.Errorf("%d of %d controls are lost", lost, controls)
	}
}

// doc is what a compact document holds.
type doc struct {
	size  int
	words map[string]int
	ids   map[string]bool
	folds []string
}

func readDoc(t *testing.T, file string, raw []byte) doc {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v: %.300s", file, err, raw)
	}
	d := doc{len(raw), map[string]int{}, map[string]bool{}, nil}
	d.walk("", v)
	return d
}

func (d *doc) walk(key string, v any) {
	switch v := v.(type) {
	case string:
		switch key {
		case "i", "id":
			d.ids[v] = true
		case "+":
			d.folds = append(d.folds, v)
		case "role", "r", "ty", "v", "url":
		default:
			for _, w := range words(v) {
				d.words[w]++
			}
		}
	case []any:
		for _, x := range v {
			d.walk(key, x)
		}
	case map[string]any:
		for k, x := range v {
			d.walk(k, x)
		}
	}
}

// recall is the share of the words of the page's elements that d has, each as
// often as they have it.
func recall(page *som.Page, d doc) float64 {
	want := map[string]int{}
	note := func(s string) {
		for _, w := range words(s) {
			want[w]++
		}
	}
	var walk func(es []*som.Element, start, end int32)
	walk = func(es []*som.Element, start, end int32) {
		for _, e := range es {
			if e.Flags&som.FlagHidden != 0 {
				continue
			}
			inside := e.Start < e.End && e.Start >= start && e.End <= end
			if !inside && e.Table == nil {
				note(e.Text)
			}
			if e.Table != nil {
				for _, r := range append([][]string{e.Table.Headers}, e.Table.Rows...) {
					note(strings.Join(r, " "))
				}
				continue // its children are in the cells
			}
			if e.List != nil {
				at := 0
				for _, it := range e.List.Items {
					from, to := it.Span()
					note(it.Text)
					walk(e.Children[at:it.From], 0, 0)
					walk(e.Children[it.From:it.To], from, to)
					at = int(it.To)
				}
				walk(e.Children[at:], 0, 0)
				continue
			}
			walk(e.Children, e.Start, e.End)
		}
	}
	for _, r := range page.Regions {
		walk(r.Elements, 0, 0)
	}
	all, found := 0, 0
	for w, n := range want {
		all += n
		found += min(n, d.words[w])
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
