package plasmate_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plasmate"
	"plasmate/fetch"
	"plasmate/internal/testsite"
	"plasmate/messages"
)

// Hosts that misbehave in every way there is: each URL has one outcome, the
// crawl ends, and a host beside them is not held up.
func TestFailureBattery(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for timeouts")
	}
	site := testsite.Start(t)
	const page = "<title>t</title><p>page"
	bad := map[string]http.HandlerFunc{
		"hang.test":     site.Hang(nil),
		"hangbody.test": site.HangBody(page, nil),
		"drip.test":     site.Drip(strings.Repeat("x", 1<<20), 20*time.Millisecond),
		"reset.test":    site.Raw(0, true, "HTTP/1.1 200 OK\r\n"),
		"lies.test":     site.Raw(0, false, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n"+page),
		"garbage.test":  site.Raw(0, false, "\x00\x01\x02 not http\r\n\r\n"),
		"endless.test":  site.Endless(strings.Repeat("x", 4096)),
		"flood.test":    site.HeaderFlood(10_000),
		"bomb.test":     site.Coded("gzip", testsite.Bomb(t, "gzip", 64<<20)),
		"loop.test": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		},
		"long.test": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		},
		"down.test": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"binary.test": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			w.Write([]byte("\x89PNG\r\n\x1a\n"))
		},
		"empty.test": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") },
		"traverse.test": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(302)
		},
	}
	var seeds []string
	for host, h := range bad {
		site.Handle(host, "/", h)
		site.Page(host, "/robots.txt", "text/plain", "")
		for i := range 2 {
			seeds = append(seeds, fmt.Sprintf("http://%s/%d", host, i))
		}
	}
	// robots.txt that misbehave, with pages that are well.
	robots := map[string]http.HandlerFunc{
		"robots500.test": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"robotsbig.test": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "User-agent: *\nDisallow: /0\n"+strings.Repeat("# padding padding\n", 10<<20/18))
		},
		"robotshang.test": site.Hang(nil),
		"robotsloop.test": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/robots.txt", http.StatusFound) },
		"robotshtml.test": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html><p>Disallow: /</p>") },
	}
	for host, h := range robots {
		site.Page(host, "/", "text/html", page)
		site.Handle(host, "/robots.txt", h)
		for i := range 2 {
			seeds = append(seeds, fmt.Sprintf("http://%s/%d", host, i))
		}
	}
	site.Page("ok.test", "/", "text/html", page)
	for i := range 40 {
		seeds = append(seeds, fmt.Sprintf("http://ok.test/%d", i))
	}
	o := crawlOptions(site)
	o.Timeout, o.Attempts, o.MaxBody, o.Concurrency = 3*time.Second, 2, 4<<20, 16
	o.Network.Resolve = append(o.Network.Resolve, "dead.invalid=127.0.0.1:1")
	seeds = append(seeds, "http://dead.invalid/0", "http://dead.invalid/1", "http://10.0.0.1/", "http://127.0.0.1:1/")

	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	outcomes := map[string]map[messages.Outcome]int{}
	n := 0
	var okAfter int // URLs that were finished before the last of ok.test
	for p, err := range plasmate.Crawl(ctx, seeds, o) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		host, _, _ := strings.Cut(strings.TrimPrefix(p.URL, "http://"), "/")
		if outcomes[host] == nil {
			outcomes[host] = map[messages.Outcome]int{}
		}
		outcomes[host][p.Outcome]++
		if host == "ok.test" {
			okAfter = n
		}
		if p.Outcome != "ok" && p.Reason == "" && p.Outcome != "not html" {
			t.Errorf("%s: %s without a reason", p.URL, p.Outcome)
		}
	}
	if n != len(seeds) {
		t.Errorf("%d URLs have an outcome, %d were given", n, len(seeds))
	}
	want := map[string]map[messages.Outcome]int{
		"hang.test": {"timeout": 2}, "hangbody.test": {"timeout": 2}, "drip.test": {"timeout": 2},
		"reset.test": {"failed": 2}, "lies.test": {"ok": 2}, "garbage.test": {"failed": 2},
		"endless.test": {"failed": 2}, "flood.test": {"failed": 2}, "bomb.test": {"failed": 2},
		"loop.test": {"failed": 2}, "long.test": {"failed": 2}, "down.test": {"http error": 2},
		"binary.test": {"not html": 2}, "empty.test": {"ok": 2}, "traverse.test": {"blocked": 2},
		"robots500.test": {"robots": 2}, "robotsbig.test": {"ok": 1, "robots": 1}, "robotshang.test": {"timeout": 2},
		"robotsloop.test": {"ok": 2}, "robotshtml.test": {"ok": 2},
		"ok.test": {"ok": 40}, "dead.invalid": {"failed": 2}, "10.0.0.1": {"blocked": 1}, "127.0.0.1:1": {"blocked": 1},
	}
	if d := cmp.Diff(outcomes, want); d != "" {
		t.Errorf("outcomes by host (-got +want):\n%s", d)
	}
	if okAfter > len(seeds)-4 { // those that hang take the longest
		t.Errorf("the well host was done only after %d of %d URLs", okAfter, len(seeds))
	}
}

func TestCrawlObeysRobotsAndDirectives(t *testing.T) {
	site := testsite.Start(t)
	site.Page("a.test", "/robots.txt", "text/plain", "User-agent: plasmate\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n")
	site.Page("a.test", "/{$}", "text/html", `<a href=/private>p</a><a href=/noindex>n</a><a href=/header>h</a><a href=/other>o</a>
		<a href=/away>w</a><a href=/rel rel=nofollow>r</a><a href=/copy1>1</a><link rel=canonical href=/index>`)
	site.Page("a.test", "/noindex", "text/html", `<meta name=robots content="noindex, nofollow"><a href=/hidden>x</a><p>secret`)
	site.Handle("a.test", "/header", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Add("X-Robots-Tag", "otherbot: noindex")
		w.Header().Add("X-Robots-Tag", "plasmate: none")
		io.WriteString(w, "<a href=/hidden>x</a>")
	})
	site.Handle("a.test", "/other", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST")
		io.WriteString(w, "<p>kept")
	})
	site.Redirect("a.test", "/away", 302, "http://b.test/closed")
	site.Page("a.test", "/copy1", "text/html", "<p>the same<a href=/copy2>2</a>")
	site.Page("a.test", "/copy2", "text/html", "<p>the same<a href=/copy2>2</a>")
	site.Page("b.test", "/robots.txt", "text/plain", "User-agent: *\nDisallow: /closed\n")

	pages, _ := sweep(t, crawlOptions(site), "http://a.test/")
	got := map[string]string{}
	for url, p := range pages {
		content := "content"
		if len(p.SOM) == 0 {
			content = "none"
		}
		got[strings.TrimPrefix(url, "http://a.test")] = string(p.Outcome) + " " + content
	}
	want := map[string]string{
		"/": "ok content", "/private": "robots none", "/noindex": "ok none", "/header": "ok none", "/other": "ok content",
		"/away": "robots none", "/copy1": "ok content", "/copy2": "ok content",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("pages (-got +want):\n%s", d)
	}
	if c := pages["http://a.test/"].Canonical; c != "http://a.test/index" {
		t.Errorf("canonical %q", c)
	}
	if d := pages["http://a.test/copy2"].DuplicateOf; d != "http://a.test/copy1" {
		t.Errorf("/copy2 is a duplicate of %q", d)
	}
	for _, line := range site.Lines() {
		if strings.Contains(line, "/closed") || strings.Contains(line, "/private") || strings.Contains(line, "/hidden") || strings.Contains(line, "/rel") {
			t.Errorf("%s went out", line)
		}
	}
}

func TestCrawlDelayIsAFloor(t *testing.T) {
	if testing.Short() {
		t.Skip("waits as a host asks it to")
	}
	site := testsite.Start(t)
	site.Page("a.test", "/robots.txt", "text/plain", "User-agent: *\nCrawl-delay: 0.3\n")
	var mu sync.Mutex
	var at []time.Time
	site.Handle("a.test", "/", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		at = append(at, time.Now())
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
	})
	var seeds []string
	for i := range 5 {
		seeds = append(seeds, fmt.Sprintf("http://a.test/%d", i))
	}
	sweep(t, crawlOptions(site), seeds...)
	for i := 1; i < len(at); i++ {
		if gap := at[i].Sub(at[i-1]); gap < 280*time.Millisecond {
			t.Errorf("request %d came %v after the one before, want 0.3s", i, gap)
		}
	}
}

// countingFetcher answers by itself.
type countingFetcher struct{ asked, most, now atomic.Int64 }

func (f *countingFetcher) Exchange(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	f.asked.Add(1)
	f.most.Store(max(f.most.Load(), f.now.Add(1)))
	defer f.now.Add(-1)
	if strings.HasSuffix(r.URL, "/robots.txt") {
		return &fetch.Response{URL: r.URL, Status: 404, Header: http.Header{}}, nil
	}
	body := `<a href=a/>a</a><a href=b/>b</a>`
	return &fetch.Response{URL: r.URL, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(body)}, nil
}

func TestLeavingTheLoopEndsTheCrawlAndTheStoreGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frontier")
	var urls []string
	f := &countingFetcher{}
	o := plasmate.CrawlOptions{
		Rate: -1, MaxDepth: 5, Format: plasmate.CrawlOutline, Fetcher: f, Concurrency: 4,
		Admit: func(l plasmate.CrawlLink) bool { return !strings.Contains(l.URL, "b/b/") },
	}
	for round := 0; ; round++ {
		s, err := plasmate.OpenStore(path)
		if err != nil {
			t.Fatal(err)
		}
		o.Store = s
		n := 0
		for p, err := range plasmate.Crawl(t.Context(), []string{"http://a.test/"}, o) {
			if err != nil {
				t.Fatal(err)
			}
			urls = append(urls, p.URL)
			if n++; n == 7 {
				break
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n < 7 {
			break
		}
		if round > 30 {
			t.Fatal("the crawl does not come to an end")
		}
	}
	slices.Sort(urls)
	got := slices.Compact(slices.Clone(urls))
	all := map[string]bool{}
	var grow func(url string, depth int)
	grow = func(url string, depth int) {
		if all[url] = true; depth == 5 {
			return
		}
		for _, l := range []string{"a/", "b/"} {
			if !strings.Contains(url+l, "b/b/") && strings.Count(url+l, "/a") < 4+1 && !repeated(url+l) {
				grow(url+l, depth+1)
			}
		}
	}
	grow("http://a.test/", 0)
	var want []string
	for u := range all {
		want = append(want, u)
	}
	slices.Sort(want)
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("pages (-got +want):\n%s", d)
	}
}

// repeated says that the path has a segment more than three times.
func repeated(url string) bool {
	path := strings.TrimPrefix(url, "http://a.test/")
	return strings.Count(path, "a/") > 3 || strings.Count(path, "b/") > 3
}

func TestSlowLoopSlowsTheCrawlDown(t *testing.T) {
	f := &countingFetcher{}
	o := plasmate.CrawlOptions{Rate: -1, Format: plasmate.CrawlOutline, Fetcher: f, Concurrency: 3, PerHost: 3, MaxPages: 60}
	n := int64(0)
	for _, err := range plasmate.Crawl(t.Context(), []string{"http://a.test/"}, o) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		// One page is with the loop, two wait for it, and robots.txt was asked for.
		if ahead := f.asked.Load() - n; ahead > 3 {
			t.Errorf("after %d pages %d requests went out", n, f.asked.Load())
		}
	}
}

func TestSeedThatIsNoURL(t *testing.T) {
	for p, err := range plasmate.Crawl(t.Context(), []string{"http://a.test/", "nonsense"}, plasmate.CrawlOptions{}) {
		if err == nil || !strings.Contains(err.Error(), "nonsense") {
			t.Errorf("page %v, error %v", p, err)
		}
	}
}
