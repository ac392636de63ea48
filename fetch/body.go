package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"plasmate/som/weburl"
)

// bodyReader reads and decodes the body of one response.
type bodyReader struct {
	method string
	resp   *http.Response
	u      *weburl.URL
	limit  int64         // of the decoded body
	stall  time.Duration // longest pause
	cancel context.CancelCauseFunc
	pools  *pools

	body       []byte
	wire       int64
	incomplete bool
}

// read fills body, wire and incomplete. A body that ends early is kept
// (RFC 9112 §8); the errors are nothing at all of it, a coding that is not
// what it says, too much, and too slow.
func (b *bodyReader) read(ctx context.Context) error {
	if b.method == http.MethodHead || b.resp.StatusCode == http.StatusNoContent || b.resp.StatusCode == http.StatusNotModified {
		return nil
	}
	src := &source{r: b.resp.Body, stall: b.stall, cancel: b.cancel}
	defer src.stop()
	dec, coded, err := decoder(src, b.resp.Header.Values("Content-Encoding"), b.pools)
	if err != nil {
		return b.coding(err)
	}
	defer dec.Close()
	if !coded && b.resp.ContentLength > b.limit {
		return b.tooLarge(b.resp.ContentLength)
	}
	buf := b.pools.buffer()
	_, err = buf.ReadFrom(io.LimitReader(dec, b.limit+1))
	b.body, b.wire = b.pools.take(buf), src.n
	switch {
	case int64(len(b.body)) > b.limit:
		return b.tooLarge(max(b.resp.ContentLength, b.limit+1))
	case err == nil:
		return nil
	case src.err != nil:
		return b.broke(ctx, src.err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b.broke(ctx, err)
	}
	return b.coding(err)
}

// What a redirect's body may cost: enough to keep the connection in use.
const (
	glanceBytes = 64 << 10
	glanceStall = time.Second
)

// glance reads the body of a redirect as far as it comes at once. Whatever is
// wrong with it, the redirect is followed, as browsers do.
func (b *bodyReader) glance(ctx context.Context) {
	b.limit, b.stall = min(b.limit, glanceBytes), min(b.stall, glanceStall)
	if err := b.read(ctx); err != nil {
		b.body, b.incomplete = nil, true
	}
}

// broke handles a body whose end did not come.
func (b *bodyReader) broke(ctx context.Context, err error) error {
	e := &Error{URL: redacted(b.u), Phase: "body", Status: b.resp.StatusCode, Err: err, Size: int64(len(b.body))}
	cause := context.Cause(ctx)
	switch {
	case ctxCanceled(ctx, cause):
		return fmt.Errorf("load %s: %w", redacted(b.u), cause)
	case errors.Is(cause, errStalled):
		e.Reason = Timeout
		e.Msg = fmt.Sprintf("%s sent nothing for %s in the middle of the body (%d bytes came)", b.u.Host(), b.stall, b.wire)
	case ctx.Err() != nil:
		e.Reason = Timeout
		e.Msg = fmt.Sprintf("%s did not finish the body in time (%d bytes came)", b.u.Host(), b.wire)
	case len(b.body) > 0:
		b.incomplete = true
		return nil
	default:
		e.Reason = Reset
		e.Msg = fmt.Sprintf("%s closed the connection before any of the body came", b.u.Host())
	}
	return e
}

func (b *bodyReader) tooLarge(size int64) error {
	return &Error{
		URL: redacted(b.u), Reason: TooLarge, Phase: "body", Status: b.resp.StatusCode,
		ContentType: b.resp.Header.Get("Content-Type"), Size: size,
		Msg: fmt.Sprintf("the body of %s is over the limit of %d bytes; raise it with --max-body-bytes", clip(redacted(b.u)), b.limit),
	}
}

// coding is the error of a body that is not in the coding it declares. AWP has
// no reason of its own for it; the phase tells.
func (b *bodyReader) coding(err error) error {
	return &Error{
		URL: redacted(b.u), Reason: ContentType, Phase: "content_decoding", Status: b.resp.StatusCode,
		ContentType: b.resp.Header.Get("Content-Type"), Size: b.wire, Err: err, Detail: "content_decoding",
		Msg: fmt.Sprintf("%s says Content-Encoding: %s, but the body cannot be decoded: %v", b.u.Host(),
			clip(fmt.Sprint(b.resp.Header.Values("Content-Encoding"))), err),
	}
}

// source counts what comes from the network, remembers how it ended and
// cancels the exchange when nothing comes for too long.
type source struct {
	r      io.Reader
	stall  time.Duration
	cancel context.CancelCauseFunc
	timer  *time.Timer
	n      int64
	err    error // other than io.EOF
}

func (s *source) Read(p []byte) (int, error) {
	if s.timer == nil {
		s.timer = time.AfterFunc(s.stall, func() { s.cancel(errStalled) })
	} else {
		s.timer.Reset(s.stall)
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

func (s *source) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}
