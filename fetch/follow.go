package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"plasmate/fetch/cookie"
	"plasmate/policy"
	"plasmate/som/weburl"
)

// DefaultMaxRedirects is how many redirects Follow takes (AWP §3).
const DefaultMaxRedirects = 10

// CookieJar is where cookies come from and go to; engine.CookieJar is the same
// interface.
type CookieJar interface {
	Header(url string, now time.Time) string
	Store(url string, setCookie []string, now time.Time)
}

// contextJar is a jar that knows what SameSite means for a request.
type contextJar interface {
	HeaderFor(url string, c cookie.Context, now time.Time) string
	StoreFor(url string, setCookie []string, c cookie.Context, now time.Time)
}

// Navigation is what a page or its user asks for. Only URL is required.
type Navigation struct {
	Session string
	Method  string // empty is GET
	URL     string
	Header  http.Header // more request headers; they win over our own
	Body    []byte
	// ContentType is of Body.
	ContentType string

	UserAgent      string // empty is DefaultUserAgent
	AcceptLanguage string // empty is "en-US,en;q=0.9"
	Jar            CookieJar

	// Referrer is the URL of the document that navigates, "" when the user
	// does. It decides Referer, Origin, SameSite and Sec-Fetch-Site.
	Referrer string
	// ReferrerPolicy is that document's; unknown or empty is
	// strict-origin-when-cross-origin.
	ReferrerPolicy string
	Reload         bool // the user reloads: same site whatever the referrer says

	MaxRedirects int    // 0 is DefaultMaxRedirects, negative none
	MaxBodyBytes int64  // 0 is the client's
	Proxy        string // as in Request
	Now          func() time.Time
}

// Hop is one exchange of a navigation.
type Hop struct {
	Method   string
	URL      string
	Status   int
	Location string // as the server wrote it, of redirects
	Took     time.Duration
}

// Follow makes a navigation's exchanges through ex until one is no redirect.
// Response.URL is the final URL with its fragment; hops holds all exchanges,
// the last one included. On an error, hops are those that were answered, and
// the error is an *Error that names the hop, or the cause of a cancelled ctx.
// A redirect without a Location that can be parsed is a response like another.
//
// Spec: Fetch, HTTP-redirect fetch; RFC 9110 §15.4.
func Follow(ctx context.Context, ex Exchanger, nav Navigation) (*Response, []Hop, error) {
	f, err := newFollower(nav)
	if err != nil {
		return nil, nil, err
	}
	for {
		resp, err := f.exchange(ctx, ex)
		if err != nil {
			return nil, f.hops, f.name(err)
		}
		location, ok := f.location(resp)
		if !ok {
			resp.URL = f.url.String()
			return resp, f.hops, nil
		}
		if err := f.redirect(resp, location); err != nil {
			return nil, f.hops, err
		}
	}
}

// follower is the request of Fetch, as far as redirects change it.
type follower struct {
	nav    Navigation
	limit  int
	url    *weburl.URL
	method string
	body   []byte
	header http.Header // of nav, less what redirects took away

	referrer *weburl.URL // nil is no referrer
	policy   string
	tainted  bool   // redirect-tainted origin (Fetch)
	site     string // Sec-Fetch-Site, only ever getting farther away

	hops []Hop
	seen map[string]bool
}

func newFollower(nav Navigation) (*follower, error) {
	u, err := weburl.Parse(nav.URL)
	if err != nil {
		return nil, &Error{URL: nav.URL, Reason: UnsupportedScheme, Phase: "url", Err: err,
			Msg: fmt.Sprintf("%q is not a valid URL: %v", clip(nav.URL), err)}
	}
	if !policy.Scheme(u.Scheme()) {
		return nil, unsupportedScheme(u)
	}
	f := &follower{
		nav: nav, url: u, body: nav.Body, header: nav.Header.Clone(),
		method: cmp.Or(strings.ToUpper(nav.Method), http.MethodGet),
		policy: cmp.Or(validPolicy(nav.ReferrerPolicy), defaultPolicy),
		limit:  cmp.Or(nav.MaxRedirects, DefaultMaxRedirects),
		site:   "none",
	}
	if f.header == nil {
		f.header = http.Header{}
	}
	if nav.ContentType != "" && len(nav.Body) > 0 {
		f.header.Set("Content-Type", nav.ContentType)
	}
	if nav.Referrer != "" {
		if r, err := weburl.Parse(nav.Referrer); err == nil && policy.Scheme(r.Scheme()) {
			f.referrer = r
			f.site = ""
		}
	}
	f.site = farther(f.site, f.relation())
	return f, nil
}

func (f *follower) exchange(ctx context.Context, ex Exchanger) (*Response, error) {
	now := time.Now
	if f.nav.Now != nil {
		now = f.nav.Now
	}
	r := &Request{
		Session: f.nav.Session, Method: f.method, URL: f.url.WithoutFragment().String(),
		Header: f.headers(now()), Body: f.body, MaxBodyBytes: f.nav.MaxBodyBytes, Proxy: f.nav.Proxy,
	}
	if err := f.loop(r); err != nil {
		return nil, err
	}
	resp, err := ex.Exchange(ctx, r)
	if err != nil {
		return nil, err
	}
	f.store(resp.Header.Values("Set-Cookie"), now())
	f.hops = append(f.hops, Hop{Method: f.method, URL: f.url.String(), Status: resp.Status, Took: resp.Took})
	return resp, nil
}

// loop refuses a request that was made already in this navigation, cookies and
// all: its answer would be the same redirect.
func (f *follower) loop(r *Request) error {
	key := strings.Join([]string{r.Method, r.URL, r.Header.Get("Cookie"), r.Header.Get("Authorization"), string(r.Body)}, "\n")
	if f.seen[key] {
		return &Error{URL: redacted(f.url), Reason: RedirectLoop, Phase: "redirect", Status: f.hops[len(f.hops)-1].Status,
			Msg: fmt.Sprintf("%s redirects back to itself after %d hops with nothing changed; the site may want a cookie or another address", clip(redacted(f.url)), len(f.hops))}
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[key] = true
	return nil
}

// name puts the hop into an error that does not have it.
func (f *follower) name(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.URL = cmp.Or(e.URL, redacted(f.url))
	if n := len(f.hops); n > 0 && e.Reason != RedirectLoop {
		named.Msg = fmt.Sprintf("%s (redirected there from %s)", e.Msg, clip(f.hops[n-1].URL))
	}
	return &named
}

// location is where a response redirects to; false if it is no redirect.
// Browsers take the first Location that is not empty, and its bytes beyond
// ASCII as they are.
func (f *follower) location(resp *Response) (*weburl.URL, bool) {
	if !redirectStatus(resp.Status) {
		return nil, false
	}
	for _, l := range resp.Header.Values("Location") {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		to, err := f.url.Join(escapeNonASCII(l))
		if err != nil {
			return nil, false
		}
		f.hops[len(f.hops)-1].Location = l
		if !to.HasFragment() && f.url.HasFragment() { // the fragment is inherited
			to = to.WithFragment(f.url.Fragment())
		}
		return to, true
	}
	return nil, false
}

// redirect makes the next request (Fetch, HTTP-redirect fetch, steps 7 to 18).
func (f *follower) redirect(resp *Response, to *weburl.URL) error {
	switch {
	case !policy.Scheme(to.Scheme()):
		e := unsupportedScheme(to)
		e.Status = resp.Status
		e.Msg = fmt.Sprintf("%s redirects to %s, and %s: URLs are not opened", clip(redacted(f.url)), clip(redacted(to)), to.Scheme())
		return e
	case len(f.hops) > max(f.limit, 0):
		return &Error{URL: redacted(to), Reason: RedirectLimit, Phase: "redirect", Status: resp.Status,
			Msg: fmt.Sprintf("more than %d redirects, the last one from %s to %s", max(f.limit, 0), clip(redacted(f.url)), clip(redacted(to)))}
	}
	if (resp.Status == 301 || resp.Status == 302) && f.method == http.MethodPost ||
		resp.Status == 303 && f.method != http.MethodGet && f.method != http.MethodHead {
		f.method, f.body = http.MethodGet, nil
		for _, name := range []string{"Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Content-Length"} {
			f.header.Del(name)
		}
	}
	if to.Origin() != f.url.Origin() {
		f.header.Del("Authorization")
		if f.referrer == nil || f.referrer.Origin() != f.url.Origin() {
			f.tainted = true
		}
	}
	for _, h := range resp.Header.Values("Referrer-Policy") { // set request's referrer policy on redirect
		for token := range strings.SplitSeq(h, ",") {
			f.policy = cmp.Or(validPolicy(token), f.policy)
		}
	}
	f.url = to
	f.site = farther(f.site, f.relation())
	return nil
}

// escapeNonASCII percent-encodes the bytes that are not ASCII, whatever
// encoding the server wrote them in.
func escapeNonASCII(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 })
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; len(s) > 0; s = s[1:] {
		if s[0] < 0x80 {
			b.WriteByte(s[0])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[0])
		}
	}
	return b.String()
}
