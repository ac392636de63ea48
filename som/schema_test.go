package som

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func somSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("som.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("som.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, name string, data []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Errorf("%s: no JSON: %v", name, err)
		return
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// TestSchema: every page compiles to a document of schema.json, with som_bytes
// its exact length.
func TestSchema(t *testing.T) {
	s := somSchema(t)
	for _, pattern := range []string{"golden", "conformance"} {
		files, _ := filepath.Glob("../testdata/som/" + pattern + "/*.html")
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			p := compile(t, "https://example.test/", string(src))
			validate(t, s, f, p.JSON())
			checkPage(t, f, p)
		}
	}
}

// TestSchemaCorpus is TestSchema over the corpus.
func TestSchemaCorpus(t *testing.T) {
	s := somSchema(t)
	for _, c := range loadCorpus(t) {
		p := Analyze(Input{URL: c.URL, Source: c.Source, HTMLBytes: c.Raw}, Options{})
		validate(t, s, c.File, p.JSON())
		checkPage(t, c.File, p)
	}
}

// checkPage checks what holds for every page.
func checkPage(t *testing.T, name string, p *Page) {
	t.Helper()
	d := readDoc(t, p.JSON())
	if d.Meta["som_bytes"] != len(p.JSON()) {
		t.Errorf("%s: som_bytes = %d, want %d", name, d.Meta["som_bytes"], len(p.JSON()))
	}
	count, ids := 0, map[string]bool{}
	for _, r := range d.Regions {
		if len(r.Elements) == 0 || ids[r.ID] {
			t.Errorf("%s: region %s is empty or twice there", name, r.ID)
		}
		ids[r.ID] = true
		for _, e := range flat(r.Elements) {
			count++
			if ids[e.ID] {
				t.Errorf("%s: element id %s twice", name, e.ID)
			}
			ids[e.ID] = true
			if len([]rune(e.Text)) > maxText+3 {
				t.Errorf("%s: %s has %d characters of text", name, e.ID, len([]rune(e.Text)))
			}
			if k := p.ElementByID(e.ID); k == nil {
				t.Errorf("%s: %s is not found by id", name, e.ID)
			} else if m, err := p.Resolve(Target{Ref: e.ID}); err != nil || m.Element != k {
				t.Errorf("%s: %s does not resolve", name, e.ID)
			}
		}
	}
	if d.Meta["element_count"] != count {
		t.Errorf("%s: element_count = %d, want %d", name, d.Meta["element_count"], count)
	}
}
