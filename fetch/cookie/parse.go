package cookie

import (
	"strings"
	"time"
)

// The size limits of RFC 6265bis §5.6 and the longest life of §5.5.
const (
	maxPair      = 4096
	maxAttribute = 1024
	maxLife      = 400 * 24 * time.Hour
)

// attributes is a Set-Cookie header taken apart, before anything is judged.
type attributes struct {
	name, value  string
	domain, path string
	pathGiven    bool
	expires      time.Time
	persistent   bool
	secure       bool
	httpOnly     bool
	sameSite     SameSite
	partitioned  bool
}

// parse is RFC 6265bis §5.6, the Set-Cookie header field; false means that the
// whole header is ignored.
func parse(header string, now time.Time) (attributes, bool) {
	var a attributes
	if hasControl(header) {
		return a, false
	}
	pair, rest, _ := strings.Cut(header, ";")
	name, value, ok := strings.Cut(pair, "=")
	if !ok {
		name, value = "", pair
	}
	a.name, a.value = trim(name), trim(value)
	if len(a.name)+len(a.value) > maxPair || a.name == "" && a.value == "" {
		return a, false
	}
	var maxAge, expires time.Time
	for rest != "" {
		var av string
		av, rest, _ = strings.Cut(rest, ";")
		key, v, _ := strings.Cut(av, "=")
		key, v = trim(key), trim(v)
		if len(v) > maxAttribute {
			continue
		}
		switch strings.ToLower(key) {
		case "expires":
			if t, ok := parseDate(v); ok {
				expires = capLife(t, now)
			}
		case "max-age":
			if t, ok := parseMaxAge(v, now); ok {
				maxAge = t
			}
		case "domain":
			a.domain = strings.ToLower(strings.TrimPrefix(v, "."))
		case "path":
			a.path, a.pathGiven = v, true
		case "secure":
			a.secure = true
		case "httponly":
			a.httpOnly = true
		case "samesite":
			a.sameSite = parseSameSite(v)
		case "partitioned":
			a.partitioned = true
		}
	}
	switch { // §5.7: Max-Age wins over Expires
	case !maxAge.IsZero():
		a.expires, a.persistent = maxAge, true
	case !expires.IsZero():
		a.expires, a.persistent = expires, true
	}
	return a, true
}

// hasControl finds what makes a header invalid: controls but tab.
func hasControl(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 && c != '\t' || c == 0x7f {
			return true
		}
	}
	return false
}

func trim(s string) string { return strings.Trim(s, " \t") }

func parseSameSite(v string) SameSite {
	switch strings.ToLower(v) {
	case "none":
		return None
	case "strict":
		return Strict
	case "lax":
		return Lax
	}
	return Default
}

// parseMaxAge is §5.6.2; the time is never zero.
func parseMaxAge(v string, now time.Time) (time.Time, bool) {
	digits := strings.TrimPrefix(v, "-")
	if digits == "" && v == "" || strings.Trim(digits, "0123456789") != "" {
		return time.Time{}, false
	}
	negative := len(digits) < len(v)
	var seconds int64
	for i := range len(digits) {
		seconds = min(seconds*10+int64(digits[i]-'0'), int64(maxLife/time.Second))
	}
	if negative || seconds == 0 {
		return time.Unix(0, 0), true // the earliest time
	}
	return now.Add(time.Duration(seconds) * time.Second), true
}

func capLife(t, now time.Time) time.Time {
	if limit := now.Add(maxLife); t.After(limit) {
		return limit
	}
	return t
}

// parseDate is §5.1.1: the first token of each kind counts, order and
// delimiters do not.
func parseDate(s string) (time.Time, bool) {
	var d date
	for s != "" {
		i := strings.IndexFunc(s, delimiter)
		token := s
		if i >= 0 {
			token, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if token != "" {
			d.take(token)
		}
	}
	return d.time()
}

func delimiter(r rune) bool {
	return r == '\t' || r >= 0x20 && r <= 0x2f || r >= 0x3b && r <= 0x40 || r >= 0x5b && r <= 0x60 || r >= 0x7b && r <= 0x7e
}

type date struct {
	hasTime, hasDay, hasMonth, hasYear bool
	hour, minute, second               int
	day, month, year                   int
}

func (d *date) take(token string) {
	if !d.hasTime && d.clock(token) {
		d.hasTime = true
		return
	}
	n, length := leadingNumber(token)
	switch {
	case !d.hasDay && (length == 1 || length == 2):
		d.day, d.hasDay = n, true
	case !d.hasMonth && month(token) > 0:
		d.month, d.hasMonth = month(token), true
	case !d.hasYear && length >= 2 && length <= 4:
		d.year, d.hasYear = n, true
	}
}

// clock reads hh:mm:ss, anything but a digit may follow.
func (d *date) clock(token string) bool {
	var parts [3]int
	for i := range parts {
		n, length := leadingNumber(token)
		if length != 1 && length != 2 {
			return false
		}
		parts[i], token = n, token[length:]
		if i < 2 {
			if token == "" || token[0] != ':' {
				return false
			}
			token = token[1:]
		}
	}
	d.hour, d.minute, d.second = parts[0], parts[1], parts[2]
	return true
}

func leadingNumber(s string) (n, length int) {
	for length < len(s) && s[length] >= '0' && s[length] <= '9' {
		if length < 6 {
			n = n*10 + int(s[length]-'0')
		}
		length++
	}
	return n, length
}

func month(token string) int {
	if len(token) < 3 {
		return 0
	}
	i := strings.Index("jan feb mar apr may jun jul aug sep oct nov dec", strings.ToLower(token[:3]))
	if i < 0 || i%4 != 0 {
		return 0
	}
	return i/4 + 1
}

func (d *date) time() (time.Time, bool) {
	switch {
	case d.year >= 70 && d.year <= 99:
		d.year += 1900
	case d.year >= 0 && d.year <= 69:
		d.year += 2000
	}
	if !d.hasTime || !d.hasDay || !d.hasMonth || !d.hasYear ||
		d.day < 1 || d.year < 1601 || d.hour > 23 || d.minute > 59 || d.second > 59 {
		return time.Time{}, false
	}
	t := time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.second, 0, time.UTC)
	return t, t.Day() == d.day
}
