package textview

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"plasmate/som/weburl"
)

// hostOf is the host and port of an http address, "" for others.
func hostOf(address string) string {
	u, err := weburl.Parse(address)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return ""
	}
	return u.Host()
}

// hostIn is the host name that a text is, or is the URL of; "" if it is neither.
func hostIn(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[i+3:]
	}
	s, _, _ = strings.Cut(s, "/")
	s, _, _ = strings.Cut(s, ":")
	dot := strings.LastIndexByte(s, '.')
	if dot <= 0 || len(s)-dot < 3 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" || strings.Trim(s[dot+1:], "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	if _, icann := publicsuffix.PublicSuffix(s); !icann && !strings.HasSuffix(s, ".example") && !strings.HasSuffix(s, ".test") {
		return ""
	}
	return s
}

// site is the registrable domain of a host.
func site(host string) string {
	host, _, _ = strings.Cut(host, ":")
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// maxAddress is how many characters of an address are printed.
const maxAddress = 100

// Compact is an address as a header or a result prints it: without https, user
// names, fragments; long or secret values of the query elided.
//
// Spec: text protocol §3.3, URL.
func Compact(address string) string {
	u, err := weburl.Parse(address)
	if err != nil {
		return shortAddress(address)
	}
	if u.OpaquePath() {
		return shortAddress(address)
	}
	var b strings.Builder
	if s := u.Scheme(); s != "https" {
		b.WriteString(s + "://")
	}
	b.WriteString(u.Host())
	path := u.Path()
	tail := ""
	if u.HasQuery() {
		tail = "?" + compactQuery(strings.TrimPrefix(u.Query(), "?"))
	}
	if f := strings.TrimPrefix(u.Fragment(), "#"); strings.HasPrefix(f, "/") || strings.HasPrefix(f, "!") {
		tail += "#" + f
	}
	if path == "/" && tail == "" {
		path = ""
	}
	out := b.String() + path + tail
	if over := utf8.RuneCountInString(out) - maxAddress; over > 0 {
		out = b.String() + middle(path, over+1) + tail
	}
	return shortAddress(out)
}

// middle takes n characters out of the middle of a path.
func middle(path string, n int) string {
	r := []rune(path)
	if len(r) <= n+2 {
		return "/…"
	}
	keep := (len(r) - n) / 2
	return string(r[:keep]) + "…" + string(r[keep+n:])
}

func shortAddress(s string) string {
	r := []rune(strings.ReplaceAll(s, " ", "%20"))
	if len(r) > maxAddress {
		return string(r[:maxAddress-1]) + "…"
	}
	return string(r)
}

// maxParam is how many characters of a query's value are printed.
const maxParam = 16

func compactQuery(q string) string {
	params := strings.Split(q, "&")
	for i, p := range params {
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			continue
		}
		plain, err := url.QueryUnescape(v)
		if err != nil {
			plain = v
		}
		if credential(k) && v != "" || utf8.RuneCountInString(plain) > maxParam {
			params[i] = k + "=…"
		}
	}
	return strings.Join(params, "&")
}

func credential(key string) bool {
	switch strings.ToLower(key) {
	case "token", "key", "code", "sig", "signature", "session", "sid", "auth", "password", "access_token", "id_token", "state", "nonce":
		return true
	}
	return false
}
