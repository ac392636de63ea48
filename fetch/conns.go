package fetch

import (
	"errors"
	"net"
	"sync"
)

var errClosed = errors.New("the client is closed")

// conns is the connections that are open, so that Close can close them all:
// http.Transport forgets those that a dial brings after it was told to.
type conns struct {
	mu     sync.Mutex
	open   map[*conn]struct{}
	closed bool
}

type conn struct {
	net.Conn
	all *conns
}

// add keeps c in view until it is closed.
func (s *conns) add(c net.Conn) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.Close()
		return nil, errClosed
	}
	if s.open == nil {
		s.open = map[*conn]struct{}{}
	}
	k := &conn{Conn: c, all: s}
	s.open[k] = struct{}{}
	return k, nil
}

func (c *conn) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// close closes all connections, present and future.
func (s *conns) close() {
	s.mu.Lock()
	s.closed = true
	open := s.open
	s.open = nil
	s.mu.Unlock()
	for c := range open {
		c.Conn.Close()
	}
}
