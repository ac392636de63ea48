package mcp

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"plasmate/messages"
)

// The bounds of research (text protocol §11).
const (
	researchLimit   = 5
	researchMost    = 10
	researchBudget  = 1500
	researchAtOnce  = 4
	researchTimeout = 20 * time.Second
)

// research opens pages in tabs of their own, a few at a time, and puts what
// each says into its part of the budget.
func research(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		URLs          []string
		Limit, Budget int
		Keep          bool
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	limit := min(max(a.Limit, 0), researchMost)
	if limit == 0 {
		limit = researchLimit
	}
	urls := distinct(a.URLs)
	if len(urls) == 0 {
		if urls, err = c.resultLinks(ctx); err != nil {
			return messages.Told{}, err
		}
	}
	if len(urls) == 0 {
		return messages.Told{Text: "✗ research: not-found no result links on this page; give urls", Failed: true}, nil
	}
	left := max(0, len(urls)-limit)
	urls = urls[:min(limit, len(urls))]
	budget := a.Budget
	if budget <= 0 {
		budget = researchBudget
	}
	text := strings.Join(c.digests(ctx, urls, max(200, budget/len(urls)), a.Keep), "\n")
	if left > 0 {
		text += fmt.Sprintf("\n… +%d more links not opened (limit %d)", left, limit)
	}
	return messages.Told{Text: text}, nil
}

func distinct(urls []string) []string {
	seen := make(map[string]bool)
	var out []string
	for _, u := range urls {
		if u = strings.TrimSpace(u); u != "" && !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out
}

// resultLinks are the links of the page's main part that lead elsewhere.
func (c *call) resultLinks(ctx context.Context) ([]string, error) {
	r, err := messages.Ask(ctx, c.client.cfg.Asker, c.session, messages.Observe{Page: c.page, Format: messages.FormatLinks, Ref: "r_main"})
	if err != nil {
		if r, err = messages.Ask(ctx, c.client.cfg.Asker, c.session, messages.Observe{Page: c.page, Format: messages.FormatLinks}); err != nil {
			return nil, err
		}
	}
	var urls []string
	for _, l := range r.Links {
		if strings.HasPrefix(l.URL, "http") && l.Text != "" && !strings.HasPrefix(l.Href, "#") {
			urls = append(urls, l.URL)
		}
	}
	return distinct(urls), nil
}

// digests reads the pages, at most researchAtOnce at a time, in the order given.
func (c *call) digests(ctx context.Context, urls []string, budget int, keep bool) []string {
	out := make([]string, len(urls))
	turns := make(chan struct{}, researchAtOnce)
	var all sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for i, u := range urls {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			out[i] = fmt.Sprintf("%d %s", i+1, c.digest(ctx, u, budget, keep))
			mu.Lock()
			done++
			c.tell(ctx, done, len(urls), u)
			mu.Unlock()
		})
	}
	all.Wait()
	return out
}

// digest is what one page says, or why it says nothing.
func (c *call) digest(ctx context.Context, url string, budget int, keep bool) string {
	ctx, stop := context.WithTimeout(ctx, researchTimeout)
	defer stop()
	asker := c.client.cfg.Asker
	opened, err := messages.Ask(ctx, asker, c.session, messages.OpenPage{})
	if err != nil {
		return "✗ " + url + " · " + err.Error()
	}
	told, err := c.ask(ctx, messages.Visit{Page: opened.ID, URL: url, View: &messages.View{Mode: "read", Budget: budget}})
	if err != nil || told.Failed || !keep {
		_, _ = messages.Ask(context.WithoutCancel(ctx), asker, c.session, messages.ClosePage(opened))
	}
	switch {
	case err != nil:
		return "✗ " + url + " · " + err.Error()
	case told.Failed:
		return "✗ " + url + " · " + strings.TrimPrefix(told.Text, "✗ navigate: ")
	}
	text := strings.TrimPrefix(told.Text, "# ")
	if keep {
		head, rest, _ := strings.Cut(text, "\n")
		text = head + " · tab " + strings.TrimPrefix(string(opened.ID), "p_") + "\n" + rest
	}
	return strings.ReplaceAll(text, "\n", "\n ")
}
