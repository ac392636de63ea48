package httpcache

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plasmate/fetch"
)

var t0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// world is a scripted server and clock.
type world struct {
	*Cache
	mu    sync.Mutex
	t     time.Time
	reply func(r *fetch.Request) (*fetch.Response, error)
	asked []string // conditions and all
}

func newWorld(o Options, reply func(r *fetch.Request) (*fetch.Response, error)) *world {
	w := &world{t: t0, reply: reply}
	o.Now = func() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.t }
	w.Cache = New(w.server(), o)
	return w
}

type exchangeFunc func(context.Context, *fetch.Request) (*fetch.Response, error)

func (f exchangeFunc) Exchange(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	return f(ctx, r)
}

func (w *world) server() exchangeFunc {
	return func(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked = append(w.asked, strings.TrimSpace(r.Session+" "+r.URL+" "+r.Header.Get("If-None-Match")))
		return w.reply(r)
	}
}

func (w *world) later(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t = w.t.Add(d)
}

// get returns body, whether it came from the cache, and the error.
func (w *world) get(t *testing.T, session string, kv ...string) string {
	t.Helper()
	resp, err := w.Exchange(t.Context(), &fetch.Request{Session: session, URL: "http://a.test/", Header: header(kv...)})
	if err != nil {
		return "error: " + err.Error()
	}
	s := string(resp.Body)
	if resp.FromCache {
		s += " (cached)"
	}
	return s
}

func header(kv ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(kv); i += 2 {
		h.Add(kv[i], kv[i+1])
	}
	return h
}

func answer(body string, kv ...string) func(*fetch.Request) (*fetch.Response, error) {
	return func(*fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{Status: 200, Header: header(kv...), Body: []byte(body)}, nil
	}
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFreshThenRevalidated(t *testing.T) {
	w := newWorld(Options{}, func(r *fetch.Request) (*fetch.Response, error) {
		h := header("Cache-Control", "max-age=60", "Etag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			h.Set("Set-Cookie", "seen=1")
			return &fetch.Response{Status: 304, Header: h}, nil
		}
		return &fetch.Response{Status: 200, Header: h, Body: []byte("page")}, nil
	})
	want(t, w.get(t, "s1"), "page")
	w.later(59 * time.Second)
	want(t, w.get(t, "s2"), "page (cached)")
	w.later(time.Second)
	want(t, w.get(t, "s1"), "page (cached)")
	want(t, fmt.Sprint(w.asked), `[s1 http://a.test/ s1 http://a.test/ "1"]`)
	if s := w.Stats(); s.Hits != 1 || s.Revalidated != 1 || s.Misses != 1 {
		t.Errorf("%+v", s)
	}
	resp, _ := w.Exchange(t.Context(), &fetch.Request{URL: "http://a.test/", Session: "s1"})
	if resp.Header.Get("Set-Cookie") != "" || resp.Header.Get("Age") != "0" {
		t.Errorf("a hit has %v", resp.Header)
	}
}

// What belongs to one session is not given to another.
func TestSessionsAreApart(t *testing.T) {
	for _, c := range []struct {
		name          string
		response      []string
		first, second []string
		other         string // what a second session gets
		same          string // what the first gets again
	}{
		{"public", []string{"Cache-Control", "max-age=60"}, nil, nil, "page (cached)", "page (cached)"},
		{"Set-Cookie", []string{"Cache-Control", "max-age=60", "Set-Cookie", "a=1"}, nil, nil, "page", "page (cached)"},
		{"private", []string{"Cache-Control", "private, max-age=60"}, nil, nil, "page", "page (cached)"},
		{"asked with a cookie", []string{"Cache-Control", "max-age=60"}, []string{"Cookie", "a=1"}, []string{"Cookie", "a=1"}, "page", "page (cached)"},
		{"asked with credentials", []string{"Cache-Control", "max-age=60, public"}, []string{"Authorization", "x"}, []string{"Authorization", "x"}, "page", "page (cached)"},
		{"the other has a cookie", []string{"Cache-Control", "max-age=60"}, nil, []string{"Cookie", "b=1"}, "page", "page (cached)"},
		{"no-store", []string{"Cache-Control", "no-store"}, nil, nil, "page", "page"},
	} {
		w := newWorld(Options{}, answer("page", c.response...))
		want(t, w.get(t, "s1", c.first...), "page")
		if got := w.get(t, "s2", c.second...); got != c.other {
			t.Errorf("%s: another session got %q, want %q", c.name, got, c.other)
		}
		if got := w.get(t, "s1", c.first...); got != c.same {
			t.Errorf("%s: the same session got %q, want %q", c.name, got, c.same)
		}
		if got := w.get(t, "", "Cookie", "x=1"); got != "page" {
			t.Errorf("%s: no session got %q", c.name, got)
		}
	}
}

func TestVary(t *testing.T) {
	w := newWorld(Options{}, func(r *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{Status: 200, Header: header("Cache-Control", "max-age=60", "Vary", "Accept-Language"), Body: []byte(r.Header.Get("Accept-Language"))}, nil
	})
	for range 2 {
		for _, lang := range []string{"de", "en"} {
			got := w.get(t, "s", "Accept-Language", lang)
			if !strings.HasPrefix(got, lang) {
				t.Errorf("%s got %q", lang, got)
			}
		}
	}
	if len(w.asked) != 2 {
		t.Errorf("asked %v", w.asked)
	}
	for i := range 10 {
		w.get(t, "s", "Accept-Language", fmt.Sprint(i))
	}
	if s := w.Stats(); s.Entries != 1 || len(w.lru.Values()[0]) != variants {
		t.Errorf("%+v with %d variants", s, len(w.lru.Values()[0]))
	}
}

func TestStaleIfError(t *testing.T) {
	for _, validator := range []string{"Etag", "X-None"} {
		w := newWorld(Options{}, answer("page", "Cache-Control", "max-age=60, stale-if-error=60", validator, `"1"`))
		want(t, w.get(t, "s"), "page")
		w.later(100 * time.Second)
		w.reply = func(*fetch.Request) (*fetch.Response, error) { return nil, errors.New("refused") }
		want(t, w.get(t, "s"), "page (cached)")
		w.reply = func(*fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{Status: 503, Header: header()}, nil
		}
		want(t, w.get(t, "s"), "page (cached)")
		w.later(100 * time.Second)
		want(t, w.get(t, "s"), "")
	}
}

func TestReloadAndChange(t *testing.T) {
	w := newWorld(Options{}, answer("one", "Cache-Control", "max-age=60", "Etag", `"1"`))
	want(t, w.get(t, "s"), "one")
	w.reply = answer("two", "Cache-Control", "max-age=60", "Etag", `"2"`)
	want(t, w.get(t, "s"), "one (cached)")
	want(t, w.get(t, "s", "Cache-Control", "no-cache"), "two")
	want(t, w.get(t, "s"), "two (cached)")
}

func TestUnsafeMethodsInvalidate(t *testing.T) {
	w := newWorld(Options{}, answer("page", "Cache-Control", "max-age=60", "Location", "/#f"))
	want(t, w.get(t, "s"), "page")
	w.Exchange(t.Context(), &fetch.Request{Method: "POST", URL: "http://b.test/x"}) // its Location is its own
	want(t, w.get(t, "s"), "page (cached)")
	w.Exchange(t.Context(), &fetch.Request{Method: "POST", URL: "http://a.test/form"})
	want(t, w.get(t, "s"), "page")
	want(t, w.get(t, "s"), "page (cached)")
	w.Exchange(t.Context(), &fetch.Request{Method: "DELETE", URL: "http://a.test/"})
	want(t, w.get(t, "s"), "page")
}

func TestNotKept(t *testing.T) {
	for name, resp := range map[string]*fetch.Response{
		"incomplete": {Status: 200, Header: header("Cache-Control", "max-age=60"), Body: []byte("x"), Incomplete: true},
		"too large":  {Status: 200, Header: header("Cache-Control", "max-age=60"), Body: make([]byte, 200_000)},
		"an error":   {Status: 500, Header: header()},
	} {
		w := newWorld(Options{MaxBytes: 1 << 20}, func(*fetch.Request) (*fetch.Response, error) { return resp, nil })
		w.get(t, "s")
		w.get(t, "s")
		if len(w.asked) != 2 || w.Stats().Entries != 0 {
			t.Errorf("%s: asked %d times, %+v", name, len(w.asked), w.Stats())
		}
	}
}

func TestBounds(t *testing.T) {
	w := newWorld(Options{MaxBytes: 1 << 20, MaxEntries: 50}, answer(strings.Repeat("x", 30_000), "Cache-Control", "max-age=60"))
	for i := range 200 {
		w.Exchange(t.Context(), &fetch.Request{URL: fmt.Sprint("http://a.test/", i), Session: fmt.Sprint(i % 3)})
	}
	s := w.Stats()
	if s.Bytes > 1<<20 || s.Entries > 50 || s.Entries < 20 || s.Evicted != uint64(200-s.Entries) {
		t.Errorf("%+v", s)
	}
	for _, k := range w.lru.Keys() {
		w.Forget(k.url)
	}
	if s := w.Stats(); s.Bytes != 0 || s.Entries != 0 {
		t.Errorf("after forgetting all: %+v", s)
	}
}

func TestForgetSession(t *testing.T) {
	w := newWorld(Options{}, answer("page", "Cache-Control", "private, max-age=60"))
	w.get(t, "s1")
	w.get(t, "s2")
	w.ForgetSession("s1")
	want(t, w.get(t, "s2"), "page (cached)")
	want(t, w.get(t, "s1"), "page")
}

func TestConcurrentUse(t *testing.T) {
	w := newWorld(Options{MaxBytes: 1 << 16}, answer("page", "Cache-Control", "max-age=60"))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				w.Exchange(t.Context(), &fetch.Request{URL: fmt.Sprint("http://a.test/", i%40), Session: fmt.Sprint(g)})
				w.later(time.Second)
			}
		})
	}
	wg.Wait()
	if s := w.Stats(); s.Hits+s.Misses != 1600 {
		t.Errorf("%+v", s)
	}
}
