package audit

import (
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Bag is a multiset of words.
type Bag map[string]int

// BagOf counts the words of all texts.
func BagOf(texts ...string) Bag {
	b := Bag{}
	for _, s := range texts {
		b.Add(Words(s))
	}
	return b
}

// Add counts ws in.
func (b Bag) Add(ws []string) {
	for _, w := range ws {
		b[w]++
	}
}

// Size is the number of words, repeats included.
func (b Bag) Size() int {
	n := 0
	for _, c := range b {
		n += c
	}
	return n
}

// Minus is b without the words of c, never below zero.
func (b Bag) Minus(c Bag) Bag {
	out := Bag{}
	for w, n := range b {
		if n > c[w] {
			out[w] = n - c[w]
		}
	}
	return out
}

// Plus is the union of both, repeats added.
func (b Bag) Plus(c Bag) Bag {
	out := make(Bag, len(b)+len(c))
	for w, n := range b {
		out[w] = n
	}
	for w, n := range c {
		out[w] += n
	}
	return out
}

// Top lists up to n words, the most frequent first.
func (b Bag) Top(n int) []string {
	ws := make([]string, 0, len(b))
	for w := range b {
		ws = append(ws, w)
	}
	sort.Slice(ws, func(i, j int) bool {
		if b[ws[i]] != b[ws[j]] {
			return b[ws[i]] > b[ws[j]]
		}
		return ws[i] < ws[j]
	})
	return ws[:min(n, len(ws))]
}

// Words splits text into words: runs of letters, marks and digits, compared
// without case (text-transform is not a difference) and in NFKC. In scripts
// that are written without spaces each letter is a word. Soft hyphens and
// joiners are not there; everything else separates.
func Words(s string) []string {
	s = cases.Fold().String(norm.NFKC.String(s))
	var out []string
	var w strings.Builder
	alone := false // w holds one letter of a script without spaces, with its marks
	flush := func() {
		if w.Len() > 0 {
			out = append(out, w.String())
			w.Reset()
		}
		alone = false
	}
	for _, r := range s {
		switch {
		case invisible(r):
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.IsMark(r):
			flush()
			w.WriteRune(r)
			alone = true
		case unicode.IsMark(r):
			if w.Len() > 0 {
				w.WriteRune(r)
			}
		case unicode.IsLetter(r), unicode.IsNumber(r):
			if alone {
				flush()
			}
			w.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return out
}

// invisible are the characters that stand inside words without being seen.
func invisible(r rune) bool {
	switch r {
	case 0xAD, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFE0F:
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// flat is s with white space collapsed.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// key is s as two texts are compared: its words with spaces between.
func key(s string) string { return strings.Join(Words(s), " ") }

// pairs counts the pairs of neighbouring words in texts that follow each other.
func pairs(texts ...string) Bag {
	b := Bag{}
	last := ""
	for _, s := range texts {
		for _, w := range Words(s) {
			if last != "" {
				b[last+" "+w]++
			}
			last = w
		}
	}
	return b
}
