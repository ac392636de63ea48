package som

import (
	"os"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	for _, p := range corpus(t) {
		page := Analyze(Input{URL: p.URL, Source: p.Source, HTMLBytes: p.Raw}, Options{})
		os.WriteFile(dir+"/"+strings.ReplaceAll(p.File, "/", "__")+".json", page.JSON(), 0o644)
		os.WriteFile(dir+"/"+strings.ReplaceAll(p.File, "/", "__")+".txt", []byte(page.Text()), 0o644)
		os.WriteFile(dir+"/"+strings.ReplaceAll(p.File, "/", "__")+".src", p.Source, 0o644)
	}
}
