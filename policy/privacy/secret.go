package privacy

import (
	"encoding/base64"
	"html"
	"net/url"
	"strings"
)

// secret is one that the user named.
type secret struct {
	name  string
	value Value
	hosts []string
	forms []string // the value and its encoded forms
}

// SetSecret gives the vault a secret of the user, which ‹secret:NAME› stands
// for. It may be typed on hosts that one of the patterns fits: a host, or
// *.host for those below it. Without patterns each use must be confirmed.
func (v *Vault) SetSecret(name, value string, hosts []string) error {
	if value == "" || name == "" || len(name) > 32 || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return ErrSecret
	}
	s := &secret{name: name, value: Value{tokenOf(Secret, name), []byte(value)}, forms: formsOf(value)}
	for _, h := range hosts {
		s.hosts = append(s.hosts, strings.ToLower(h))
	}
	for i, o := range v.secrets {
		if o.name == name {
			o.value.wipe()
			v.secrets[i] = s
			return nil
		}
	}
	v.secrets = append(v.secrets, s)
	return nil
}

// Secrets lists the names of the user's secrets that may be typed on a host.
func (v *Vault) Secrets(host string) []string {
	var names []string
	for _, s := range v.secrets {
		if len(s.hosts) == 0 || s.allows(host) {
			names = append(names, s.name)
		}
	}
	return names
}

func (s *secret) allows(host string) bool {
	host = strings.ToLower(host)
	for _, p := range s.hosts {
		if p == host || strings.HasPrefix(p, "*.") && strings.HasSuffix(host, p[1:]) {
			return true
		}
	}
	return false
}

// The lengths from which on a secret is looked for everywhere, and as a word of its own.
const (
	anywhere = 8
	asWord   = 4
)

func (s *secret) find(text string, ms []Match) []Match {
	value := string(s.value.bytes)
	as := Match{Kind: Secret, Name: s.name}
	if len(value) < asWord {
		return ms
	}
	if len(value) < anywhere {
		return matchAll(text, value, as, true, ms)
	}
	for _, f := range s.forms {
		ms = matchAll(text, f, as, false, ms)
	}
	return ms
}

// formsOf lists a value and how it looks when encoded.
func formsOf(value string) []string {
	forms := []string{value}
	add := func(f string) {
		for _, o := range forms {
			if o == f {
				return
			}
		}
		forms = append(forms, f)
	}
	add(url.QueryEscape(value))
	add(url.PathEscape(value))
	add(lowerEscapes(url.QueryEscape(value)))
	add(lowerEscapes(url.PathEscape(value)))
	add(html.EscapeString(value))
	add(strings.ReplaceAll(html.EscapeString(value), "&#39;", "&apos;"))
	if len(value) < anywhere {
		return forms
	}
	// Base64 of a text that the value stands in: three alignments, without the
	// characters that what is around has a part in.
	for shift := 0; shift < 3; shift++ {
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			e := enc.EncodeToString(append(make([]byte, shift), value...))
			from, to := (8*shift+5)/6, len(e)
			if (shift+len(value))%3 != 0 {
				to--
			}
			add(e[from:to])
		}
	}
	return forms
}

func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}
