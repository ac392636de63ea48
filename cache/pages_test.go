package cache_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"plasmate/cache"
	"plasmate/som"
)

func input(n int) (cache.Key, som.Input) {
	url := fmt.Sprintf("http://a.test/%d", n)
	return cache.Key{URL: url, Body: [32]byte{byte(n), byte(n >> 8)}},
		som.Input{URL: url, Source: fmt.Appendf(nil, "<title>%d</title><p>page %d", n, n)}
}

func TestAThousandAskersAreOneCompile(t *testing.T) {
	pages := cache.New(cache.Limits{})
	key, in := input(1)
	got := make([]*som.Page, 1000)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			page, _, err := pages.Compiled(t.Context(), key, in)
			if err != nil {
				t.Error(err)
			}
			got[i] = page
		})
	}
	all.Wait()
	for _, page := range got {
		if page != got[0] {
			t.Fatal("two askers got different pages")
		}
	}
	if s := pages.Stats(); s.Misses != 1 || s.Hits != 999 || s.Entries != 1 {
		t.Errorf("%+v, want 1 miss, 999 hits, 1 entry", s)
	}
}

func TestBoundByEntries(t *testing.T) {
	pages := cache.New(cache.Limits{Entries: 3})
	for n := range 5 {
		key, in := input(n)
		if _, hit, err := pages.Compiled(t.Context(), key, in); hit || err != nil {
			t.Fatalf("page %d: hit %v, %v", n, hit, err)
		}
	}
	if s := pages.Stats(); s.Entries != 3 || s.Evictions != 2 {
		t.Errorf("%+v, want 3 entries, 2 evictions", s)
	}
	for n, want := range map[int]bool{4: true, 0: false} {
		key, in := input(n)
		if _, hit, _ := pages.Compiled(t.Context(), key, in); hit != want {
			t.Errorf("page %d: hit %v, want %v", n, hit, want)
		}
	}
}

func TestBoundByBytes(t *testing.T) {
	key, in := input(0)
	one, _, err := cache.New(cache.Limits{}).Compiled(t.Context(), key, in)
	if err != nil {
		t.Fatal(err)
	}
	pages := cache.New(cache.Limits{Bytes: 5 * one.Bytes()})
	for n := range 20 {
		key, in := input(n)
		if _, _, err := pages.Compiled(t.Context(), key, in); err != nil {
			t.Fatal(err)
		}
		if s := pages.Stats(); s.Bytes > 5*one.Bytes() {
			t.Fatalf("holds %d bytes, limit %d", s.Bytes, 5*one.Bytes())
		}
	}
	if s := pages.Stats(); s.Evictions == 0 || s.Entries == 0 {
		t.Errorf("%+v, want evictions and entries", s)
	}
}

func TestEveryPartOfTheKeyCounts(t *testing.T) {
	pages := cache.New(cache.Limits{})
	base, in := input(1)
	for _, key := range []cache.Key{
		base,
		{URL: base.URL + "#x", Body: base.Body},
		{URL: base.URL, Body: [32]byte{9}},
		{URL: base.URL, Body: base.Body, ContentType: "text/plain"},
	} {
		if _, hit, err := pages.Compiled(t.Context(), key, in); hit || err != nil {
			t.Errorf("%+v: hit %v, %v", key, hit, err)
		}
	}
}

func TestAnAskerWhoGivesUpDoesNotWait(t *testing.T) {
	pages := cache.New(cache.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	key, in := input(1)
	// A cancelled asker may find the compile's turn free; it must not hang or fail otherwise.
	if _, _, err := pages.Compiled(ctx, key, in); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, _, err := pages.Compiled(t.Context(), key, in); err != nil {
		t.Errorf("the next asker: %v", err)
	}
}
