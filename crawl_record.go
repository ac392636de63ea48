package plasmate

import (
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// AppendRecord appends a page as one line of JSON, the record of `plasmate
// crawl`. Members that say nothing are left out, url, outcome and depth apart.
//
//	url final_url status outcome reason error content_type depth referrer
//	attempts wait_ms retry_after_s started fetch_ms compile_ms html_bytes
//	incomplete title canonical duplicate_of noindex nofollow links
//	som | text | markdown | fields
func AppendRecord(b []byte, p *Page) []byte {
	r := record{b: b, first: true}
	r.b = append(r.b, '{')
	r.always("url", p.URL)
	r.text("final_url", p.FinalURL)
	r.number("status", int64(p.Status))
	r.always("outcome", string(p.Outcome))
	r.text("reason", p.Reason)
	r.text("error", p.Error)
	r.text("content_type", p.ContentType)
	r.name("depth")
	r.b = strconv.AppendInt(r.b, int64(p.Depth), 10)
	r.text("referrer", p.Referrer)
	r.name("attempts")
	r.b = strconv.AppendInt(r.b, int64(p.Attempts), 10)
	r.name("wait_ms")
	r.b = strconv.AppendInt(r.b, p.Waited.Milliseconds(), 10)
	r.number("retry_after_s", int64(p.RetryAfter/time.Second))
	if !p.Started.IsZero() {
		r.text("started", p.Started.UTC().Format(time.RFC3339Nano))
	}
	r.ms("fetch_ms", p.Fetch)
	r.ms("compile_ms", p.Compile)
	r.number("html_bytes", int64(p.HTMLBytes))
	r.flag("incomplete", p.Incomplete)
	r.text("title", p.Title)
	r.text("canonical", p.Canonical)
	r.text("duplicate_of", p.DuplicateOf)
	r.flag("noindex", p.NoIndex)
	r.flag("nofollow", p.NoFollow)
	if p.Links != nil {
		r.name("links")
		r.b = append(r.b, '[')
		for i, l := range p.Links {
			if i > 0 {
				r.b = append(r.b, ',')
			}
			r.b = appendJSONString(r.b, l)
		}
		r.b = append(r.b, ']')
	}
	r.raw("som", p.SOM)
	r.text("text", p.Text)
	r.text("markdown", p.Markdown)
	r.raw("fields", p.Fields)
	return append(r.b, '}', '\n')
}

type record struct {
	b     []byte
	first bool
}

func (r *record) name(s string) {
	if !r.first {
		r.b = append(r.b, ',')
	}
	r.first = false
	r.b = append(r.b, '"')
	r.b = append(r.b, s...)
	r.b = append(r.b, '"', ':')
}

func (r *record) always(name, value string) {
	r.name(name)
	r.b = appendJSONString(r.b, value)
}

func (r *record) text(name, value string) {
	if value != "" {
		r.always(name, value)
	}
}

func (r *record) number(name string, n int64) {
	if n != 0 {
		r.name(name)
		r.b = strconv.AppendInt(r.b, n, 10)
	}
}

func (r *record) ms(name string, d time.Duration) {
	if d > 0 {
		r.name(name)
		r.b = strconv.AppendFloat(r.b, float64(d.Microseconds())/1000, 'f', -1, 64)
	}
}

func (r *record) flag(name string, on bool) {
	if on {
		r.name(name)
		r.b = append(r.b, "true"...)
	}
}

func (r *record) raw(name string, value []byte) {
	if len(value) > 0 {
		r.name(name)
		r.b = append(r.b, value...)
	}
}

// appendJSONString writes what needs no escaping as it is, which is nearly
// everything, and leaves the rest to encoding/json.
func appendJSONString(b []byte, s string) []byte {
	start := len(b)
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
				return appendEscaped(b[:start], s)
			}
			i += size
			continue
		case c == '"' || c == '\\':
			b = append(append(b, s[from:i]...), '\\', c)
			from = i + 1
		case c == '\n':
			b = append(append(b, s[from:i]...), '\\', 'n')
			from = i + 1
		case c < ' ':
			return appendEscaped(b[:start], s)
		}
		i++
	}
	return append(append(b, s[from:]...), '"')
}

func appendEscaped(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string cannot fail
	return append(b, quoted...)
}
