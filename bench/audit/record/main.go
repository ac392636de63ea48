// Command record asks Chromium what a person sees of every page of the corpus
// and keeps it as the audits' golden data. It opens no connection.
//
//	go run ./bench/audit/record -chromium /usr/bin/chromium
//
// -playwright names a JSON file {page: {"ai": bytes, "default": bytes}} with the
// sizes of Playwright's accessibility snapshots, which are kept with the rest.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"plasmate/bench/audit"
	"plasmate/bench/audit/reader"
	"plasmate/bench/corpus"
)

func main() {
	chromium := flag.String("chromium", "chromium", "the browser")
	snapshots := flag.String("playwright", "", "JSON file with the sizes of Playwright's snapshots")
	raw := flag.String("raw", "", "folder for what was seen, one JSON file a page")
	only := flag.String("only", "", "record only pages whose file holds this")
	flag.Parse()
	if err := run(*chromium, *raw, *only, *snapshots); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(chromium, raw, only, snapshots string) error {
	pages, source, err := corpus.Load()
	if err != nil {
		return err
	}
	fmt.Println(source)
	b, err := reader.Start(chromium)
	if err != nil {
		return err
	}
	defer b.Close()
	rec, err := newRecord(snapshots)
	if err != nil {
		return err
	}
	for i := range pages {
		p := &pages[i]
		if !strings.Contains(p.File, only) {
			continue
		}
		begin := time.Now()
		s, err := read(b, p)
		if err != nil {
			fmt.Printf("FAIL %s: %v\n", p.File, err)
			continue
		}
		fmt.Printf("%s %s text=%d links=%d headings=%d fields=%d hidden=%d details=%d quiet=%d tree=%d shown=%v %s\n", p.File, time.Since(begin).Round(time.Millisecond),
			len(s.Text), len(s.Links), len(s.Headings), len(s.Fields), len(s.Hidden), len(s.Details), len(s.Quiet), len(s.Tree), s.BodyShown, s.Charset)
		if raw != "" {
			if err := keep(raw, p.File, s); err != nil {
				return err
			}
		}
		rec.add(p, s)
	}
	return rec.save()
}

// record is the golden data being made.
type record struct {
	path    string
	oracles map[string]*audit.Oracle
	inRepo  map[string]bool // pages whose text may be kept
	sizes   map[string]struct{ AI, Default int }
}

// newRecord begins with the golden data there is.
func newRecord(snapshots string) (*record, error) {
	path, err := corpus.Testdata("oracle/seen.jsonl.zst")
	if err != nil {
		return nil, err
	}
	r := &record{path: path, inRepo: map[string]bool{}}
	if r.oracles, err = audit.LoadOracles(path); err != nil {
		r.oracles = map[string]*audit.Oracle{}
	}
	dir, err := corpus.Testdata("corpus")
	if err != nil {
		return nil, err
	}
	own, err := corpus.LoadDir(dir)
	if err != nil {
		return nil, err
	}
	for i := range own {
		r.inRepo[own[i].File] = true
	}
	if snapshots == "" {
		return r, nil
	}
	data, err := os.ReadFile(snapshots)
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(data, &r.sizes)
}

func (r *record) add(p *corpus.Page, s *reader.Seen) {
	o := audit.FromSeen(p.File, "Chromium 156, scripts off, nothing loaded", s, r.inRepo[p.File])
	o.SHA256 = p.SHA256
	if old := r.oracles[p.File]; old != nil {
		o.PlaywrightBytes = old.PlaywrightBytes
	}
	if n := r.sizes[p.File]; n.AI > 0 || n.Default > 0 {
		o.PlaywrightBytes = n.Default
	}
	r.oracles[p.File] = o
}

func (r *record) save() error { return audit.Save(r.path, r.oracles) }

func read(b *reader.Browser, p *corpus.Page) (*reader.Seen, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return b.Read(ctx, reader.Page{URL: p.URL, ContentType: p.ContentType(), Body: p.Body})
}

func keep(dir, file string, s *reader.Seen) error {
	name := filepath.Join(dir, strings.ReplaceAll(file, "/", "__")+".json")
	out, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(name, out, 0o644)
}
