package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"plasmate/som/weburl"
)

// Direct, as a Request's Proxy, overrides the client's proxy with none.
const Direct = "direct"

// ParseProxy checks a proxy's URL: http, https, socks5 or socks5h, with an
// optional user name and password.
func ParseProxy(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, errors.New("proxy: not a URL; want http://HOST:PORT or socks5://HOST:PORT")
	}
	if !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) || u.Hostname() == "" {
		return nil, fmt.Errorf("proxy %s: want http://HOST:PORT, https://, socks5:// or socks5h://", u.Redacted())
	}
	if (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		return nil, fmt.Errorf("proxy %s: a proxy has no path", u.Redacted())
	}
	return u, nil
}

// proxyFor is the proxy that a request goes through, nil for none. Names of
// host rules and of the bypass list go direct.
//
// A proxy looks names up itself, so that the address guard sees the proxy
// only. What can be said before a look-up, of literal addresses and special
// names, is refused as ever.
func (c *Client) proxyFor(r *Request, u *weburl.URL) (*url.URL, error) {
	proxy := c.proxy
	switch r.Proxy {
	case "":
	case Direct:
		return nil, nil
	default:
		p, err := ParseProxy(r.Proxy)
		if err != nil {
			return nil, &Error{URL: redacted(u), Reason: Connect, Phase: "proxy", Err: err, Msg: err.Error()}
		}
		proxy = p
	}
	if proxy == nil || bypasses(c.cfg.NoProxy, u.Hostname()) {
		return nil, nil
	}
	if _, ok := literal(u.Hostname()); !ok {
		if _, ok := c.dialer.rule(u.Hostname()); ok {
			return nil, nil
		}
	}
	return proxy, nil
}

// bypasses tells whether host fits an entry of the list: a name with all names
// below it, "*.name" or ".name" for those below only, an address, a network in
// CIDR form, or "*".
func bypasses(list []string, host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	a, isAddr := literal(host)
	for _, entry := range list {
		entry = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(entry)), ".")
		if entry == "*" {
			return true
		}
		if isAddr {
			if p, err := netip.ParsePrefix(entry); err == nil && p.Contains(a.Unmap()) {
				return true
			}
			if e, ok := literal(entry); ok && e.Unmap() == a.Unmap() {
				return true
			}
			continue
		}
		suffix := strings.TrimPrefix(entry, "*")
		if entry != "" && (host == entry || strings.HasSuffix(host, "."+strings.TrimPrefix(suffix, "."))) {
			return true
		}
	}
	return false
}

type proxyKey struct{}

// withProxy tells the transport, and the dialer below it, about the proxy.
func withProxy(ctx context.Context, proxy *url.URL) context.Context {
	if proxy == nil {
		return ctx
	}
	return context.WithValue(ctx, proxyKey{}, proxy)
}

func proxyOf(ctx context.Context) *url.URL {
	p, _ := ctx.Value(proxyKey{}).(*url.URL)
	return p
}

// transportProxy is for http.Transport.
func transportProxy(r *http.Request) (*url.URL, error) { return proxyOf(r.Context()), nil }

// dialProxy opens a connection to the proxy itself, which whoever set it up
// trusts: no guard.
func (d *dialer) dialProxy(ctx context.Context, proxy *url.URL, addr string) (net.Conn, error) {
	c, err := d.mapped(ctx, "tcp", addr)
	if err == nil || errors.Is(err, context.Canceled) {
		return c, err
	}
	return nil, &Error{Reason: Connect, Phase: "proxy", Err: err,
		Msg: fmt.Sprintf("the proxy %s cannot be reached: %v", proxy.Redacted(), err)}
}
