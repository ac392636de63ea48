package fetch

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plasmate/internal/testsite"
)

// TLS errors are told apart, and each says what to do.
func TestTLSErrors(t *testing.T) {
	ca, other := testsite.NewAuthority(t), testsite.NewAuthority(t)
	const day = 24 * time.Hour
	trust := func(a *testsite.Authority) func(*Config) { return func(c *Config) { c.CAFile = a.File } }
	for _, tc := range []struct {
		name   string
		cert   tls.Certificate
		change func(*Config)
		detail string // "" is success
		hint   string
	}{
		{"good", ca.Certificate(t, -day, day, "a.test"), trust(ca), "", ""},
		{"wildcard", ca.Certificate(t, -day, day, "*.test"), trust(ca), "", ""},
		{"unknown authority", ca.Certificate(t, -day, day, "a.test"), trust(other), "unknown_authority", "--ca-file"},
		{"no authority given", ca.Certificate(t, -day, day, "a.test"), func(*Config) {}, "unknown_authority", "--ca-file"},
		{"wrong host", ca.Certificate(t, -day, day, "b.test", "c.test"), trust(ca), "wrong_host", "b.test, c.test"},
		{"expired", ca.Certificate(t, -2*day, -day, "a.test"), trust(ca), "expired", "expired on"},
		{"not yet valid", ca.Certificate(t, day, 2*day, "a.test"), trust(ca), "not_yet_valid", "clock"},
		{"insecure host", other.Certificate(t, -2*day, -day, "b.test"), func(c *Config) { c.InsecureHosts = []string{"A.test"} }, "", ""},
		{"insecure pattern", other.Certificate(t, -2*day, -day, "b.test"), func(c *Config) { c.InsecureHosts = []string{"*.test"} }, "", ""},
		{"another host is insecure", ca.Certificate(t, -day, day, "a.test"), func(c *Config) { c.InsecureHosts = []string{"b.test"} }, "unknown_authority", "--insecure a.test"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			site := testsite.StartTLS(t, tc.cert)
			site.Page("a.test", "/", "text/html", plain)
			resp, err := get(t, newClient(t, site, tc.change), "https://a.test/")
			if tc.detail == "" {
				if err != nil || string(resp.Body) != plain || resp.Proto != "HTTP/2.0" {
					t.Fatalf("%v %+v", err, resp)
				}
				return
			}
			e := wantError(t, err, TLS, "tls")
			if e.Detail != tc.detail || !strings.Contains(e.Msg, tc.hint) || !strings.Contains(e.Msg, "a.test") {
				t.Errorf("detail %q, message %q; want %q, with %q", e.Detail, e.Msg, tc.detail, tc.hint)
			}
			if n := len(site.Lines()); n != 0 {
				t.Errorf("%d requests were sent", n)
			}
		})
	}
}

func TestTLSHandshakes(t *testing.T) {
	plainSite := testsite.Start(t)
	silent := testsite.Listen(t, func(_ int, c net.Conn) { io.Copy(io.Discard, c) })
	reset := testsite.Listen(t, func(_ int, c net.Conn) {
		c.Read(make([]byte, 1))
		testsite.Reset(c)
	})
	alert := testsite.Listen(t, func(_ int, c net.Conn) {
		c.Read(make([]byte, 4096))
		c.Write([]byte{21, 3, 3, 0, 2, 2, 40}) // fatal, handshake_failure
	})
	for _, tc := range []struct {
		name, addr string
		reason     Reason
		phase      string
		detail     string
	}{
		{"the port speaks HTTP", plainSite.Addr(), TLS, "tls", "not_tls"},
		{"silence", silent, Timeout, "tls", ""},
		{"reset", reset, Reset, "tls", ""},
		{"alert", alert, TLS, "tls", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newClient(t, nil, mapTo(tc.addr), func(c *Config) {
				if tc.reason == Timeout {
					c.TLSTimeout = 100 * time.Millisecond
				}
			})
			_, err := get(t, c, "https://a.test/")
			if e := wantError(t, err, tc.reason, tc.phase); e.Detail != tc.detail {
				t.Errorf("detail %q, want %q (%s)", e.Detail, tc.detail, e.Msg)
			}
		})
	}
}

// Many exchanges with one origin share one HTTP/2 connection.
func TestHTTP2(t *testing.T) {
	ca := testsite.NewAuthority(t)
	site := testsite.StartTLS(t, ca.Certificate(t, -time.Hour, time.Hour, "a.test"))
	site.Handle("a.test", "/", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto+r.RequestURI) })
	c := newClient(t, site, func(c *Config) { c.CAFile = ca.File })
	if _, err := get(t, c, "https://a.test/first"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			resp, err := c.Exchange(t.Context(), &Request{URL: "https://a.test//x|y?z"})
			if err != nil || string(resp.Body) != "HTTP/2.0//x|y?z" || !resp.Timing.Reused {
				t.Errorf("%v %+v", err, resp)
			}
		})
	}
	wg.Wait()
	if n := site.Conns(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestCAFileErrors(t *testing.T) {
	for _, file := range []string{"/no/such/file", "tls_test.go"} {
		if _, err := New(Config{CAFile: file}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
