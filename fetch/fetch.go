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
	// MaxBodyBytes bounds the decoded body; 0 is the client's limit.
	MaxBodyBytes int64
	// Proxy is the URL of this request's proxy, "" for the client's, Direct
	// for none.
	Proxy string
}

// Response is one HTTP response with its body read and decoded.
type Response struct {
	URL        string
	Status     int
	Header     http.Header
	Body       []byte // content-coding undone
	Incomplete bool   // the body ended early (RFC 9112 §8)
	Took       time.Duration

	FromCache bool   // the body was kept from an earlier exchange
	WireBytes int64  // length of the body before its codings were undone
	Proto     string // HTTP/1.1, HTTP/2.0
	Timing    Timing
}

// Timing says where the time of one exchange went. Parts that did not happen,
// as on a reused connection, are 0.
type Timing struct {
	DNS, Connect, TLS time.Duration
	Wait              time.Duration // request written to first byte of the response
	Body              time.Duration // headers read to body decoded
	Reused            bool          // the connection was used before
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
	Phase  string // url, dns, connect, proxy, tls, request, headers, body, content_decoding, redirect
	Status int
	Msg    string // what failed and what to do
	Err    error
	// ContentType and Size describe a body that is no document.
	ContentType string
	Size        int64
	// Detail tells causes of one reason apart: for TLS expired, not_yet_valid,
	// wrong_host, unknown_authority, not_tls; else it may be empty.
	Detail string
	// MaybeProcessed says that the server may have acted on the request, so
	// that sending it again is not safe unless its method is idempotent
	// (RFC 9110 §9.2.2).
	MaybeProcessed bool
}

func (e *Error) Error() string { return e.Msg }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
