package som

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// idSet makes the ids of elements (AWP §5) in the order of their making, which
// is document order among elements that can collide.
type idSet struct {
	head   int    // length of "{origin}|" in buf
	buf    []byte // "{origin}|{role}|{name}|{path}"
	ids    []byte // all ids, end to end
	ends   []int32
	table  []uint64 // open addressing: 48 bits of hash with a mark
	used   int
	counts map[uint64]int
}

const idMark = 1 << 63

func (s *idSet) prefix(origin string) {
	s.buf = append(append(make([]byte, 0, 512), origin...), '|')
	s.head = len(s.buf)
	s.table = make([]uint64, 256)
}

// idNameRunes is how much of the accessible name goes into an id.
const idNameRunes = 100

func idInput[T string | []byte](buf []byte, role string, name T, path []byte) []byte {
	buf = append(append(buf, role...), '|')
	buf = appendIDName(buf, name)
	return append(append(buf, '|'), path...)
}

// appendIDName appends name lower-cased, trimmed, first 100 characters.
func appendIDName[T string | []byte](buf []byte, name T) []byte {
	start := len(buf)
	for i := 0; i < len(name) && len(buf)-start < idNameRunes; i++ {
		b := name[i]
		if b >= utf8.RuneSelf {
			return appendIDNameSlow(buf[:start], string(name[:min(len(name), 16*idNameRunes)]))
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if isSpace(b) && len(buf) == start {
			continue
		}
		buf = append(buf, b)
	}
	if len(buf)-start < idNameRunes {
		for len(buf) > start && isSpace(buf[len(buf)-1]) {
			buf = buf[:len(buf)-1]
		}
	}
	return buf
}

func appendIDNameSlow(buf []byte, name string) []byte {
	name = strings.TrimSpace(name)
	n := 0
	for _, r := range name {
		if n++; n > idNameRunes {
			break
		}
		buf = utf8.AppendRune(buf, unicode.ToLower(r))
	}
	return buf
}

// addID makes the id of an element.
func addID[T string | []byte](s *idSet, role string, name T, path []byte) {
	s.add(idInput(s.buf[:s.head], role, name, path))
}

func (s *idSet) add(buf []byte) {
	s.buf = buf
	sum := sha256.Sum256(buf)
	s.ids = append(s.ids, "e_"...)
	s.ids = hex.AppendEncode(s.ids, sum[:6])
	h := uint64(sum[0])<<40 | uint64(sum[1])<<32 | uint64(sum[2])<<24 | uint64(sum[3])<<16 | uint64(sum[4])<<8 | uint64(sum[5])
	if s.insert(h) {
		if s.counts == nil {
			s.counts = map[uint64]int{}
		}
		n := max(s.counts[h], 1) + 1
		s.counts[h] = n
		s.ids = strconv.AppendInt(append(s.ids, '_'), int64(n), 10)
	}
	s.ends = append(s.ends, int32(len(s.ids)))
}

// insert reports whether h was there already.
func (s *idSet) insert(h uint64) bool {
	if 2*s.used >= len(s.table) {
		s.rehash()
	}
	mask := uint64(len(s.table) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch s.table[i] {
		case 0:
			s.table[i] = h | idMark
			s.used++
			return false
		case h | idMark:
			return true
		}
	}
}

func (s *idSet) rehash() {
	old := s.table
	s.table = make([]uint64, 4*len(old))
	mask := uint64(len(s.table) - 1)
	for _, h := range old {
		if h == 0 {
			continue
		}
		i := h & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = h
	}
}

// originOf serializes the origin of an absolute URL (URL Standard, origin):
// "null" if it is opaque, without the scheme's default port.
func originOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return "null"
	}
	scheme = strings.ToLower(scheme)
	port := map[string]string{"http": ":80", "https": ":443", "ws": ":80", "wss": ":443", "ftp": ":21"}[scheme]
	if port == "" {
		return "null"
	}
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return scheme + "://" + strings.TrimSuffix(strings.ToLower(rest), port)
}
