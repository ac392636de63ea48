package audit

import (
	"context"
	"fmt"
	"time"

	"plasmate/bench/audit/reader"
	"plasmate/fetch/charset"
)

// Target is one document to be audited that is no page of the corpus. Whoever
// calls has read it already: this package opens no files and no connections.
type Target struct {
	Name        string // as it stands in the report
	URL         string // absolute; the document's address
	ContentType string // as received; empty is text/html
	Body        []byte // as received, content-coding undone
}

// Documents audits documents. With a chromium path the oracle is that browser,
// which loads each document without any network; with an empty path, or where
// the browser fails, it is the approximation, and the report says so.
func Documents(ctx context.Context, targets []Target, chromium string) (Report, error) {
	var browser *reader.Browser
	if chromium != "" {
		b, err := reader.Start(chromium)
		if err != nil {
			return Report{}, fmt.Errorf("audit with a browser: %w", err)
		}
		defer b.Close()
		browser = b
	}
	pages := make([]Page, len(targets))
	for i, t := range targets {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		if t.ContentType == "" {
			t.ContentType = "text/html"
		}
		src, _ := charset.Decode(t.Body, t.ContentType)
		pages[i] = Page{Name: t.Name, URL: t.URL, ContentType: t.ContentType, Source: src, Bytes: len(t.Body), Oracle: live(ctx, browser, t, src)}
	}
	return Run(pages), nil
}

// live asks the browser, and approximates if there is none or it fails.
func live(ctx context.Context, b *reader.Browser, t Target, src []byte) *Oracle {
	if b == nil {
		return Approximate(t.Name, t.URL, src)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s, err := b.Read(ctx, reader.Page{URL: t.URL, ContentType: t.ContentType, Body: t.Body})
	if err != nil {
		o := Approximate(t.Name, t.URL, src)
		o.Source += "; the browser failed: " + err.Error()
		return o
	}
	return FromSeen(t.Name, "Chromium, scripts off, nothing loaded", s, true)
}
