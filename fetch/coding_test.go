package fetch

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"plasmate/internal/testsite"
)

const plain = "<!doctype html><title>T</title><a href=/x>link</a> text"

// UD-057: all codings that we ask for are decoded, an unknown one is left
// alone, a false one is a named error (RFC 9110 §8.4; Fetch, handle content
// codings).
func TestContentCodings(t *testing.T) {
	gz := "H4sIAAAAAAAA/7JRTMlPLqksSFXIKMnNsbMpySzJSbULsdGHMGwSFTKKUtNs9SvscjLzsm30E+0USlIrSgABAAD//2XrUFA3AAAA"
	for _, c := range []struct{ name, coding, body string }{
		{"gzip", "gzip", gz},
		{"x-gzip", "x-gzip", gz},
		{"upper case", "GZip", gz},
		{"twice gzip", "gzip, gzip", "H4sIAAAAAAAA/5Lv5mAAg/+bAn1O+uut1PEIPaFx8uzGzZondU56buXeeLHdIEdI1Kgr6HLOV+03RUafN+V+EX4r4hWk7cXAyMDw/3/q64AAcwYGBkAAAAD//5sTDJVLAAAA"},
		{"deflate with zlib wrapper", "deflate", "eJyyUUzJTy6pLEhVyCjJzbGzKcksyUm1C7HRhzBsEhUyilLTbPUr7HIy87Jt9BPtFEpSK0oAAQAA//8flRNF"},
		{"deflate raw", "deflate", "slFMyU8uqSxIVcgoyc2xsynJLMlJtQux0YcwbBIVMopS02z1K+xyMvOybfQT7RRKUitKAAEAAP//"},
		{"br", "br", "GzYAAMQphxhYQoEG379TEGzAgVMkgQ4WDRM5gZZmhxegT+9gOdguypvf8I0b"},
		{"zstd", "zstd", "KLUv/QQAuQEAPCFkb2N0eXBlIGh0bWw+PHRpdGxlPlQ8L3RpdGxlPjxhIGhyZWY9L3g+bGluazwvYT4gdGV4dNw0TBQ="},
		{"identity", "identity", "PCFkb2N0eXBlIGh0bWw+PHRpdGxlPlQ8L3RpdGxlPjxhIGhyZWY9L3g+bGluazwvYT4gdGV4dA=="},
		{"unknown token", "utf-8", "PCFkb2N0eXBlIGh0bWw+PHRpdGxlPlQ8L3RpdGxlPjxhIGhyZWY9L3g+bGluazwvYT4gdGV4dA=="},
		{"unknown beside a known one", "gzip, sdch", "PCFkb2N0eXBlIGh0bWw+PHRpdGxlPlQ8L3RpdGxlPjxhIGhyZWY9L3g+bGluazwvYT4gdGV4dA=="},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := base64.StdEncoding.DecodeString(c.body)
			if err != nil {
				t.Fatal(err)
			}
			site := testsite.Start(t)
			site.Handle("a.test", "/p", site.Coded(c.coding, body))
			resp, err := get(t, newClient(t, site), "http://a.test/p")
			if err != nil {
				t.Fatal(err)
			}
			if got := string(resp.Body); got != plain || resp.Incomplete {
				t.Errorf("body %q, incomplete %v", got, resp.Incomplete)
			}
			if resp.WireBytes != int64(len(body)) {
				t.Errorf("%d bytes on the wire, want %d", resp.WireBytes, len(body))
			}
			if got := site.Requests()[0].Header.Get("Accept-Encoding"); got != "gzip, deflate, br, zstd" {
				t.Errorf("Accept-Encoding %q", got)
			}
		})
	}
}

func TestFalseCoding(t *testing.T) {
	long := strings.Repeat(plain, 100)
	gz := string(testsite.Bomb(t, "gzip", 100_000))
	for _, c := range []struct{ name, coding, body string }{
		{"plain text as gzip", "gzip", plain},
		{"plain text as deflate", "deflate", plain},
		{"plain text as br", "br", long},
		{"plain text as zstd", "zstd", plain},
		{"gzip once as gzip twice", "gzip, gzip", gz},
		{"five codings", "gzip, gzip, gzip, gzip, gzip", gz},
		{"broken in the middle", "gzip", gz[:60] + strings.Repeat("\xff", 60) + gz[120:]},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := testsite.Start(t)
			site.Handle("a.test", "/p", site.Coded(c.coding, []byte(c.body)))
			_, err := get(t, newClient(t, site), "http://a.test/p")
			e := wantError(t, err, ContentType, "content_decoding")
			if !strings.Contains(e.Msg, c.coding) {
				t.Errorf("message %q does not name the coding", e.Msg)
			}
		})
	}
}

func TestCodingLeniency(t *testing.T) {
	gz := func(s string) string { return string(compress(t, "gzip", s)) }
	for _, c := range []struct{ name, coding, body, want string }{
		{"an empty body has no coding", "gzip", "", ""},
		{"two members are one body", "gzip", gz("one ") + gz("two"), "one two"},
		{"what follows the last member is ignored", "gzip", gz("one") + "\n<!-- cached -->", "one"},
		{"a wrong check sum", "gzip", corruptTail(gz("one"), 8), "one"},
		{"an empty member", "gzip", gz(""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := testsite.Start(t)
			site.Handle("a.test", "/p", site.Coded(c.coding, []byte(c.body)))
			resp, err := get(t, newClient(t, site), "http://a.test/p")
			if err != nil {
				t.Fatal(err)
			}
			if string(resp.Body) != c.want {
				t.Errorf("body %q, want %q", resp.Body, c.want)
			}
		})
	}
}

func corruptTail(s string, n int) string {
	return s[:len(s)-n] + "\x00\x00\x00\x01" + s[len(s)-n+4:]
}

// A body that ends early is decoded as far as it goes (RFC 9112 §8).
func TestCutCodings(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "<p>%d</p>\n", i*7919%1_000_003)
	}
	text := b.String()
	for _, coding := range []string{"gzip", "x-gzip", "deflate", "br", "zstd", "gzip, gzip"} {
		body := compress(t, coding, text)
		for _, part := range []int{10, 50, 90} {
			t.Run(fmt.Sprint(coding, part), func(t *testing.T) {
				site := testsite.Start(t)
				site.Handle("a.test", "/p", site.Coded(coding, body[:len(body)*part/100]))
				resp, err := get(t, newClient(t, site), "http://a.test/p")
				if err != nil && coding == "zstd" && part == 10 {
					wantError(t, err, Reset, "body") // not one block is whole
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if !resp.Incomplete || !strings.HasPrefix(text, string(resp.Body)) {
					t.Fatalf("incomplete %v, %d bytes", resp.Incomplete, len(resp.Body))
				}
				if min := len(text) * (part - 35) / 100; len(resp.Body) < min {
					t.Errorf("%d bytes of %d kept, want at least %d", len(resp.Body), len(text), min)
				}
			})
		}
	}
}

// A bomb costs its limit, not its size.
func TestBombs(t *testing.T) {
	for _, coding := range []string{"gzip", "br", "zstd"} {
		t.Run(coding, func(t *testing.T) {
			const size = 64 << 20
			body := testsite.Bomb(t, coding, size)
			site := testsite.Start(t)
			site.Handle("a.test", "/p", site.Coded(coding, body))
			c := newClient(t, site, func(c *Config) { c.MaxBodyBytes = 4 << 20 })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := get(t, c, "http://a.test/p")
			runtime.ReadMemStats(&after)
			wantError(t, err, TooLarge, "body")
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%d MiB allocated for a bomb of %d bytes", used>>20, len(body))
			}
		})
	}
	t.Run("zstd window", func(t *testing.T) {
		// A frame header that asks for a window of 64 MiB (RFC 8878 §3.1.1.1.2).
		site := testsite.Start(t)
		site.Handle("a.test", "/p", site.Coded("zstd", []byte("\x28\xb5\x2f\xfd\x00\x80\x01\x00\x00")))
		_, err := get(t, newClient(t, site), "http://a.test/p")
		wantError(t, err, ContentType, "content_decoding")
	})
}

func TestBodyLimit(t *testing.T) {
	site := testsite.Start(t)
	site.Page("a.test", "/p", "text/plain", strings.Repeat("x", 1000))
	site.Handle("a.test", "/endless", site.Endless(strings.Repeat("x", 4096)))
	site.Handle("a.test", "/claims", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "99999999")
		io.WriteString(w, "x")
	})
	c := newClient(t, site, func(c *Config) { c.MaxBodyBytes = 1000 })
	for _, tc := range []struct {
		path  string
		limit int64
		ok    bool
	}{{"/p", 0, true}, {"/p", 999, false}, {"/p", 2000, true}, {"/endless", 0, false}, {"/endless", 1 << 20, false}, {"/claims", 0, false}} {
		resp, err := c.Exchange(t.Context(), &Request{URL: "http://a.test" + tc.path, MaxBodyBytes: tc.limit})
		switch {
		case tc.ok && (err != nil || len(resp.Body) != 1000):
			t.Errorf("%s with limit %d: %v", tc.path, tc.limit, err)
		case !tc.ok:
			if e := wantError(t, err, TooLarge, "body"); e.Size == 0 {
				t.Errorf("%s: the error has no size", tc.path)
			}
		}
	}
}

func FuzzDecoder(f *testing.F) {
	for _, coding := range []string{"gzip", "deflate", "br", "zstd", "gzip, br", "x-gzip,gzip"} {
		f.Add(coding, compress(f, coding, plain))
		f.Add(coding, []byte(plain))
	}
	f.Fuzz(func(t *testing.T, coding string, body []byte) {
		r, _, err := decoder(strings.NewReader(string(body)), []string{coding}, new(pools))
		if err != nil {
			return
		}
		defer r.Close()
		io.Copy(io.Discard, io.LimitReader(r, 1<<20))
	})
}
