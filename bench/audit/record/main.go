// Command record asks Chromium what a person sees of every page of the corpus
// and keeps it as the audits' golden data. It opens no connection.
//
//	go run ./bench/audit/record -chromium /usr/bin/chromium
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

	"plasmate/bench/audit/reader"
	"plasmate/bench/corpus"
)

func main() {
	chromium := flag.String("chromium", "chromium", "the browser")
	raw := flag.String("raw", "", "folder for what was seen, one JSON file a page")
	only := flag.String("only", "", "record only pages whose file holds this")
	flag.Parse()
	if err := run(*chromium, *raw, *only); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(chromium, raw, only string) error {
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
	}
	return nil
}

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
