package fetch

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plasmate/internal/testsite"
)

// testProxy is an HTTP proxy (CONNECT and absolute form) and, if the client
// starts so, a SOCKS5 one, that leads everything to one address.
type testProxy struct {
	target string
	mu     sync.Mutex
	seen   []string
}

func (p *testProxy) note(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, s)
}

func (p *testProxy) lines() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.seen, "; ")
}

func (p *testProxy) handle(_ int, c net.Conn) {
	br := bufio.NewReader(c)
	if first, _ := br.Peek(1); len(first) == 1 && first[0] == 5 {
		p.socks(c, br)
		return
	}
	for {
		r, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		p.note(strings.TrimSpace(r.Method + " " + r.RequestURI + " " + r.Header.Get("Proxy-Authorization")))
		switch {
		case strings.HasPrefix(r.Host, "forbidden."):
			io.WriteString(c, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
		case r.Method == "CONNECT":
			io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
			p.tunnel(c, br)
			return
		default:
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nproxied")
		}
	}
}

func (p *testProxy) socks(c net.Conn, br *bufio.Reader) {
	head := make([]byte, 2)
	io.ReadFull(br, head)
	io.ReadFull(br, make([]byte, head[1]))
	c.Write([]byte{5, 0})
	req := make([]byte, 5)
	io.ReadFull(br, req)
	name := make([]byte, req[4]+2)
	io.ReadFull(br, name)
	p.note("socks5 " + string(name[:req[4]]))
	c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	p.tunnel(c, br)
}

func (p *testProxy) tunnel(c net.Conn, br *bufio.Reader) {
	up, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer up.Close()
	go func() {
		io.Copy(up, br)
		up.Close()
	}()
	io.Copy(c, up)
	c.Close()
}

func TestProxies(t *testing.T) {
	ca := testsite.NewAuthority(t)
	secure := testsite.StartTLS(t, ca.Certificate(t, -time.Hour, time.Hour, "a.example"))
	secure.Page("a.example", "/", "text/html", "tunnelled")
	open := testsite.Start(t)
	open.Page("a.example", "/", "text/html", "tunnelled")
	open.Page("a.test", "/", "text/html", "direct")
	for _, tc := range []struct {
		name, proxy, url, body, seen string
		noProxy                      string
	}{
		{"HTTP, absolute form", "http://u:p@PROXY", "http://a.example/", "proxied", "GET http://a.example/ Basic dTpw", ""},
		{"HTTP, tunnel", "http://PROXY", "https://a.example/", "tunnelled", "CONNECT a.example:443", ""},
		{"SOCKS5 looks the name up", "socks5://PROXY", "http://a.example/", "tunnelled", "socks5 a.example", ""},
		{"SOCKS5 with TLS", "socks5h://PROXY", "https://a.example/", "tunnelled", "socks5 a.example", ""},
		{"names of host rules go direct", "http://PROXY", "http://a.test/", "direct", "", ""},
		{"the bypass list goes direct", "http://PROXY", "http://a.example/", "", "", "example"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := &testProxy{target: open.Addr()}
			if strings.HasPrefix(tc.url, "https") {
				p.target = secure.Addr()
			}
			addr := testsite.Listen(t, p.handle)
			c := newClient(t, open, func(c *Config) {
				c.Proxy, c.CAFile = strings.Replace(tc.proxy, "PROXY", addr, 1), ca.File
				c.NoProxy = []string{tc.noProxy}
				c.Resolver = &stub{}
			})
			resp, err := get(t, c, tc.url)
			if tc.body == "" {
				wantError(t, err, DNS, "dns") // it tried to go direct
			} else if err != nil || string(resp.Body) != tc.body {
				t.Errorf("%v %+v", err, resp)
			}
			if got := p.lines(); got != tc.seen {
				t.Errorf("the proxy saw %q, want %q", got, tc.seen)
			}
		})
	}
}

func TestProxyPerRequest(t *testing.T) {
	open := testsite.Start(t)
	open.Page("a.test", "/", "text/html", "direct")
	var p, q testProxy
	first, second := testsite.Listen(t, p.handle), testsite.Listen(t, q.handle)
	c := newClient(t, open, func(c *Config) { c.Proxy, c.Resolver = "http://"+first, &stub{} })
	for _, proxy := range []string{"", "http://" + second, Direct, "ftp://x", "http://127.0.0.1:1"} {
		c.Exchange(t.Context(), &Request{URL: "http://a.example/" + proxy, Proxy: proxy})
	}
	if got := p.lines(); got != "GET http://a.example/" {
		t.Errorf("the client's proxy saw %q", got)
	}
	if got := q.lines(); got != "GET http://a.example/http://"+second {
		t.Errorf("the request's proxy saw %q", got)
	}
}

func TestProxyErrors(t *testing.T) {
	var p testProxy
	addr := testsite.Listen(t, p.handle)
	for _, tc := range []struct{ proxy, url, phase string }{
		{"http://127.0.0.1:1", "http://a.example/", "proxy"},
		{"socks5://u:secret@127.0.0.1:1", "https://a.example/", "proxy"},
		{"http://" + addr, "https://forbidden.example/", "proxy"},
	} {
		_, err := get(t, newClient(t, nil, func(c *Config) { c.Proxy = tc.proxy }), tc.url)
		if e := wantError(t, err, Connect, tc.phase); strings.Contains(e.Msg, "secret") || !strings.Contains(e.Msg, "proxy") {
			t.Errorf("message %q", e.Msg)
		}
	}
	// The guard holds what can be held before a look-up.
	for _, url := range []string{"http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/", "http://metadata.google.internal/"} {
		_, err := get(t, newClient(t, nil, func(c *Config) { c.Proxy = "http://" + addr }), url)
		wantError(t, err, BlockedAddress, "connect")
	}
	for _, proxy := range []string{"x", "ftp://a:1", "http://", "http://a/path", "http://[::1"} {
		if _, err := New(Config{Proxy: proxy}); err == nil {
			t.Errorf("%q is taken for a proxy", proxy)
		}
	}
}

func TestBypasses(t *testing.T) {
	list := []string{"a.test", "*.b.test", ".c.test", "10.0.0.0/8", "::1", "192.168.0.1"}
	for host, want := range map[string]bool{
		"a.test": true, "x.a.test": true, "xa.test": false, "b.test": false, "x.b.test": true, "x.c.test": true,
		"10.1.2.3": true, "[::ffff:10.1.2.3]": true, "11.0.0.1": false, "[::1]": true, "192.168.0.1": true,
		"A.TEST.": true, "d.test": false,
	} {
		if got := bypasses(list, host); got != want {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
	if !bypasses([]string{"*"}, "any.test") || bypasses(nil, "a.test") || bypasses([]string{""}, "a.test") {
		t.Error("star, empty list or empty entry")
	}
}
