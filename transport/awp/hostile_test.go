package awp_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"plasmate"
	client "plasmate/clients/awp"
	"plasmate/internal/testsite"
)

// fault is a server's misbehaviour and what becomes of a navigation to it.
type fault struct {
	name   string
	serve  http.HandlerFunc
	reason string // details.reason; "": a page, marked incomplete where cut
	cut    bool
}

func faults(t *testing.T, s *testsite.Site) []fault {
	raw := func(reset bool, pieces ...string) http.HandlerFunc { return s.Raw(0, reset, pieces...) }
	const ok, html = "HTTP/1.1 200 OK\r\n", "Content-Type: text/html\r\n"
	return []fault{
		{name: "never answers", serve: s.Hang(nil), reason: "timeout"},
		{name: "slow headers", serve: s.Raw(50*time.Millisecond, false, strings.Split(ok+strings.Repeat("X: 1\r\n", 100), "\n")...), reason: "timeout"},
		{name: "headers and no body", serve: s.HangBody("<p>start", nil), reason: "timeout"},
		{name: "slow body", serve: s.Drip(strings.Repeat("<p>x", 1000), 20*time.Millisecond), reason: "timeout"},
		{name: "endless body", serve: s.Endless(strings.Repeat("x", 1<<14)), reason: "too_large"},
		{name: "1-byte chunks", serve: s.OneByteChunks("<title>chunks</title>" + strings.Repeat("<p>x", 2000))},
		{name: "header flood", serve: s.HeaderFlood(100_000), reason: "too_large"},
		{name: "interim answers without end", serve: raw(false, strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("x", 1000)+"\r\n\r\n", 1000)), reason: "too_large"},
		{name: "gzip bomb", serve: s.Coded("gzip", testsite.Bomb(t, "gzip", 64<<20)), reason: "too_large"},
		{name: "br bomb", serve: s.Coded("br", testsite.Bomb(t, "br", 64<<20)), reason: "too_large"},
		{name: "zstd bomb", serve: s.Coded("zstd", testsite.Bomb(t, "zstd", 64<<20)), reason: "too_large"},
		{name: "too short for its length", serve: raw(false, ok+html+"Content-Length: 100\r\n\r\n<p>short"), cut: true},
		{name: "two lengths", serve: raw(false, ok+"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"), reason: "reset"},
		{name: "a length that is none", serve: raw(false, ok+"Content-Length: -1\r\n\r\nxx"), reason: "reset"},
		{name: "reset before a byte", serve: raw(true), reason: "reset"},
		{name: "reset in the status line", serve: raw(true, "HTTP/1."), reason: "reset"},
		{name: "reset in the headers", serve: raw(true, ok+"X: "), reason: "reset"},
		{name: "closed after the headers", serve: raw(false, ok+html+"Content-Length: 9\r\n\r\n"), reason: "reset"},
		{name: "no HTTP", serve: raw(false, "SSH-2.0-OpenSSH_9\r\n"), reason: "reset"},
		{name: "redirects to itself", serve: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, reason: "redirect_loop"},
		{name: "redirects without end", serve: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"?n="+r.URL.Query().Get("n")+"1", http.StatusFound)
		}, reason: "redirect_limit"},
		{name: "redirects inside", serve: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, reason: "blocked_address"},
		{name: "refreshes without end", serve: func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, "<title>r</title><meta http-equiv=refresh content='0;url=?n=%s1'>", r.URL.Query().Get("n"))
		}},
		{name: "a wrong coding", serve: s.Coded("gzip", []byte("<p>plain")), reason: "reset"},
	}
}

// TestHostileServers plays every fault to one session, which must be told what
// happened and be usable after. Memory stays bounded.
func TestHostileServers(t *testing.T) {
	site := testsite.Start(t)
	all := faults(t, site)
	for i, f := range all {
		site.Handle(fmt.Sprintf("f%d.test", i), "/", f.serve)
	}
	site.Page("fine.test", "/", "text/html", "<title>fine</title>")
	s := startInProcess(t, site.Addr(), func(c *plasmate.Config) { c.Limits.BodyBytes = 1 << 20 })
	a := connect(t, s.url)
	for i, f := range all {
		params := map[string]any{"url": fmt.Sprintf("http://f%d.test/", i)}
		if f.reason == "timeout" {
			params["timeout_ms"] = 300
		}
		var got loadedPage
		err := a.call("page.navigate", params, &got)
		if f.reason == "" && (err != nil || got.Incomplete != f.cut) {
			t.Errorf("%s: %+v, %v, want a page", f.name, got, err)
		}
		if f.reason != "" && (err == nil || factsOf(t, err).Reason != f.reason) {
			t.Errorf("%s: %v %s, want %s", f.name, err, detailsOf(err), f.reason)
		}
		if p := a.mustLoad("http://fine.test/"); p.Title != "fine" {
			t.Errorf("after %q: %+v", f.name, p)
		}
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d faults; %.0f MiB of heap after all", len(all), float64(m.HeapAlloc)/(1<<20))
	if m.HeapAlloc > 256<<20 {
		t.Errorf("%d MiB of heap after all", m.HeapAlloc>>20)
	}
}

func detailsOf(err *client.Error) string {
	if err == nil {
		return ""
	}
	return string(err.Details)
}

// RFC 6265bis §5.7: a jar is bounded, whatever servers set.
func TestAHundredThousandCookies(t *testing.T) {
	site := newSite(t, func(r seenRequest) reply {
		p := page("ok")
		if r.path() != "/" {
			for i := range 2000 {
				p.cookies = append(p.cookies, fmt.Sprintf("c%s-%d=%d; Path=/", r.path()[1:], i, i))
			}
		}
		return p
	})
	s := startInProcess(t, site.addr)
	a := connect(t, s.url)
	for n := range 50 {
		a.mustLoad(fmt.Sprintf("http://h%d.test/%d", n%10, n))
	}
	var got struct{ Cookies []struct{ Name string } }
	a.must("session.cookies.get", nil, &got)
	if len(got.Cookies) == 0 || len(got.Cookies) > 3000 {
		t.Errorf("%d cookies are kept, want at most 3,000", len(got.Cookies))
	}
	site.requests()
	a.mustLoad("http://h1.test/")
	if n := len(site.requests()[0].header.Get("Cookie")); n == 0 || n > 64<<10 {
		t.Errorf("a Cookie header of %d bytes", n)
	}
}
