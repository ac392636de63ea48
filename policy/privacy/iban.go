package privacy

import "strings"

// ibans finds international account numbers: of a country's length, with a
// right checksum, upper-case or in groups of four.
func (f *finder) ibans() {
	for i := 0; i+15 <= len(f.text); i++ {
		if !isLetter(f.text[i]) || !isLetter(f.text[i+1]) || !isDigit(f.text[i+2]) || !isDigit(f.text[i+3]) || i > 0 && isAlnum(f.text[i-1]) {
			continue
		}
		if end := f.ibanAt(i); end > 0 {
			f.add(IBAN, i, end)
			i = end - 1
		}
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// ibanAt is the end of the account number that begins at i, 0 if none does.
func (f *finder) ibanAt(i int) int {
	want := ibanLength(strings.ToUpper(f.text[i : i+2]))
	var s []byte
	grouped, lower, inGroup := false, false, 0
	best := 0
	for k := i; k < len(f.text) && len(s) < 34; k++ {
		c := f.text[k]
		if (c == ' ' || c == '-') && inGroup == 4 && k+1 < len(f.text) && isAlnum(f.text[k+1]) {
			grouped, inGroup = true, 0
			continue
		}
		if !isAlnum(c) || grouped && inGroup == 4 {
			break
		}
		lower = lower || 'a' <= c && c <= 'z'
		s = append(s, c&^(c>>1&0x20)) // upper case of letters; digits stay
		inGroup++
		if len(s) >= 15 && (want == 0 || len(s) == want) && (!lower || grouped) && f.alone(i, k+1) && mod97(s) == 1 {
			best = k + 1
		}
	}
	return best
}

func mod97(s []byte) int {
	m := 0
	for i := range s {
		c := s[(i+4)%len(s)]
		if isDigit(c) {
			m = (10*m + int(c-'0')) % 97
		} else {
			m = (100*m + int(c-'A') + 10) % 97
		}
	}
	return m
}

// ibanLength is the length of a country's numbers, 0 if it is not known.
func ibanLength(country string) int {
	for _, t := range [...]struct {
		codes  string
		length int
	}{
		{"NO", 15}, {"BE", 16}, {"DK FO FI GL NL SD", 18}, {"MK SI", 19}, {"AT BA EE KZ XK LT LU MN", 20}, {"CH HR LI LV", 21},
		{"BG BH CR DE GB GE IE ME RS VA", 22}, {"AE GI IL IQ OM SO TL", 23}, {"AD CZ ES MD PK RO SA SE SK TN VG", 24}, {"LY PT ST", 25},
		{"IS TR", 26}, {"BI DJ FR GR IT MC MR SM", 27}, {"AL AZ BY CY DO GT HN HU LB NI PL SV", 28}, {"BR EG PS QA UA", 29}, {"JO KW MU YE", 30},
		{"MT SC", 31}, {"LC", 32}, {"RU", 33},
	} {
		for i := 0; i+2 <= len(t.codes); i += 3 {
			if t.codes[i:i+2] == country {
				return t.length
			}
		}
	}
	return 0
}
