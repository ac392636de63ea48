package weburl

import "unicode/utf8"

// An encodeSet is a bit per ASCII code point that must be percent-encoded;
// every code point beyond U+007E must be in all of them.
// Spec: URL Standard, Percent-encoded bytes.
type encodeSet [2]uint64

// has says whether b is percent-encoded under the set.
func (s encodeSet) has(b byte) bool {
	return b >= 0x7f || s[b>>6]&(1<<(b&63)) != 0
}

const (
	c0Bits    = 1<<32 - 1
	queryBits = c0Bits | 1<<' ' | 1<<'"' | 1<<'#' | 1<<'<' | 1<<'>'
)

// Go has no constant arrays; these are never written to.
var (
	c0Set           = encodeSet{c0Bits, 0}
	fragmentSet     = encodeSet{c0Bits | 1<<' ' | 1<<'"' | 1<<'<' | 1<<'>', 1 << ('`' - 64)}
	querySet        = encodeSet{queryBits, 0}
	specialQuerySet = encodeSet{queryBits | 1<<'\'', 0}
	pathSet         = encodeSet{queryBits | 1<<'?', 1<<('^'-64) | 1<<('`'-64) | 1<<('{'-64) | 1<<('}'-64)}
	// formSet leaves the space to its caller, who writes it as '+'.
	formSet = encodeSet{
		^uint64(1<<' ' | 1<<'*' | 1<<'-' | 1<<'.' | 0x3ff<<'0'),
		^uint64(0x3ffffff<<('A'-64) | 0x3ffffff<<('a'-64) | 1<<('_'-64)),
	}
)

const upperHex = "0123456789ABCDEF"

func appendPercent(dst []byte, b byte) []byte {
	return append(dst, '%', upperHex[b>>4], upperHex[b&15])
}

// appendEncoded appends s, UTF-8 percent-encoded under set. Bytes that are no
// UTF-8 count as U+FFFD, as they do for a parser that reads code points.
func appendEncoded(dst []byte, s string, set encodeSet) []byte {
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if !set.has(b) {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		size := 1
		if b < utf8.RuneSelf {
			dst = appendPercent(dst, b)
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			var buf [utf8.UTFMax]byte
			for _, c := range buf[:utf8.EncodeRune(buf[:], r)] {
				dst = appendPercent(dst, c)
			}
		}
		i += size
		start = i
	}
	return append(dst, s[start:]...)
}
