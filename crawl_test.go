package plasmate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plasmate"
	"plasmate/internal/testsite"
)

// crawlOptions reach the site without waiting.
func crawlOptions(site *testsite.Site) plasmate.CrawlOptions {
	return plasmate.CrawlOptions{Rate: -1, Network: plasmate.NetworkConfig{Resolve: []string{site.Rule()}}}
}

// sweep crawls and gives the pages by URL and the last status.
func sweep(t testing.TB, o plasmate.CrawlOptions, seeds ...string) (map[string]plasmate.Page, plasmate.CrawlStatus) {
	t.Helper()
	var status plasmate.CrawlStatus
	o.Status = func(s plasmate.CrawlStatus) { status = s }
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	pages := map[string]plasmate.Page{}
	for p, err := range plasmate.Crawl(ctx, seeds, o) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := pages[p.URL]; ok {
			t.Errorf("%s comes twice", p.URL)
		}
		pages[p.URL] = p
	}
	if status.Done != len(pages) {
		t.Errorf("the status counts %d pages, %d came", status.Done, len(pages))
	}
	return pages, status
}

// targets are the request targets that a host was asked for, robots.txt apart.
func targets(site *testsite.Site, host string) []string {
	var all []string
	for _, r := range site.Requests() {
		if rest, ok := strings.CutPrefix(r.Line, "GET "+host); ok && rest != "/robots.txt" {
			all = append(all, rest)
		}
	}
	slices.Sort(all)
	return all
}

// testCase is a case of testdata/crawl with the input and expectations as raw JSON.
type testCase struct {
	ID       string
	Input    json.RawMessage
	Expected json.RawMessage
}

func readCase(t *testing.T, file, id string, input, expected any) {
	t.Helper()
	data, err := os.ReadFile("testdata/crawl/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.ID == id {
			if err := json.Unmarshal(c.Input, input); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(c.Expected, expected); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no case %s", id)
}

func TestSpellingsOfOneURLAreFetchedOnce(t *testing.T) { // UD-067
	var in struct {
		Seed     string
		MaxDepth int `json:"max_depth"`
		Pages    map[string]string
	}
	var want struct {
		Once []string `json:"fetched_exactly_once"`
	}
	readCase(t, "crawl.json", "UD-067", &in, &want)
	site := testsite.Start(t)
	site.Page("a.test", "/{$}", "text/html; charset=utf-8", in.Pages["/"])
	site.Page("a.test", "/", "text/html", "<p>leaf")
	o := crawlOptions(site)
	o.MaxDepth = in.MaxDepth
	sweep(t, o, in.Seed)
	got := targets(site, "a.test")
	got = slices.DeleteFunc(got, func(s string) bool { return s == "/%7Eu" || s == "/~u" })
	if n := len(targets(site, "a.test")) - len(got); n < 1 || n > 2 {
		t.Errorf("%d requests for /~u and /%%7Eu, want 1 or 2", n)
	}
	slices.Sort(want.Once)
	if d := cmp.Diff(got, want.Once); d != "" {
		t.Errorf("requests (-got +want):\n%s", d)
	}
}

func TestTrapsTakeABoundedShare(t *testing.T) { // UD-071
	site := testsite.Start(t)
	page := func(path string, body func(r *http.Request) string) {
		site.Handle("a.test", path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, body(r))
		})
	}
	page("/{$}", func(*http.Request) string {
		return `<a href=/cal?m=1>c</a><a href=/loop/>l</a><a href="/s?sid=0">s</a><a href=/fan>f</a><a href=/real1>1</a>`
	})
	page("/cal", func(r *http.Request) string {
		m, _ := strconv.Atoi(r.FormValue("m"))
		return fmt.Sprintf("<a href=/cal?m=%d>next</a><a href=/cal?m=%d>previous</a>", m+1, m-1)
	})
	page("/loop/", func(*http.Request) string { return `<a href="next/">n</a>` })
	var mu sync.Mutex
	fresh := 100
	page("/s", func(*http.Request) string {
		mu.Lock()
		defer mu.Unlock()
		fresh++
		return fmt.Sprintf(`<a href="/s?sid=%d">s</a>`, fresh*7919)
	})
	page("/fan", func(*http.Request) string {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "<a href='/fan?color=%d&size=%d'>x</a>", i%40, i/40)
		}
		return b.String()
	})
	page("/real1", func(*http.Request) string { return "<a href=/real2>2</a>" })
	page("/real2", func(*http.Request) string { return "<a href=/real3>3</a>" })
	page("/real3", func(*http.Request) string { return "<title>end</title>" })
	for i := range 5 {
		site.Page("b.test", fmt.Sprintf("/%d", i), "text/html", "<p>b")
	}
	site.Page("b.test", "/{$}", "text/html", "<a href=0>0</a><a href=1>1</a><a href=2>2</a><a href=3>3</a><a href=4>4</a>")

	o := crawlOptions(site)
	o.MaxPerHost = 100
	pages, status := sweep(t, o, "http://a.test/", "http://b.test/")
	for _, path := range []string{"/real1", "/real2", "/real3"} {
		if _, ok := pages["http://a.test"+path]; !ok {
			t.Errorf("%s is not fetched", path)
		}
	}
	all := 0
	for _, r := range site.Requests() {
		if strings.HasPrefix(r.Line, "GET a.test/") {
			all++
		}
	}
	if all > 100 {
		t.Errorf("%d requests to a.test, want at most 100", all)
	}
	if n := len(targets(site, "b.test")); n != 6 {
		t.Errorf("%d requests to b.test, want 6", n)
	}
	if !status.BudgetReached {
		t.Error("the status does not say that a budget was reached")
	}
	for _, path := range []string{"/cal", "/loop/", "/s", "/fan"} {
		if !slices.ContainsFunc(status.Traps, func(r plasmate.TrapReport) bool { return r.Path == path }) {
			t.Errorf("no guard reports %s: %+v", path, status.Traps)
		}
	}
}

func TestSitemaps(t *testing.T) { // UD-069
	var in struct {
		Robots string
		Files  map[string]json.RawMessage
	}
	var want struct{ URLs []string }
	readCase(t, "sitemap.json", "UD-069", &in, &want)
	site := testsite.Start(t)
	site.Page("a.test", "/robots.txt", "text/plain", in.Robots)
	site.Page("a.test", "/", "text/html", "<p>page")
	for path, raw := range in.Files {
		var body string
		var file struct {
			Headers map[string]string
			Gzip    string `json:"gzip_of"`
			Status  int
		}
		if json.Unmarshal(raw, &body) != nil {
			if err := json.Unmarshal(raw, &file); err != nil {
				t.Fatal(err)
			}
			body = file.Gzip
		}
		site.Handle("a.test", path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			if file.Status != 0 {
				w.WriteHeader(file.Status)
			}
			if file.Gzip != "" {
				w.Write(gzipped(t, body))
				return
			}
			io.WriteString(w, body)
		})
	}
	pages, status := sweep(t, crawlOptions(site), "http://a.test/")
	var got []string
	for url := range pages {
		if url != "http://a.test/" {
			got = append(got, url)
		}
	}
	slices.Sort(got)
	slices.Sort(want.URLs)
	if d := cmp.Diff(got, want.URLs); d != "" {
		t.Errorf("pages (-got +want):\n%s", d)
	}
	n := 0
	for _, target := range targets(site, "a.test") {
		if target == "/two.xml" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("/two.xml is asked for %d times, want once", n)
	}
	for _, words := range []string{"gone.xml: status 404", "two.xml: not well formed", "two.xml: 2 addresses off its host or relative"} {
		if !strings.Contains(strings.Join(status.Warnings, "\n"), words) {
			t.Errorf("no warning has %q: %q", words, status.Warnings)
		}
	}
}

func TestRetryAfterPausesThatHostOnly(t *testing.T) { // UD-073
	if testing.Short() {
		t.Skip("waits for some seconds as hosts ask it to")
	}
	site := testsite.Start(t)
	var mu sync.Mutex
	asked := map[string][]time.Time{}
	handle := func(host string, answer func(w http.ResponseWriter, n int)) {
		site.Handle(host, "/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			mu.Lock()
			asked[host] = append(asked[host], time.Now())
			n := len(asked[host])
			mu.Unlock()
			w.Header().Set("Content-Type", "text/html")
			answer(w, n)
			io.WriteString(w, "<p>page")
		})
	}
	objects := func(status, times int, retryAfter func() string) func(http.ResponseWriter, int) {
		return func(w http.ResponseWriter, n int) {
			if times >= 0 && n > times {
				return
			}
			if v := retryAfter(); v != "" {
				w.Header().Set("Retry-After", v)
			}
			w.WriteHeader(status)
		}
	}
	text := func(s string) func() string { return func() string { return s } }
	handle("lim.test", objects(429, 1, text("2")))
	handle("date.test", objects(503, 1, func() string { return time.Now().Add(3 * time.Second).UTC().Format(http.TimeFormat) }))
	handle("none.test", objects(429, 2, text("")))
	handle("bad.test", objects(429, 1, text("soon")))
	handle("huge.test", objects(429, -1, text("86400")))
	handle("ok.test", func(http.ResponseWriter, int) {})
	var seeds []string
	for _, host := range []string{"lim", "date", "none", "bad", "huge", "ok"} {
		for i := range 5 {
			seeds = append(seeds, fmt.Sprintf("http://%s.test/%d", host, i))
		}
	}
	began := time.Now()
	var okAt time.Duration
	o := crawlOptions(site)
	pages := map[string][]plasmate.Page{}
	for p, err := range plasmate.Crawl(t.Context(), seeds, o) {
		if err != nil {
			t.Fatal(err)
		}
		host, _, _ := strings.Cut(strings.TrimPrefix(p.URL, "http://"), "/")
		if pages[host] = append(pages[host], p); host == "ok.test" && len(pages[host]) == 5 {
			okAt = time.Since(began)
		}
	}
	for _, host := range []string{"lim.test", "date.test", "none.test", "bad.test", "ok.test"} {
		for _, p := range pages[host] {
			if p.Outcome != "ok" || p.Attempts < 1 || p.Attempts > 4 {
				t.Errorf("%s: %s after %d attempts (%s)", p.URL, p.Outcome, p.Attempts, p.Error)
			}
		}
		if len(pages[host]) != 5 {
			t.Errorf("%s has %d records, want 5", host, len(pages[host]))
		}
	}
	for _, host := range []string{"lim.test", "date.test"} {
		if gap := asked[host][1].Sub(asked[host][0]); gap < 2*time.Second {
			t.Errorf("%s is asked again after %v, want 2s at least", host, gap)
		}
	}
	if a := asked["none.test"]; a[2].Sub(a[1]) <= a[1].Sub(a[0]) {
		t.Errorf("none.test: waits %v and %v do not grow", a[1].Sub(a[0]), a[2].Sub(a[1]))
	}
	if n := len(asked["huge.test"]); n > 2 {
		t.Errorf("huge.test is asked %d times, want 2 at most", n)
	}
	for _, p := range pages["huge.test"] {
		if p.Outcome != "rate limited" || p.Reason != "rate_limited" || p.RetryAfter != 24*time.Hour {
			t.Errorf("%s: %s %s, retry after %v", p.URL, p.Outcome, p.Reason, p.RetryAfter)
		}
	}
	if len(pages["huge.test"]) != 5 {
		t.Errorf("huge.test has %d records, want 5", len(pages["huge.test"]))
	}
	if okAt > 1500*time.Millisecond {
		t.Errorf("ok.test took %v: other hosts held it up", okAt)
	}
}

func TestFeedsAndRedirectedSeeds(t *testing.T) {
	site := testsite.Start(t)
	site.Redirect("a.test", "/{$}", 301, "http://www.a.test/")
	site.Page("www.a.test", "/{$}", "text/html", `<link rel=alternate type="application/rss+xml" href=/feed><a href=/1>1</a><a href=http://b.test/>b</a>`)
	site.Page("www.a.test", "/feed", "application/rss+xml", `<rss version="2.0"><channel><title>f</title><item><link>http://www.a.test/2</link></item><item><link>http://b.test/2</link></item></channel></rss>`)
	site.Page("www.a.test", "/", "text/html", "<p>page")
	pages, _ := sweep(t, crawlOptions(site), "http://a.test/")
	var got []string
	for url := range pages {
		got = append(got, url)
	}
	slices.Sort(got)
	want := []string{"http://a.test/", "http://www.a.test/1", "http://www.a.test/2", "http://www.a.test/feed"}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("pages (-got +want):\n%s", d)
	}
}

// A list of URLs is visited as it is: sitemaps of its hosts would add to it.
func TestSitemapsOfRobotsCountAsLinks(t *testing.T) {
	site := testsite.Start(t)
	site.Page("a.test", "/robots.txt", "text/plain", "Sitemap: http://a.test/map.xml")
	site.Page("a.test", "/map.xml", "text/xml", "<urlset><url><loc>http://a.test/1</loc></url></urlset>")
	site.Page("a.test", "/", "text/html", "<a href=/2>2</a>")
	for depth, want := range map[int]int{-1: 1, 1: 3} {
		o := crawlOptions(site)
		o.MaxDepth = depth
		if pages, _ := sweep(t, o, "http://a.test/"); len(pages) != want {
			t.Errorf("depth %d: %d pages, want %d", depth, len(pages), want)
		}
	}
}
