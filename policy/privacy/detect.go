package privacy

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is a kind of secret, as tokens name it.
type Kind string

// The kinds, in the order that decides between matches of one length.
const (
	Secret Kind = "secret"
	Key    Kind = "key"
	JWT    Kind = "jwt"
	IBAN   Kind = "iban"
	Card   Kind = "card"
	SSN    Kind = "ssn"
	Email  Kind = "email"
)

// A Match is a secret in a text.
type Match struct {
	Kind       Kind
	Start, End int    // bytes
	Name       string // of a user's secret
}

// Detectors says what is looked for. The zero value is the default.
type Detectors struct {
	Emails bool
}

// Find lists the secrets in text that can be told by their form, without
// overlaps, in order.
func Find(text string, d Detectors) []Match {
	if !mayHold(text, d) {
		return nil
	}
	f := finder{text: text, lower: strings.ToLower(text)}
	if len(f.lower) != len(text) { // some capitals are longer: positions must agree
		f.lower = asciiLower(text)
	}
	f.keys()
	f.generic()
	f.jwts()
	f.ibans()
	f.numbers()
	if d.Emails {
		f.emails()
	}
	return longest(f.found)
}

// mayHold is a quick test that lets most texts through.
func mayHold(s string, d Detectors) bool {
	digits := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '@' && d.Emails:
			return true
		}
	}
	return digits >= 1 && len(s) >= 9 || strings.Contains(s, "PRIVATE KEY") || strings.Contains(s, "://")
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

type finder struct {
	text, lower string
	found       []Match
}

func (f *finder) add(k Kind, start, end int) {
	f.found = append(f.found, Match{Kind: k, Start: start, End: end})
}

func rank(k Kind) int {
	for i, o := range [...]Kind{Secret, Key, JWT, IBAN, Card, SSN, Email} {
		if o == k {
			return i
		}
	}
	return len(k)
}

// longest keeps of matches that overlap the longest one, on a tie the first kind.
func longest(all []Match) []Match {
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if la, lb := a.End-a.Start, b.End-b.Start; la != lb {
			return la > lb
		}
		if ra, rb := rank(a.Kind), rank(b.Kind); ra != rb {
			return ra < rb
		}
		return a.Start < b.Start
	})
	var out []Match
next:
	for _, m := range all {
		for _, o := range out {
			if m.Start < o.End && o.Start < m.End {
				continue next
			}
		}
		out = append(out, m)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// alone reports whether no letter or digit stands directly before or after a match.
func (f *finder) alone(start, end int) bool {
	if start > 0 {
		if r, _ := utf8.DecodeLastRuneInString(f.text[:start]); unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
	}
	if end < len(f.text) {
		if r, _ := utf8.DecodeRuneInString(f.text[end:]); unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// near reports whether one of the words stands within reach bytes of a match.
func (f *finder) near(start, end, reach int, words ...string) bool {
	around := f.lower[max(0, start-reach):min(len(f.lower), end+reach)]
	for _, w := range words {
		for i := 0; ; {
			k := strings.Index(around[i:], w)
			if k < 0 {
				break
			}
			k += i
			if (k == 0 || !isAlnum(around[k-1])) && (k+len(w) == len(around) || !isAlnum(around[k+len(w)])) {
				return true
			}
			i = k + 1
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// A group is a run of digits in a row of them that single separators part.
type group struct{ start, end int }

// numbers finds cards and social security numbers: rows of digit groups.
func (f *finder) numbers() {
	for i := 0; i < len(f.text); {
		if !isDigit(f.text[i]) {
			i++
			continue
		}
		row := f.row(i)
		f.inRow(row)
		i = row[len(row)-1].end
	}
}

// row is the digit groups from i on, parted by single blanks or hyphens.
func (f *finder) row(i int) []group {
	var gs []group
	for {
		g := group{i, i}
		for g.end < len(f.text) && isDigit(f.text[g.end]) {
			g.end++
		}
		gs = append(gs, g)
		k := g.end
		if k+1 < len(f.text) && (f.text[k] == ' ' || f.text[k] == '-') && isDigit(f.text[k+1]) {
			i = k + 1
			continue
		}
		return gs
	}
}

// maxGroups is how many groups one number may have.
const maxGroups = 8

// inRow looks at every run of groups in a row.
func (f *finder) inRow(row []group) {
	if len(row) > 1 && f.bareDigits(row) {
		return
	}
	for i := range row {
		digits := 0
		for j := i; j < len(row) && j < i+maxGroups; j++ {
			digits += row[j].end - row[j].start
			if digits > 19 {
				break
			}
			start, end := row[i].start, row[j].end
			if digits >= 9 && f.alone(start, end) {
				f.number(row[i:j+1], start, end, digits)
			}
		}
	}
}

// bareDigits handles a number written one digit at a time.
func (f *finder) bareDigits(row []group) bool {
	for _, g := range row {
		if g.end-g.start != 1 {
			return false
		}
	}
	n := len(row)
	if n >= 12 && n <= 19 {
		start, end := row[0].start, row[n-1].end
		if isCard(digitsOf(f.text[start:end])) {
			f.add(Card, start, end)
		}
	}
	return true
}

func (f *finder) number(gs []group, start, end, digits int) {
	s := digitsOf(f.text[start:end])
	if digits == 9 && f.isSSN(gs, s, start, end) {
		f.add(SSN, start, end)
	}
	if digits < 12 || !f.evenGroups(gs) || !isCard(s) {
		return
	}
	if digits != 14 && digits != 15 && digits != 16 && len(gs) == 1 &&
		!f.near(start, end, 40, "card", "visa", "mastercard", "amex", "maestro", "credit", "debit", "payment") {
		return
	}
	f.add(Card, start, end)
}

// evenGroups reports whether the groups look like those of a card number: one
// separator throughout, two to seven digits each.
func (f *finder) evenGroups(gs []group) bool {
	for i, g := range gs {
		if n := g.end - g.start; len(gs) > 1 && (n < 2 || n > 7) {
			return false
		}
		if i > 0 && f.text[g.start-1] != f.text[gs[1].start-1] {
			return false
		}
	}
	return true
}

func digitsOf(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// isCard checks prefix, length and the Luhn sum.
func isCard(s string) bool {
	return cardPrefix(s) && luhn(s) && strings.Trim(s, s[:1]) != ""
}

func luhn(s string) bool {
	sum := 0
	for i := 0; i < len(s); i++ {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func cardPrefix(s string) bool {
	n := len(s)
	if n < 12 || n > 19 {
		return false
	}
	p := func(k int) int {
		v := 0
		for i := 0; i < k; i++ {
			v = 10*v + int(s[i]-'0')
		}
		return v
	}
	two, three, four := p(2), p(3), p(4)
	switch {
	case s[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720:
		return n == 16
	case two == 34, two == 37:
		return n == 15
	case two == 36, two == 38, two == 39, three >= 300 && three <= 305:
		return n == 14
	case four == 6011, three >= 644 && three <= 649, two == 65:
		if n == 16 || n == 19 {
			return true
		}
	case two == 62:
		if n >= 16 {
			return true
		}
	case four >= 3528 && four <= 3589:
		return n >= 16
	}
	switch two {
	case 50, 56, 57, 58, 60, 61, 63, 64, 66, 67, 68, 69:
		return true
	}
	return false
}

// isSSN checks a 3-2-4 number with equal separators, or nine bare digits where
// the text says what they are.
func (f *finder) isSSN(gs []group, s string, start, end int) bool {
	switch len(gs) {
	case 1:
		if !f.near(start, end, 40, "ssn", "social security") {
			return false
		}
	case 3:
		if gs[0].end-gs[0].start != 3 || gs[1].end-gs[1].start != 2 || f.text[gs[1].start-1] != f.text[gs[2].start-1] {
			return false
		}
	default:
		return false
	}
	return s[:3] != "000" && s[:3] != "666" && s[0] != '9' && s[3:5] != "00" && s[5:] != "0000"
}

func (f *finder) emails() {
	for i := 0; i < len(f.text); i++ {
		if f.text[i] != '@' {
			continue
		}
		start, end := i, i+1
		for start > 0 && (isAlnum(f.text[start-1]) || strings.IndexByte("._%+-", f.text[start-1]) >= 0) {
			start--
		}
		for end < len(f.text) && (isAlnum(f.text[end]) || strings.IndexByte(".-", f.text[end]) >= 0) {
			end++
		}
		for end > i && strings.IndexByte(".-", f.text[end-1]) >= 0 {
			end--
		}
		if start < i && strings.IndexByte(f.text[i:end], '.') > 1 {
			f.add(Email, start, end)
		}
	}
}
