package fetch

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Resolver looks names up; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// How long answers are kept. net.Resolver tells no TTL, so both are short.
const (
	dnsPositive = 30 * time.Second
	dnsNegative = 5 * time.Second
	dnsEntries  = 4096
)

// dnsCache keeps answers and merges concurrent questions for one name. The
// guard judges the addresses after it, at each dial, so a kept answer opens
// nothing. Key: the name; the resolver is the same for all.
type dnsCache struct {
	resolver Resolver
	timeout  time.Duration
	flight   singleflight.Group

	mu      sync.Mutex
	entries map[string]dnsEntry
}

type dnsEntry struct {
	addrs []netip.Addr
	err   error
	until time.Time
}

func newDNSCache(r Resolver, timeout time.Duration) *dnsCache {
	if r == nil {
		r = net.DefaultResolver
	}
	return &dnsCache{resolver: r, timeout: timeout, entries: map[string]dnsEntry{}}
}

// lookup is the addresses of host. The slice is shared: do not change it.
func (c *dnsCache) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if e, ok := c.get(host); ok {
		return e.addrs, e.err
	}
	// The question outlives an asker who gives up: others may wait for it.
	answer := c.flight.DoChan(host, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.timeout)
		defer cancel()
		e := dnsEntry{until: time.Now().Add(dnsPositive)}
		e.addrs, e.err = c.resolver.LookupNetIP(ctx, "ip", host)
		if e.err != nil {
			e.until = time.Now().Add(dnsNegative)
		}
		c.put(host, e)
		return e.addrs, e.err
	})
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-answer:
		addrs, _ := r.Val.([]netip.Addr)
		return addrs, r.Err
	}
}

func (c *dnsCache) get(host string) (dnsEntry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[host]
	return e, ok && time.Now().Before(e.until)
}

func (c *dnsCache) put(host string, e dnsEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= dnsEntries {
		c.makeRoom()
	}
	c.entries[host] = e
}

// makeRoom drops what is out of date, or else an arbitrary quarter.
func (c *dnsCache) makeRoom() {
	now := time.Now()
	for h, e := range c.entries {
		if !now.Before(e.until) {
			delete(c.entries, h)
		}
	}
	for h := range c.entries {
		if len(c.entries) < dnsEntries*3/4 {
			return
		}
		delete(c.entries, h)
	}
}
