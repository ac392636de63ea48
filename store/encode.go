package store

import (
	"encoding/binary"
	"errors"
	"strings"
)

var errCorrupt = errors.New("the record is damaged")

// appendEntry encodes an entry without its host. A referrer on the same host is
// kept as a path, which makes most records half as long.
func appendEntry(b []byte, e *Entry) []byte {
	flags := uint64(e.Kind) << 1
	if e.Late {
		flags |= 1
	}
	b = binary.AppendUvarint(b, e.N)
	b = binary.AppendUvarint(b, flags)
	b = binary.AppendUvarint(b, uint64(e.Depth))
	b = binary.AppendUvarint(b, uint64(e.Chain))
	b = appendString(b, shorten(e.URL, e.Host))
	return appendString(b, shorten(e.Referrer, e.Host))
}

// shorten leaves the origin out. What begins with neither slash nor scheme was
// no URL of that host.
func shorten(url, host string) string {
	if rest, ok := strings.CutPrefix(url, host); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return url
}

func lengthen(url, host string) string {
	if strings.HasPrefix(url, "/") {
		return host + url
	}
	return url
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// reader takes values from the front of a record.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) string() string {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) entry(host string) Entry {
	e := Entry{Host: host, N: r.uint()}
	flags := r.uint()
	e.Late, e.Kind = flags&1 != 0, Kind(flags>>1)
	e.Depth, e.Chain = int(r.uint()), int(r.uint())
	e.URL = lengthen(r.string(), host)
	e.Referrer = lengthen(r.string(), host)
	return e
}
