package som

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plasmate/internal/golden"
)

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
			golden.Check(t, strings.TrimSuffix(f, ".html")+".json", got.Bytes())
		})
	}
}
