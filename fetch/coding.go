package fetch

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// maxCodings bounds stacked codings: each one may multiply a bomb.
const maxCodings = 4

var errTooManyCodings = errors.New("too many content codings")

// decoder undoes the codings of Content-Encoding, the last one first
// (RFC 9110 §8.4). An unknown coding leaves the bytes as they are (Fetch,
// handle content codings); coded tells whether anything is undone.
func decoder(src io.Reader, header []string, p *pools) (r io.ReadCloser, coded bool, err error) {
	codings, known := parseCodings(header)
	if !known || len(codings) == 0 {
		return io.NopCloser(src), false, nil
	}
	if len(codings) > maxCodings {
		return nil, false, fmt.Errorf("%w: %d", errTooManyCodings, len(codings))
	}
	var chain chained
	var in io.Reader = src
	for i := len(codings) - 1; i >= 0; i-- {
		d := newDecoder(codings[i], in, p)
		chain.all = append(chain.all, d)
		in = d
	}
	chain.Reader = in
	return &chain, true, nil
}

func parseCodings(header []string) (codings []string, known bool) {
	for _, h := range header {
		for c := range strings.SplitSeq(h, ",") {
			switch c = strings.ToLower(strings.TrimSpace(c)); c {
			case "", "identity":
			case "gzip", "x-gzip", "deflate", "br", "zstd":
				codings = append(codings, c)
			default:
				return nil, false
			}
		}
	}
	return codings, true
}

// chained closes all decoders of a chain.
type chained struct {
	io.Reader
	all []io.Closer
}

func (c *chained) Close() error {
	for _, d := range c.all {
		d.Close()
	}
	return nil
}

// lazy starts a decoder at the first read: an empty body has no header to
// check, and is an empty body whatever coding is declared.
type lazy struct {
	src   *bufio.Reader
	pools *pools
	open  func(*bufio.Reader, *pools) (io.Reader, func(), error)
	r     io.Reader
	end   func()
	err   error
}

func newDecoder(coding string, src io.Reader, p *pools) io.ReadCloser {
	l := &lazy{src: bufio.NewReader(src), pools: p}
	switch coding {
	case "gzip", "x-gzip":
		l.open = openGzip
	case "deflate":
		l.open = openDeflate
	case "br":
		l.open = openBrotli
	case "zstd":
		l.open = openZstd
	}
	return l
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	if l.r == nil {
		if _, err := l.src.Peek(1); err != nil {
			l.err = err
			return 0, err
		}
		l.r, l.end, l.err = l.open(l.src, l.pools)
		if l.err != nil {
			if l.err == io.EOF {
				l.err = io.ErrUnexpectedEOF
			}
			return 0, l.err
		}
	}
	n, err := l.r.Read(p)
	// The content is there, only its check sum is not: browsers show it.
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, zlib.ErrChecksum) {
		err = io.EOF
	}
	l.err = err
	return n, err
}

func (l *lazy) Close() error {
	if l.end != nil {
		l.end()
		l.end = nil
	}
	return nil
}

func openGzip(src *bufio.Reader, p *pools) (io.Reader, func(), error) {
	z, ok := p.gzips.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	if err := z.Reset(src); err != nil {
		return nil, nil, err
	}
	z.Multistream(false)
	return &members{z: z, src: src}, func() { p.gzips.Put(z) }, nil
}

// members reads the members of a gzip file one after the other and ignores
// what follows the last, as browsers do.
type members struct {
	z   *gzip.Reader
	src *bufio.Reader
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if n > 0 || err != io.EOF {
			if err == io.EOF {
				err = nil // seen again at the next read
			}
			return n, err
		}
		if magic, _ := m.src.Peek(2); len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
			return 0, io.EOF
		}
		if err := m.z.Reset(m.src); err != nil {
			return 0, io.EOF // looked like a member, is none
		}
		m.z.Multistream(false)
	}
}

// openDeflate takes the zlib wrapper that the standard asks for and the raw
// data that some servers send (RFC 9110 §8.4.1.2, note).
func openDeflate(src *bufio.Reader, _ *pools) (io.Reader, func(), error) {
	h, err := src.Peek(2)
	if err == nil && h[0]&0x0f == 8 && h[0]>>4 <= 7 && h[1]&0x20 == 0 && (uint(h[0])<<8|uint(h[1]))%31 == 0 {
		z, err := zlib.NewReader(src)
		return z, nil, err
	}
	return flate.NewReader(src), nil, nil
}

func openBrotli(src *bufio.Reader, _ *pools) (io.Reader, func(), error) {
	return brotli.NewReader(src), nil, nil
}

func openZstd(src *bufio.Reader, _ *pools) (io.Reader, func(), error) {
	z, err := zstd.NewReader(src,
		zstd.WithDecoderConcurrency(1),   // no goroutines
		zstd.WithDecoderMaxWindow(8<<20), // RFC 9659
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}
