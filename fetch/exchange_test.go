package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plasmate/internal/testsite"
)

// The request target goes out as the URL Standard serialises it.
func TestRequestTarget(t *testing.T) {
	lines := make(chan string, 1)
	c := newClient(t, nil, mapTo(testsite.Listen(t, func(_ int, c net.Conn) {
		r := textproto.NewReader(bufio.NewReader(c))
		line, _ := r.ReadLine()
		h, _ := r.ReadMIMEHeader()
		lines <- line + " host=" + h.Get("Host")
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	})))
	for url, want := range map[string]string{
		"http://a.test":                     "/ a.test",
		"http://A.TEST:80/./x/../y#f":       "/y a.test",
		"http://a.test:81/x":                "/x a.test:81",
		"http://a.test/%u0041":              "/%u0041 a.test",
		"http://a.test/a%2fb|c?x=1|2&y=%zz": "/a%2fb|c?x=1|2&y=%zz a.test",
		"http://a.test/s?":                  "/s? a.test",
		"http://a.test/Käse?q=ü":            "/K%C3%A4se?q=%C3%BC a.test",
		"http://a.test//double//x?":         "//double//x? a.test",
		"http://a.test//double|x?y":         "http://a.test//double|x?y a.test", // absolute form
		"http://a.test/ü//":                 "/%C3%BC// a.test",
		"http://a.test/'\"<>":               "/'%22%3C%3E a.test",
		"http://bücher.test/":               "/ xn--bcher-kva.test",
		"http://a.test./":                   "/ a.test.",
	} {
		if _, err := get(t, c, url); err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		target, host, _ := strings.Cut(want, " ")
		if got, want := <-lines, "GET "+target+" HTTP/1.1 host="+host; got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}

func TestExchangeHeaders(t *testing.T) {
	site := testsite.Start(t)
	site.Handle("*", "/", func(w http.ResponseWriter, r *http.Request) {})
	c := newClient(t, site)
	for _, tc := range []struct {
		name string
		r    Request
		want string
	}{
		{"defaults", Request{URL: "http://a.test/"}, "GET a.test/ user-agent=plasmate authorization=- accept-encoding=gzip, deflate, br, zstd body="},
		{"Accept-Encoding is ours", Request{URL: "http://a.test/", Header: header("Accept-Encoding", "lzma")}, "GET a.test/ user-agent=plasmate authorization=- accept-encoding=gzip, deflate, br, zstd body="},
		{"user name and password", Request{URL: "http://u%40:p%3A@a.test/"}, "GET a.test/ user-agent=plasmate authorization=Basic dUA6cDo= accept-encoding=gzip, deflate, br, zstd body="},
		{"a body", Request{Method: "POST", URL: "http://a.test/", Body: []byte("x=1"), Header: header("User-Agent", "U/1", "Authorization", "Bearer x")}, "POST a.test/ user-agent=U/1 authorization=Bearer x accept-encoding=gzip, deflate, br, zstd body=x=1"},
	} {
		site.Forget()
		if _, err := c.Exchange(t.Context(), &tc.r); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(requests(site, "User-Agent", "Authorization", "Accept-Encoding"), []string{tc.want}); d != "" {
			t.Errorf("%s: %s", tc.name, d)
		}
	}
}

func TestExchangeResponse(t *testing.T) {
	site := testsite.Start(t)
	site.Redirect("a.test", "/r", 302, "/other")
	site.Handle("a.test", "/404", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "gone", 404) })
	site.Handle("a.test", "/204", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	site.Handle("a.test", "/304", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(304)
	})
	site.Page("a.test", "/page", "text/html", plain)
	c := newClient(t, site)
	for _, tc := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/r", 302, ""}, {"GET", "/404", 404, "gone\n"}, {"GET", "/204", 204, ""},
		{"GET", "/304", 304, ""}, {"GET", "/page", 200, plain}, {"HEAD", "/page", 200, ""},
	} {
		resp, err := c.Exchange(t.Context(), &Request{Method: tc.method, URL: "http://a.test" + tc.path + "#f"})
		if err != nil {
			t.Errorf("%s: %v", tc.path, err)
			continue
		}
		if resp.Status != tc.status || string(resp.Body) != tc.body || resp.Incomplete || resp.URL != "http://a.test"+tc.path {
			t.Errorf("%s: %d %q %v %s", tc.path, resp.Status, resp.Body, resp.Incomplete, resp.URL)
		}
		if resp.Took <= 0 || resp.Proto != "HTTP/1.1" {
			t.Errorf("%s: took %v by %s", tc.path, resp.Took, resp.Proto)
		}
	}
	if n := site.Conns(); n != 1 {
		t.Errorf("%d connections for 6 requests one after the other, want 1", n)
	}
}

// UD-059: a cut-off body is used and marked (RFC 9112 §8).
func TestCutBodies(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	start := "<title>cut</title><a href=/x>link</a>"
	for _, c := range []struct {
		name, raw string
		reset     bool
		want      string // "" is an error
	}{
		{"content-length 1000, 200 sent", head + "Content-Length: 1000\r\n\r\n" + start + strings.Repeat("p", 163), false, start + strings.Repeat("p", 163)},
		{"chunked, no last chunk", head + "Transfer-Encoding: chunked\r\n\r\n25\r\n" + start + "\r\n", false, start},
		{"chunked, cut in a chunk", head + "Transfer-Encoding: chunked\r\n\r\nff\r\n" + start, false, start},
		{"chunked, then nonsense", head + "Transfer-Encoding: chunked\r\n\r\n25\r\n" + start + "\r\nZZ\r\n", false, start},
		{"reset after headers", head + "Content-Length: 1000\r\n\r\n", true, ""},
		{"closed after headers", head + "Content-Length: 1000\r\n\r\n", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := testsite.Start(t)
			site.Handle("a.test", "/p", site.Raw(0, c.reset, c.raw))
			resp, err := get(t, newClient(t, site), "http://a.test/p")
			if n := len(site.Lines()); n > 2 {
				t.Errorf("%d requests", n)
			}
			if c.want == "" {
				if e := wantError(t, err, Reset, "body"); e.Status != 200 {
					t.Errorf("status %d", e.Status)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(resp.Body) != c.want || !resp.Incomplete {
				t.Errorf("incomplete %v, body %q", resp.Incomplete, resp.Body)
			}
		})
	}
}

// Lengths that do not fit, and bodies in the smallest pieces.
func TestOddBodies(t *testing.T) {
	site := testsite.Start(t)
	ok := "HTTP/1.1 200 OK\r\n"
	site.Handle("a.test", "/longer", site.Raw(0, false, ok+"Connection: close\r\nContent-Length: 4\r\n\r\nbodyandmore"))
	site.Handle("a.test", "/eof", site.Raw(0, false, "HTTP/1.0 200 OK\r\n\r\nbody"))
	site.Handle("a.test", "/both", site.Raw(0, false, ok+"Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"))
	site.Handle("a.test", "/chunks", site.OneByteChunks("body"))
	site.Handle("a.test", "/drip", site.Drip("body", time.Millisecond))
	site.Handle("a.test", "/1xx", site.Raw(0, false, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"+ok+"Content-Length: 4\r\n\r\nbody"))
	c := newClient(t, site)
	for _, path := range []string{"/longer", "/eof", "/both", "/chunks", "/drip", "/1xx"} {
		resp, err := get(t, c, "http://a.test"+path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if string(resp.Body) != "body" || resp.Incomplete {
			t.Errorf("%s: incomplete %v, body %q", path, resp.Incomplete, resp.Body)
		}
	}
}

func TestHostileServers(t *testing.T) {
	// Short patience for the servers that wait, and for no others: the machine
	// may be slow.
	quick := func(c *Config) { c.HeaderTimeout, c.StallTimeout = 100*time.Millisecond, 100*time.Millisecond }
	small := func(c *Config) { c.MaxBodyBytes = 1 << 20 }
	site := testsite.Start(t)
	handle := func(path string, h http.HandlerFunc) { site.Handle("a.test", path, h) }
	handle("/hang", site.Hang(nil))
	handle("/slow-headers", site.Raw(50*time.Millisecond, false, "HTTP/1.1 200 OK\r\n", "X: 1\r\n", "X: 2\r\n", "X: 3\r\n", "X: 4\r\n", "\r\n"))
	handle("/stall", site.HangBody("<p>start", nil))
	handle("/endless", site.Endless(strings.Repeat("x", 1<<14)))
	handle("/flood", site.HeaderFlood(100_000))
	handle("/long-header", site.Raw(0, false, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)+"\r\n\r\n"))
	handle("/nonsense", site.Raw(0, false, "SSH-2.0-OpenSSH_9\r\n"))
	handle("/nothing", site.Raw(0, false, ""))
	handle("/reset", site.Raw(0, true, ""))
	handle("/half-line", site.Raw(0, false, "HTTP/1.1 200"))
	handle("/reset-in-headers", site.Raw(0, true, "HTTP/1.1 200 OK\r\nX: "))
	handle("/two-lengths", site.Raw(0, false, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"))
	handle("/bad-header", site.Raw(0, false, "HTTP/1.1 200 OK\r\nno colon here\r\n\r\nxx"))
	handle("/upgrade", site.Raw(0, false, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"))
	handle("/1xx-flood", site.Raw(0, false, strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </"+strings.Repeat("x", 1000)+">\r\n\r\n", 1000)))
	site.Page("a.test", "/fine", "text/html", plain)
	patient, hasty := newClient(t, site, small), newClient(t, site, small, quick)
	for _, tc := range []struct {
		path   string
		reason Reason
		phase  string
	}{
		{"/hang", Timeout, "headers"},
		{"/slow-headers", Timeout, "headers"},
		{"/stall", Timeout, "body"},
		{"/endless", TooLarge, "body"},
		{"/flood", TooLarge, "headers"},
		{"/long-header", TooLarge, "headers"},
		{"/nonsense", Reset, "headers"},
		{"/nothing", Reset, "headers"},
		{"/reset", Reset, "headers"},
		{"/half-line", Reset, "headers"},
		{"/reset-in-headers", Reset, "headers"},
		{"/two-lengths", Reset, "headers"},
		{"/bad-header", Reset, "headers"},
		{"/upgrade", Reset, "headers"},
		{"/1xx-flood", TooLarge, "headers"},
	} {
		t.Run(tc.path, func(t *testing.T) {
			site.Forget()
			c := patient
			if tc.reason == Timeout {
				c = hasty
			}
			_, err := get(t, c, "http://a.test"+tc.path)
			wantError(t, err, tc.reason, tc.phase)
			if n := len(site.Lines()); n > 2 {
				t.Errorf("%d requests", n)
			}
			resp, err := get(t, c, "http://a.test/fine")
			if err != nil && tc.reason != Timeout || err == nil && string(resp.Body) != plain {
				t.Errorf("the client is no longer usable: %v", err)
			}
		})
	}
}

// A connection that breaks before any byte of the response: idempotent requests
// go out once more, others never (RFC 9110 §9.2.2).
func TestRetry(t *testing.T) {
	for _, tc := range []struct {
		method string
		breaks int32 // how many connections break
		conns  int32
		ok     bool
	}{
		{"GET", 1, 2, true}, {"GET", 9, 2, false}, {"HEAD", 1, 2, true}, {"PUT", 1, 2, true},
		{"POST", 1, 1, false}, {"PATCH", 1, 1, false},
	} {
		t.Run(fmt.Sprint(tc.method, tc.breaks), func(t *testing.T) {
			var conns atomic.Int32
			addr := testsite.Listen(t, func(n int, c net.Conn) {
				conns.Add(1)
				buf := make([]byte, 4096)
				c.Read(buf)
				if int32(n) < tc.breaks {
					testsite.Reset(c)
					return
				}
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			})
			c := newClient(t, nil, mapTo(addr))
			r := &Request{Method: tc.method, URL: "http://a.test/pay"}
			if tc.method == "POST" || tc.method == "PUT" {
				r.Body = []byte("a=1")
			}
			_, err := c.Exchange(t.Context(), r)
			if tc.ok != (err == nil) {
				t.Errorf("error %v, want success %v", err, tc.ok)
			}
			if err != nil {
				e := wantError(t, err, Reset, "headers")
				if want := tc.method == "POST" || tc.method == "PATCH"; e.MaybeProcessed != want {
					t.Errorf("MaybeProcessed %v, want %v", e.MaybeProcessed, want)
				}
			}
			if got := conns.Load(); got != tc.conns {
				t.Errorf("%d connections, want %d", got, tc.conns)
			}
		})
	}
}

func mapTo(addr string) func(*Config) {
	return func(c *Config) {
		rule, err := ParseHostRule("*.test=" + addr)
		if err != nil {
			panic(err)
		}
		c.Resolve = append(c.Resolve, rule)
	}
}

// A cancelled exchange closes its connection at once, in any phase, and
// returns the cause.
func TestCancel(t *testing.T) {
	gone := errors.New("session closed")
	for _, phase := range []string{"headers", "body"} {
		t.Run(phase, func(t *testing.T) {
			site := testsite.Start(t)
			left, arrived := make(chan struct{}), make(chan struct{})
			wait := site.Hang(left)
			if phase == "body" {
				wait = site.HangBody("<p>start", left)
			}
			site.Handle("a.test", "/", func(w http.ResponseWriter, r *http.Request) {
				close(arrived)
				wait(w, r)
			})
			ctx, cancel := context.WithCancelCause(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := newClient(t, site).Exchange(ctx, &Request{URL: "http://a.test/"})
				done <- err
			}()
			<-arrived
			start := time.Now()
			cancel(gone)
			if err := <-done; !errors.Is(err, gone) {
				t.Errorf("error %v, want %v", err, gone)
			}
			<-left // hangs if the server does not see it
			t.Logf("the server saw it after %v", time.Since(start))
		})
	}
}

func TestDeadline(t *testing.T) {
	site := testsite.Start(t)
	site.Handle("a.test", "/", site.Hang(nil))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := newClient(t, site).Exchange(ctx, &Request{URL: "http://a.test/"})
	wantError(t, err, Timeout, "headers")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v is no DeadlineExceeded", err)
	}
	own, stop := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("the caller's own words"))
	defer stop()
	_, err = newClient(t, site).Exchange(own, &Request{URL: "http://a.test/"})
	wantError(t, err, Timeout, "headers")
}

// Whatever is wrong with a redirect's body, the redirect is followed.
func TestRedirectBodies(t *testing.T) {
	site := testsite.Start(t)
	head := "HTTP/1.1 302 Found\r\nLocation: /fine\r\n"
	site.Page("a.test", "/fine", "text/html", plain)
	for path, h := range map[string]http.HandlerFunc{
		"/endless":    site.Raw(0, false, head+"\r\n", strings.Repeat("x", 1<<20)),
		"/cut":        site.Raw(0, false, head+"Content-Length: 100\r\n\r\n"),
		"/reset":      site.Raw(0, true, head+"Content-Length: 100\r\n\r\nx"),
		"/miscoded":   site.Raw(0, false, head+"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"),
		"/huge":       site.Raw(0, false, head+"Content-Length: 99999999999\r\n\r\n"),
		"/short-body": site.Raw(0, false, head+"Content-Length: 5\r\n\r\nmoved"),
	} {
		site.Handle("a.test", path, h)
		resp, hops, err := Follow(t.Context(), newClient(t, site), Navigation{URL: "http://a.test" + path})
		if err != nil || string(resp.Body) != plain || len(hops) != 2 {
			t.Errorf("%s: %v after %d hops", path, err, len(hops))
		}
	}
}

func TestBadPorts(t *testing.T) {
	for _, port := range []string{"1", "22", "25", "6000", "6667", "10080"} {
		_, err := get(t, newClient(t, nil, mapTo("127.0.0.1:9")), "http://a.test:"+port+"/")
		if e := wantError(t, err, BlockedAddress, "connect"); e.Detail != "port" {
			t.Errorf("%+v", e)
		}
	}
}

func TestConnectErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, err = get(t, newClient(t, nil, mapTo(addr)), "http://a.test/")
	e := wantError(t, err, Connect, "connect")
	if !strings.Contains(e.Msg, "refuses connections") {
		t.Errorf("message %q", e.Msg)
	}
}

func TestBadURLs(t *testing.T) {
	c := newClient(t, nil)
	for _, url := range []string{"", "/x", "a.test", "http://[", "http://a b/", "file:///etc/passwd", "ftp://a.test/x", "gopher://a.test/", "javascript:1", "data:,x", "http://"} {
		_, err := get(t, c, url)
		var e *Error
		if !asError(err, &e) || e.Reason != UnsupportedScheme || e.Phase != "url" {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestPasswordStaysOutOfMessages(t *testing.T) {
	_, err := get(t, newClient(t, nil), "http://user:s3cret@127.0.0.1/")
	e := wantError(t, err, BlockedAddress, "connect")
	if strings.Contains(e.Msg+e.URL, "s3cret") {
		t.Errorf("%q %q", e.Msg, e.URL)
	}
}

// Close ends what is under way, and nothing comes after it.
func TestClose(t *testing.T) {
	site := testsite.Start(t)
	site.Page("a.test", "/", "text/html", plain)
	arrived, left := make(chan struct{}), make(chan struct{})
	wait := site.Hang(left)
	site.Handle("a.test", "/hang", func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		wait(w, r)
	})
	c := newClient(t, site)
	if _, err := get(t, c, "http://a.test/"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.Exchange(t.Context(), &Request{Method: "POST", URL: "http://a.test/hang"})
		done <- err
	}()
	<-arrived
	c.Close()
	wantError(t, <-done, Reset, "headers")
	<-left
	_, err := get(t, c, "http://a.test/")
	wantError(t, err, Reset, "connect")
	if n := len(c.dialer.conns.open); n != 0 {
		t.Errorf("%d connections are open", n)
	}
}

func BenchmarkExchange(b *testing.B) {
	site := testsite.Start(b)
	page := bytes.Repeat([]byte("<p>paragraph</p>\n"), 2000)
	site.Handle("a.test", "/plain", func(w http.ResponseWriter, r *http.Request) { w.Write(page) })
	site.Handle("a.test", "/gzip", site.Coded("gzip", compress(b, "gzip", string(page))))
	c := newClient(b, site)
	for _, path := range []string{"/plain", "/gzip"} {
		b.Run(path[1:], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Exchange(b.Context(), &Request{URL: "http://a.test" + path}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBare is net/http alone on the same pages, for the ratio.
func BenchmarkBare(b *testing.B) {
	site := testsite.Start(b)
	page := bytes.Repeat([]byte("<p>paragraph</p>\n"), 2000)
	site.Handle("*", "/plain", func(w http.ResponseWriter, r *http.Request) { w.Write(page) })
	site.Handle("*", "/gzip", site.Coded("gzip", compress(b, "gzip", string(page))))
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	for _, path := range []string{"/plain", "/gzip"} {
		b.Run(path[1:], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, _ := http.NewRequest("GET", "http://"+site.Addr()+path, nil)
				resp, err := tr.RoundTrip(r)
				if err != nil {
					b.Fatal(err)
				}
				io.ReadAll(resp.Body)
				resp.Body.Close()
			}
		})
	}
}
