package fetch

import (
	"testing"
	"time"
)

// RFC 9110 §10.2.3; UD-073.
func TestRetryAfter(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		value, date string
		want        time.Duration
		ok          bool
	}{
		{"", "", 0, false},
		{"soon", "", 0, false},
		{"-1", "", 0, false},
		{"1.5", "", 0, false},
		{"0", "", 0, true},
		{"2", "", 2 * time.Second, true},
		{" 120 ", "", 2 * time.Minute, true},
		{"86400", "", 24 * time.Hour, true},
		{"99999999999999999999999", "", maxRetryAfter, true},
		{"Fri, 02 Jan 2026 03:04:08 GMT", "", 3 * time.Second, true},
		{"Friday, 02-Jan-26 03:04:08 GMT", "", 3 * time.Second, true},
		{"Fri Jan  2 03:04:08 2026", "", 3 * time.Second, true},
		{"Fri, 02 Jan 2026 03:04:08 GMT", "Fri, 02 Jan 2026 03:04:00 GMT", 8 * time.Second, true},
		{"Thu, 01 Jan 1970 00:00:00 GMT", "", 0, true},
	} {
		h := header("Retry-After", c.value, "Date", c.date)
		if got, ok := RetryAfter(h, at); got != c.want || ok != c.ok {
			t.Errorf("%q with Date %q: %v %v, want %v %v", c.value, c.date, got, ok, c.want, c.ok)
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, c := range []struct {
		attempt int
		random  float64
		want    time.Duration
	}{
		{0, 0, 500 * time.Millisecond}, {1, 0, 500 * time.Millisecond}, {1, 1, 250 * time.Millisecond},
		{2, 0, time.Second}, {4, 0.5, 3 * time.Second}, {7, 0, 30 * time.Second}, {1000, 1, 15 * time.Second},
	} {
		if got := Backoff(c.attempt, c.random); got != c.want {
			t.Errorf("Backoff(%d, %v) = %v, want %v", c.attempt, c.random, got, c.want)
		}
	}
}
