package static

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/som/weburl"
)

// Use has the page's further requests made for another profile, of the same
// session. It implements engine.Adaptable.
func (p *page) Use(profile engine.Profile) { p.profile = profile }

// network is what a session's requests go through: it may be offline, have
// patterns of URLs that are not fetched, and a proxy.
type network struct {
	engine.Network
	next fetch.Exchanger
}

// Exchange implements fetch.Exchanger; each hop of a navigation passes here.
func (n network) Exchange(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if n.Offline {
		return nil, &fetch.Error{URL: r.URL, Reason: fetch.Connect, Phase: "connect", Detail: "offline",
			Msg: "the session is offline; set offline to false to go on"}
	}
	for _, pattern := range n.Blocked {
		if matches(pattern, r.URL) {
			return nil, &fetch.Error{URL: r.URL, Reason: fetch.BlockedAddress, Phase: "url", Detail: "pattern",
				Msg: fmt.Sprintf("%s is blocked by the session's pattern %s", clip(r.URL), clip(pattern))}
		}
	}
	if n.Proxy != "" && bypasses(n.NoProxy, r.URL) {
		direct := *r
		direct.Proxy = fetch.Direct
		r = &direct
	}
	return n.next.Exchange(ctx, r)
}

// bypasses tells whether a URL's host fits an entry of the list: a name with all
// names below it, "*.name" for those below only, an address or a network.
func bypasses(list []string, address string) bool {
	u, err := weburl.Parse(address)
	if err != nil {
		return false
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	literal := err == nil
	return slices.ContainsFunc(list, func(entry string) bool {
		entry = strings.TrimSuffix(strings.ToLower(entry), ".")
		if literal {
			network, err := netip.ParsePrefix(entry)
			one, oneErr := netip.ParseAddr(strings.Trim(entry, "[]"))
			return entry == "*" || err == nil && network.Contains(addr.Unmap()) || oneErr == nil && one.Unmap() == addr.Unmap()
		}
		below := strings.TrimPrefix(entry, "*")
		return entry == "*" || host == entry || strings.HasSuffix(host, "."+strings.TrimPrefix(below, "."))
	})
}

// matches tells whether a pattern, whose stars stand for any text, is the whole URL.
func matches(pattern, url string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == url
	}
	if !strings.HasPrefix(url, head) {
		return false
	}
	url = url[len(head):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(url, part)
		}
		i := strings.Index(url, part)
		if i < 0 {
			return false
		}
		url, rest = url[i+len(part):], more
	}
}

// sessionHeader is what the session sends with a navigation to u. Credentials
// go where the user navigates and on within that origin; a document does not
// carry them elsewhere.
func (p *page) sessionHeader(u *weburl.URL, nav navigation) http.Header {
	header := p.profile.Network.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if header.Get("Authorization") == "" || nav.from == nil {
		return header
	}
	if from, err := weburl.Parse(nav.from.url); err != nil || from.Origin() != u.Origin() {
		header.Del("Authorization")
	}
	return header
}
