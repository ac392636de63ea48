// Package httpcache keeps responses between exchanges, as a browser does, for
// all sessions of a server. It is an Exchanger in front of another, so that a
// repeated visit costs a 304 or nothing. What belongs to one session, by
// cookies, credentials or the server's word, is never given to another.
//
// Spec: RFC 9111, as a private cache; RFC 5861 (stale-if-error).
package httpcache

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"plasmate/fetch"
	"plasmate/fetch/freshness"
	"plasmate/som/weburl"
)

// Options bound a cache. The zero value is the default.
type Options struct {
	MaxBytes   int64 // of all that is kept; 0 is 64 MiB
	MaxEntries int   // 0 is 4096
	Now        func() time.Time
}

// variants is how many responses are kept for one URL (Vary).
const variants = 4

// Cache is an Exchanger with a memory. It is safe for concurrent use.
type Cache struct {
	next  fetch.Exchanger
	max   int64
	now   func() time.Time
	limit int64 // of one entry

	mu    sync.Mutex
	lru   *simplelru.LRU[key, []*entry]
	bytes int64
	stats Stats
}

// key must hold all that tells responses apart but what Vary names. The session
// is "" for what all may see.
type key struct{ session, url string }

// entry is one stored response. It never changes.
type entry struct {
	stored freshness.Stored
	body   []byte
	wire   int64
	proto  string
	size   int64
}

// Stats counts what became of exchanges.
type Stats struct {
	Hits        uint64 // answered without asking
	Revalidated uint64 // answered after a 304
	Stale       uint64 // answered because the server failed
	Misses      uint64 // asked in full
	Passed      uint64 // not for a cache
	Evicted     uint64
	Entries     int
	Bytes       int64
}

// New makes a cache in front of next.
func New(next fetch.Exchanger, o Options) *Cache {
	c := &Cache{next: next, max: o.MaxBytes, now: o.Now}
	if c.max <= 0 {
		c.max = 64 << 20
	}
	if o.MaxEntries <= 0 {
		o.MaxEntries = 4096
	}
	if c.now == nil {
		c.now = time.Now
	}
	c.limit = c.max / 8
	c.lru, _ = simplelru.NewLRU(o.MaxEntries, func(_ key, all []*entry) { // the error is of a size below 1
		for _, e := range all {
			c.bytes -= e.size
		}
	})
	return c
}

// Exchange answers from the cache, after asking the server whether that is
// still right where it has to, or passes the request on.
func (c *Cache) Exchange(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if !cacheable(r) {
		return c.pass(ctx, r)
	}
	start := c.now()
	e, use := c.find(r, start)
	switch use {
	case freshness.Fresh:
		c.count(func(s *Stats) { s.Hits++ })
		return e.response(r, start, 0), nil
	case freshness.Revalidate:
		if cond := e.stored.Conditions(); cond != nil {
			return c.revalidate(ctx, r, e, cond)
		}
	}
	c.count(func(s *Stats) { s.Misses++ })
	resp, err := c.next.Exchange(ctx, r)
	if failed(resp, err) && ctx.Err() == nil && use == freshness.Revalidate && e.stored.UsableOnError(c.now()) {
		return c.stale(r, e), nil
	}
	if err != nil {
		return nil, err
	}
	c.keep(r, resp, start)
	return resp, nil
}

// cacheable requests are plain GETs; who sets conditions has a cache of his own.
func cacheable(r *fetch.Request) bool {
	if r.Method != "" && r.Method != http.MethodGet || len(r.Body) > 0 {
		return false
	}
	for _, name := range []string{"Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	return true
}

// pass hands the request on and forgets what it makes invalid (RFC 9111 §4.4).
func (c *Cache) pass(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	c.count(func(s *Stats) { s.Passed++ })
	resp, err := c.next.Exchange(ctx, r)
	if err != nil || !freshness.Invalidates(r.Method, resp.Status) {
		return resp, err
	}
	c.Forget(r.URL)
	base, err := weburl.Parse(r.URL)
	if err != nil {
		return resp, nil
	}
	for _, name := range []string{"Location", "Content-Location"} {
		if l := resp.Header.Get(name); l != "" {
			if to, err := base.Join(l); err == nil && to.Origin() == base.Origin() {
				c.Forget(to.WithoutFragment().String())
			}
		}
	}
	return resp, nil
}

func (c *Cache) revalidate(ctx context.Context, r *fetch.Request, e *entry, cond http.Header) (*fetch.Response, error) {
	ask := *r
	if ask.Header = r.Header.Clone(); ask.Header == nil {
		ask.Header = http.Header{}
	}
	for name, v := range cond {
		ask.Header[name] = v
	}
	start := c.now()
	resp, err := c.next.Exchange(ctx, &ask)
	switch {
	case failed(resp, err) && ctx.Err() == nil && e.stored.UsableOnError(c.now()):
		return c.stale(r, e), nil
	case err != nil:
		return nil, err
	case resp.Status != http.StatusNotModified:
		c.count(func(s *Stats) { s.Misses++ })
		c.keep(r, resp, start)
		return resp, nil
	}
	c.count(func(s *Stats) { s.Revalidated++ })
	u := *e
	u.stored = *e.stored.Updated(resp.Header, start, c.now())
	c.store(r, resp.Header, &u)
	out := u.response(r, c.now(), resp.Took)
	if cookies := resp.Header.Values("Set-Cookie"); len(cookies) > 0 {
		out.Header["Set-Cookie"] = cookies
	}
	return out, nil
}

// failed tells that a stale response may stand in (RFC 5861 §4).
func failed(resp *fetch.Response, err error) bool {
	if err != nil {
		return true
	}
	switch resp.Status {
	case 500, 502, 503, 504:
		return true
	}
	return false
}

func (c *Cache) stale(r *fetch.Request, e *entry) *fetch.Response {
	c.count(func(s *Stats) { s.Stale++ })
	return e.response(r, c.now(), 0)
}

// response is the stored one for a new asker. Cookies that came with it are
// not set twice.
func (e *entry) response(r *fetch.Request, now time.Time, took time.Duration) *fetch.Response {
	h := e.stored.Header.Clone()
	h.Del("Set-Cookie")
	h.Set("Age", strconv.Itoa(int(e.stored.Age(now)/time.Second)))
	return &fetch.Response{
		URL: r.URL, Status: e.stored.Status, Header: h, Body: e.body,
		FromCache: true, WireBytes: e.wire, Proto: e.proto, Took: took,
	}
}

// personal tells that the request says who asks.
func personal(r *fetch.Request) bool {
	return r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != ""
}

// find is the best stored response for r. A request with cookies or
// credentials gets only what its own session has seen.
func (c *Cache) find(r *fetch.Request, now time.Time) (best *entry, use freshness.Use) {
	keys := []key{{r.Session, r.URL}}
	if !personal(r) && r.Session != "" {
		keys = append(keys, key{"", r.URL})
	} else if personal(r) && r.Session == "" {
		return nil, freshness.Miss
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		all, _ := c.lru.Get(k)
		for _, e := range all {
			if u := e.stored.UseFor(r.Header, now); u > use {
				best, use = e, u
			}
		}
	}
	return best, use
}

// keep stores a response if that is allowed.
func (c *Cache) keep(r *fetch.Request, resp *fetch.Response, start time.Time) {
	if resp.Incomplete {
		return
	}
	e := &entry{
		stored: freshness.Stored{
			Method: r.Method, Status: resp.Status, Request: r.Header.Clone(), Header: resp.Header.Clone(),
			RequestTime: start, ResponseTime: c.now(),
		},
		body: resp.Body, wire: resp.WireBytes, proto: resp.Proto,
	}
	if e.stored.Storable() {
		c.store(r, resp.Header, e)
	}
}

// store puts e in place of the variant it replaces. came is the header of the
// response that just came.
func (c *Cache) store(r *fetch.Request, came http.Header, e *entry) {
	k := key{url: r.URL}
	if personal(r) || len(came.Values("Set-Cookie")) > 0 || e.stored.Private() {
		if k.session = r.Session; k.session == "" {
			return
		}
	}
	e.size = size(k, e)
	if e.size > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := []*entry{e}
	old, _ := c.lru.Peek(k)
	for _, o := range old {
		if len(all) < variants && !o.stored.Matches(r.Header) {
			all = append(all, o)
		}
	}
	c.lru.Remove(k) // the callback takes its bytes away
	for _, o := range all {
		c.bytes += o.size
	}
	if c.lru.Add(k, all) {
		c.stats.Evicted++
	}
	for c.bytes > c.max {
		if _, _, ok := c.lru.RemoveOldest(); !ok {
			break
		}
		c.stats.Evicted++
	}
}

func size(k key, e *entry) int64 {
	n := len(e.body) + len(k.url) + len(k.session) + 512
	for _, h := range []http.Header{e.stored.Header, e.stored.Request} {
		for name, values := range h {
			n += len(name) + 64
			for _, v := range values {
				n += len(v)
			}
		}
	}
	return int64(n)
}

// Forget drops what is stored for url, in all sessions.
func (c *Cache) Forget(url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.lru.Keys() {
		if k.url == url {
			c.lru.Remove(k)
		}
	}
}

// ForgetSession drops what only that session may see.
func (c *Cache) ForgetSession(session string) {
	if session == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.lru.Keys() {
		if k.session == session {
			c.lru.Remove(k)
		}
	}
}

func (c *Cache) count(f func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.stats)
}

// Stats is the counts so far.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries, s.Bytes = c.lru.Len(), c.bytes
	return s
}
