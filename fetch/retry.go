package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter bounds what a server may ask for; callers give up long before.
const maxRetryAfter = 365 * 24 * time.Hour

// RetryAfter is how long a response asks its client to wait, in either form of
// RFC 9110 §10.2.3; false if it does not say, or not so that anyone can read it.
// A date counts from the server's own clock where the response has a Date.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0, false
	}
	if strings.Trim(v, "0123456789") == "" {
		seconds, err := strconv.ParseInt(v, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), maxRetryAfter), true
}

// Backoff is the wait before try number attempt+1, counted from 1: it doubles
// from half a second to half a minute, and random, from 0 to 1, takes away up
// to half of it, so that clients do not come back together.
func Backoff(attempt int, random float64) time.Duration {
	d := 500 * time.Millisecond << min(max(attempt-1, 0), 6)
	d = min(d, 30*time.Second)
	return d - time.Duration(random*float64(d)/2)
}
