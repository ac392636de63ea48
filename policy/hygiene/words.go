package hygiene

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold makes text comparable for the scan: unseen characters dropped, NFKC,
// lower case, look-alike letters of other scripts as Latin ones.
func fold(s string) string {
	if ascii(s) {
		return unspell(strings.ToLower(s))
	}
	s, _ = Clean(keepLines(s))
	return unspell(latin(strings.ToLower(norm.NFKC.String(s))))
}

// keepLines marks line ends so that Clean does not fold sentences into one.
func keepLines(s string) string { return strings.ReplaceAll(s, "\n", " \u2E3B ") }

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// latin replaces Cyrillic and Greek letters in words that have Latin ones, too.
// A word of one script is a word of that script.
func latin(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
		switch {
		case i < 0:
			i = len(s)
		case i == 0:
			i = 1
			for i < len(s) && s[i]&0xC0 == 0x80 {
				i++
			}
		}
		b.WriteString(latinWord(s[:i]))
		s = s[i:]
	}
	return b.String()
}

func latinWord(w string) string {
	if ascii(w) {
		return w
	}
	out := strings.Map(func(r rune) rune {
		if l, ok := lookAlikes[r]; ok {
			return l
		}
		return r
	}, w)
	if ascii(out) {
		return out
	}
	return w
}

// lookAlikes is a constant table.
var lookAlikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'е': 'e', 'ё': 'e', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'с': 'c', 'т': 't', 'у': 'y', 'х': 'x',
	'і': 'i', 'ї': 'i', 'ј': 'j', 'ѕ': 's', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w', 'ь': 'b', 'һ': 'h', 'г': 'r', 'ӏ': 'l', 'п': 'n', 'и': 'u',
	'α': 'a', 'β': 'b', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'γ': 'y', 'η': 'n', 'ѐ': 'e',
	'ı': 'i', 'ɡ': 'g', 'ɑ': 'a', 'ⅼ': 'l', 'ո': 'n', 'ս': 'u', 'օ': 'o', 'ց': 'g',
}

// unspell joins letters that are written one by one: i.g.n.o.r.e, i g n o r e.
func unspell(s string) string {
	if len(s) < 7 {
		return s
	}
	var b []byte
	for i := 0; i < len(s); {
		j, letters := i, 0
		if i == 0 || !wordByte(s[i-1]) {
			for j < len(s) && lowerByte(s[j]) && (j+1 == len(s) || !wordByte(s[j+1])) {
				letters++
				k := j + 1
				for k < len(s) && k-j <= 3 && strings.IndexByte(" .-_*", s[k]) >= 0 {
					k++
				}
				if k == j+1 || k == len(s) || !lowerByte(s[k]) {
					j++
					break
				}
				j = k
			}
		}
		if letters < 4 {
			if b != nil {
				b = append(b, s[i])
			}
			i++
			continue
		}
		if b == nil {
			b = append(make([]byte, 0, len(s)), s[:i]...)
		}
		for k := i; k < j; k++ {
			if lowerByte(s[k]) {
				b = append(b, s[k])
			}
		}
		if j < len(s) && j > i && strings.IndexByte(" .-_*", s[j-1]) >= 0 {
			b = append(b, ' ')
		}
		i = j
	}
	if b == nil {
		return s
	}
	return string(b)
}

func lowerByte(c byte) bool { return 'a' <= c && c <= 'z' }
func wordByte(c byte) bool  { return lowerByte(c) || '0' <= c && c <= '9' || c >= 0x80 }

// word is one word of a sentence.
type word struct {
	s   string
	url bool // a URL, host name or e-mail address
	end bool // punctuation or the end of the sentence follows
}

// sentences cuts folded text into sentences of words.
func sentences(s string) [][]word {
	var out [][]word
	var cur []word
	for _, f := range strings.Fields(s) {
		if f == "\u2E3B" {
			if len(cur) > 0 {
				cur[len(cur)-1].end = true
				out, cur = append(out, cur), nil
			}
			continue
		}
		cur = appendWords(cur, f)
		last := f[len(f)-1]
		if strings.IndexByte(".?!;", last) >= 0 || strings.HasSuffix(f, "。") || strings.HasSuffix(f, `."`) {
			if len(cur) > 0 {
				cur[len(cur)-1].end = true
				out, cur = append(out, cur), nil
			}
		}
	}
	if len(cur) > 0 {
		cur[len(cur)-1].end = true
		out = append(out, cur)
	}
	return out
}

// appendWords adds the words of a field without blanks.
func appendWords(ws []word, f string) []word {
	if addressLike(strings.Trim(f, `.,;:!?"'()[]<>«»“”`)) {
		return append(ws, word{s: f, url: true, end: strings.IndexByte(",.;:!?)", f[len(f)-1]) >= 0})
	}
	for len(f) > 0 {
		i := strings.IndexFunc(f, inWord)
		if i < 0 {
			if len(ws) > 0 && strings.Trim(f, `"'*_`) != "" {
				ws[len(ws)-1].end = true
			}
			break
		}
		if i > 0 && len(ws) > 0 && strings.ContainsAny(f[:i], ",:()–—/|<>[]") {
			ws[len(ws)-1].end = true
		}
		f = f[i:]
		j := strings.IndexFunc(f, func(r rune) bool { return !inWord(r) })
		if j < 0 {
			j = len(f)
		}
		w := strings.ReplaceAll(strings.Trim(f[:j], "'’"), "’", "'")
		if w = strings.TrimSuffix(w, "'s"); w != "" {
			ws = append(ws, word{s: w})
		}
		f = f[j:]
	}
	return ws
}

func inWord(r rune) bool {
	return r == '\'' || r == '’' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// addressLike reports whether a word is a URL, an e-mail address or a host name.
func addressLike(w string) bool {
	if strings.Contains(w, "://") || strings.HasPrefix(w, "www.") || strings.HasPrefix(w, "mailto:") {
		return true
	}
	if i := strings.LastIndexByte(w, '@'); i > 0 && strings.IndexByte(w[i:], '.') > 0 {
		return true
	}
	host, _, _ := strings.Cut(w, "/")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || len(host)-dot < 3 {
		return false
	}
	for i := 0; i < len(host); i++ {
		if c := host[i]; !wordByte(c) && c != '.' && c != '-' || i > dot && !lowerByte(c) {
			return false
		}
	}
	return true
}
