package actors

import (
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/fetch/cookie"
	"plasmate/messages"
	"plasmate/policy"
)

// The bounds of what a session may set.
const (
	maxHeaders     = 64
	maxHeaderBytes = 16 << 10 // names and values of all
	maxPatterns    = 1000     // of Blocked, and of NoProxy
	maxPattern     = 2048     // bytes of one
)

// setNetwork is old with the changes; the error names the one that is wrong.
// proxies are those that a session may choose.
func setNetwork(old messages.Network, m messages.SetNetwork, proxies []string) (messages.Network, *messages.Error) {
	n := old
	replace(&n.UserAgent, m.UserAgent)
	replace(&n.Locale, m.Locale)
	replace(&n.Headers, m.Headers)
	replace(&n.Offline, m.Offline)
	replace(&n.Proxy, m.Proxy)
	replace(&n.NoProxy, m.NoProxy)
	replace(&n.Blocked, m.Blocked)
	setDefault(&n.UserAgent, messages.DefaultUserAgent)
	setDefault(&n.Locale, messages.DefaultLocale)
	return n, checkNetwork(n, proxies)
}

func replace[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func checkNetwork(n messages.Network, proxies []string) *messages.Error {
	switch {
	case !policy.ValidHeaderValue(n.UserAgent):
		return wrong("user_agent", "string without control characters")
	case !policy.ValidLocale(n.Locale):
		return wrong("locale", "language tag such as en-US")
	case !validPatterns(n.Blocked):
		return wrong("blocked_urls", "at most 1000 URL patterns such as *://ads.example/*")
	case !validPatterns(n.NoProxy):
		return wrong("proxy_bypass", "at most 1000 hosts, *.names or networks")
	}
	if n.Proxy != "" && n.Proxy != fetch.Direct && !allowedProxy(n.Proxy, proxies) {
		return wrong("proxy", `"direct", "" for the server's proxy, or one that the server's --session-proxy allows`)
	}
	return checkHeaders(n.Headers)
}

// allowedProxy: a proxy is dialled past the address guard, so that a session
// may only choose among those that whoever runs the server knows. Name and
// password are the session's own.
func allowedProxy(proxy string, allowed []string) bool {
	u, err := fetch.ParseProxy(proxy)
	return err == nil && slices.ContainsFunc(allowed, func(a string) bool {
		other, err := fetch.ParseProxy(a)
		return err == nil && u.Scheme == other.Scheme && strings.EqualFold(u.Host, other.Host)
	})
}

func wrong(param, expected string) *messages.Error {
	return &messages.Error{
		Code: messages.Invalid, Msg: param + " is wrong: expected " + expected,
		Detail: messages.ParamDetail{Param: param, Expected: expected},
	}
}

func validPatterns(list []string) bool {
	return len(list) <= maxPatterns && !slices.ContainsFunc(list, func(p string) bool { return p == "" || len(p) > maxPattern })
}

// checkHeaders refuses what would break the exchange or say what the session
// itself knows: its cookies, its origin, its user agent.
func checkHeaders(headers []messages.Header) *messages.Error {
	size := 0
	for _, h := range headers {
		size += len(h.Name) + len(h.Value)
		if !httpguts.ValidHeaderFieldName(h.Name) || !httpguts.ValidHeaderFieldValue(h.Value) {
			return wrong("headers", "names and values that HTTP allows (RFC 9110 §5)")
		}
		if forbiddenHeader(strings.ToLower(h.Name)) {
			return wrong("headers", "headers other than "+h.Name+", which is not a session's to set")
		}
	}
	if len(headers) > maxHeaders || size > maxHeaderBytes {
		return wrong("headers", "at most 64 headers of 16 KiB together")
	}
	return nil
}

// forbiddenHeader: those of Fetch, "forbidden request-header", that are about
// the connection or forge who asks, and those that have members of their own.
func forbiddenHeader(name string) bool {
	switch name {
	case "accept-encoding", "connection", "content-length", "content-type", "cookie", "cookie2", "expect", "host", "keep-alive",
		"origin", "referer", "te", "trailer", "transfer-encoding", "upgrade", "via", "user-agent", "accept-language":
		return true
	}
	return strings.HasPrefix(name, "proxy-") || strings.HasPrefix(name, "sec-")
}

// profileOf is what the pages of a session need of it.
func profileOf(id messages.SessionID, n messages.Network, jar *cookie.Jar) *engine.Profile {
	header := make(http.Header, len(n.Headers))
	for _, h := range n.Headers {
		header.Add(h.Name, h.Value)
	}
	return &engine.Profile{
		Session: string(id), UserAgent: n.UserAgent, AcceptLanguage: policy.AcceptLanguage(n.Locale), Jar: jar,
		Network: engine.Network{Header: header, Offline: n.Offline, Proxy: n.Proxy, NoProxy: n.NoProxy, Blocked: n.Blocked},
	}
}
