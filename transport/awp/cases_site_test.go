package awp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// caseSite answers HTTP/1.1 for all hosts of a case and writes down what it
// was asked. It writes its answers byte by byte, broken ones too.
type caseSite struct {
	addr string

	mu     sync.Mutex
	seen   []seenRequest
	answer func(seenRequest) reply
}

// seenRequest is one request as it came in.
type seenRequest struct {
	line   string // METHOD host/target
	header http.Header
	body   string
}

func (r seenRequest) path() string {
	_, target, _ := strings.Cut(r.line, "/")
	path, _, _ := strings.Cut("/"+target, "?")
	return path
}

// reply is one answer. A body without a content-length or transfer-encoding of
// its own gets the right one.
type reply struct {
	status  int
	header  map[string]string
	cookies []string // Set-Cookie, a header each
	body    []byte
	then    string // close: the connection ends early; reset: it is torn down
}

func page(html string) reply {
	return reply{status: 200, header: map[string]string{"content-type": "text/html; charset=utf-8"}, body: []byte(html)}
}

// newSite starts a site whose answers are made by answer.
func newSite(t testing.TB, answer func(seenRequest) reply) *caseSite {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &caseSite{addr: l.Addr().String(), answer: answer}
	var open sync.WaitGroup
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() { s.talk(c) })
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return s
}

func (s *caseSite) talk(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		seen := seenRequest{line: r.Method + " " + r.Host + r.RequestURI, header: r.Header, body: string(body)}
		if r.ContentLength > 0 { // ReadRequest takes it out of the headers
			seen.header.Set("Content-Length", fmt.Sprint(r.ContentLength))
		}
		s.mu.Lock()
		s.seen = append(s.seen, seen)
		answer := s.answer
		s.mu.Unlock()
		if !answer(seen).write(c) {
			return
		}
	}
}

// write says whether the connection goes on.
func (r reply) write(c net.Conn) bool {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", r.status, http.StatusText(r.status))
	sized, chunked := false, false
	for name, value := range r.header {
		sized = sized || name == "content-length"
		chunked = chunked || name == "transfer-encoding"
		fmt.Fprintf(&b, "%s: %s\r\n", name, value)
	}
	for _, value := range r.cookies {
		fmt.Fprintf(&b, "Set-Cookie: %s\r\n", value)
	}
	if !sized && !chunked {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.body))
	}
	b.WriteString("\r\n")
	if chunked {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(r.body), r.body)
	} else {
		b.Write(r.body)
	}
	_, err := io.WriteString(c, b.String())
	if tcp, ok := c.(*net.TCPConn); ok && r.then == "reset" {
		_ = tcp.SetLinger(0)
	}
	return err == nil && r.then == ""
}

// use changes what is answered from now on.
func (s *caseSite) use(answer func(seenRequest) reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// requests are those since the last call.
func (s *caseSite) requests() []seenRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

func lineOf(rs []seenRequest) []string {
	lines := make([]string, len(rs))
	for i, r := range rs {
		lines[i] = r.line
	}
	return lines
}

// pagesAt answers with a page for each path, and with an empty one elsewhere.
func pagesAt(pages map[string]reply) func(seenRequest) reply {
	return func(r seenRequest) reply {
		if p, ok := pages[r.path()]; ok {
			return p
		}
		return page("<title>elsewhere</title>ok")
	}
}

// script answers as a scripted server does: the first entry that fits.
func script(entries []scripted) func(seenRequest) reply {
	return func(r seenRequest) reply {
		for _, e := range entries {
			if e.On == r.line && (e.Cookie == "" || hasCookie(r, e.Cookie)) && (e.NoCookie == "" || !hasCookie(r, e.NoCookie)) {
				return reply{status: e.Status, header: e.Headers, body: []byte(e.Body)}
			}
		}
		return reply{status: 404, body: []byte("not in the script")}
	}
}

func hasCookie(r seenRequest, name string) bool {
	for pair := range strings.SplitSeq(r.header.Get("Cookie"), "; ") {
		if n, _, _ := strings.Cut(pair, "="); n == name {
			return true
		}
	}
	return false
}
