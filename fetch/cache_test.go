package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plasmate/fetch/cookie"
	"plasmate/internal/testsite"
)

var cacheStart = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// world is a scripted server and clock.
type world struct {
	*Cache
	mu    sync.Mutex
	t     time.Time
	reply func(r *Request) (*Response, error)
	asked []string // conditions and all
}

func newWorld(o CacheOptions, reply func(r *Request) (*Response, error)) *world {
	w := &world{t: cacheStart, reply: reply}
	o.Now = func() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.t }
	w.Cache = NewCache(w.server(), o)
	return w
}

func (w *world) server() exchangeFunc {
	return func(_ context.Context, r *Request) (*Response, error) {
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
	resp, err := w.Exchange(t.Context(), &Request{Session: session, URL: "http://a.test/", Header: header(kv...)})
	if err != nil {
		return "error: " + err.Error()
	}
	s := string(resp.Body)
	if resp.FromCache {
		s += " (cached)"
	}
	return s
}

func answer(body string, kv ...string) func(*Request) (*Response, error) {
	return func(*Request) (*Response, error) {
		return &Response{Status: 200, Header: header(kv...), Body: []byte(body)}, nil
	}
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCacheFreshThenRevalidated(t *testing.T) {
	w := newWorld(CacheOptions{}, func(r *Request) (*Response, error) {
		h := header("Cache-Control", "max-age=60", "Etag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			h.Set("Set-Cookie", "seen=1")
			return &Response{Status: 304, Header: h}, nil
		}
		return &Response{Status: 200, Header: h, Body: []byte("page")}, nil
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
	resp, _ := w.Exchange(t.Context(), &Request{URL: "http://a.test/", Session: "s1"})
	if resp.Header.Get("Set-Cookie") != "" || resp.Header.Get("Age") != "0" {
		t.Errorf("a hit has %v", resp.Header)
	}
}

// What belongs to one session is not given to another.
func TestCachedSessionsAreApart(t *testing.T) {
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
		w := newWorld(CacheOptions{}, answer("page", c.response...))
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

func TestCacheVary(t *testing.T) {
	w := newWorld(CacheOptions{}, func(r *Request) (*Response, error) {
		return &Response{Status: 200, Header: header("Cache-Control", "max-age=60", "Vary", "Accept-Language"), Body: []byte(r.Header.Get("Accept-Language"))}, nil
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
	if s := w.Stats(); s.Entries != 1 || len(w.used.Front().Value.(*slot).all) != variants {
		t.Errorf("%+v with %d variants", s, len(w.used.Front().Value.(*slot).all))
	}
}

func TestCacheStaleIfError(t *testing.T) {
	for _, validator := range []string{"Etag", "X-None"} {
		w := newWorld(CacheOptions{}, answer("page", "Cache-Control", "max-age=60, stale-if-error=60", validator, `"1"`))
		want(t, w.get(t, "s"), "page")
		w.later(100 * time.Second)
		w.reply = func(*Request) (*Response, error) { return nil, errors.New("refused") }
		want(t, w.get(t, "s"), "page (cached)")
		w.reply = func(*Request) (*Response, error) {
			return &Response{Status: 503, Header: header()}, nil
		}
		want(t, w.get(t, "s"), "page (cached)")
		w.later(100 * time.Second)
		want(t, w.get(t, "s"), "")
	}
}

func TestCacheReloadAndChange(t *testing.T) {
	w := newWorld(CacheOptions{}, answer("one", "Cache-Control", "max-age=60", "Etag", `"1"`))
	want(t, w.get(t, "s"), "one")
	w.reply = answer("two", "Cache-Control", "max-age=60", "Etag", `"2"`)
	want(t, w.get(t, "s"), "one (cached)")
	want(t, w.get(t, "s", "Cache-Control", "no-cache"), "two")
	want(t, w.get(t, "s"), "two (cached)")
}

func TestCacheUnsafeMethodsInvalidate(t *testing.T) {
	w := newWorld(CacheOptions{}, answer("page", "Cache-Control", "max-age=60", "Location", "/#f"))
	want(t, w.get(t, "s"), "page")
	w.Exchange(t.Context(), &Request{Method: "POST", URL: "http://b.test/x"}) // its Location is its own
	want(t, w.get(t, "s"), "page (cached)")
	w.Exchange(t.Context(), &Request{Method: "POST", URL: "http://a.test/form"})
	want(t, w.get(t, "s"), "page")
	want(t, w.get(t, "s"), "page (cached)")
	w.Exchange(t.Context(), &Request{Method: "DELETE", URL: "http://a.test/"})
	want(t, w.get(t, "s"), "page")
}

func TestCacheNotKept(t *testing.T) {
	for name, resp := range map[string]*Response{
		"incomplete": {Status: 200, Header: header("Cache-Control", "max-age=60"), Body: []byte("x"), Incomplete: true},
		"too large":  {Status: 200, Header: header("Cache-Control", "max-age=60"), Body: make([]byte, 200_000)},
		"an error":   {Status: 500, Header: header()},
	} {
		w := newWorld(CacheOptions{MaxBytes: 1 << 20}, func(*Request) (*Response, error) { return resp, nil })
		w.get(t, "s")
		w.get(t, "s")
		if len(w.asked) != 2 || w.Stats().Entries != 0 {
			t.Errorf("%s: asked %d times, %+v", name, len(w.asked), w.Stats())
		}
	}
}

func TestCacheBounds(t *testing.T) {
	w := newWorld(CacheOptions{MaxBytes: 1 << 20, MaxEntries: 50}, answer(strings.Repeat("x", 30_000), "Cache-Control", "max-age=60"))
	for i := range 200 {
		w.Exchange(t.Context(), &Request{URL: fmt.Sprint("http://a.test/", i), Session: fmt.Sprint(i % 3)})
	}
	s := w.Stats()
	if s.Bytes > 1<<20 || s.Entries > 50 || s.Entries < 20 || s.Evicted != uint64(200-s.Entries) {
		t.Errorf("%+v", s)
	}
	for i := range 200 {
		w.Forget(fmt.Sprint("http://a.test/", i))
	}
	if s := w.Stats(); s.Bytes != 0 || s.Entries != 0 {
		t.Errorf("after forgetting all: %+v", s)
	}
}

func TestCacheForgetSession(t *testing.T) {
	w := newWorld(CacheOptions{}, answer("page", "Cache-Control", "private, max-age=60"))
	w.get(t, "s1")
	w.get(t, "s2")
	w.ForgetSession("s1")
	want(t, w.get(t, "s2"), "page (cached)")
	want(t, w.get(t, "s1"), "page")
}

func TestCacheConcurrentUse(t *testing.T) {
	w := newWorld(CacheOptions{MaxBytes: 1 << 16}, answer("page", "Cache-Control", "max-age=60"))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				w.Exchange(t.Context(), &Request{URL: fmt.Sprint("http://a.test/", i%40), Session: fmt.Sprint(g)})
				w.later(time.Second)
			}
		})
	}
	wg.Wait()
	if s := w.Stats(); s.Hits+s.Misses != 1600 {
		t.Errorf("%+v", s)
	}
}

// A repeated navigation through redirects asks nothing, and sets no cookie twice.
func TestCacheBelowFollow(t *testing.T) {
	site := testsite.Start(t)
	site.Handle("a.test", "/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=60")
		w.Header().Set("Location", "/page")
		w.WriteHeader(http.StatusMovedPermanently)
	})
	site.Handle("a.test", "/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=60")
		w.Header().Set("Set-Cookie", "n=1")
		io.WriteString(w, plain)
	})
	cache := NewCache(newClient(t, site), CacheOptions{})
	for i := range 3 {
		jar := new(cookie.Jar)
		resp, hops, err := Follow(t.Context(), cache, Navigation{URL: "http://a.test/", Session: "s", Jar: jar})
		if err != nil || string(resp.Body) != plain || len(hops) != 2 || resp.FromCache != (i > 0) {
			t.Fatalf("visit %d: %v %+v", i, err, resp)
		}
		if got := jar.Len(); got != 1-min(i, 1) {
			t.Errorf("visit %d set %d cookies", i, got)
		}
	}
	if n := len(site.Lines()); n != 2 {
		t.Errorf("%d requests for three visits, want 2", n)
	}
}
