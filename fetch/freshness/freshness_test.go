package freshness

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var t0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// stored is a response of t0 with the header fields kv.
func stored(status int, kv ...string) *Stored {
	return &Stored{Status: status, Request: http.Header{}, Header: header(kv...), RequestTime: t0, ResponseTime: t0}
}

func header(kv ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(kv); i += 2 {
		h.Add(kv[i], kv[i+1])
	}
	return h
}

func at(d time.Duration) string { return t0.Add(d).Format(http.TimeFormat) }

// RFC 9111 §3.
func TestStorable(t *testing.T) {
	for _, c := range []struct {
		name string
		s    *Stored
		want bool
	}{
		{"200 without anything: by heuristics", stored(200), true},
		{"no-store", stored(200, "Cache-Control", "max-age=60, no-store"), false},
		{"private: this cache is", stored(200, "Cache-Control", "private"), true},
		{"500", stored(500), false},
		{"500 with max-age", stored(500, "Cache-Control", "max-age=60"), true},
		{"302", stored(302), false},
		{"302 with Expires", stored(302, "Expires", at(time.Hour)), true},
		{"206", stored(206, "Cache-Control", "max-age=60"), false},
		{"304", stored(304, "Cache-Control", "max-age=60"), false},
		{"Vary: *", stored(200, "Vary", "Accept, *"), false},
		{"must-understand of a known status", stored(200, "Cache-Control", "must-understand, no-store, max-age=60"), true},
		{"must-understand of another", stored(499, "Cache-Control", "must-understand, max-age=60"), false},
		{"POST", &Stored{Method: "POST", Status: 200, Header: header("Cache-Control", "max-age=60")}, false},
		{"the request says no-store", &Stored{Status: 200, Request: header("Cache-Control", "no-store"), Header: header("Cache-Control", "max-age=60")}, false},
	} {
		if got := c.s.Storable(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// §4.2.1, §4.2.2.
func TestLifetime(t *testing.T) {
	for _, c := range []struct {
		name string
		s    *Stored
		want time.Duration
	}{
		{"max-age", stored(200, "Cache-Control", "MAX-AGE=60"), time.Minute},
		{"max-age in quotes", stored(200, "Cache-Control", `max-age="60"`), time.Minute},
		{"max-age wins over Expires", stored(200, "Cache-Control", "max-age=60", "Expires", at(time.Hour)), time.Minute},
		{"s-maxage is for shared caches", stored(200, "Cache-Control", "s-maxage=60"), 0},
		{"the first max-age counts", stored(200, "Cache-Control", "max-age=60, max-age=5"), time.Minute},
		{"max-age that is no number", stored(200, "Cache-Control", "max-age=soon", "Expires", at(time.Hour)), 0},
		{"max-age below zero", stored(200, "Cache-Control", "max-age=-5"), 0},
		{"max-age beyond all", stored(200, "Cache-Control", "max-age=99999999999999999999"), maxDelta * time.Second},
		{"a comma in quotes", stored(200, "Cache-Control", `no-cache="a,max-age=1", max-age=60`), time.Minute},
		{"Expires", stored(200, "Expires", at(time.Hour)), time.Hour},
		{"Expires counts from Date", stored(200, "Date", at(time.Minute), "Expires", at(time.Hour)), 59 * time.Minute},
		{"Expires: 0", stored(200, "Expires", "0"), 0},
		{"Expires in the past", stored(200, "Expires", at(-time.Hour)), 0},
		{"a tenth of the time since Last-Modified", stored(200, "Last-Modified", at(-10*time.Hour)), time.Hour},
		{"at most a day of that", stored(200, "Last-Modified", at(-1000*time.Hour)), 24 * time.Hour},
		{"not for statuses that are not cacheable by default", stored(500, "Last-Modified", at(-10*time.Hour)), 0},
		{"Last-Modified in the future", stored(200, "Last-Modified", at(time.Hour)), 0},
		{"nothing", stored(200), 0},
	} {
		if got := c.s.Lifetime(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// §4.2.3.
func TestAge(t *testing.T) {
	for _, c := range []struct {
		name string
		s    *Stored
		want time.Duration
	}{
		{"time since it came", stored(200), time.Minute},
		{"Age adds", stored(200, "Age", "30"), 90 * time.Second},
		{"a list of ages: the first", stored(200, "Age", "30, 99"), 90 * time.Second},
		{"an old Date", stored(200, "Date", at(-40*time.Second)), 100 * time.Second},
		{"the greater of both", stored(200, "Date", at(-10*time.Second), "Age", "30"), 90 * time.Second},
		{"Age that is no number", stored(200, "Age", "x"), time.Minute},
		{"a Date in the future", stored(200, "Date", at(time.Hour)), time.Minute},
		{"the exchange's own time", &Stored{Header: header(), RequestTime: t0.Add(-5 * time.Second), ResponseTime: t0}, 65 * time.Second},
	} {
		if got := c.s.Age(t0.Add(time.Minute)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// §4, §5.2.1, §5.2.2, all one minute later.
func TestUseFor(t *testing.T) {
	for _, c := range []struct {
		name, response, request string
		want                    Use
	}{
		{"fresh", "max-age=90", "", Fresh},
		{"stale", "max-age=60", "", Revalidate},
		{"no-cache", "max-age=90, no-cache", "", Revalidate},
		{"the request says no-cache", "max-age=90", "no-cache", Revalidate},
		{"the request says no-store", "max-age=90", "no-store", Miss},
		{"request max-age below the age", "max-age=90", "max-age=30", Revalidate},
		{"request max-age=0: a reload", "max-age=90", "max-age=0", Revalidate},
		{"request max-age above the age", "max-age=90", "max-age=70", Fresh},
		{"min-fresh met", "max-age=90", "min-fresh=30", Fresh},
		{"min-fresh not met", "max-age=90", "min-fresh=31", Revalidate},
		{"max-stale", "max-age=50", "max-stale", Fresh},
		{"max-stale met", "max-age=50", "max-stale=10", Fresh},
		{"max-stale not met", "max-age=50", "max-stale=9", Revalidate},
		{"must-revalidate wins over max-stale", "max-age=50, must-revalidate", "max-stale", Revalidate},
		{"nothing said", "", "", Revalidate},
	} {
		req := http.Header{}
		if c.request != "" {
			req.Set("Cache-Control", c.request)
		}
		if got := stored(200, "Cache-Control", c.response).UseFor(req, t0.Add(time.Minute)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := stored(200, "Cache-Control", "max-age=90").UseFor(header("Pragma", "no-cache"), t0); got != Revalidate {
		t.Errorf("Pragma: no-cache gives %v", got)
	}
}

// RFC 5861.
func TestStale(t *testing.T) {
	for _, c := range []struct {
		control                string
		after                  time.Duration
		onError, whileChecking bool
	}{
		{"max-age=60, stale-if-error=60", 120 * time.Second, true, false},
		{"max-age=60, stale-if-error=60", 121 * time.Second, false, false},
		{"max-age=60, stale-while-revalidate=30", 90 * time.Second, false, true},
		{"max-age=60, stale-while-revalidate=30", 91 * time.Second, false, false},
		{"max-age=60, stale-if-error=60, must-revalidate", 61 * time.Second, false, false},
		{"max-age=60", 61 * time.Second, false, false},
	} {
		s, now := stored(200, "Cache-Control", c.control), t0.Add(c.after)
		if got := s.UsableOnError(now); got != c.onError {
			t.Errorf("%s after %v, on error: %v", c.control, c.after, got)
		}
		if got := s.UsableWhileRevalidating(now); got != c.whileChecking {
			t.Errorf("%s after %v, while revalidating: %v", c.control, c.after, got)
		}
	}
}

// §4.1.
func TestMatches(t *testing.T) {
	s := stored(200, "Vary", "Accept-Language, cookie", "Vary", "X")
	s.Request = header("Accept-Language", "de, en", "Cookie", "a=1")
	for _, c := range []struct {
		name string
		req  http.Header
		want bool
	}{
		{"the same", header("Accept-Language", "de, en", "Cookie", "a=1"), true},
		{"spaces do not count", header("Accept-Language", "de,en", "Cookie", "a=1"), true},
		{"lines do not count", header("Accept-Language", "de", "Accept-Language", "en", "Cookie", "a=1"), true},
		{"another language", header("Accept-Language", "en", "Cookie", "a=1"), false},
		{"no cookie", header("Accept-Language", "de, en"), false},
		{"a header that was not there", header("Accept-Language", "de, en", "Cookie", "a=1", "X", "1"), false},
		{"what Vary does not name", header("Accept-Language", "de, en", "Cookie", "a=1", "Y", "1"), true},
	} {
		if got := s.Matches(c.req); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := s.UseFor(http.Header{}, t0); got != Miss {
		t.Errorf("another variant gives %v", got)
	}
}

// §4.3.1, §4.3.4.
func TestConditionsAndUpdate(t *testing.T) {
	s := stored(200, "Etag", `W/"1"`, "Last-Modified", at(-time.Hour), "Cache-Control", "max-age=1", "Content-Length", "9", "X", "old")
	if d := cmp.Diff(s.Conditions(), header("If-None-Match", `W/"1"`, "If-Modified-Since", at(-time.Hour))); d != "" {
		t.Error(d)
	}
	if c := stored(200).Conditions(); c != nil {
		t.Errorf("without validator: %v", c)
	}
	later := t0.Add(time.Hour)
	u := s.Updated(header("Cache-Control", "max-age=60", "Content-Length", "0", "X", "new"), later, later)
	if u.Lifetime() != time.Minute || u.Header.Get("Content-Length") != "9" || u.Header.Get("X") != "new" || s.Header.Get("X") != "old" {
		t.Errorf("updated %v, was %v", u.Header, s.Header)
	}
	if u.UseFor(http.Header{}, later.Add(time.Second)) != Fresh {
		t.Error("the update does not make it fresh")
	}
}

func TestInvalidates(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
		want   bool
	}{{"GET", 200, false}, {"", 200, false}, {"POST", 200, true}, {"DELETE", 204, true}, {"POST", 303, true}, {"POST", 404, false}} {
		if got := Invalidates(c.method, c.status); got != c.want {
			t.Errorf("%s %d: %v", c.method, c.status, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`no-cache="a,b", max-age="60`, "x")
	f.Add(`max-age=\"`, ",=,")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := stored(200, "Cache-Control", a, "Cache-Control", b, "Expires", a, "Age", b, "Vary", a)
		s.Storable()
		if s.Lifetime() < 0 {
			t.Fatal("a lifetime below zero")
		}
		s.UseFor(header("Cache-Control", b), t0)
	})
}
