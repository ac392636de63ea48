package forms_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"plasmate/engine/static/forms"
	"plasmate/fetch/charset"
	"plasmate/som/dom"
)

// corpusDir is the folder of real pages: $PLASMATE_CORPUS, else the one beside
// the repository; "" if there is none.
func corpusDir() string {
	for _, dir := range []string{os.Getenv("PLASMATE_CORPUS"), "../../../../shared/corpus"} {
		if m, _ := filepath.Glob(filepath.Join(dir, "*", "*.html")); dir != "" && len(m) > 0 {
			return dir
		}
	}
	return ""
}

func readPage(t *testing.T, name, encoding string) *forms.Document {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	src, found := charset.Decode(body, "text/html"+encoding)
	return forms.New(forms.Source{Root: dom.Parse(src).Root, HTML: src, URL: pageURL, Encoding: found})
}

// Every form of every real page can be validated and submitted, quickly.
func TestFormsOfTheCorpus(t *testing.T) {
	dir := corpusDir()
	if dir == "" {
		t.Skip("no corpus: set PLASMATE_CORPUS")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	pages, submitted, byPointer := 0, 0, 0
	for _, name := range files {
		if !strings.Contains(filepath.Base(name), ".") {
			continue
		}
		pages++
		d := readPage(t, name, "")
		start := time.Now()
		for _, f := range d.Elements("form") {
			d.Invalid(f)
			if _, err := d.Submit(f, d.DefaultButton(f), "B", nil); err == nil {
				submitted++
			}
			for _, c := range d.Controls(f) {
				if !slices.Contains(ancestors(c), f) && !forms.HasAttr(c, "form") {
					byPointer++
				}
			}
		}
		if took := time.Since(start); took > time.Second {
			t.Logf("%s: %v", name, took)
		}
	}
	t.Logf("%s: %d pages, %d forms submitted, %d controls owned by the parser's pointer alone", dir, pages, submitted, byPointer)
}

func ancestors(n *html.Node) []*html.Node {
	return slices.Collect(n.Ancestors())
}

// The hand-written descriptions of real pages say which fields a form has.
func TestFieldsOfDescribedForms(t *testing.T) {
	dir := corpusDir()
	truths, _ := filepath.Glob(filepath.Join(dir, "..", "truth", "*.json"))
	if len(truths) == 0 {
		t.Skip("no descriptions beside the corpus")
	}
	total, met := 0, 0
	for _, name := range truths {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var truth struct {
			File    string `json:"file"`
			Charset string `json:"charset"`
			Forms   []struct {
				Fields []struct {
					Name     string `json:"name"`
					Optional bool   `json:"optional"`
				} `json:"fields"`
			} `json:"forms"`
		}
		if err := json.Unmarshal(b, &truth); err != nil {
			t.Fatal(err)
		}
		d := readPage(t, filepath.Join(dir, truth.File), "; charset="+truth.Charset)
		for i, f := range truth.Forms {
			var names []string
			for _, field := range f.Fields {
				if field.Name != "" && !field.Optional {
					names = append(names, field.Name)
				}
			}
			if len(names) == 0 {
				continue
			}
			total++
			if ownedTogether(d, names) {
				met++
			} else {
				t.Errorf("%s: no form owns all of the fields %v of form %d", truth.File, names, i)
			}
		}
	}
	t.Logf("%d of %d described forms have their fields", met, total)
}

// ownedTogether says whether one form owns fields of all those names.
func ownedTogether(d *forms.Document, names []string) bool {
	for _, f := range d.Elements("form") {
		var have []string
		for _, c := range d.Controls(f) {
			have = append(have, forms.Attr(c, "name"))
		}
		if !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(have, n) }) {
			return true
		}
	}
	return false
}
