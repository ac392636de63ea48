package freshness

import (
	"strconv"
	"strings"
	"time"
)

// maxDelta is what larger numbers of seconds count as (RFC 9111 §1.2.2).
const maxDelta = 1<<31 - 1

// directives are those of Cache-Control, by lower-case name.
type directives map[string]string

// parse reads Cache-Control fields (§5.2); of a repeated directive the first
// counts (§4.2.1).
func parse(values []string) directives {
	d := directives{}
	for _, s := range values {
		for s != "" {
			var name, value string
			name, value, s = directive(s)
			if _, seen := d[name]; name != "" && !seen {
				d[name] = value
			}
		}
	}
	return d
}

// directive takes one off the front of s, its value without quotes.
func directive(s string) (name, value, rest string) {
	i := strings.IndexAny(s, "=,")
	if i < 0 {
		return strings.ToLower(strings.TrimSpace(s)), "", ""
	}
	name = strings.ToLower(strings.TrimSpace(s[:i]))
	if s[i] == ',' {
		return name, "", s[i+1:]
	}
	s = strings.TrimLeft(s[i+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ",")
		return name, strings.TrimSpace(value), rest
	}
	for j := 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			_, rest, _ = strings.Cut(s[j+1:], ",")
			return name, s[1:j], rest
		}
	}
	return name, s[1:], ""
}

func (d directives) has(name string) bool {
	_, ok := d[name]
	return ok
}

// seconds is the value of a directive; false if it is missing or no number.
func (d directives) seconds(name string) (time.Duration, bool) {
	v, ok := d[name]
	if !ok {
		return 0, false
	}
	return deltaSeconds(v)
}

func deltaSeconds(s string) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > maxDelta {
		n = maxDelta
	}
	return time.Duration(n) * time.Second, true
}
