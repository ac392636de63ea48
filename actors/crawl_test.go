package actors

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/store"
)

// web is a client that answers by a function and notes what it was asked for.
type web struct {
	answer func(ctx context.Context, url string, n int) (*fetch.Response, error)
	mu     sync.Mutex
	asked  map[string]int
	at     map[string][]time.Time // by host, robots.txt apart
}

func newWeb(answer func(ctx context.Context, url string, n int) (*fetch.Response, error)) *web {
	return &web{answer: answer, asked: map[string]int{}, at: map[string][]time.Time{}}
}

func (w *web) Exchange(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if strings.HasSuffix(r.URL, "/robots.txt") {
		return answerWith(r.URL, 404, ""), nil
	}
	w.mu.Lock()
	w.asked[r.URL]++
	n := w.asked[r.URL]
	w.at[hostKey(r.URL)] = append(w.at[hostKey(r.URL)], time.Now())
	w.mu.Unlock()
	return w.answer(ctx, r.URL, n)
}

// requests counts those to a host so far; some may be under way.
func (w *web) requests(host string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.at[host])
}

func answerWith(url string, status int, body string, header ...string) *fetch.Response {
	h := http.Header{"Content-Type": {"text/html"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &fetch.Response{URL: url, Status: status, Header: h, Body: []byte(body)}
}

// collect has a plan's sink note the pages.
func collect(p *Crawl) func() map[string]messages.CrawledPage {
	var mu sync.Mutex
	pages := map[string]messages.CrawledPage{}
	p.Sink = func(_ context.Context, v *Visit) ([][]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := pages[v.URL]; ok {
			return nil, fmt.Errorf("%s comes twice", v.URL)
		}
		pages[v.URL] = v.CrawledPage
		return nil, nil
	}
	return func() map[string]messages.CrawledPage {
		mu.Lock()
		defer mu.Unlock()
		return pages
	}
}

func crawlTo(t *testing.T, s *System, p Crawl) messages.CrawlStatus {
	t.Helper()
	p.Format = CrawlOutline
	run, err := s.Crawl(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	status, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func seedsOf(host string, n int) []string {
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://%s/%d", host, i))
	}
	return urls
}

func TestCrawlKeepsTheInterval(t *testing.T) {
	w := newWeb(func(_ context.Context, url string, _ int) (*fetch.Response, error) {
		return answerWith(url, 200, ""), nil
	})
	inBubble(t, w, FetchLimits{}, func(s *System) {
		p := Crawl{Seeds: append(seedsOf("a.test", 8), seedsOf("b.test", 8)...), Interval: time.Second, PerHost: 4}
		pages := collect(&p)
		began := time.Now()
		crawlTo(t, s, p)
		if len(pages()) != 16 {
			t.Errorf("%d pages, want 16", len(pages()))
		}
		for host, at := range w.at {
			for i := 1; i < len(at); i++ {
				if gap := at[i].Sub(at[i-1]); gap < time.Second {
					t.Errorf("%s: %v between two requests, want 1s at least", host, gap)
				}
			}
		}
		if took := time.Since(began); took > 12*time.Second {
			t.Errorf("the hosts took %v: they wait for each other", took)
		}
	})
}

// A host that hangs holds one place at most for long, is given up after some
// pages, and another host's pages do not wait for it.
func TestCrawlGivesUpAHostThatHangs(t *testing.T) {
	w := newWeb(func(ctx context.Context, url string, _ int) (*fetch.Response, error) {
		if strings.Contains(url, "hang.test") {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return answerWith(url, 200, ""), nil
	})
	inBubble(t, w, FetchLimits{}, func(s *System) {
		p := Crawl{Seeds: append(seedsOf("hang.test", 500), seedsOf("ok.test", 500)...), Concurrency: 4, Timeout: 10 * time.Second}
		pages := collect(&p)
		began := time.Now()
		status := crawlTo(t, s, p)
		if status.Outcomes["ok"] != 500 || status.Outcomes["timeout"] != 500 {
			t.Errorf("outcomes %v, want 500 ok and 500 timeout", status.Outcomes)
		}
		if last := w.at["http://ok.test"][499].Sub(began); last > 5*time.Second {
			t.Errorf("the last page of ok.test went out after %v", last)
		}
		if n := len(w.at["http://hang.test"]); n > 8 {
			t.Errorf("hang.test is asked %d times", n)
		}
		down := 0
		for _, page := range pages() {
			if page.Reason == "host_down" {
				down++
			}
		}
		if down < 490 {
			t.Errorf("%d pages are given up with their host", down)
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("the crawl took %v", took)
		}
	})
}

func TestCrawlWaitsAsLongAsAHostAsks(t *testing.T) {
	w := newWeb(func(_ context.Context, url string, n int) (*fetch.Response, error) {
		if strings.HasSuffix(url, "busy.test/0") && n == 1 {
			return answerWith(url, 503, "", "Retry-After", "60"), nil
		}
		return answerWith(url, 200, ""), nil
	})
	inBubble(t, w, FetchLimits{}, func(s *System) {
		p := Crawl{Seeds: append(seedsOf("busy.test", 3), seedsOf("ok.test", 3)...)}
		pages := collect(&p)
		began := time.Now()
		crawlTo(t, s, p)
		at := w.at["http://busy.test"]
		if gap := at[1].Sub(at[0]); gap < time.Minute || gap > 62*time.Second {
			t.Errorf("busy.test is asked again after %v, want a minute", gap)
		}
		if last := w.at["http://ok.test"][2].Sub(began); last > time.Second {
			t.Errorf("ok.test waited %v", last)
		}
		page := pages()["http://busy.test/0"]
		if page.Outcome != "ok" || page.Attempts != 2 || page.Waited < time.Minute {
			t.Errorf("%s after %d attempts and %v", page.Outcome, page.Attempts, page.Waited)
		}
	})
}

// A frontier that is much larger than what is kept in memory comes back from
// its store whole, in either kind of store.
func TestCrawlSpillsItsFrontier(t *testing.T) {
	w := newWeb(func(_ context.Context, url string, _ int) (*fetch.Response, error) {
		var b strings.Builder
		if strings.HasSuffix(url, "/0") {
			for i := range 3000 {
				fmt.Fprintf(&b, "<a href='/page/%c%d'>x</a>", 'a'+i%20, i)
			}
		}
		return answerWith(url, 200, b.String()), nil
	})
	for _, name := range []string{"memory", "bolt"} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, w, FetchLimits{}, func(s *System) {
				p := Crawl{Seeds: []string{"http://a.test/0", "http://b.test/0"}, Depth: -1, Concurrency: 8}
				if name == "bolt" {
					b, err := store.OpenBolt(filepath.Join(t.TempDir(), "s"))
					if err != nil {
						t.Fatal(err)
					}
					defer b.Close()
					p.Store = b
				}
				pages := collect(&p)
				status := crawlTo(t, s, p)
				if n := len(pages()); n != 6002 || status.Waiting != 0 {
					t.Errorf("%d pages and %d waiting, want 6002 and none", n, status.Waiting)
				}
			})
		})
	}
}

func TestCrawlEndsWithTheErrorOfItsSink(t *testing.T) {
	w := newWeb(func(_ context.Context, url string, _ int) (*fetch.Response, error) {
		return answerWith(url, 200, ""), nil
	})
	inBubble(t, w, FetchLimits{}, func(s *System) {
		errFull := errors.New("no more room")
		p := Crawl{Seeds: seedsOf("a.test", 50), Sink: func(context.Context, *Visit) ([][]byte, error) { return nil, errFull }}
		run, err := s.Crawl(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Wait(); !errors.Is(err, errFull) {
			t.Errorf("error %v, want %v", err, errFull)
		}
	})
}

// failingOutput takes a few records.
type failingOutput struct{ left int }

func (o *failingOutput) Append(records [][]byte) error {
	if o.left -= len(records); o.left < 0 {
		return store.ErrFull
	}
	return nil
}
func (o *failingOutput) Sync() error  { return nil }
func (o *failingOutput) Mark() string { return "0" }

func TestCrawlStopsWhenItsOutputIsFull(t *testing.T) {
	w := newWeb(func(_ context.Context, url string, _ int) (*fetch.Response, error) {
		time.Sleep(100 * time.Millisecond) // fake
		return answerWith(url, 200, ""), nil
	})
	inBubble(t, w, FetchLimits{}, func(s *System) {
		p := Crawl{
			Seeds: seedsOf("a.test", 5000), Outputs: []CrawlOutput{&failingOutput{left: 10}},
			Sink: func(context.Context, *Visit) ([][]byte, error) { return [][]byte{[]byte("x\n")}, nil },
		}
		run, err := s.Crawl(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		status, err := run.Wait()
		if !errors.Is(err, store.ErrFull) {
			t.Errorf("error %v, want %v", err, store.ErrFull)
		}
		if n := w.requests("http://a.test"); n > 100 || status.Finished {
			t.Errorf("%d requests went out, finished %v", n, status.Finished)
		}
	})
}

func TestFrontierTakesHostsInTurn(t *testing.T) {
	plan := Crawl{IgnoreRobots: true}.withDefaults()
	f := newFrontier(&plan)
	for _, host := range []string{"http://a.test", "http://b.test", "http://c.test"} {
		f.host(host).limit = 10
		for i := range 3 {
			url := fmt.Sprintf("%s/%d", host, i)
			f.admit(candidate{url: url, host: host, key: f.seen.key(url), trusted: true})
		}
	}
	var got []string
	now := time.Now()
	for {
		h, _ := f.next(now)
		if h == nil {
			break
		}
		got = append(got, h.take(now, f.limits()).entry.URL)
		h.started(now)
		f.touch(h)
	}
	want := []string{"a.test/0", "b.test/0", "c.test/0", "a.test/1", "b.test/1", "c.test/1", "a.test/2", "b.test/2", "c.test/2"}
	for i := range want {
		want[i] = "http://" + want[i]
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("order (-got +want):\n%s", d)
	}
}

func TestContentsKnowTheFirstURL(t *testing.T) {
	c := newContents()
	if got := c.claim(7, "http://a.test/x?y=1"); got != "" {
		t.Errorf("the first claim gives %q", got)
	}
	for i := range 5000 {
		c.claim(uint64(100+i), fmt.Sprintf("https://host-%d.test/%s", i%9, strings.Repeat("p", i%200)))
	}
	for _, url := range []string{"http://a.test/z", "http://b.test/"} {
		if got := c.claim(7, url); got != "http://a.test/x?y=1" {
			t.Errorf("the claim of %s gives %q", url, got)
		}
	}
	if got := c.claim(7, "http://a.test/x?y=1"); got != "" {
		t.Errorf("claiming again gives %q", got)
	}
}

func TestTrapGuards(t *testing.T) {
	plan := Crawl{}.withDefaults()
	plan.Traps.Chain, plan.Traps.Share = 5, 20
	f := newFrontier(&plan)
	f.scope["http://a.test"] = true
	admit := func(path, parent string, chain int) (store.Entry, bool) {
		url := "http://a.test" + path
		return f.admit(candidate{url: url, host: "http://a.test", key: f.seen.key(url), parent: parent, chain: chain})
	}
	e := store.Entry{}
	ok := true
	for i := 0; ok; i++ {
		e, ok = admit(fmt.Sprintf("/cal?m=%d", i), "/cal?m", e.Chain)
	}
	for i := range 30 {
		admit(fmt.Sprintf("/fan?c=%d", i), "", 0)
	}
	if _, ok := admit("/x/a/b/a/b/a/b/a/b", "", 0); ok {
		t.Error("a path that repeats itself is admitted")
	}
	if _, ok := f.admit(candidate{url: "http://b.test/", host: "http://b.test", key: 1}); ok {
		t.Error("a host out of scope is admitted")
	}
	var got []string
	for _, r := range f.reports() {
		got = append(got, fmt.Sprintf("%s %s %d", r.Path, r.Guard, r.LeftOut))
	}
	slices.Sort(got)
	if d := cmp.Diff(got, []string{"/cal chain 1", "/fan share 10", "/x/ path_repeat 1"}); d != "" {
		t.Errorf("reports (-got +want):\n%s", d)
	}
}
