package textview

import (
	"fmt"
	"strings"
	"testing"

	"plasmate/bench/corpus"
	"plasmate/policy/privacy"
	"plasmate/som"
)

func corpusPages(t testing.TB) []corpus.Page {
	t.Helper()
	pages, source, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pages, %s", len(pages), source)
	if testing.Short() {
		pages = pages[:min(len(pages), 40)]
	}
	return pages
}

func analyse(p *corpus.Page) *som.Page {
	return som.Analyze(som.Input{URL: p.URL, ContentType: p.ContentType(), Source: p.UTF8(), HTMLBytes: len(p.Body)}, som.Options{})
}

// Every observation of the corpus is of the grammar, every ref that it prints
// resolves to the control that was printed, and printing again gives the same bytes.
func TestCorpusIsOfTheGrammar(t *testing.T) {
	for _, p := range corpusPages(t) {
		doc := analyse(&p)
		var refs Refs
		vault := privacy.NewVault(privacy.Detectors{})
		for _, mode := range []Mode{Actions, Full, Read} {
			o := Options{Mode: mode, Vault: vault}
			v := Render(doc, &refs, o)
			if err := checkView(&refs, v.Text, mode != Read); err != nil {
				t.Errorf("%s %s: %v", p.File, mode, err)
			}
			if again := Render(doc, &refs, o); again.Text != v.Text {
				t.Errorf("%s %s: the same page, refs and options give other bytes", p.File, mode)
			}
		}
	}
}

func checkView(refs *Refs, text string, controls bool) error {
	g, err := parseView(text)
	if err != nil {
		return err
	}
	for _, l := range g.lines {
		for _, c := range l.controls {
			got, err := refs.Resolve(c.ref)
			if err != nil {
				return fmt.Errorf("ref %d of %q: %w", c.ref, l.text, err)
			}
			if got.Role != c.role || got.Name != c.name {
				return fmt.Errorf("ref %d is %s, printed as %s %q", c.ref, got.Echo(), c.role, c.name)
			}
		}
		if len(l.controls) > 0 && !controls {
			return fmt.Errorf("a view without controls has %q", l.text)
		}
		for _, n := range []int{l.ref, l.foldRef} {
			if n == 0 {
				continue
			}
			if _, err := refs.Resolve(n); err != nil {
				return fmt.Errorf("ref %d of %q: %w", n, l.text, err)
			}
		}
	}
	return nil
}

// Few ordinary pages are noted for what only hostile pages do.
func TestNotesOnOrdinaryPagesAreRare(t *testing.T) {
	pages := corpusPages(t)
	var noted []string
	for _, p := range pages {
		v := Render(analyse(&p), &Refs{}, Options{Mode: Full})
		for _, n := range v.Safety.Notes() {
			switch noteID(n) {
			case "N1", "N2", "N3", "N4", "N6":
				noted = append(noted, p.File+": "+n)
			}
		}
	}
	t.Logf("%d notes on %d pages:\n%s", len(noted), len(pages), strings.Join(noted, "\n"))
	if 100*len(noted) > len(pages) {
		t.Errorf("got notes on %d of %d pages, want at most 1 %%", len(noted), len(pages))
	}
}
