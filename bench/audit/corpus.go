package audit

import (
	"plasmate/bench/corpus"
)

// FromCorpus pairs corpus pages with their recorded oracles. A page without
// one, or that is not the page the oracle was read from, gets an approximation.
func FromCorpus(pages []corpus.Page, oracles map[string]*Oracle) []Page {
	out := make([]Page, len(pages))
	for i := range pages {
		p := &pages[i]
		src := p.UTF8()
		o := oracles[p.File]
		if o == nil || o.SHA256 != p.SHA256 {
			o = Approximate(p.File, p.URL, src)
		}
		out[i] = Page{Name: p.File, URL: p.URL, ContentType: p.ContentType(), Source: src, Bytes: len(p.Body), Oracle: o}
	}
	return out
}

// Corpus loads the best corpus there is with its recorded oracles; the second
// result says in words which it was.
func Corpus() ([]Page, string, error) {
	pages, source, err := corpus.Load()
	if err != nil {
		return nil, source, err
	}
	path, err := corpus.Testdata("oracle/seen.jsonl.zst")
	if err != nil {
		return nil, source, err
	}
	oracles, err := LoadOracles(path)
	if err != nil {
		return nil, source, err
	}
	return FromCorpus(pages, oracles), source, nil
}
