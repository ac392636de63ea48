package privacy

import (
	"errors"
	"strconv"
	"strings"
)

// Vault holds the secrets of one session: those that detectors found in its
// pages, and those that its user gave it. Redact writes tokens for them,
// Resolve gives them back. It is not safe for concurrent use.
type Vault struct {
	detectors Detectors
	entries   map[string]*entry // by kind and normalised value
	byToken   map[string]*entry
	exact     []*entry // keys, which are known again wherever they stand
	counts    map[Kind]int
	secrets   []*secret
}

// entry is a secret that was seen in a page.
type entry struct {
	kind    Kind
	value   Value
	origins map[string]bool
	count   int
}

// maxEntries bounds a vault; what is found beyond is masked and lost.
const maxEntries = 1000

// NewVault makes an empty vault.
func NewVault(d Detectors) *Vault {
	return &Vault{detectors: d, entries: map[string]*entry{}, byToken: map[string]*entry{}, counts: map[Kind]int{}}
}

// Close overwrites all values. The vault is empty afterwards.
func (v *Vault) Close() {
	for _, e := range v.entries {
		e.value.wipe()
	}
	for _, s := range v.secrets {
		s.value.wipe()
		s.forms = nil
	}
	d := v.detectors
	*v = *NewVault(d)
}

// Redact writes tokens for the secrets in a text of a page of that origin.
func (v *Vault) Redact(text, origin string) string {
	out := v.RedactPieces([]string{text}, origin)
	return out[0]
}

// RedactPieces is Redact for the pieces of one run of text: a secret may be
// split over several. Its token goes where it begins. The result has as many pieces.
func (v *Vault) RedactPieces(pieces []string, origin string) []string {
	text := pieces[0]
	if len(pieces) > 1 {
		text = strings.Join(pieces, "")
	}
	ms := v.find(text)
	if len(ms) == 0 {
		return pieces
	}
	return splice(pieces, ms, func(m Match) string { return v.token(m, text[m.Start:m.End], origin) })
}

// Mask is Redact for what is no page text: errors, logs, file names. What the
// vault does not know gets no token that could be typed.
func (v *Vault) Mask(text string) string {
	ms := v.find(text)
	if len(ms) == 0 {
		return text
	}
	return splice([]string{text}, ms, func(m Match) string {
		if m.Kind == Secret {
			return tokenOf(Secret, m.Name)
		}
		if e := v.entries[string(m.Kind)+normal(m.Kind, text[m.Start:m.End])]; e != nil {
			return e.value.String()
		}
		return tokenOf(m.Kind, "?")
	})[0]
}

// Holds reports whether a text holds a secret.
func (v *Vault) Holds(text string) bool { return len(v.find(text)) > 0 }

func (v *Vault) find(text string) []Match {
	if text == "" {
		return nil
	}
	ms := Find(text, v.detectors)
	for _, s := range v.secrets {
		ms = s.find(text, ms)
	}
	for _, e := range v.exact {
		ms = matchAll(text, string(e.value.bytes), Match{Kind: e.kind}, false, ms)
	}
	if len(ms) > 1 {
		ms = longest(ms)
	}
	return ms
}

// matchAll appends each place where value stands in text.
func matchAll(text, value string, as Match, wholeWord bool, ms []Match) []Match {
	for i := 0; value != ""; {
		k := strings.Index(text[i:], value)
		if k < 0 {
			break
		}
		k += i
		f := finder{text: text}
		if !wholeWord || f.alone(k, k+len(value)) {
			as.Start, as.End = k, k+len(value)
			ms = append(ms, as)
		}
		i = k + len(value)
	}
	return ms
}

// token is the token of a match, which is remembered.
func (v *Vault) token(m Match, text, origin string) string {
	if m.Kind == Secret {
		return tokenOf(Secret, m.Name)
	}
	norm := normal(m.Kind, text)
	key := string(m.Kind) + norm
	e := v.entries[key]
	if e == nil {
		if len(v.entries) >= maxEntries {
			return tokenOf(m.Kind, "?")
		}
		v.counts[m.Kind]++
		tok := tokenOf(m.Kind, strconv.Itoa(v.counts[m.Kind]))
		e = &entry{kind: m.Kind, value: Value{tok, []byte(text)}, origins: map[string]bool{}}
		v.entries[key], v.byToken[tok] = e, e
		if m.Kind == Key || m.Kind == JWT {
			v.exact = append(v.exact, e)
		}
	}
	e.count++
	if origin != "" {
		e.origins[origin] = true
	}
	return e.value.String()
}

// normal is a value as two are compared.
func normal(k Kind, s string) string {
	switch k {
	case Card, SSN:
		return digitsOf(s)
	case IBAN:
		return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(s))
	}
	return s
}

func tokenOf(k Kind, n string) string { return "‹" + string(k) + ":" + n + "›" }

// splice writes a replacement for each match into pieces of text.
func splice(pieces []string, ms []Match, with func(Match) string) []string {
	out := make([]string, len(pieces))
	at, k := 0, 0
	for i, p := range pieces {
		var b strings.Builder
		pos, end := at, at+len(p)
		for k < len(ms) && ms[k].Start < end {
			m := ms[k]
			if m.Start >= pos && m.Start >= at {
				b.WriteString(p[pos-at : m.Start-at])
				b.WriteString(with(m))
			}
			pos = max(pos, min(m.End, end))
			if m.End > end {
				break
			}
			k++
		}
		b.WriteString(p[pos-at:])
		out[i] = b.String()
		at = end
	}
	return out
}

// ErrSecret says that a user's secret was not taken.
var ErrSecret = errors.New("a secret needs a name of A-Z, 0-9 and _ of at most 32 characters and a value")
