package som

import (
	"os"
	"testing"
)

func TestScratch(t *testing.T) {
	src, _ := os.ReadFile(os.Getenv("F"))
	p := Analyze(Input{URL: "https://example.com/p", Source: src, HTMLBytes: len(src)}, Options{})
	t.Logf("%s\n%s", p.JSON(), p.Text())
}
