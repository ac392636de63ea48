package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"plasmate/som/weburl"
)

// What ended an exchange from our side.
var (
	errDialTimeout = errors.New("no connection in time")
	errStalled     = errors.New("the body stopped coming")
)

// explain makes an *Error of what a transport returned; a cancel stays one.
func explain(ctx context.Context, r *Request, u *weburl.URL, tm *timing, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) || ctxCanceled(ctx, cause) {
		return fmt.Errorf("load %s: %w", redacted(u), cause)
	}
	e := classify(ctx, u, tm, err)
	e.URL = redacted(u)
	e.MaybeProcessed = tm.sent() && !idempotent(r.Method)
	if e.MaybeProcessed {
		e.Msg += fmt.Sprintf("; the server may have processed the %s, it was not sent again", r.Method)
	}
	return e
}

// ctxCanceled tells that somebody cancelled with a cause of their own.
func ctxCanceled(ctx context.Context, cause error) bool {
	return errors.Is(ctx.Err(), context.Canceled) && !errors.Is(cause, errStalled)
}

func classify(ctx context.Context, u *weburl.URL, tm *timing, err error) *Error {
	var e *Error
	if errors.As(err, &e) { // the dialer's own
		copied := *e
		return &copied
	}
	host := u.Host()
	if proxy := proxyOf(ctx); proxy != nil && !tm.sent() && tm.handshake() == nil && !timedOut(err) {
		return &Error{Reason: Connect, Phase: "proxy", Err: err,
			Msg: fmt.Sprintf("the proxy %s did not connect to %s: %s", proxy.Redacted(), host, clip(err.Error()))}
	}
	if herr := tm.handshake(); herr != nil && !tm.sent() {
		if e := tlsError(u.Hostname(), herr); e != nil {
			return e
		}
	}
	if e := tlsError(u.Hostname(), err); e != nil {
		return e
	}
	phase := "headers"
	if !tm.sent() {
		phase = "connect"
		if tm.handshake() != nil {
			phase = "tls"
		}
	}
	e = &Error{Reason: Reset, Phase: phase, Err: err}
	switch text := err.Error(); {
	case timedOut(err), ctx.Err() != nil: // a cancel does not come here
		e.Reason = Timeout
		e.Msg = fmt.Sprintf("%s did not answer in time", host)
		if strings.Contains(text, "TLS handshake") {
			e.Phase = "tls"
			e.Msg = fmt.Sprintf("%s did not finish the TLS handshake in time", host)
		}
	// net/http has no types for these; a change of its words costs precision only.
	case strings.Contains(text, "response headers exceeded"), strings.Contains(text, "response header list larger"):
		e.Reason = TooLarge
		e.Msg = fmt.Sprintf("%s sent more response headers than the limit allows", host)
	case errors.Is(err, errClosed):
		e.Msg = fmt.Sprintf("%s was not asked: %v", host, err)
	case broken(err):
		e.Msg = fmt.Sprintf("%s closed the connection before it sent a response", host)
		if phase != "headers" {
			e.Msg = fmt.Sprintf("%s closed the connection before a request was sent", host)
		}
	default:
		e.Msg = fmt.Sprintf("%s sent no valid HTTP response: %s", host, clip(text))
	}
	return e
}

func timedOut(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// broken tells that the other side went away.
func broken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, net.ErrClosed) ||
		strings.Contains(err.Error(), "server closed") || strings.Contains(err.Error(), "GOAWAY")
}

// needsHTTP1 tells that an HTTP/2 server wants HTTP/1.1 for this request. The
// bundled HTTP/2 code has no exported type for it.
func needsHTTP1(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Err != nil && strings.Contains(e.Err.Error(), "HTTP_1_1_REQUIRED")
}

// tlsError explains why a server's certificate or handshake is no good, nil if
// err is about something else.
func tlsError(host string, err error) *Error {
	e := &Error{Reason: TLS, Phase: "tls", Err: err}
	var (
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		name    x509.HostnameError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		verify  *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &unknown):
		e.Detail = "unknown_authority"
		e.Msg = fmt.Sprintf("the certificate of %s is signed by an unknown authority; if you trust it, pass its CA with --ca-file, or --insecure %s", host, host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && time.Now().Before(invalid.Cert.NotBefore):
		e.Detail = "not_yet_valid"
		e.Msg = fmt.Sprintf("the certificate of %s is valid only from %s; check this machine's clock", host, invalid.Cert.NotBefore.Format(time.DateOnly))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		e.Detail = "expired"
		e.Msg = fmt.Sprintf("the certificate of %s expired on %s; --insecure %s opens it all the same", host, invalid.Cert.NotAfter.Format(time.DateOnly), host)
	case errors.As(err, &name):
		e.Detail = "wrong_host"
		e.Msg = fmt.Sprintf("the certificate of %s is for another host (%s); --insecure %s opens it all the same", host, clip(names(name.Certificate)), host)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e.Detail = "not_tls"
		e.Msg = fmt.Sprintf("%s does not speak TLS on this port; try http://", host)
	case errors.As(err, &invalid), errors.As(err, &verify):
		e.Detail = "invalid_certificate"
		e.Msg = fmt.Sprintf("the certificate of %s is not valid: %v; --insecure %s opens it all the same", host, err, host)
	case errors.As(err, &alert):
		e.Detail = "alert"
		e.Msg = fmt.Sprintf("%s refused the TLS handshake: %v", host, err)
	case strings.HasPrefix(err.Error(), "tls: "), strings.HasPrefix(err.Error(), "remote error: tls: "):
		e.Msg = fmt.Sprintf("TLS handshake with %s: %v", host, err)
	default:
		return nil
	}
	return e
}

// names is whom a certificate is for.
func names(c *x509.Certificate) string {
	if c == nil {
		return "no name"
	}
	all := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	if len(all) == 0 {
		return "no name"
	}
	return strings.Join(all, ", ")
}
