package fetch

import (
	"cmp"
	"container/list"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"plasmate/fetch/freshness"
	"plasmate/som/weburl"
)

// CacheOptions bound a cache. The zero value is the default.
type CacheOptions struct {
	MaxBytes   int64 // of all that is kept; 0 is 64 MiB
	MaxEntries int   // 0 is 4096
	Now        func() time.Time
}

// variants is how many responses are kept for one URL (Vary).
const variants = 4

// Cache keeps responses between exchanges, as a browser does, for all sessions
// of a server: an Exchanger in front of another, so that a repeated visit costs
// a 304 or nothing. What belongs to one session, by cookies, credentials or the
// server's word, is never given to another. It is safe for concurrent use.
//
// Spec: RFC 9111, as a private cache; RFC 5861 (stale-if-error).
type Cache struct {
	next       Exchanger
	maxBytes   int64
	maxEntries int
	now        func() time.Time

	mu    sync.Mutex
	shelf map[cacheKey]*list.Element // of *slot
	used  list.List                  // most recently used first
	bytes int64
	stats CacheStats
}

// slot is what is kept under one key.
type slot struct {
	key  cacheKey
	all  []*cached // variants, the latest first
	size int64
}

// cacheKey must hold all that tells responses apart but what Vary names. The session
// is "" for what all may see.
type cacheKey struct{ session, url string }

// cached is one stored response. It never changes.
type cached struct {
	stored freshness.Stored
	body   []byte
	wire   int64
	proto  string
	size   int64
}

// CacheStats counts what became of exchanges.
type CacheStats struct {
	Hits        uint64 // answered without asking
	Revalidated uint64 // answered after a 304
	Stale       uint64 // answered because the server failed
	Misses      uint64 // asked in full
	Passed      uint64 // not for a cache
	Evicted     uint64
	Entries     int
	Bytes       int64
}

// NewCache makes a cache in front of next.
func NewCache(next Exchanger, o CacheOptions) *Cache {
	c := &Cache{
		next: next, now: o.Now, shelf: map[cacheKey]*list.Element{},
		maxBytes: cmp.Or(o.MaxBytes, 64<<20), maxEntries: cmp.Or(o.MaxEntries, 4096),
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c
}

// Exchange answers from the cache, after asking the server whether that is
// still right where it has to, or passes the request on.
func (c *Cache) Exchange(ctx context.Context, r *Request) (*Response, error) {
	if !cacheable(r) {
		return c.pass(ctx, r)
	}
	start := c.now()
	e, use := c.find(r, start)
	switch use {
	case freshness.Fresh:
		c.count(func(s *CacheStats) { s.Hits++ })
		return e.response(r, start, 0), nil
	case freshness.Revalidate:
		if cond := e.stored.Conditions(); cond != nil {
			return c.revalidate(ctx, r, e, cond)
		}
	}
	c.count(func(s *CacheStats) { s.Misses++ })
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
func cacheable(r *Request) bool {
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
func (c *Cache) pass(ctx context.Context, r *Request) (*Response, error) {
	c.count(func(s *CacheStats) { s.Passed++ })
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

func (c *Cache) revalidate(ctx context.Context, r *Request, e *cached, cond http.Header) (*Response, error) {
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
		c.count(func(s *CacheStats) { s.Misses++ })
		c.keep(r, resp, start)
		return resp, nil
	}
	c.count(func(s *CacheStats) { s.Revalidated++ })
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
func failed(resp *Response, err error) bool {
	if err != nil {
		return true
	}
	switch resp.Status {
	case 500, 502, 503, 504:
		return true
	}
	return false
}

func (c *Cache) stale(r *Request, e *cached) *Response {
	c.count(func(s *CacheStats) { s.Stale++ })
	return e.response(r, c.now(), 0)
}

// response is the stored one for a new asker. Cookies that came with it are
// not set twice.
func (e *cached) response(r *Request, now time.Time, took time.Duration) *Response {
	h := e.stored.Header.Clone()
	h.Del("Set-Cookie")
	h.Set("Age", strconv.Itoa(int(e.stored.Age(now)/time.Second)))
	return &Response{
		URL: r.URL, Status: e.stored.Status, Header: h, Body: e.body,
		FromCache: true, WireBytes: e.wire, Proto: e.proto, Took: took,
	}
}

// personal tells that the request says who asks.
func personal(r *Request) bool {
	return r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != ""
}

// find is the best stored response for r. A request with cookies or
// credentials gets only what its own session has seen.
func (c *Cache) find(r *Request, now time.Time) (best *cached, use freshness.Use) {
	keys := []cacheKey{{r.Session, r.URL}}
	if !personal(r) && r.Session != "" {
		keys = append(keys, cacheKey{"", r.URL})
	} else if personal(r) && r.Session == "" {
		return nil, freshness.Miss
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		at, ok := c.shelf[k]
		if !ok {
			continue
		}
		c.used.MoveToFront(at)
		for _, e := range at.Value.(*slot).all {
			if u := e.stored.UseFor(r.Header, now); u > use {
				best, use = e, u
			}
		}
	}
	return best, use
}

// keep stores a response if that is allowed.
func (c *Cache) keep(r *Request, resp *Response, start time.Time) {
	if resp.Incomplete {
		return
	}
	e := &cached{
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
func (c *Cache) store(r *Request, came http.Header, e *cached) {
	k := cacheKey{url: r.URL}
	if personal(r) || len(came.Values("Set-Cookie")) > 0 || e.stored.Private() {
		if k.session = r.Session; k.session == "" {
			return
		}
	}
	e.size = size(k, e)
	if e.size > c.maxBytes/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := &slot{key: k, all: []*cached{e}, size: e.size}
	if at, ok := c.shelf[k]; ok {
		for _, o := range at.Value.(*slot).all {
			if len(n.all) < variants && !o.stored.Matches(r.Header) {
				n.all = append(n.all, o)
				n.size += o.size
			}
		}
		c.remove(at)
	}
	c.shelf[k] = c.used.PushFront(n)
	c.bytes += n.size
	for c.bytes > c.maxBytes || c.used.Len() > c.maxEntries {
		c.remove(c.used.Back())
		c.stats.Evicted++
	}
}

func (c *Cache) remove(at *list.Element) {
	s := c.used.Remove(at).(*slot)
	delete(c.shelf, s.key)
	c.bytes -= s.size
}

func size(k cacheKey, e *cached) int64 {
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
	c.forget(func(k cacheKey) bool { return k.url == url })
}

// ForgetSession drops what only that session may see.
func (c *Cache) ForgetSession(session string) {
	c.forget(func(k cacheKey) bool { return k.session == session && session != "" })
}

func (c *Cache) forget(gone func(cacheKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, at := range c.shelf {
		if gone(k) {
			c.remove(at)
		}
	}
}

func (c *Cache) count(f func(*CacheStats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.stats)
}

// Stats is the counts so far.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries, s.Bytes = c.used.Len(), c.bytes
	return s
}
