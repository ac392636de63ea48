package fetch

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"plasmate/fetch/cookie"
	"plasmate/policy"
	"plasmate/som/weburl"
)

// DefaultUserAgent is the one that the protocol's first text gives sessions.
const DefaultUserAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36"

const (
	acceptDocument  = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	defaultLanguage = "en-US,en;q=0.9"
	defaultPolicy   = "strict-origin-when-cross-origin"
)

// headers are those of a browser's navigation request.
func (f *follower) headers(now time.Time) http.Header {
	h := http.Header{
		"User-Agent":                {cmp.Or(f.nav.UserAgent, DefaultUserAgent)},
		"Accept":                    {acceptDocument},
		"Accept-Language":           {cmp.Or(f.nav.AcceptLanguage, defaultLanguage)},
		"Upgrade-Insecure-Requests": {"1"},
	}
	if r := f.referer(); r != "" {
		h.Set("Referer", r)
	}
	if o := f.origin(); o != "" {
		h.Set("Origin", o)
	}
	if trustworthy(f.url) { // Fetch Metadata goes nowhere else
		h.Set("Sec-Fetch-Dest", "document")
		h.Set("Sec-Fetch-Mode", "navigate")
		h.Set("Sec-Fetch-Site", f.site)
		h.Set("Sec-Fetch-User", "?1")
	}
	if c := f.cookies(now); c != "" {
		h.Set("Cookie", c)
	}
	for name, v := range f.header {
		h[http.CanonicalHeaderKey(name)] = v
	}
	return h
}

func (f *follower) cookies(now time.Time) string {
	switch jar := f.nav.Jar.(type) {
	case nil:
		return ""
	case contextJar:
		return jar.HeaderFor(f.url.String(), f.context(), now)
	default:
		return jar.Header(f.url.String(), now)
	}
}

func (f *follower) store(setCookie []string, now time.Time) {
	if len(setCookie) == 0 {
		return
	}
	switch jar := f.nav.Jar.(type) {
	case nil:
	case contextJar:
		jar.StoreFor(f.url.String(), setCookie, f.context(), now)
	default:
		jar.Store(f.url.String(), setCookie, now)
	}
}

// context is what SameSite has to know (RFC 6265bis §5.2). Redirects through
// another site do not count, as browsers have it for now.
func (f *follower) context() cookie.Context {
	return cookie.Context{
		CrossSite: f.referrer != nil && !f.nav.Reload && !sameSite(f.referrer, f.url),
		TopLevel:  true,
		Method:    f.method,
	}
}

// relation is how far the URL is from the document that navigates.
func (f *follower) relation() string {
	switch {
	case f.referrer == nil, f.nav.Reload:
		return "none"
	case f.referrer.Origin() == f.url.Origin():
		return "same-origin"
	case sameSite(f.referrer, f.url):
		return "same-site"
	}
	return "cross-site"
}

// farther keeps the worst relation of a chain (Fetch Metadata §2.4).
func farther(a, b string) string {
	order := "none same-origin same-site cross-site"
	if strings.Index(order, a) > strings.Index(order, b) {
		return a
	}
	return b
}

// sameSite is schemeful: same scheme and registrable domain (HTML, sites).
func sameSite(a, b *weburl.URL) bool {
	return a.Scheme() == b.Scheme() && registrable(a.Hostname()) == registrable(b.Hostname())
}

func registrable(host string) string {
	host = strings.TrimSuffix(host, ".")
	if _, ok := literal(host); ok {
		return host
	}
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// trustworthy is Secure Contexts, is origin potentially trustworthy.
func trustworthy(u *weburl.URL) bool {
	if u.Scheme() == "https" {
		return true
	}
	if a, ok := literal(u.Hostname()); ok {
		return policy.Address(a) == policy.Loopback
	}
	return policy.Name(u.Hostname()) == policy.Loopback
}

// validPolicy is token as a referrer policy, "" if it is none.
func validPolicy(token string) string {
	switch p := strings.ToLower(strings.TrimSpace(token)); p {
	case "no-referrer", "no-referrer-when-downgrade", "same-origin", "origin", "strict-origin",
		"origin-when-cross-origin", "strict-origin-when-cross-origin", "unsafe-url":
		return p
	}
	return ""
}

// referer is Referrer Policy §8.3, determine request's referrer.
func (f *follower) referer() string {
	if f.referrer == nil {
		return ""
	}
	full := f.referrer.WithoutCredentials().WithoutFragment().String()
	origin := f.referrer.Origin() + "/"
	if len(full) > 4096 {
		full = origin
	}
	same := f.referrer.Origin() == f.url.Origin()
	downgrade := trustworthy(f.referrer) && !trustworthy(f.url)
	switch f.policy {
	case "no-referrer":
		return ""
	case "origin":
		return origin
	case "unsafe-url":
		return full
	case "strict-origin":
		if downgrade {
			return ""
		}
		return origin
	case "same-origin":
		if same {
			return full
		}
		return ""
	case "origin-when-cross-origin":
		if same {
			return full
		}
		return origin
	case "no-referrer-when-downgrade":
		if downgrade {
			return ""
		}
		return full
	}
	switch { // strict-origin-when-cross-origin
	case same:
		return full
	case downgrade:
		return ""
	}
	return origin
}

// origin is Fetch, append a request Origin header: nothing for GET and HEAD.
// Differs from the spec: a request that no document makes has none either,
// where a browser's would be opaque.
func (f *follower) origin() string {
	if f.referrer == nil || f.method == http.MethodGet || f.method == http.MethodHead {
		return ""
	}
	o := f.referrer.Origin()
	same := o == f.url.Origin()
	switch f.policy {
	case "no-referrer":
		return "null"
	case "no-referrer-when-downgrade", "strict-origin", "strict-origin-when-cross-origin":
		if f.referrer.Scheme() == "https" && f.url.Scheme() != "https" {
			return "null"
		}
	case "same-origin":
		if !same {
			return "null"
		}
	}
	if f.tainted {
		return "null"
	}
	return o
}
