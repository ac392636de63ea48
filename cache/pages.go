// Package cache holds compiled pages, so that a document that many sessions
// open is compiled once. What it hands out is immutable. It is one of the few
// places with a lock of its own; it is safe for concurrent use.
package cache

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"plasmate/som"
)

// Key holds everything that a SOM's bytes depend on, the state of controls
// apart: documents with such a state are not cached.
type Key struct {
	URL         string   // final, fragment included: it stands in the SOM
	Body        [32]byte // sha256 of the body as received after content-coding
	ContentType string   // decides charset and kind
	Options     som.Options
}

// Limits bound a [Pages] cache. A zero field takes the default.
type Limits struct {
	Entries  int // 4,096
	Bytes    int // 256 MiB, by som.Page.Bytes
	Compiles int // at once; twice the processors
}

// Pages is an LRU of compiled pages.
type Pages struct {
	compiling chan struct{} // a token for each compile that may run
	maxBytes  int

	mu      sync.Mutex
	pages   *lru.Cache[Key, *som.Page]
	flights map[Key]*flight
	stats   Stats
}

// flight is a compile that later askers for the same key wait for.
type flight struct {
	done chan struct{}
	page *som.Page // nil after done: the compile panicked
}

// Stats counts what a cache did since it was made, and what it holds.
type Stats struct {
	Hits, Misses, Evictions uint64 // an asker who waited for another's compile is a hit
	Entries, Bytes          int
}

// New makes an empty cache.
func New(l Limits) *Pages {
	if l.Entries <= 0 {
		l.Entries = 4096
	}
	if l.Bytes <= 0 {
		l.Bytes = 256 << 20
	}
	if l.Compiles <= 0 {
		l.Compiles = 2 * runtime.GOMAXPROCS(0)
	}
	p := &Pages{
		compiling: make(chan struct{}, l.Compiles),
		maxBytes:  l.Bytes,
		flights:   make(map[Key]*flight),
	}
	p.pages, _ = lru.NewWithEvict(l.Entries, func(_ Key, page *som.Page) { // the only error is a size below 1
		p.stats.Evictions++
		p.stats.Bytes -= page.Bytes()
	})
	return p
}

// Compiled gives the page of key, compiling in at most once however many ask
// at the same time. hit says that somebody had compiled it before. The error is
// ctx's; a panic of the compiler is passed on to the asker who compiles.
func (p *Pages) Compiled(ctx context.Context, key Key, in som.Input) (page *som.Page, hit bool, err error) {
	for {
		p.mu.Lock()
		if page, ok := p.pages.Get(key); ok {
			p.stats.Hits++
			p.mu.Unlock()
			return page, true, nil
		}
		f, waiting := p.flights[key]
		if !waiting {
			f = &flight{done: make(chan struct{})}
			p.flights[key] = f
			p.stats.Misses++
		}
		p.mu.Unlock()
		if !waiting {
			page, err := p.lead(ctx, f, key, in)
			return page, false, err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, false, fmt.Errorf("wait for compile: %w", ctx.Err())
		}
		if f.page != nil {
			p.mu.Lock()
			p.stats.Hits++
			p.mu.Unlock()
			return f.page, true, nil
		}
		// The one who compiled gave up or panicked: this asker tries itself.
	}
}

// lead compiles for all who wait on f.
func (p *Pages) lead(ctx context.Context, f *flight, key Key, in som.Input) (*som.Page, error) {
	defer func() { // also when Compile panics
		p.mu.Lock()
		delete(p.flights, key)
		p.mu.Unlock()
		close(f.done)
	}()
	page, err := p.Compile(ctx, in, key.Options)
	if err != nil {
		return nil, err
	}
	page = page.WithoutTree() // many times larger than the page, and parsed again when it is needed
	f.page = page
	p.keep(key, page)
	return page, nil
}

// Compile compiles a document that is not worth keeping, in its turn.
func (p *Pages) Compile(ctx context.Context, in som.Input, o som.Options) (*som.Page, error) {
	select {
	case p.compiling <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a compile turn: %w", ctx.Err())
	}
	defer func() { <-p.compiling }()
	return som.Analyze(in, o), nil
}

func (p *Pages) keep(key Key, page *som.Page) {
	size := page.Bytes()
	if size > p.maxBytes/4 {
		return // one huge page must not push out all others
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Bytes += size
	p.pages.Add(key, page)
	for p.stats.Bytes > p.maxBytes {
		p.pages.RemoveOldest()
	}
}

// Stats tells what the cache did and holds.
func (p *Pages) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Entries = p.pages.Len()
	return s
}
