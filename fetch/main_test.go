package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"plasmate/internal/testsite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newClient is a client that reaches the hosts of site and nothing else.
func newClient(t testing.TB, site *testsite.Site, change ...func(*Config)) *Client {
	t.Helper()
	var cfg Config
	if site != nil {
		rule, err := ParseHostRule(site.Rule())
		if err != nil {
			t.Fatal(err)
		}
		cfg.Resolve = []HostRule{rule}
	}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func get(t testing.TB, c *Client, url string) (*Response, error) {
	t.Helper()
	return c.Exchange(t.Context(), &Request{URL: url})
}

// wantError fails the test unless err is an *Error of that reason and phase.
func wantError(t testing.TB, err error, reason Reason, phase string) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %T %v, want *Error %s/%s", err, err, reason, phase)
	}
	if e.Reason != reason || e.Phase != phase {
		t.Fatalf("error is %s/%s (%v), want %s/%s", e.Reason, e.Phase, e, reason, phase)
	}
	if e.Msg == "" || e.URL == "" {
		t.Errorf("error lacks message or URL: %+v", e)
	}
	return e
}

type exchangeFunc func(context.Context, *Request) (*Response, error)

func (f exchangeFunc) Exchange(ctx context.Context, r *Request) (*Response, error) { return f(ctx, r) }

func header(kv ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(kv); i += 2 {
		h.Add(kv[i], kv[i+1])
	}
	return h
}

type ctx = context.Context

func now() time.Time { return time.Now() }

func asError(err error, e **Error) bool { return errors.As(err, e) }

// reply is what a scripted exchanger answers.
type reply struct {
	status           int
	location, policy string
}

// script answers by URL; last gets the last request.
func script(replies map[string]reply, last **Request) exchangeFunc {
	return func(_ context.Context, r *Request) (*Response, error) {
		if last != nil {
			*last = r
		}
		a, ok := replies[r.URL]
		if !ok {
			return nil, &Error{URL: r.URL, Reason: Connect, Phase: "connect", Msg: "not in the script: " + r.URL}
		}
		h := http.Header{}
		if a.location != "" {
			h.Set("Location", a.location)
		}
		if a.policy != "" {
			h.Set("Referrer-Policy", a.policy)
		}
		return &Response{URL: r.URL, Status: a.status, Header: h}, nil
	}
}

// compress applies the codings of a Content-Encoding header to s.
func compress(t testing.TB, codings, s string) []byte {
	t.Helper()
	out := []byte(s)
	for coding := range strings.SplitSeq(codings, ",") {
		var b bytes.Buffer
		var w io.WriteCloser
		switch strings.TrimSpace(coding) {
		case "gzip", "x-gzip":
			w = gzip.NewWriter(&b)
		case "deflate":
			w = zlib.NewWriter(&b)
		case "br":
			w = brotli.NewWriter(&b)
		case "zstd":
			w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		default:
			t.Fatalf("coding %q", coding)
		}
		if _, err := w.Write(out); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out = b.Bytes()
	}
	return out
}
