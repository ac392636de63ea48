package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/som"
)

// exchangerFunc is an HTTP client made of a function.
type exchangerFunc func(context.Context, *fetch.Request) (*fetch.Response, error)

func (f exchangerFunc) Exchange(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	return f(ctx, r)
}

// recorder notes when each exchange began and how many ran at once.
type recorder struct {
	mu      sync.Mutex
	start   time.Time
	began   []string
	at      []time.Duration
	running int
	most    int
	took    time.Duration
}

func (r *recorder) exchange(ctx context.Context, q *fetch.Request) (*fetch.Response, error) {
	r.mu.Lock()
	r.began = append(r.began, q.Session+" "+q.URL)
	r.at = append(r.at, time.Since(r.start))
	r.running++
	r.most = max(r.most, r.running)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.running--
		r.mu.Unlock()
	}()
	select {
	case <-time.After(r.took):
		return &fetch.Response{URL: q.URL, Status: 200}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inBubble runs test with a system in fake time; every actor must end with it.
func inBubble(t *testing.T, client fetch.Exchanger, limits FetchLimits, test func(*System)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{
			Client:    client,
			NewEngine: newFakeEngine,
			Fetch:     limits,
		})
		if err != nil {
			t.Fatal(err)
		}
		test(s)
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("shut down: %v", err)
		}
		for kind, n := range s.Stats().Alive {
			if n != 0 {
				t.Errorf("%d %s actors are left", n, kind)
			}
		}
		time.Sleep(10 * time.Minute) // fake: idle timers and the dead-letter throttle end
	})
}

func exchangeAll(s *System, requests ...*fetch.Request) {
	var all sync.WaitGroup
	for _, r := range requests {
		all.Go(func() { _, _ = s.Fetcher().Exchange(context.Background(), r) })
		synctest.Wait() // they arrive in this order
	}
	all.Wait()
}

// exchangeLater starts an exchange and returns when it stands in its queue.
func exchangeLater(s *System, url string) {
	go func() { _, _ = s.Fetcher().Exchange(context.Background(), &fetch.Request{URL: url}) }()
	synctest.Wait()
}

func TestHostRateSpacesExchanges(t *testing.T) {
	r := &recorder{}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{Rate: 1, Burst: 1}, func(s *System) {
		r.start = time.Now()
		var requests []*fetch.Request
		for i := range 5 {
			requests = append(requests, &fetch.Request{URL: fmt.Sprintf("http://a.test/%d", i)})
		}
		exchangeAll(s, requests...)
	})
	want := []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second}
	if !slices.Equal(r.at, want) {
		t.Errorf("exchanges began at %v, want %v", r.at, want)
	}
}

func TestHostsDoNotWaitForEachOther(t *testing.T) {
	r := &recorder{}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{Rate: 1, Burst: 1}, func(s *System) {
		r.start = time.Now()
		exchangeAll(s,
			&fetch.Request{URL: "http://a.test/1"}, &fetch.Request{URL: "http://a.test/2"},
			&fetch.Request{URL: "http://b.test/1"}, &fetch.Request{URL: "http://a.test:81/1"})
	})
	want := []time.Duration{0, 0, 0, time.Second}
	if !slices.Equal(r.at, want) {
		t.Errorf("exchanges began at %v, want %v", r.at, want)
	}
}

func TestConcurrencyIsCapped(t *testing.T) {
	for name, limits := range map[string]FetchLimits{
		"by host": {PerHost: 3},
		"overall": {Global: 3},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{took: time.Second}
			inBubble(t, exchangerFunc(r.exchange), limits, func(s *System) {
				var requests []*fetch.Request
				for i := range 10 {
					requests = append(requests, &fetch.Request{URL: fmt.Sprintf("http://a.test/%d", i)})
				}
				exchangeAll(s, requests...)
			})
			if r.most != 3 || len(r.began) != 10 {
				t.Errorf("%d exchanges, at most %d at once; want 10, 3", len(r.began), r.most)
			}
		})
	}
}

func TestTurnsAreFairBetweenSessions(t *testing.T) {
	r := &recorder{took: time.Second}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{PerHost: 1}, func(s *System) {
		var requests []*fetch.Request
		for i := range 6 {
			requests = append(requests, &fetch.Request{Session: "flood", URL: fmt.Sprintf("http://a.test/%d", i)})
		}
		requests = append(requests, &fetch.Request{Session: "quiet", URL: "http://a.test/q"})
		exchangeAll(s, requests...)
	})
	if at := slices.Index(r.began, "quiet http://a.test/q"); at < 0 || at > 2 {
		t.Errorf("the quiet session came at place %d of %v, want 2 at the latest", at, r.began)
	}
}

func TestTurnsAreFairBetweenHosts(t *testing.T) {
	r := &recorder{took: time.Second}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{Global: 1}, func(s *System) {
		var requests []*fetch.Request
		for i := range 6 {
			requests = append(requests, &fetch.Request{URL: fmt.Sprintf("http://a.test/%d", i)})
		}
		requests = append(requests, &fetch.Request{URL: "http://b.test/"})
		exchangeAll(s, requests...)
	})
	if at := slices.Index(r.began, " http://b.test/"); at < 0 || at > 2 {
		t.Errorf("b.test came at place %d of %v, want 2 at the latest", at, r.began)
	}
}

func TestCancelReachesTheExchange(t *testing.T) {
	ended := make(chan error, 1)
	client := exchangerFunc(func(ctx context.Context, _ *fetch.Request) (*fetch.Response, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	inBubble(t, client, FetchLimits{}, func(s *System) {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { _, _ = s.Fetcher().Exchange(ctx, &fetch.Request{URL: "http://a.test/"}) }()
		synctest.Wait()
		before := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the exchange ended with %v, want canceled", err)
		}
		if waited := time.Since(before); waited > 0 {
			t.Errorf("the exchange was cancelled %v late", waited)
		}
	})
}

func TestCancelledWhileQueuedIsNeverSent(t *testing.T) {
	r := &recorder{took: time.Second}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{PerHost: 1}, func(s *System) {
		exchangeLater(s, "http://a.test/1")
		ctx, cancel := context.WithCancel(context.Background())
		go func() { _, _ = s.Fetcher().Exchange(ctx, &fetch.Request{URL: "http://a.test/2"}) }()
		synctest.Wait()
		cancel()
		exchangeAll(s, &fetch.Request{URL: "http://a.test/3"})
	})
	want := []string{" http://a.test/1", " http://a.test/3"}
	if !slices.Equal(r.began, want) {
		t.Errorf("sent %v, want %v", r.began, want)
	}
}

func TestPanicOfAnExchangeIsAnErrorOfThatOne(t *testing.T) {
	client := exchangerFunc(func(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
		if strings.HasSuffix(r.URL, "/boom") {
			panic("boom")
		}
		return &fetch.Response{Status: 200}, nil
	})
	inBubble(t, client, FetchLimits{}, func(s *System) {
		if _, err := s.Fetcher().Exchange(context.Background(), &fetch.Request{URL: "http://a.test/boom"}); err == nil {
			t.Error("no error for the exchange that panicked")
		}
		if _, err := s.Fetcher().Exchange(context.Background(), &fetch.Request{URL: "http://a.test/"}); err != nil {
			t.Errorf("the next exchange: %v", err)
		}
		if got := s.Stats().Panics; got != 1 {
			t.Errorf("%d panics counted, want 1", got)
		}
	})
}

func TestIdleHostsEnd(t *testing.T) {
	r := &recorder{}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{HostIdle: time.Minute}, func(s *System) {
		exchangeAll(s, &fetch.Request{URL: "http://a.test/"}, &fetch.Request{URL: "http://b.test/"})
		if got := s.Stats().Alive["host"]; got != 2 {
			t.Errorf("%d hosts at work, want 2", got)
		}
		time.Sleep(2 * time.Minute) // fake
		synctest.Wait()
		if got := s.Stats().Alive["host"]; got != 0 {
			t.Errorf("%d hosts after two idle minutes, want 0", got)
		}
	})
}

func TestHostQueueIsBounded(t *testing.T) {
	r := &recorder{took: time.Second}
	inBubble(t, exchangerFunc(r.exchange), FetchLimits{PerHost: 1, HostQueue: 2}, func(s *System) {
		exchangeLater(s, "http://a.test/1")
		exchangeLater(s, "http://a.test/2")
		_, err := s.Fetcher().Exchange(context.Background(), &fetch.Request{URL: "http://a.test/3"})
		if err == nil || !strings.Contains(err.Error(), "too many requests") {
			t.Errorf("got %v, want a limit error", err)
		}
		time.Sleep(5 * time.Second) // fake: the two are done
	})
}

func TestHostKey(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/x?y#z":       "http://a.test",
		"https://a.test:8443?q=a/b": "https://a.test:8443",
		"http://u:p@a.test/":        "http://a.test",
		"http://[::1]:80/":          "http://[::1]:80",
		"nonsense":                  "nonsense",
	} {
		if got := hostKey(url); got != want {
			t.Errorf("hostKey(%q) = %q, want %q", url, got, want)
		}
	}
}

// fakeEngine loads documents through the exchanger; its pages do what their URLs say.
type fakeEngine struct{ x fetch.Exchanger }

func newFakeEngine(x fetch.Exchanger) engine.Engine { return fakeEngine{x} }

func (fakeEngine) Name() string { return "fake" }

func (e fakeEngine) NewPage(p engine.Profile) engine.Page { return &fakePage{x: e.x, profile: p} }

type fakePage struct {
	x       fetch.Exchanger
	profile engine.Profile
	in      som.Input
}

func (p *fakePage) Load(ctx context.Context, r engine.Request) (engine.Loaded, error) {
	res, err := p.x.Exchange(ctx, &fetch.Request{Session: p.profile.Session, URL: r.URL})
	if err != nil {
		return engine.Loaded{}, err
	}
	if strings.HasSuffix(r.URL, "/panic") {
		panic("the page crashed")
	}
	p.in = som.Input{URL: r.URL, Source: []byte("<title>" + r.URL + "</title><p>hello " + r.URL)}
	return engine.Loaded{URL: r.URL, Status: res.Status, ContentType: "text/html"}, nil
}

func (p *fakePage) Act(context.Context, *som.Page, engine.Action) (engine.Acted, error) {
	return engine.Acted{}, nil
}

func (p *fakePage) Snapshot(context.Context) (som.Input, error) { return p.in, nil }

func (p *fakePage) Close() error { return nil }
