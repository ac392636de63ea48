// Package bench measures plasmate on a list of URLs: bytes, tokens and time of
// each page beside how much of the page its SOM keeps, because a ratio without
// recall says nothing. Every URL of the list is in the result with exactly one
// outcome. It drives the same actors as a server does and changes nothing in them.
//
// Spec: AWP v0.1 §6 (bench).
package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"plasmate"
	"plasmate/bench/audit"
	"plasmate/messages"
)

// Plan is one sweep.
type Plan struct {
	URLs        []string
	Concurrency int           // pages at once; 4
	Rate        float64       // requests a second to one host; 0: no limit
	Timeout     time.Duration // of one page; 30 s
	UserAgent   string        // "": plasmate/VERSION
	Network     plasmate.NetworkConfig
	// Oracles say what a browser shows of a URL; recall is approximate without.
	Oracles map[string]*audit.Oracle
	// Done, if not nil, is told of every row as it is finished, one at a time.
	Done func(Row)
}

// Row is what became of one URL. Numbers are 0 where there was no page.
type Row struct {
	URL         string  `json:"url"`
	FinalURL    string  `json:"final_url,omitempty"` // after redirects
	Outcome     Outcome `json:"outcome"`
	Reason      string  `json:"reason,omitempty"` // of a failure, AWP §2
	Error       string  `json:"error,omitempty"`
	Status      int     `json:"status,omitempty"` // HTTP
	ContentType string  `json:"content_type,omitempty"`

	HTMLBytes   int     `json:"html_bytes"`
	SOMBytes    int     `json:"som_bytes"`
	HTMLTokens  int     `json:"html_tokens"` // o200k_base
	SOMTokens   int     `json:"som_tokens"`
	Elements    int     `json:"elements"`
	Interactive int     `json:"interactive"`
	WordRecall  float64 `json:"word_recall"` // 0 to 1
	LinkRecall  float64 `json:"link_recall"`
	// The page in compact form, AWP observe format "compact".
	CompactBytes  int     `json:"compact_bytes"`
	CompactTokens int     `json:"compact_tokens"`
	CompactRecall float64 `json:"compact_word_recall"` // of what is shown before folds are opened
	// RecallAgainst says what recall was measured against.
	RecallAgainst string `json:"recall_against,omitempty"`

	FetchMS   float64 `json:"fetch_ms"`
	CompileMS float64 `json:"compile_ms"`
	LoadMS    float64 `json:"load_ms"`
}

// ReadURLs reads a list of URLs: one a line, # begins a comment.
func ReadURLs(r io.Reader) ([]string, error) {
	var urls []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if i := strings.Index(line, " #"); i >= 0 { // a fragment has no space before it
			line = strings.TrimSpace(line[:i])
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			urls = append(urls, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read URLs: %w", err)
	}
	return urls, nil
}

// Run visits every URL of p in a session of its own and returns a row for
// each, in p's order. When ctx is done the rest fail. The error is that of a
// runtime that cannot be made, such as a malformed resolve rule.
func Run(ctx context.Context, p Plan) ([]Row, error) {
	if p.Concurrency <= 0 {
		p.Concurrency = 4
	}
	if p.Timeout <= 0 {
		p.Timeout = messages.DefaultTimeout
	}
	if p.UserAgent == "" {
		p.UserAgent = "plasmate/" + plasmate.Version
	}
	count, err := NewCounter()
	if err != nil {
		return nil, err
	}
	rt, err := newRuntime(p)
	if err != nil {
		return nil, err
	}
	defer rt.close()
	rows := make([]Row, len(p.URLs))
	next := make(chan int)
	var workers sync.WaitGroup
	var report sync.Mutex
	for range min(p.Concurrency, len(p.URLs)) {
		workers.Go(func() {
			for i := range next {
				rows[i] = rt.visit(ctx, p, p.URLs[i], count)
				if p.Done != nil {
					report.Lock()
					p.Done(rows[i])
					report.Unlock()
				}
			}
		})
	}
	for i := range p.URLs {
		next <- i
	}
	close(next)
	workers.Wait()
	return rows, nil
}
