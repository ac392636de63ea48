package fetch

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"plasmate/internal/testsite"
)

// h2peer is a scripted HTTP/2 server: on gets each request with its frames.
type h2peer struct {
	mu        sync.Mutex
	processed map[string]int // by path
	conns     int
	http1     int
	on        func(p *h2conn, stream uint32, path string)
}

type h2conn struct {
	*http2.Framer
	n    int // of this connection, from 0
	seen int // requests on it
	c    net.Conn
}

// answer sends a small 200.
func (c *h2conn) answer(stream uint32, body string) {
	var b bytes.Buffer
	hpack.NewEncoder(&b).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	c.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: b.Bytes(), EndHeaders: true})
	c.WriteData(stream, true, []byte(body))
}

func (s *h2peer) start(t *testing.T) (addr, caFile string) {
	ca := testsite.NewAuthority(t)
	cfg := &tls.Config{Certificates: []tls.Certificate{ca.Certificate(t, -time.Hour, time.Hour, "a.test")}, NextProtos: []string{"h2", "http/1.1"}}
	s.processed = map[string]int{}
	addr = testsite.Listen(t, func(n int, raw net.Conn) {
		c := tls.Server(raw, cfg)
		if c.Handshake() != nil {
			return
		}
		if c.ConnectionState().NegotiatedProtocol != "h2" {
			s.mu.Lock()
			s.http1++
			s.mu.Unlock()
			c.Read(make([]byte, 4096))
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nold")
			return
		}
		s.serve(n, c)
	})
	return addr, ca.File
}

func (s *h2peer) serve(n int, c net.Conn) {
	defer c.Close()
	if _, err := io.ReadFull(c, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	conn := &h2conn{Framer: http2.NewFramer(c, c), n: n, c: c}
	conn.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	conn.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1000})
	s.mu.Lock()
	s.conns++
	s.mu.Unlock()
	for {
		f, err := conn.ReadFrame()
		if err != nil {
			return
		}
		switch f := f.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				conn.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				conn.WritePing(true, f.Data)
			}
		case *http2.MetaHeadersFrame:
			conn.seen++
			s.on(conn, f.StreamID, f.PseudoValue("path"))
		}
	}
}

func (s *h2peer) run(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processed[path]++
}

func (s *h2peer) counts() (processed map[string]int, conns, http1 int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processed, s.conns, s.http1
}

func (s *h2peer) client(t *testing.T) *Client {
	addr, ca := s.start(t)
	return newClient(t, nil, mapTo(addr), func(c *Config) { c.CAFile = ca })
}

// UD-063: requests beyond GOAWAY's last stream were not processed and go out
// again (RFC 9113 §6.8, §8.7).
func TestGoAwayResends(t *testing.T) {
	s := &h2peer{}
	s.on = func(c *h2conn, stream uint32, path string) {
		if path == "/warm" || c.n > 0 {
			s.run(path)
			c.answer(stream, path)
			return
		}
		if c.seen == 2 {
			s.run(path)
			c.answer(stream, path)
		}
		if c.seen == 4 {
			c.WriteGoAway(3, http2.ErrCodeNo, nil)
		}
	}
	c := s.client(t)
	if _, err := get(t, c, "https://a.test/warm"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			path := fmt.Sprint("/", i)
			resp, err := get(t, c, "https://a.test"+path)
			if err != nil || string(resp.Body) != path {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	wg.Wait()
	processed, conns, _ := s.counts()
	if conns != 2 || processed["/0"] != 1 || processed["/1"] != 1 || processed["/2"] != 1 {
		t.Errorf("%d connections, processed %v", conns, processed)
	}
}

// A POST that the server may have acted on is not sent again.
func TestGoAwayKeepsPost(t *testing.T) {
	s := &h2peer{}
	s.on = func(c *h2conn, stream uint32, path string) {
		s.run(path)
		c.WriteGoAway(stream, http2.ErrCodeNo, nil)
		c.c.Close()
	}
	_, err := s.client(t).Exchange(t.Context(), &Request{Method: "POST", URL: "https://a.test/pay", Body: []byte("a=1")})
	e := wantError(t, err, Reset, "headers")
	if !e.MaybeProcessed || !strings.Contains(e.Msg, "may have processed") {
		t.Errorf("%+v", e)
	}
	if processed, _, _ := s.counts(); processed["/pay"] != 1 {
		t.Errorf("processed %v", processed)
	}
}

// HTTP_1_1_REQUIRED: the request goes out again over HTTP/1.1 (RFC 9113 §7).
func TestHTTP11Required(t *testing.T) {
	for _, how := range []string{"GOAWAY", "RST_STREAM"} {
		t.Run(how, func(t *testing.T) {
			s := &h2peer{}
			s.on = func(c *h2conn, stream uint32, path string) {
				if how == "GOAWAY" {
					c.WriteGoAway(0, http2.ErrCodeHTTP11Required, nil)
					c.c.Close()
				} else {
					c.WriteRSTStream(stream, http2.ErrCodeHTTP11Required)
				}
			}
			resp, err := get(t, s.client(t), "https://a.test/")
			if err != nil {
				t.Fatal(err)
			}
			if _, _, http1 := s.counts(); string(resp.Body) != "old" || http1 != 1 {
				t.Errorf("%q after %d HTTP/1.1 connections", resp.Body, http1)
			}
		})
	}
}

// A server that sends GOAWAY after every 50 requests loses none of 200.
func TestGoAwayMany(t *testing.T) {
	s := &h2peer{}
	s.on = func(c *h2conn, stream uint32, path string) {
		if c.seen > 50 {
			return // beyond the last stream: not processed
		}
		s.run(path)
		c.answer(stream, path)
		if c.seen == 50 {
			c.WriteGoAway(stream, http2.ErrCodeNo, nil)
		}
	}
	c := s.client(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for i := range 200 {
		wg.Go(func() {
			if _, err := get(t, c, fmt.Sprint("https://a.test/", i)); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	wg.Wait()
	if len(errs) > 0 {
		t.Errorf("%d errors, the first: %v", len(errs), errs[0])
	}
	processed, _, _ := s.counts()
	for path, n := range processed {
		if n != 1 {
			t.Errorf("%s processed %d times", path, n)
		}
	}
}

// A stream that is reset in the middle of the body is a cut-off body.
func TestResetStream(t *testing.T) {
	s := &h2peer{}
	s.on = func(c *h2conn, stream uint32, path string) {
		var b bytes.Buffer
		hpack.NewEncoder(&b).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
		c.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: b.Bytes(), EndHeaders: true})
		if path == "/part" {
			c.WriteData(stream, false, []byte("<p>start"))
		}
		c.WriteRSTStream(stream, http2.ErrCodeInternal)
	}
	c := s.client(t)
	_, err := get(t, c, "https://a.test/none")
	wantError(t, err, Reset, "body")
	resp, err := get(t, c, "https://a.test/part")
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e.Phase == "body" {
			return // the reset overtook the data, as net/http has it
		}
		t.Fatal(err)
	}
	if !resp.Incomplete || string(resp.Body) != "<p>start" {
		t.Errorf("incomplete %v, body %q", resp.Incomplete, resp.Body)
	}
}
