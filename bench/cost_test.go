package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plasmate"
	"plasmate/bench/corpus"
	"plasmate/fetch"
)

// costPage is the page of the corpus that is nearest to 35 KB.
func costPage(b *testing.B) corpus.Page {
	b.Helper()
	pages, which, err := corpus.Load()
	if err != nil {
		b.Fatal(err)
	}
	b.Log(which)
	best := pages[0]
	for _, p := range pages {
		if distance(len(p.Body)) < distance(len(best.Body)) {
			best = p
		}
	}
	return best
}

func distance(n int) int { return max(n-35_000, 35_000-n) }

func costServer(b *testing.B, p corpus.Page) (rule string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", p.ContentType())
		_, _ = w.Write(p.Body)
	}))
	b.Cleanup(s.Close)
	return "*.test=" + strings.TrimPrefix(s.URL, "http://")
}

// What a session adds to fetching and compiling a page: compare the two.
// Each address is new, so that nothing comes from the cache.
func BenchmarkNavigate(b *testing.B) {
	page := costPage(b)
	rule := costServer(b, page)
	ctx := context.Background()

	b.Run("fetch+compile", func(b *testing.B) {
		host, err := fetch.ParseHostRule(rule)
		if err != nil {
			b.Fatal(err)
		}
		c, err := fetch.New(fetch.Config{Resolve: []fetch.HostRule{host}})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			r, _, err := fetch.Follow(ctx, c, fetch.Navigation{URL: fmt.Sprintf("http://a.test/%d", i)})
			if err != nil {
				b.Fatal(err)
			}
			plasmate.Compile(r.Body, r.URL, r.Header.Get("Content-Type"))
		}
	})
	b.Run("session", func(b *testing.B) {
		session := costSession(b, rule)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := session.Navigate(ctx, fmt.Sprintf("http://b.test/%d", i)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Observing a compiled page neither compiles nor encodes.
func BenchmarkObserve(b *testing.B) {
	page := costPage(b)
	session := costSession(b, costServer(b, page))
	ctx := context.Background()
	if _, err := session.Navigate(ctx, "http://a.test/"); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := session.Observe(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

func costSession(b *testing.B, rule string) *plasmate.Session {
	ctx := context.Background()
	engine, err := plasmate.New(plasmate.Config{Network: plasmate.NetworkConfig{Resolve: []string{rule}}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = engine.Close(ctx) })
	session, err := engine.Open(ctx, plasmate.SessionOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return session
}
