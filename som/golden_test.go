package som

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the SOM of our own pages with the files beside them.
func TestGolden(t *testing.T) {
	pages, err := filepath.Glob("../testdata/som/golden/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, f := range pages {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			p := compile(t, "https://example.test/shop/page.html", string(src))
			var got bytes.Buffer
			if err := json.Indent(&got, p.JSON(), "", " "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			golden := strings.TrimSuffix(f, ".html") + ".json"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(got.String(), string(want)); d != "" {
				t.Error(d)
			}
		})
	}
}
