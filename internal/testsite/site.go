// Package testsite is a web on loopback for tests: virtual hosts below .test,
// every request on record, and servers that misbehave on purpose.
package testsite

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
)

// Site is one loopback server for all hosts of a test. Clients reach it
// through a host rule: Rule.
type Site struct {
	// Port is the port it listens on.
	Port string

	srv  *httptest.Server
	gone chan struct{} // closed when the test ends

	mu   sync.Mutex
	mux  map[string]*http.ServeMux // by host name
	seen []Request
	conn int
}

// Request is one request as the server saw it.
type Request struct {
	Line   string // METHOD host/target, the host as in the Host header
	Header http.Header
	Body   string
}

// Start serves until the test ends.
func Start(t testing.TB) *Site {
	t.Helper()
	s := newSite()
	s.srv.Start()
	s.started(t)
	return s
}

func newSite() *Site {
	s := &Site{mux: map[string]*http.ServeMux{}, gone: make(chan struct{})}
	s.srv = httptest.NewUnstartedServer(s)
	s.srv.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			s.mu.Lock()
			s.conn++
			s.mu.Unlock()
		}
	}
	s.srv.Config.MaxHeaderBytes = 4 << 20
	return s
}

func (s *Site) started(t testing.TB) {
	_, s.Port, _ = net.SplitHostPort(s.srv.Listener.Addr().String())
	t.Cleanup(func() {
		close(s.gone)
		s.srv.CloseClientConnections()
		s.srv.Close()
	})
}

// Rule is the host rule that leads here, in the form of --resolve.
func (s *Site) Rule() string { return "*.test=" + s.Addr() }

// Addr is ip:port.
func (s *Site) Addr() string { return s.srv.Listener.Addr().String() }

// Gone is closed when the test is over; handlers that wait must look at it.
func (s *Site) Gone() <-chan struct{} { return s.gone }

// Handle serves pattern of host, such as "/a" or "POST /form"; "*" stands for
// all hosts without handlers of their own.
func (s *Site) Handle(host, pattern string, h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mux[host] == nil {
		s.mux[host] = http.NewServeMux()
	}
	s.mux[host].HandleFunc(pattern, h)
}

// Page serves body at pattern of host. An empty content type sends none.
func (s *Site) Page(host, pattern, contentType, body string) {
	s.Handle(host, pattern, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		if contentType == "" {
			w.Header()["Content-Type"] = nil
		}
		io.WriteString(w, body)
	})
}

// Redirect answers pattern of host with status and Location.
func (s *Site) Redirect(host, pattern string, status int, location string) {
	s.Handle(host, pattern, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(status)
	})
}

// ServeHTTP records the request and passes it to its host's handlers.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	r.Body = io.NopCloser(bytes.NewReader(body))
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	s.mu.Lock()
	s.seen = append(s.seen, Request{Line: r.Method + " " + r.Host + r.RequestURI, Header: r.Header.Clone(), Body: string(body)})
	mux := s.mux[strings.ToLower(host)]
	if mux == nil {
		mux = s.mux["*"]
	}
	s.mu.Unlock()
	if mux == nil {
		http.Error(w, "no such host here: "+host, http.StatusMisdirectedRequest)
		return
	}
	h, _ := mux.Handler(cleaned(r))
	h.ServeHTTP(w, r)
}

// cleaned is r with a path that the mux does not answer with a redirect.
func cleaned(r *http.Request) *http.Request {
	c := r.Clone(r.Context())
	if p := path.Clean("/" + r.URL.Path); p != "/" && strings.HasSuffix(r.URL.Path, "/") {
		c.URL.Path = p + "/"
	} else {
		c.URL.Path = p
	}
	c.URL.RawPath = ""
	return c
}

// Requests is what came in so far.
func (s *Site) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.seen...)
}

// Lines is the lines of Requests.
func (s *Site) Lines() []string {
	var lines []string
	for _, r := range s.Requests() {
		lines = append(lines, r.Line)
	}
	return lines
}

// Conns is how many connections were opened so far.
func (s *Site) Conns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// Forget clears the record.
func (s *Site) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen, s.conn = nil, 0
}
