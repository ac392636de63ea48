// Package fetch makes HTTP exchanges: one request and one response, guarded
// against private addresses, bounded in size and time, content codings undone.
// Redirects are followed hop by hop by Follow, so that every hop is subject to
// the same turns, guards and cookies. It knows nothing of documents.
package fetch

import (
	"context"
	"net/http"
	"time"
)

// Request is one HTTP request.
type Request struct {
	Session string // whose request it is, for fair queueing
	Method  string // empty is GET
	URL     string // absolute, http or https, serialised by the URL Standard
	Header  http.Header
	Body    []byte
}

// Response is one HTTP response with its body read and decoded.
type Response struct {
	URL        string
	Status     int
	Header     http.Header
	Body       []byte // content-coding undone
	Incomplete bool   // the body ended early (RFC 9112 §8)
	Took       time.Duration
}

// An Exchanger makes one exchange, following no redirect.
type Exchanger interface {
	Exchange(ctx context.Context, r *Request) (*Response, error)
}

// Reason tells failures apart (AWP §2, details.reason).
type Reason string

// The reasons of AWP §2.
const (
	DNS               Reason = "dns"
	Connect           Reason = "connect"
	TLS               Reason = "tls"
	HTTPStatus        Reason = "http_status"
	RedirectLimit     Reason = "redirect_limit"
	RedirectLoop      Reason = "redirect_loop"
	BlockedAddress    Reason = "blocked_address"
	UnsupportedScheme Reason = "unsupported_scheme"
	TooLarge          Reason = "too_large"
	ContentType       Reason = "content_type"
	Reset             Reason = "reset"
	Timeout           Reason = "timeout"
)

// Error is a failed exchange or navigation.
type Error struct {
	URL    string // the hop that failed
	Reason Reason
	Phase  string // dns, connect, tls, request, headers, body
	Status int
	Msg    string // what failed and what to do
	Err    error
	// ContentType and Size describe a body that is no document.
	ContentType string
	Size        int64
}

func (e *Error) Error() string { return e.Msg }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
