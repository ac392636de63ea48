package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type resolverFunc func(ctx context.Context, network, host string) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return f(ctx, network, host)
}

func TestDNSCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var fail error
		c := newDNSCache(resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) {
			asked++
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, fail
		}), time.Second)
		step := func(wait time.Duration, want int) {
			t.Helper()
			time.Sleep(wait) // the bubble's clock
			if _, err := c.lookup(t.Context(), "a.example"); !errors.Is(err, fail) {
				t.Errorf("error %v, want %v", err, fail)
			}
			if asked != want {
				t.Errorf("%d questions, want %d", asked, want)
			}
		}
		step(0, 1)
		step(29*time.Second, 1)
		fail = &net.DNSError{IsNotFound: true}
		step(time.Second, 2)
		step(4*time.Second, 2)
		step(time.Second, 3)
		fail = nil
		step(5*time.Second, 4)
	})
}

// Concurrent questions are one; who gives up leaves the others theirs.
func TestDNSSingleFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := newDNSCache(resolverFunc(func(ctx context.Context, _, _ string) ([]netip.Addr, error) {
			asked.Add(1)
			select {
			case <-time.After(time.Second):
				return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}), 5*time.Second)
		gaveUp, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := c.lookup(gaveUp, "a.example"); !errors.Is(err, context.Canceled) {
				t.Errorf("who gives up gets %v", err)
			}
		})
		synctest.Wait()
		for range 10 {
			wg.Go(func() {
				if a, err := c.lookup(t.Context(), "a.example"); err != nil || len(a) != 1 {
					t.Errorf("%v %v", a, err)
				}
			})
		}
		synctest.Wait()
		cancel()
		wg.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("%d questions, want 1", n)
		}
	})
}

func TestDNSCacheIsBounded(t *testing.T) {
	c := newDNSCache(resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) { return nil, nil }), time.Second)
	for i := range 3 * dnsEntries {
		c.put(fmt.Sprint(i), dnsEntry{until: time.Now().Add(time.Hour)})
	}
	if n := len(c.entries); n > dnsEntries {
		t.Errorf("%d entries, want at most %d", n, dnsEntries)
	}
}

// RFC 8305 §4, §5: families alternate, a slow address gets company after 250 ms,
// a failed one a successor at once, and the losers are closed.
func TestDialFirst(t *testing.T) {
	for _, tc := range []struct {
		name    string
		behave  map[string]string // hang, refuse, slow; default answers
		dialled string
		winner  string
		took    time.Duration
	}{
		{"the first answers", nil, "v6a", "v6a", 0},
		{"the first refuses", map[string]string{"v6a": "refuse"}, "v6a v4a", "v4a", 0},
		{"the first hangs", map[string]string{"v6a": "hang"}, "v6a v4a", "v4a", attemptDelay},
		{"the first is slower than the second", map[string]string{"v6a": "slow"}, "v6a v4a", "v4a", attemptDelay},
		{"all but the last hang", map[string]string{"v6a": "hang", "v4a": "hang", "v6b": "hang"}, "v6a v4a v6b v4b", "v4b", 3 * attemptDelay},
		{"all refuse", map[string]string{"v6a": "refuse", "v4a": "refuse", "v6b": "refuse", "v4b": "refuse"}, "v6a v4a v6b v4b", "", 0},
		{"all hang", map[string]string{"v6a": "hang", "v4a": "hang", "v6b": "hang", "v4b": "hang"}, "v6a v4a v6b v4b", "", 10 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				names := map[string]string{
					"[2606:4700::a]:80": "v6a", "[2606:4700::b]:80": "v6b", "93.184.216.34:80": "v4a", "93.184.216.35:80": "v4b",
				}
				var mu sync.Mutex
				var dialled []string
				open := map[string]bool{}
				d := newDialer(Config{
					Resolver: resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) {
						return []netip.Addr{netip.MustParseAddr("2606:4700::a"), netip.MustParseAddr("2606:4700::b"), netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("93.184.216.35")}, nil
					}),
					Dial: func(ctx context.Context, _, addr string) (net.Conn, error) {
						name := names[addr]
						mu.Lock()
						dialled = append(dialled, name)
						mu.Unlock()
						switch tc.behave[name] {
						case "hang":
							<-ctx.Done()
							return nil, ctx.Err()
						case "refuse":
							return nil, errors.New("refused")
						case "slow":
							time.Sleep(2 * attemptDelay) // ignores its context, as a kernel may
						}
						mu.Lock()
						open[name] = true
						mu.Unlock()
						a, b := net.Pipe()
						b.Close()
						return &namedConn{a, func() { mu.Lock(); delete(open, name); mu.Unlock() }, name}, nil
					},
				}.withDefaults())
				start := time.Now()
				c, err := d.dialContext(t.Context(), "tcp", "a.example:80")
				if took := time.Since(start); took != tc.took {
					t.Errorf("took %v, want %v", took, tc.took)
				}
				winner := ""
				if err == nil {
					winner = c.(*conn).Conn.(*namedConn).name
				}
				time.Sleep(time.Minute)
				mu.Lock()
				defer mu.Unlock()
				if got := strings.Join(dialled, " "); got != tc.dialled || winner != tc.winner {
					t.Errorf("dialled %s, won by %q (%v); want %s, %q", got, winner, err, tc.dialled, tc.winner)
				}
				if winner != "" && (len(open) != 1 || !open[winner]) {
					t.Errorf("open connections: %v", open)
				}
			})
		})
	}
}

type namedConn struct {
	net.Conn
	closed func()
	name   string
}

func (c *namedConn) Close() error {
	c.closed()
	return c.Conn.Close()
}
