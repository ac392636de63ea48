package fetch

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"plasmate/policy"
	"plasmate/som/weburl"
)

// acceptEncoding lists exactly the codings that coding.go undoes.
const acceptEncoding = "gzip, deflate, br, zstd"

// maxAttempts bounds how often an idempotent request is sent when connections
// break before any byte of a response.
const maxAttempts = 2

// Exchange makes one exchange and follows no redirect. Accept-Encoding is the
// client's own; other headers go out as they are in r, User-Agent by default
// as "plasmate", Authorization from the URL's user name.
//
// A failed exchange is an *Error. If ctx was cancelled, the error is its
// cause instead; the connection is closed at once in either case.
func (c *Client) Exchange(ctx context.Context, r *Request) (*Response, error) {
	start := time.Now()
	u, err := c.admit(r.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Timeout, context.DeadlineExceeded)
	defer cancel()
	proxy, err := c.proxyFor(r, u)
	if err != nil {
		return nil, err
	}
	ctx = withProxy(ctx, proxy)
	m := c.mode(u)
	for attempt := 1; ; attempt++ {
		tm := new(timing)
		resp, err := c.roundTrip(ctx, r, u, m, tm)
		if err == nil {
			resp.Took = time.Since(start)
			return resp, nil
		}
		if ctx.Err() != nil || attempt == maxAttempts {
			return nil, err
		}
		switch {
		case needsHTTP1(err) && m&http1 == 0:
			m |= http1 // RFC 9113 §7, HTTP_1_1_REQUIRED
		case !retriable(r.Method, err, tm):
			return nil, err
		}
	}
}

// admit parses the URL of a request and refuses what must not be asked.
func (c *Client) admit(s string) (*weburl.URL, error) {
	u, err := weburl.Parse(s)
	if err != nil {
		return nil, &Error{URL: s, Reason: UnsupportedScheme, Phase: "url", Err: err,
			Msg: fmt.Sprintf("%q is not a valid URL: %v", clip(s), err)}
	}
	if !policy.Scheme(u.Scheme()) {
		return nil, unsupportedScheme(u)
	}
	if e := c.dialer.judge(u.Hostname()); e != nil {
		e.URL = redacted(u)
		return nil, e
	}
	if port := u.EffectivePort(); policy.BadPort(port) {
		return nil, &Error{URL: redacted(u), Reason: BlockedAddress, Phase: "connect", Detail: "port",
			Msg: fmt.Sprintf("port %d of %s is refused: it belongs to another protocol, and browsers do not open it", port, u.Hostname())}
	}
	return u, nil
}

func unsupportedScheme(u *weburl.URL) *Error {
	return &Error{URL: redacted(u), Reason: UnsupportedScheme, Phase: "url",
		Msg: fmt.Sprintf("%s: URLs are not opened (%s); only http: and https: are", u.Scheme(), clip(redacted(u)))}
}

// mode is how the host of u has to be spoken to.
func (c *Client) mode(u *weburl.URL) mode {
	host := strings.TrimSuffix(u.Hostname(), ".")
	for _, p := range c.cfg.InsecureHosts {
		if (HostRule{Pattern: strings.ToLower(strings.TrimSuffix(p, "."))}).matches(host) {
			return insecure
		}
	}
	return 0
}

func (c *Client) roundTrip(ctx context.Context, r *Request, u *weburl.URL, m mode, tm *timing) (*Response, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := c.transports[m].RoundTrip(newHTTPRequest(tm.trace(inner), r, u))
	if err != nil {
		return nil, explain(inner, r, u, tm, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, &Error{URL: redacted(u), Reason: Reset, Phase: "headers", Status: resp.StatusCode,
			Msg: fmt.Sprintf("%s switched protocols without being asked to", u.Host())}
	}
	b := bodyReader{
		method: r.Method, resp: resp, u: u,
		limit: c.cfg.MaxBodyBytes, stall: c.cfg.StallTimeout, cancel: cancel, pools: &c.pools,
	}
	if r.MaxBodyBytes > 0 {
		b.limit = r.MaxBodyBytes
	}
	began := time.Now()
	if redirects(resp) {
		b.glance(inner)
	} else if err := b.read(inner); err != nil {
		return nil, err
	}
	if cause := context.Cause(ctx); ctx.Err() != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return nil, fmt.Errorf("load %s: %w", redacted(u), cause)
	}
	t := tm.snapshot()
	t.Body = time.Since(began)
	return &Response{
		URL:        u.WithoutFragment().String(),
		Status:     resp.StatusCode,
		Header:     resp.Header,
		Body:       b.body,
		Incomplete: b.incomplete,
		WireBytes:  b.wire,
		Proto:      resp.Proto,
		Timing:     t,
	}, nil
}

// redirects tells that a response leads elsewhere, so that nobody reads its body.
func redirects(resp *http.Response) bool {
	return redirectStatus(resp.StatusCode) && slices.ContainsFunc(resp.Header.Values("Location"),
		func(l string) bool { return strings.TrimSpace(l) != "" })
}

// redirectStatus is Fetch, redirect status.
func redirectStatus(status int) bool {
	return slices.Contains([]int{301, 302, 303, 307, 308}, status)
}

func newHTTPRequest(ctx context.Context, r *Request, u *weburl.URL) *http.Request {
	h := r.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Accept-Encoding", acceptEncoding)
	if len(h["User-Agent"]) == 0 {
		h.Set("User-Agent", "plasmate")
	}
	if u.Username()+u.Password() != "" && h.Get("Authorization") == "" {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString(
			[]byte(percentDecode(u.Username())+":"+percentDecode(u.Password()))))
	}
	req := &http.Request{
		Method: r.Method,
		URL:    httpURL(u, absoluteForm(ctx, u)),
		Host:   u.Host(),
		Header: h,
		Proto:  "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if len(r.Body) > 0 {
		req.ContentLength = int64(len(r.Body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.Body)), nil }
		req.Body, _ = req.GetBody()
	}
	return req.WithContext(ctx)
}

// absoluteForm tells that the request line has to hold the whole URL, as HTTP
// proxies want it (RFC 9112 §3.2.2).
func absoluteForm(ctx context.Context, u *weburl.URL) bool {
	proxy := proxyOf(ctx)
	return proxy != nil && u.Scheme() == "http" && strings.HasPrefix(proxy.Scheme, "http")
}

// httpURL makes net/http send the path and query of u byte for byte: url.Parse
// would refuse or re-encode some that browsers send.
func httpURL(u *weburl.URL, absolute bool) *url.URL {
	h := &url.URL{Scheme: u.Scheme(), Host: u.Host(), RawQuery: u.Query(), ForceQuery: u.HasQuery()}
	switch path := u.Path(); {
	case absolute:
		h.Opaque = "//" + u.Host() + path
	case !strings.HasPrefix(path, "//"):
		h.Opaque = path
	default: // Opaque would take the path for a host
		h.Path, h.RawPath = percentDecode(path), path
		if h.EscapedPath() != path {
			h.Path, h.RawPath = "", ""
			h.Opaque = "//" + u.Host() + path // absolute form, RFC 9112 §3.2.2
		}
	}
	return h
}

// idempotent methods may be sent again (RFC 9110 §9.2.2).
func idempotent(method string) bool {
	return slices.Contains([]string{"", "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}, method)
}

// retriable tells whether the connection broke before any byte of a response
// and nobody has tried again: net/http does where the connection was used before.
func retriable(method string, err error, tm *timing) bool {
	var e *Error
	return errors.As(err, &e) && e.Reason == Reset && idempotent(method) && tm.sent() && !tm.answered() && !tm.resent()
}

// percentDecode leaves bad escapes as they are (URL §1.3).
func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

func unhex(c byte) int {
	return strings.IndexByte("0123456789abcdef", c|0x20)
}

// redacted is u without its password, for messages.
func redacted(u *weburl.URL) string {
	return u.WithoutCredentials().String()
}

// clip keeps messages short whatever a page puts into a URL.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}
