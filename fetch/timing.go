package fetch

import (
	"context"
	"crypto/tls"
	"net/http/httptrace"
	"sync"
	"time"
)

// timing collects the parts of one exchange. The transport may call its hooks
// from a dial that goes on after the exchange has its answer, hence the lock.
type timing struct {
	mu           sync.Mutex
	t            Timing
	tlsStart     time.Time
	tlsErr       error
	wrote, first time.Time
	conns        int // that the request was tried on
}

type timingKey struct{}

// timingOf is the collector of the exchange that ctx belongs to, nil if none.
func timingOf(ctx context.Context) *timing {
	t, _ := ctx.Value(timingKey{}).(*timing)
	return t
}

// The spans that the dialer measures.
const (
	dnsSpan = iota
	connectSpan
)

// span starts a span and returns what ends it.
func (t *timing) span(kind int) func() {
	if t == nil {
		return func() {}
	}
	start := time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if kind == dnsSpan {
			t.t.DNS = time.Since(start)
		} else {
			t.t.Connect = time.Since(start)
		}
	}
}

// trace attaches t to ctx.
func (t *timing) trace(ctx context.Context) context.Context {
	locked := func(f func()) {
		t.mu.Lock()
		defer t.mu.Unlock()
		f()
	}
	ctx = context.WithValue(ctx, timingKey{}, t)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeStart: func() { locked(func() { t.tlsStart = time.Now() }) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			locked(func() { t.t.TLS, t.tlsErr = time.Since(t.tlsStart), err })
		},
		GotConn:              func(i httptrace.GotConnInfo) { locked(func() { t.t.Reused, t.conns = i.Reused, t.conns+1 }) },
		WroteRequest:         func(httptrace.WroteRequestInfo) { locked(func() { t.wrote = time.Now() }) },
		GotFirstResponseByte: func() { locked(func() { t.first = time.Now() }) },
	})
}

// answered tells whether a byte of a response came.
func (t *timing) answered() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.first.IsZero()
}

// sent tells whether a connection was at hand, so that bytes may have been sent.
func (t *timing) sent() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.conns > 0
}

// resent tells that net/http itself has sent the request again.
func (t *timing) resent() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.conns > 1
}

// handshake is the error of the TLS handshake, nil if none failed.
func (t *timing) handshake() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tlsErr
}

func (t *timing) snapshot() Timing {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.t
	if !t.wrote.IsZero() && t.first.After(t.wrote) {
		s.Wait = t.first.Sub(t.wrote)
	}
	return s
}
