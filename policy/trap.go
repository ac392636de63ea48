package policy

import (
	"slices"
	"strings"
)

// Trap names a guard that keeps a crawl from going on for ever.
type Trap string

// The guards.
const (
	TrapNone   Trap = ""
	TrapLength Trap = "url_length"  // the URL is longer than pages have
	TrapRepeat Trap = "path_repeat" // a path segment or parameter comes again and again
	TrapChain  Trap = "chain"       // pages of one pattern lead to ever more of it
	TrapShare  Trap = "share"       // one pattern has used up its share of a host
)

// TrapLimits are the bounds of the guards. A zero field takes the default.
type TrapLimits struct {
	URLBytes int // 2,048
	Repeats  int // times that a path segment may stand in one path; 3
	Params   int // parameters of one query; 32
	Chain    int // pages of one pattern in a row, each found on the one before; 200
	Share    int // pages of one pattern with a query on one host; 10,000
}

// WithDefaults fills in what the zero value leaves open.
func (l TrapLimits) WithDefaults() TrapLimits {
	for _, d := range []struct {
		field *int
		value int
	}{{&l.URLBytes, 2048}, {&l.Repeats, 3}, {&l.Params, 32}, {&l.Chain, 200}, {&l.Share, 10_000}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	return l
}

// Shape is what the guards know of a URL from its spelling alone.
type Shape struct {
	// Pattern is what pages made by the same program have in common: the path
	// with N for numbers and, where there is one, the names in the query. In a
	// path without a query the last segment is *.
	Pattern string
	// Counted says that the pattern is one that programs make pages from
	// without end: it has a query or numbers.
	Counted bool
	Trap    Trap   // TrapLength, TrapRepeat or none
	Prefix  string // of the path: where the trap is; for reports
}

// ShapeOf looks at path and query (without its question mark) of a URL.
func ShapeOf(path, query string, hasQuery bool, l TrapLimits) Shape {
	s := Shape{Prefix: path}
	if len(path)+len(query) > l.URLBytes {
		s.Trap = TrapLength
		s.Prefix = clipPath(path)
	}
	s.repeats(path, l)
	var b strings.Builder
	for i, segment := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if i == 12 { // deeper paths of one shape differ in nothing that matters
			b.WriteString("/…")
			break
		}
		segment, _, _ = strings.Cut(segment, ";") // path parameters hold session ids
		b.WriteByte('/')
		if n := numberless(segment); n != segment {
			s.Counted = true
			segment = n
		}
		b.WriteString(clipSegment(segment))
	}
	pattern := b.String()
	if !hasQuery {
		if !s.Counted {
			pattern = pattern[:strings.LastIndexByte(pattern, '/')+1] + "*"
		}
		s.Pattern = pattern
		return s
	}
	s.Counted = true
	names := paramNames(query)
	if len(names) > l.Params && s.Trap == TrapNone {
		s.Trap = TrapRepeat
	}
	slices.Sort(names)
	s.Pattern = pattern + "?" + strings.Join(slices.Compact(names), "&")
	return s
}

// repeats looks for a segment that stands too often in the path.
func (s *Shape) repeats(path string, l TrapLimits) {
	if strings.Count(path, "/") <= l.Repeats || s.Trap != TrapNone {
		return
	}
	first := map[string]int{}
	count := map[string]int{}
	at := 0
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			if count[segment]++; count[segment] == 1 {
				first[segment] = at
			} else if count[segment] > l.Repeats {
				s.Trap, s.Prefix = TrapRepeat, path[:first[segment]]
				return
			}
		}
		at += len(segment) + 1
	}
}

// paramNames are the names in a query; a name without a value is one too.
func paramNames(query string) []string {
	var names []string
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, _, ok := strings.Cut(pair, "=")
		if !ok {
			name = numberless(name)
		}
		if names = append(names, clipSegment(name)); len(names) > 256 {
			break
		}
	}
	return names
}

// numberless is s with N for every run of digits, and for the whole of what
// looks like an identifier made by a machine.
func numberless(s string) string {
	digits, hex := 0, len(s) >= 16
	for i := 0; i < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' {
			digits++
		} else if !isHex(s[i]) && s[i] != '-' {
			hex = false
		}
	}
	switch {
	case digits == 0:
		return s
	case hex:
		return "N"
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			out = append(out, s[i])
		} else if len(out) == 0 || out[len(out)-1] != 'N' {
			out = append(out, 'N')
		}
	}
	return string(out)
}

func clipSegment(s string) string {
	if len(s) > 64 {
		return s[:64]
	}
	return s
}

func clipPath(s string) string {
	if len(s) > 120 {
		return s[:120] + "…"
	}
	return s
}
