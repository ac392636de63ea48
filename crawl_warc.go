package plasmate

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"plasmate/actors"
)

// warcWriter makes the records of a WARC 1.1 file: for each exchange a request
// and a response. Bodies are stored with their content-coding undone; the
// headers that spoke of it are kept under another name.
//
// Spec: ISO 28500:2017 (WARC 1.1).
type warcWriter struct {
	zip bool // each record a gzip member
}

func newWARC(name string) *warcWriter { return &warcWriter{zip: strings.HasSuffix(name, ".gz")} }

// info is the record that begins a file.
func (w *warcWriter) info(agent string, now time.Time) []byte {
	fields := "software: plasmate/" + Version + "\r\nformat: WARC File Format 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\nhttp-header-user-agent: " + agent + "\r\n"
	return w.record(nil, now, "warcinfo", "application/warc-fields", nil, []byte(fields), nil)
}

// exchange appends the records of one exchange.
func (w *warcWriter) exchange(b []byte, x actors.CrawlExchange) []byte {
	id := warcID()
	target := [2]string{"WARC-Target-URI", x.Request.URL}
	head, body := responseHead(x), x.Response.Body
	more := [][2]string{{"WARC-Record-ID", id}, target, {"WARC-Payload-Digest", digest(body)}}
	if x.Response.Incomplete {
		more = append(more, [2]string{"WARC-Truncated", "disconnect"})
	}
	b = w.record(b, x.At, "response", "application/http;msgtype=response", more, head, body)
	return w.record(b, x.At, "request", "application/http;msgtype=request",
		[][2]string{target, {"WARC-Concurrent-To", id}}, requestHead(x), nil)
}

func (w *warcWriter) record(b []byte, at time.Time, kind, contentType string, more [][2]string, head, body []byte) []byte {
	var r bytes.Buffer
	r.Grow(len(head) + len(body) + 700)
	line := func(name, value string) { r.WriteString(name + ": " + value + "\r\n") }
	r.WriteString("WARC/1.1\r\n")
	line("WARC-Type", kind)
	line("WARC-Date", at.UTC().Format("2006-01-02T15:04:05.000Z"))
	id := true
	for _, m := range more {
		line(m[0], m[1])
		id = id && m[0] != "WARC-Record-ID"
	}
	if id {
		line("WARC-Record-ID", warcID())
	}
	line("WARC-Block-Digest", digest(head, body))
	line("Content-Type", contentType)
	line("Content-Length", strconv.Itoa(len(head)+len(body)))
	r.WriteString("\r\n")
	r.Write(head)
	r.Write(body)
	r.WriteString("\r\n\r\n")
	if !w.zip {
		return append(b, r.Bytes()...)
	}
	out := bytes.NewBuffer(b)
	z := gzip.NewWriter(out)
	_, _ = z.Write(r.Bytes()) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

func requestHead(x actors.CrawlExchange) []byte {
	host, target := x.Request.URL, "/"
	_, host, _ = strings.Cut(host, "://")
	if i := strings.IndexAny(host, "/?"); i >= 0 {
		host, target = host[:i], host[i:]
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", x.Request.Method, target, host)
	writeHeader(&b, x.Request.Header)
	b.WriteString("\r\n")
	return b.Bytes()
}

func responseHead(x actors.CrawlExchange) []byte {
	r := x.Response
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", r.Status, http.StatusText(r.Status))
	h := http.Header{}
	for name, v := range r.Header {
		switch name {
		case "Content-Encoding", "Transfer-Encoding", "Content-Length":
			name = "X-Archive-Orig-" + name
		}
		h[name] = v
	}
	h.Set("Content-Length", strconv.Itoa(len(r.Body)))
	writeHeader(&b, h)
	b.WriteString("\r\n")
	return b.Bytes()
}

func writeHeader(b *bytes.Buffer, h http.Header) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			b.WriteString(name + ": " + strings.NewReplacer("\r", " ", "\n", " ").Replace(v) + "\r\n")
		}
	}
}

func digest(parts ...[]byte) string {
	h := sha1.New() // what readers of WARC files expect
	for _, p := range parts {
		h.Write(p)
	}
	return "sha1:" + base32.StdEncoding.EncodeToString(h.Sum(nil))
}

func warcID() string {
	var u [16]byte
	_, _ = rand.Read(u[:]) // never fails
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
