package plasmate_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"plasmate"
	"plasmate/fetch"
)

// smallPages answers every URL with a small page that is like no other.
type smallPages struct{}

func (smallPages) Exchange(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	body := "<title>" + r.URL + "</title><p>" + strings.Repeat("words of a page ", 60)
	return &fetch.Response{URL: r.URL, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(body)}, nil
}

// What a finished page leaves in memory must be next to nothing: that it was
// seen, and its content's hash.
func TestFinishedPagesLeaveLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("visits 30,000 pages")
	}
	const pages, warm = 30_000, 15_000 // the actor system's own tables grow until then
	var seeds []string
	for i := range pages {
		seeds = append(seeds, fmt.Sprintf("http://h%d.test/section/of/the/site/page-%d.html", i%50, i))
	}
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	n, early := 0, int64(0)
	o := plasmate.CrawlOptions{Rate: -1, Fetcher: smallPages{}, IgnoreRobots: true, Format: plasmate.CrawlOutline, PerHost: 4}
	for _, err := range plasmate.Crawl(t.Context(), seeds, o) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == warm {
			early = heap()
		}
		if n == pages-100 {
			late := heap()
			each := (late - early) / int64(pages-100-warm)
			t.Logf("%d KiB after %d pages, %d KiB after %d: %d bytes a page", early>>10, warm, late>>10, n, each)
			if each > 150 {
				t.Errorf("a finished page leaves %d bytes, want at most 150", each)
			}
		}
	}
}
