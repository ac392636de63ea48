package weburl

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// A queryEncoder percent-encodes after encoding in a legacy encoding. A nil one
// encodes in UTF-8.
type queryEncoder struct{ enc encoding.Encoding }

// newQueryEncoder is the encoder of a label's output encoding (Encoding
// Standard, get an output encoding); nil for UTF-8 and unknown labels.
func newQueryEncoder(label string) *queryEncoder {
	if label == "" {
		return nil
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil
	}
	switch name, _ := htmlindex.Name(enc); name {
	case "", "utf-8", "utf-16le", "utf-16be", "replacement":
		return nil
	}
	return &queryEncoder{enc}
}

// append appends s, percent-encoded after encoding under set (URL Standard).
// What the encoding cannot say becomes "&#N;", percent-encoded.
func (q *queryEncoder) append(dst []byte, s string, set encodeSet) []byte {
	if q == nil || isASCII(s) {
		return appendEncoded(dst, s, set)
	}
	// One Transformer for all of s: ISO-2022-JP carries its shift state along.
	t := q.enc.NewEncoder().Transformer
	var buf [32]byte
	flush := func(src string, atEOF bool) bool {
		n, _, err := t.Transform(buf[:], []byte(src), atEOF)
		for _, b := range buf[:n] {
			if set.has(b) {
				dst = appendPercent(dst, b)
			} else {
				dst = append(dst, b)
			}
		}
		return err == nil || err == transform.ErrShortSrc
	}
	for _, r := range s { // invalid UTF-8 reads as U+FFFD
		if !flush(string(r), false) {
			dst = append(dst, "%26%23"...)
			dst = strconv.AppendInt(dst, int64(r), 10)
			dst = append(dst, "%3B"...)
		}
	}
	flush("", true)
	return dst
}

// encodeQuery is href with the query encoded in the legacy encoding, which
// leaves nothing there for the parser to encode. Only special URLs other than
// ws and wss have such queries (URL Standard, query state).
func (q *queryEncoder) encodeQuery(href, baseScheme string) string {
	if isASCII(href) {
		return href
	}
	href = strings.Map(dropLineBreak, trimInput(href))
	end := strings.IndexByte(href, '#')
	if end < 0 {
		end = len(href)
	}
	start := strings.IndexByte(href[:end], '?')
	if start < 0 || isASCII(href[start:end]) {
		return href
	}
	scheme := baseScheme
	if i := leadingScheme(href); i >= 0 {
		scheme = strings.ToLower(href[:i])
	}
	if !isSpecial(scheme) || scheme == "ws" || scheme == "wss" {
		return href
	}
	b := append(make([]byte, 0, 2*len(href)), href[:start+1]...)
	b = q.append(b, href[start+1:end], specialQuerySet)
	return string(append(b, href[end:]...))
}

func dropLineBreak(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return -1
	}
	return r
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
