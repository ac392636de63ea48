package hygiene

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Removed says what Clean took out of a text.
type Removed struct {
	Invisible int      // characters of rules U2 to U7
	Soft      int      // of these, line break and direction hints that ordinary pages are full of
	Override  bool     // a bidi override was among them
	Payloads  []string // what dropped tag characters and runs of selectors spell
}

// Smuggled reports whether something was removed that no honest text has.
func (r Removed) Smuggled() bool { return r.Override || len(r.Payloads) > 0 }

// Add sums up what was removed from two texts.
func (r *Removed) Add(o Removed) {
	r.Invisible += o.Invisible
	r.Soft += o.Soft
	r.Override = r.Override || o.Override
	r.Payloads = append(r.Payloads, o.Payloads...)
}

// Clean removes what cannot be seen and turns every run of white space into one
// blank (rules U1 to U9). Blanks at the ends stay. What is left is neither
// normalised nor otherwise changed.
func Clean(s string) (string, Removed) {
	if plain(s) {
		return s, Removed{}
	}
	c := cleaner{in: s, out: make([]byte, 0, len(s))}
	for c.at < len(s) {
		r, size := utf8.DecodeRuneInString(s[c.at:])
		c.at += size
		c.rune(r, size)
	}
	c.endSelectors()
	return string(c.out), c.gone
}

// plain reports whether s is printable ASCII without two blanks in a row.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && i > 0 && s[i-1] == ' ' {
			return false
		}
	}
	return true
}

type cleaner struct {
	in   string
	at   int // after the current character
	out  []byte
	prev rune // last character kept, 0 at the start
	base rune // last kept that is neither selector nor skin tone
	// A run of variation selectors that is not decided yet.
	selectors []rune
	marks     int // combining marks on the current base
	gone      Removed
}

func (c *cleaner) rune(r rune, size int) {
	if isSelector(r) {
		c.selectors = append(c.selectors, r)
		return
	}
	c.endSelectors()
	switch {
	case r == utf8.RuneError && size == 1, r == 0xFFFD && size == 0:
		return
	case isBlank(r):
		if n := len(c.out); n == 0 || c.out[n-1] != ' ' {
			c.keep(' ')
		}
		c.prev, c.base, c.marks = ' ', ' ', 0
	case r < 0x20 || r >= 0x7F && r < 0xA0: // U1
	case r < 0x7F:
		c.keep(r)
	case isInvisible(r): // U2
		c.gone.Invisible++
		if r == 0xAD || r == 0x200B || r == 0xFEFF || r == 0x2060 || r == 0x34F {
			c.gone.Soft++
		}
	case r == 0x200C || r == 0x200D: // U3
		if c.joins(r) {
			c.out = utf8.AppendRune(c.out, r)
			return
		}
		c.gone.Invisible++
		c.gone.Soft++
	case isBidi(r): // U4
		c.gone.Invisible++
		if r == 0x202D || r == 0x202E {
			c.gone.Override = true
		} else {
			c.gone.Soft++
		}
	case r >= 0xE0000 && r <= 0xE007F: // U5
		c.tag(r)
	case unseen(r): // U8
	case unicode.In(r, unicode.Mn, unicode.Me):
		if c.marks++; c.marks <= maxMarks {
			c.keep(r)
		}
	default:
		c.keep(r)
	}
}

// maxMarks is how many combining marks one base may have (U9).
const maxMarks = 4

func (c *cleaner) keep(r rune) {
	c.out = utf8.AppendRune(c.out, r)
	c.prev = r
	if r < 0x1F3FB || r > 0x1F3FF {
		c.base = r
	}
	if !unicode.In(r, unicode.Mn, unicode.Me) {
		c.marks = 0
	}
}

// joins reports whether a joiner matters where it stands (U3).
func (c *cleaner) joins(r rune) bool {
	next, _ := utf8.DecodeRuneInString(c.in[c.at:])
	if joining(c.prev) && joining(next) {
		return true
	}
	return r == 0x200D && isEmoji(c.base) && isEmoji(next)
}

// tag handles a tag character: those of a subdivision flag stay (U5).
func (c *cleaner) tag(r rune) {
	rest := c.in[c.at-4:]
	if c.prev == 0x1F3F4 {
		n, ended := 0, false
		for _, t := range rest {
			if t == 0xE007F {
				ended = true
				break
			}
			if b := t - 0xE0000; t < 0xE0000 || (b < 'a' || b > 'z') && (b < '0' || b > '9') {
				break
			}
			n++
		}
		if ended && 2 <= n && n <= 6 {
			end := 4 * (n + 1)
			c.out = append(c.out, rest[:end]...)
			c.at += end - 4
			c.prev, c.base = r, r
			return
		}
	}
	var payload []byte
	end := 0
	for i, t := range rest {
		if t < 0xE0000 || t > 0xE007F {
			break
		}
		end = i + 4
		c.gone.Invisible++
		if b := byte(t - 0xE0000); b >= ' ' && b < 0x7F {
			payload = append(payload, b)
		}
	}
	c.at += end - 4
	c.gone.Payloads = append(c.gone.Payloads, string(payload))
}

// endSelectors decides on the variation selectors that were just read (U6, U7).
func (c *cleaner) endSelectors() {
	switch len(c.selectors) {
	case 0:
		return
	case 1:
		r := c.selectors[0]
		ideographic := r >= 0xE0100
		if c.prev != 0 && c.prev != ' ' && (!ideographic || unicode.Is(unicode.Ideographic, c.prev)) {
			c.out = utf8.AppendRune(c.out, r)
		} else {
			c.gone.Invisible++
			c.gone.Soft++
		}
	default:
		var payload []byte
		for _, r := range c.selectors {
			if r < 0xE0100 {
				payload = append(payload, byte(r-0xFE00))
			} else {
				payload = append(payload, byte(r-0xE0100+16))
			}
		}
		c.gone.Invisible += len(c.selectors)
		c.gone.Payloads = append(c.gone.Payloads, strings.ToValidUTF8(string(payload), ""))
	}
	c.selectors = c.selectors[:0]
}

func isSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

func isBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\r', '\f', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// isInvisible are the characters of rule U2.
func isInvisible(r rune) bool {
	switch r {
	case 0x200B, 0xFEFF, 0x180E, 0x34F, 0xAD, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0x17B5:
		return true
	}
	return r >= 0x2060 && r <= 0x2064 || r >= 0x206A && r <= 0x206F || r >= 0xFFF9 && r <= 0xFFFB
}

// isBidi are the characters of rule U4.
func isBidi(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x61C
}

// unseen are private use, unassigned and noncharacters (U8).
func unseen(r rune) bool {
	if r == 0xFFFD {
		return false
	}
	return unicode.Is(unicode.Co, r) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cf)
}

// joining reports whether r is a letter or mark of a script that needs joiners.
func joining(r rune) bool {
	if r < 0x600 || !unicode.IsLetter(r) && !unicode.IsMark(r) {
		return false
	}
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala) || unicode.Is(unicode.Inherited, r)
}

func isEmoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x21FF || r >= 0x2300 && r <= 0x23FF ||
		r >= 0x2600 && r <= 0x27BF || r >= 0x2B00 && r <= 0x2BFF || r == 0xA9 || r == 0xAE || r == 0x203C || r == 0x2049
}
