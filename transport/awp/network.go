package awp

import (
	"encoding/json"
	"net/url"

	"plasmate/messages"
)

// decodeSetNetwork reads session.set_network: what is absent stays as it is.
func decodeSetNetwork(p *params) (messages.SessionID, messages.SetNetwork) {
	m := messages.SetNetwork{
		UserAgent: pointer(p, "user_agent", p.optionalString),
		Locale:    pointer(p, "locale", p.optionalString),
		Offline:   pointer(p, "offline", p.optionalBool),
		Proxy:     pointer(p, "proxy", p.optionalString),
		NoProxy:   pointer(p, "proxy_bypass", p.optionalStrings),
		Blocked:   pointer(p, "blocked_urls", p.optionalStrings),
		Headers:   pointer(p, "headers", func(name string) []messages.Header { return decodeHeaders(p, name) }),
	}
	return p.session(), m
}

// pointer is nil where the member is absent.
func pointer[T any](p *params, name string, read func(string) T) *T {
	if !p.has(name) {
		return nil
	}
	v := read(name)
	return &v
}

// decodeHeaders reads an object whose values are strings, in its order.
func decodeHeaders(p *params, name string) []messages.Header {
	var values map[string]string
	if json.Unmarshal(p.fields[name], &values) != nil {
		p.fault(name, "object of strings")
		return nil
	}
	headers := make([]messages.Header, 0, len(values))
	for _, n := range memberNames(p.fields[name]) {
		headers = append(headers, messages.Header{Name: n, Value: values[n]})
	}
	return headers
}

// networkResult says how the session reaches the web now. Values of headers
// and a proxy's password are secrets and not read back.
type networkResult struct {
	UserAgent string   `json:"user_agent"`
	Locale    string   `json:"locale"`
	Headers   []string `json:"header_names"`
	Offline   bool     `json:"offline"`
	Proxy     string   `json:"proxy,omitempty"`
	NoProxy   []string `json:"proxy_bypass,omitempty"`
	Blocked   []string `json:"blocked_urls,omitempty"`
}

func encodeNetworkSet(a messages.NetworkSet) networkResult {
	r := networkResult{
		UserAgent: a.UserAgent, Locale: a.Locale, Headers: []string{}, Offline: a.Offline,
		Proxy: redactedProxy(a.Proxy), NoProxy: a.NoProxy, Blocked: a.Blocked,
	}
	for _, h := range a.Headers {
		r.Headers = append(r.Headers, h.Name)
	}
	return r
}

func redactedProxy(proxy string) string {
	u, err := url.Parse(proxy)
	if err != nil {
		return ""
	}
	return u.Redacted()
}
