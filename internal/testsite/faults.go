package testsite

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// pause waits for d, the client's leaving or the end of the test; it says
// whether to go on.
func (s *Site) pause(r *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
	case <-s.gone:
	}
	return false
}

// Hang never answers. left, if not nil, is closed when the client goes away.
func (s *Site) Hang(left chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			if left != nil {
				close(left)
			}
		case <-s.gone:
		}
	}
}

// HangBody answers with headers and start, then sends nothing more.
func (s *Site) HangBody(start string, left chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, start)
		http.NewResponseController(w).Flush()
		s.Hang(left)(w, r)
	}
}

// Drip sends body one byte every d.
func (s *Site) Drip(body string, d time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for i := range len(body) {
			if _, err := io.WriteString(w, body[i:i+1]); err != nil || !s.pause(r, d) {
				return
			}
			http.NewResponseController(w).Flush()
		}
	}
}

// Endless sends body for ever, as fast as the client reads.
func (s *Site) Endless(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for {
			select {
			case <-s.gone:
				return
			default:
			}
			if _, err := io.WriteString(w, body); err != nil {
				return
			}
		}
	}
}

// Raw takes the connection, sends the given pieces with a pause between them,
// and closes it; with reset, by RST instead of FIN.
func (s *Site) Raw(pause time.Duration, reset bool, pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer c.Close()
		for i, p := range pieces {
			if i > 0 && pause > 0 && !s.pause(r, pause) {
				return
			}
			if _, err := io.WriteString(c, p); err != nil {
				return
			}
		}
		if reset {
			abort(c)
		}
	}
}

// abort makes Close send RST.
func abort(c net.Conn) {
	if tc, ok := c.(*net.TCPConn); ok {
		tc.SetLinger(0)
	}
}

// OneByteChunks sends body chunked, a byte a chunk.
func (s *Site) OneByteChunks(body string) http.HandlerFunc {
	var b strings.Builder
	b.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n")
	for i := range len(body) {
		b.WriteString("1\r\n" + body[i:i+1] + "\r\n")
	}
	b.WriteString("0\r\n\r\n")
	return s.Raw(0, false, b.String())
}

// HeaderFlood sends n header fields before the body.
func (s *Site) HeaderFlood(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer c.Close()
		out := bufio.NewWriter(c)
		defer out.Flush()
		io.WriteString(out, "HTTP/1.1 200 OK\r\n")
		for i := range n {
			if _, err := fmt.Fprintf(out, "X-Flood-%d: %s\r\n", i, "0123456789012345678901234567890123456789"); err != nil {
				return
			}
		}
		io.WriteString(out, "Content-Length: 2\r\n\r\nok")
	}
}

// Coded sends body as it is under a Content-Encoding.
func (s *Site) Coded(coding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", coding)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}
}

// Bomb is size zeros in a coding: gzip, br or zstd.
func Bomb(t testing.TB, coding string, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w, _ = gzip.NewWriterLevel(&b, gzip.BestCompression)
	case "br":
		w = brotli.NewWriterLevel(&b, 5)
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	default:
		t.Fatalf("no bomb for %q", coding)
	}
	if _, err := io.CopyN(w, zeros{}, size); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
