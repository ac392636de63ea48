package bench

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"plasmate/bench/corpus"
)

// corpusHost is the name of the host that has the corpus.
const corpusHost = "corpus.test"

// Served is a corpus on loopback.
type Served struct {
	URLs    []string // a page each, in the corpus's order
	Resolve string   // the rule by which the URLs are reached
	server  *http.Server
}

// Serve puts a corpus on loopback, every page with the Content-Type it needs.
// Close it when done.
func Serve(pages []corpus.Page) (*Served, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve the corpus: %w", err)
	}
	byPath := make(map[string]*corpus.Page, len(pages))
	s := &Served{Resolve: corpusHost + "=" + l.Addr().String()}
	for i := range pages {
		u := url.URL{Scheme: "http", Host: corpusHost, Path: "/" + pages[i].File}
		byPath[u.Path] = &pages[i]
		s.URLs = append(s.URLs, u.String())
	}
	s.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := byPath[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", p.ContentType())
		_, _ = w.Write(p.Body) // the client has gone
	})}
	go s.server.Serve(l) // ends with Close
	return s, nil
}

// Close ends the server.
func (s *Served) Close() error { return s.server.Close() }
