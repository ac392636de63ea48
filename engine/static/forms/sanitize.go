package forms

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Sanitize is the value sanitization algorithm of an input's type; a textarea's
// value gets line feeds only. What a date, a number or a colour cannot be
// becomes "", or the default of types that always have a value.
//
// Spec: HTML, States of the type attribute.
func Sanitize(n *html.Node, v string) string {
	switch t := Type(n); t {
	case "text", "search", "tel", "password":
		return stripNewlines(v)
	case "url":
		return strings.Trim(stripNewlines(v), asciiSpace)
	case "email":
		return sanitizeEmail(v, HasAttr(n, "multiple"))
	case "number":
		if _, ok := parseFloat(v); !ok {
			return ""
		}
		return v
	case "range":
		return sanitizeRange(n, v)
	case "color":
		return sanitizeColor(v)
	case "datetime-local":
		return normalDateTime(v)
	case "date", "month", "week", "time":
		if _, ok := parseDate(t, v); !ok {
			return ""
		}
		return v
	}
	if is(n, "textarea") {
		return normalizeLF(v)
	}
	return v
}

func stripNewlines(s string) string {
	return strings.NewReplacer("\n", "", "\r", "").Replace(s)
}

func normalizeLF(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

func sanitizeEmail(v string, multiple bool) string {
	v = stripNewlines(v)
	if !multiple {
		return strings.Trim(v, asciiSpace)
	}
	parts := strings.Split(v, ",")
	for i := range parts {
		parts[i] = strings.Trim(parts[i], asciiSpace)
	}
	return strings.Join(parts, ",")
}

func sanitizeColor(v string) string {
	if len(v) != 7 || v[0] != '#' {
		return "#000000"
	}
	for _, c := range []byte(v[1:]) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return "#000000"
		}
	}
	return asciiLower(v)
}

// sanitizeRange: HTML, Range state. The value is put between minimum and maximum
// and on the nearest step, rounding up from the middle.
func sanitizeRange(n *html.Node, v string) string {
	l := limitsOf(n)
	x, ok := parseFloat(v)
	if !ok {
		x = new(big.Rat).Set(l.min)
		if l.max.Cmp(l.min) > 0 {
			x.Add(l.min, l.max).Quo(x, big.NewRat(2, 1))
		}
		v = ratString(x)
	}
	y := clamp(x, l)
	if l.step != nil && !onStep(y, l) {
		q := new(big.Rat).Sub(y, l.base)
		q.Quo(q, l.step).Add(q, big.NewRat(1, 2))
		y = new(big.Rat).Add(l.base, q.Mul(new(big.Rat).SetInt(floor(q)), l.step))
		if l.max.Cmp(l.min) >= 0 && y.Cmp(l.max) > 0 {
			y.Sub(y, l.step)
		}
		if y.Cmp(l.min) < 0 {
			y.Add(y, l.step)
		}
	}
	if y.Cmp(x) == 0 {
		return v
	}
	return ratString(y)
}

func clamp(x *big.Rat, l limits) *big.Rat {
	switch {
	case x.Cmp(l.min) < 0 || l.max.Cmp(l.min) < 0:
		return l.min
	case x.Cmp(l.max) > 0:
		return l.max
	}
	return x
}

func floor(r *big.Rat) *big.Int {
	z := new(big.Int)
	return z.Div(r.Num(), r.Denom()) // Div rounds towards minus infinity: the denominator is positive
}

// floatForm is a valid floating-point number (HTML, 2.3.4.3): not the rules for
// parsing one, which forgive what is around it.
var floatForm = regexp.MustCompile(`^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,5})?$`)

// parseFloat reads a valid floating-point number that a double can hold. It is
// exact, so that 0.3 is a multiple of 0.1.
func parseFloat(s string) (*big.Rat, bool) {
	if len(s) > 400 || !floatForm.MatchString(s) {
		return nil, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, false
	}
	return exact(s, f)
}

func exact(s string, f float64) (*big.Rat, bool) {
	if f == 0 { // 1e-99999 would be a number of 99,999 digits
		return new(big.Rat), true
	}
	return new(big.Rat).SetString(s)
}

// ratString is the shortest decimal of the double nearest to r, as scripts print it.
func ratString(r *big.Rat) string {
	f, _ := r.Float64()
	if a := math.Abs(f); a != 0 && (a >= 1e21 || a < 1e-6) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

var (
	monthForm = regexp.MustCompile(`^(\d{4,6})-(\d\d)$`)
	weekForm  = regexp.MustCompile(`^(\d{4,6})-W(\d\d)$`)
	dateForm  = regexp.MustCompile(`^(\d{4,6})-(\d\d)-(\d\d)$`)
	timeForm  = regexp.MustCompile(`^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$`)
)

// parseDate reads the value of a date or time input as the number that its
// limits and steps are counted in: months since 1970 for month, milliseconds
// otherwise.
func parseDate(kind, v string) (int64, bool) {
	switch kind {
	case "date":
		return parseDay(v)
	case "month":
		m := monthForm.FindStringSubmatch(v)
		if m == nil || atoi(m[1]) < 1 || atoi(m[2]) < 1 || atoi(m[2]) > 12 {
			return 0, false
		}
		return (atoi(m[1])-1970)*12 + atoi(m[2]) - 1, true
	case "week":
		return parseWeek(v)
	case "time":
		return parseClock(v)
	case "datetime-local":
		day, clock, ok := cutDateTime(v)
		d, ok1 := parseDay(day)
		c, ok2 := parseClock(clock)
		return d + c, ok && ok1 && ok2
	}
	return 0, false
}

const dayMillis = 24 * 60 * 60 * 1000

func parseDay(v string) (int64, bool) {
	m := dateForm.FindStringSubmatch(v)
	if m == nil {
		return 0, false
	}
	y, mo, d := atoi(m[1]), atoi(m[2]), atoi(m[3])
	t := time.Date(int(y), time.Month(mo), int(d), 0, 0, 0, 0, time.UTC)
	if y < 1 || mo < 1 || mo > 12 || t.Day() != int(d) || d == 0 {
		return 0, false
	}
	return t.UnixMilli(), true
}

func parseWeek(v string) (int64, bool) {
	m := weekForm.FindStringSubmatch(v)
	if m == nil {
		return 0, false
	}
	y, w := atoi(m[1]), atoi(m[2])
	// The week of 4 January is week 1 (ISO 8601).
	t := time.Date(int(y), 1, 4, 0, 0, 0, 0, time.UTC)
	monday := t.AddDate(0, 0, -(int(t.Weekday())+6)%7+7*int(w-1))
	if iy, iw := monday.ISOWeek(); y < 1 || w < 1 || iy != int(y) || iw != int(w) {
		return 0, false
	}
	return monday.UnixMilli(), true
}

func parseClock(v string) (int64, bool) {
	m := timeForm.FindStringSubmatch(v)
	if m == nil || atoi(m[1]) > 23 || atoi(m[2]) > 59 || atoi(m[3]) > 59 {
		return 0, false
	}
	ms := atoi((m[4] + "000")[:3])
	return ((atoi(m[1])*60+atoi(m[2]))*60+atoi(m[3]))*1000 + ms, true
}

func cutDateTime(v string) (day, clock string, ok bool) {
	if i := strings.IndexAny(v, "T "); i >= 0 {
		return v[:i], v[i+1:], true
	}
	return "", "", false
}

// normalDateTime: HTML, valid normalized local date and time string: with a T
// and the shortest possible time.
func normalDateTime(v string) string {
	if _, ok := parseDate("datetime-local", v); !ok {
		return ""
	}
	day, clock, _ := cutDateTime(v)
	if strings.Contains(clock, ".") {
		clock = strings.TrimRight(strings.TrimRight(clock, "0"), ".")
	}
	if len(clock) == 8 && strings.HasSuffix(clock, ":00") {
		clock = clock[:5]
	}
	return day + "T" + clock
}

// atoi reads digits that a pattern has matched; "" is 0.
func atoi(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}
