// Package freshness decides what a private HTTP cache may keep, how long it is
// fresh and how it is asked for again. It is pure: it stores nothing and reads
// no clock.
//
// Spec: RFC 9111 (HTTP caching), RFC 5861 (stale-if-error and
// stale-while-revalidate), RFC 8246 (immutable).
package freshness

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// maxHeuristic bounds what is guessed from Last-Modified (§4.2.2).
const maxHeuristic = 24 * time.Hour

// Stored is a response that a cache holds, with the request it answered.
type Stored struct {
	Method                    string // empty is GET
	Status                    int
	Request                   http.Header
	Header                    http.Header
	RequestTime, ResponseTime time.Time // when it was sent, and when it came
}

// Storable tells whether a private cache may store the response (§3). Only
// complete answers to GET are, though the standard allows more.
func (s *Stored) Storable() bool {
	if s.Method != "" && s.Method != http.MethodGet || !final(s.Status) {
		return false
	}
	cc := parse(s.Header.Values("Cache-Control"))
	if cc.has("must-understand") && !understood(s.Status) {
		return false
	}
	if cc.has("no-store") && !cc.has("must-understand") || parse(s.Request.Values("Cache-Control")).has("no-store") {
		return false
	}
	if slices.Contains(varyNames(s.Header), "*") {
		return false
	}
	return cc.has("public") || cc.has("private") || cc.has("max-age") || s.Header.Get("Expires") != "" ||
		heuristic(s.Status) || s.Header.Get("Etag") != ""
}

// final excludes what is no whole answer.
func final(status int) bool {
	return status >= 200 && status != http.StatusPartialContent && status != http.StatusNotModified
}

// understood are the statuses whose caching rules this package follows.
func understood(status int) bool { return heuristic(status) || status == 302 || status == 307 }

// heuristic are the statuses that are cacheable without being told (RFC 9110
// §15.1).
func heuristic(status int) bool {
	return slices.Contains([]int{200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501}, status)
}

// Lifetime is how long the response is fresh (§4.2.1); a value that cannot be
// read means not at all.
func (s *Stored) Lifetime() time.Duration {
	cc := parse(s.Header.Values("Cache-Control"))
	if cc.has("max-age") {
		d, _ := cc.seconds("max-age")
		return d
	}
	if v := s.Header.Values("Expires"); len(v) > 0 {
		expires, err := http.ParseTime(v[0])
		if err != nil {
			return 0
		}
		return max(expires.Sub(s.date()), 0)
	}
	modified, err := http.ParseTime(s.Header.Get("Last-Modified"))
	if err != nil || !(heuristic(s.Status) || cc.has("public")) {
		return 0
	}
	return min(max(s.date().Sub(modified)/10, 0), maxHeuristic)
}

// date is the response's Date, or when it came.
func (s *Stored) date() time.Time {
	if d, err := http.ParseTime(s.Header.Get("Date")); err == nil {
		return d
	}
	return s.ResponseTime
}

// Age is how old the response is (§4.2.3).
func (s *Stored) Age(now time.Time) time.Duration {
	apparent := max(s.ResponseTime.Sub(s.date()), 0)
	first, _, _ := strings.Cut(s.Header.Get("Age"), ",")
	age, _ := deltaSeconds(first)
	corrected := age + s.ResponseTime.Sub(s.RequestTime)
	return max(apparent, corrected) + now.Sub(s.ResponseTime)
}

// Use is what may be done with a stored response.
type Use int

// The uses, from least to most.
const (
	Miss       Use = iota // not for this request: ask without conditions
	Revalidate            // ask with Conditions first
	Fresh                 // answer from the cache
)

// UseFor tells what may be done for a GET with the header req (§4, §5.2).
func (s *Stored) UseFor(req http.Header, now time.Time) Use {
	if !s.Matches(req) {
		return Miss
	}
	cc, asked := parse(s.Header.Values("Cache-Control")), parse(req.Values("Cache-Control"))
	noCache := asked.has("no-cache") || len(asked) == 0 && parse(req.Values("Pragma")).has("no-cache")
	if asked.has("no-store") {
		return Miss
	}
	if cc.has("no-cache") || noCache {
		return Revalidate
	}
	age, life := s.Age(now), s.Lifetime()
	if limit, ok := asked.seconds("max-age"); ok && age > limit {
		return Revalidate
	}
	if margin, ok := asked.seconds("min-fresh"); ok && age+margin > life {
		return Revalidate
	}
	if age < life {
		return Fresh
	}
	if stale, ok := asked.seconds("max-stale"); (ok && age-life <= stale || asked.has("max-stale") && asked["max-stale"] == "") && !cc.has("must-revalidate") {
		return Fresh
	}
	return Revalidate
}

// UsableOnError tells whether the stale response may stand in when the server
// cannot be reached or answers 500, 502, 503 or 504 (RFC 5861 §4).
func (s *Stored) UsableOnError(now time.Time) bool {
	cc := parse(s.Header.Values("Cache-Control"))
	if cc.has("must-revalidate") || cc.has("no-cache") {
		return false
	}
	d, ok := cc.seconds("stale-if-error")
	return ok && s.Age(now)-s.Lifetime() <= d
}

// UsableWhileRevalidating tells whether the stale response may be used while
// it is asked for again (RFC 5861 §3).
func (s *Stored) UsableWhileRevalidating(now time.Time) bool {
	cc := parse(s.Header.Values("Cache-Control"))
	if cc.has("must-revalidate") || cc.has("no-cache") {
		return false
	}
	d, ok := cc.seconds("stale-while-revalidate")
	return ok && s.Age(now)-s.Lifetime() <= d
}

// Conditions are the headers that ask whether the response is still the one
// (§4.3.1); nil if it has no validator.
func (s *Stored) Conditions() http.Header {
	h := http.Header{}
	if tag := s.Header.Get("Etag"); tag != "" {
		h.Set("If-None-Match", tag)
	}
	if m := s.Header.Get("Last-Modified"); m != "" {
		h.Set("If-Modified-Since", m)
	}
	if len(h) == 0 {
		return nil
	}
	return h
}

// Updated is s after a 304 with that header (§3.2, §4.3.4).
func (s *Stored) Updated(h http.Header, sent, came time.Time) *Stored {
	u := *s
	u.Header = s.Header.Clone()
	for name, v := range h {
		switch name {
		case "Connection", "Proxy-Connection", "Keep-Alive", "Te", "Transfer-Encoding", "Upgrade",
			"Content-Encoding", "Content-Length", "Content-Range", "Content-Type", "Set-Cookie":
		default:
			u.Header[name] = v
		}
	}
	u.RequestTime, u.ResponseTime = sent, came
	return &u
}

// Matches tells whether a request with the header req selects the response by
// what Vary names (§4.1).
func (s *Stored) Matches(req http.Header) bool {
	for _, name := range varyNames(s.Header) {
		if name == "*" || normal(s.Request.Values(name)) != normal(req.Values(name)) {
			return false
		}
	}
	return true
}

func varyNames(h http.Header) []string {
	var names []string
	for _, v := range h.Values("Vary") {
		for n := range strings.SplitSeq(v, ",") {
			if n = strings.TrimSpace(n); n != "" {
				names = append(names, http.CanonicalHeaderKey(n))
			}
		}
	}
	return names
}

// normal makes field values comparable: one line, no spaces around commas.
func normal(values []string) string {
	parts := strings.Split(strings.Join(values, ","), ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, ",")
}

// Invalidates tells whether a response to that method makes what is stored for
// its URL stale (§4.4).
func Invalidates(method string, status int) bool {
	switch method {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return false
	}
	return status >= 200 && status < 400
}

// Private tells that the server wants the response kept for one user only
// (§5.2.2.7).
func (s *Stored) Private() bool {
	return parse(s.Header.Values("Cache-Control")).has("private")
}
