// Package corpus loads the page corpus that the audits and benchmarks run on:
// real pages with the bytes they had, and what a server says of them.
//
// It reads a folder with a manifest.tsv; it never opens a connection.
package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plasmate/fetch/charset"
)

// EnvDir is the environment variable that names the folder of the whole corpus.
const EnvDir = "PLASMATE_CORPUS"

// Page is one page of the corpus. Its Body must not be changed.
type Page struct {
	File        string // slash-separated path below the corpus folder; the page's name
	Kind        string // first part of File
	URL         string // original address, or one under example.test where it is not known
	Charset     string // real encoding of Body, a WHATWG label in lower case
	HTTPCharset string // what the server must say for Body to decode right; empty if sniffing does
	License     string
	Repo        string // where the page came from
	SHA256      string
	Body        []byte
}

// ContentType is the Content-Type header the page is served with.
func (p *Page) ContentType() string {
	if p.HTTPCharset == "" {
		return "text/html"
	}
	return "text/html; charset=" + p.HTTPCharset
}

// UTF8 is the page decoded as a browser would decode it with that header.
func (p *Page) UTF8() []byte {
	text, _ := charset.Decode(p.Body, p.ContentType())
	return text
}

// ErrNone says that no corpus folder was found.
var ErrNone = errors.New("no page corpus: set " + EnvDir + " to a folder with a manifest.tsv")

// Load reads the best corpus there is: PLASMATE_CORPUS, then ../shared/corpus
// beside the repository, then the subset in testdata/corpus. The second result
// says in words which one it was.
func Load() ([]Page, string, error) {
	if dir := os.Getenv(EnvDir); dir != "" {
		pages, err := LoadDir(dir)
		return pages, "whole corpus (" + EnvDir + ")", err
	}
	root, err := repoRoot()
	if err != nil {
		return nil, "", err
	}
	for _, c := range []struct{ dir, name string }{
		{filepath.Join(root, "..", "shared", "corpus"), "whole corpus (beside the repository)"},
		{filepath.Join(root, "testdata", "corpus"), "subset in testdata/corpus"},
	} {
		if _, err := os.Stat(filepath.Join(c.dir, "manifest.tsv")); err == nil {
			pages, err := LoadDir(c.dir)
			return pages, c.name, err
		}
	}
	return nil, "", ErrNone
}

// Testdata is the absolute path of a file or folder below the repository's testdata.
func Testdata(name string) (string, error) {
	root, err := repoRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "testdata", filepath.FromSlash(name)), nil
}

// repoRoot walks up from the working directory to the folder of go.mod.
func repoRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ErrNone
		}
		dir = up
	}
}

// LoadDir reads the corpus in one folder, in the order of its manifest.
func LoadDir(dir string) ([]Page, error) {
	man, err := os.ReadFile(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		return nil, fmt.Errorf("read corpus manifest: %w", err)
	}
	pages, err := parseManifest(string(man))
	if err != nil {
		return nil, err
	}
	fsys := os.DirFS(dir)
	for i := range pages {
		if pages[i].Body, err = fs.ReadFile(fsys, pages[i].File); err != nil {
			return nil, fmt.Errorf("read corpus page: %w", err)
		}
	}
	return pages, nil
}

// parseManifest reads the tab separated manifest without the page bodies.
func parseManifest(s string) ([]Page, error) {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	col := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		col[name] = i
	}
	for _, need := range []string{"file", "kind", "url", "charset", "license", "http_charset", "sha256"} {
		if _, ok := col[need]; !ok {
			return nil, fmt.Errorf("read corpus manifest: no column %q", need)
		}
	}
	var pages []Page
	for n, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) < len(col) {
			return nil, fmt.Errorf("read corpus manifest: line %d has %d columns, want %d", n+2, len(f), len(col))
		}
		p := Page{
			File: f[col["file"]], Kind: f[col["kind"]], URL: f[col["url"]], Charset: f[col["charset"]],
			HTTPCharset: f[col["http_charset"]], License: f[col["license"]], SHA256: f[col["sha256"]],
		}
		if i, ok := col["repo"]; ok {
			p.Repo = f[i]
		}
		if p.URL == "" {
			p.URL = "https://example.test/" + p.File
		}
		pages = append(pages, p)
	}
	return pages, nil
}
