package awp

import (
	"math"
	"time"

	"plasmate/messages"
)

// wireCookie is a cookie as session.cookies.get and .set have it.
type wireCookie struct {
	Name        string   `json:"name"`
	Value       string   `json:"value"`
	Domain      string   `json:"domain"`
	HostOnly    bool     `json:"host_only"`
	Path        string   `json:"path"`
	Expires     *float64 `json:"expires,omitempty"` // seconds since 1970; absent: until the session ends
	Secure      bool     `json:"secure"`
	HTTPOnly    bool     `json:"http_only"`
	SameSite    string   `json:"same_site,omitempty"`
	Partitioned bool     `json:"partitioned,omitempty"`
}

func decodeGetCookies(p *params) (messages.SessionID, messages.GetCookies) {
	return p.session(), messages.GetCookies{URL: p.optionalString("url")}
}

type getCookiesResult struct {
	Cookies []wireCookie `json:"cookies"`
}

func encodeCookiesGot(a messages.CookiesGot) getCookiesResult {
	r := getCookiesResult{Cookies: make([]wireCookie, len(a.Cookies))}
	for i, c := range a.Cookies {
		r.Cookies[i] = wireCookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, HostOnly: c.HostOnly, Path: c.Path,
			Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite, Partitioned: c.Partitioned,
		}
		if !c.Expires.IsZero() {
			s := float64(c.Expires.UnixMilli()) / 1000
			r.Cookies[i].Expires = &s
		}
	}
	return r
}

func decodeSetCookies(p *params) (messages.SessionID, messages.SetCookies) {
	session := p.session()
	if !p.has("cookies") {
		p.fault("cookies", "array of cookies")
	}
	var m messages.SetCookies
	for _, c := range p.objects("cookies") {
		m.Cookies = append(m.Cookies, decodeCookie(c))
		p.adopt(c)
	}
	return session, m
}

func decodeCookie(c *params) messages.Cookie {
	cookie := messages.Cookie{
		Name: c.string("name"), Value: c.optionalString("value"), Domain: c.string("domain"),
		HostOnly: c.optionalBool("host_only"), Path: c.optionalString("path"),
		Secure: c.optionalBool("secure"), HTTPOnly: c.optionalBool("http_only"),
		SameSite: c.optionalString("same_site"), Partitioned: c.optionalBool("partitioned"),
	}
	if c.has("expires") {
		s := c.optionalNumber("expires")
		if math.Abs(s) > 1e11 {
			c.fault("expires", "seconds since 1970")
		}
		cookie.Expires = time.UnixMilli(int64(s * 1000))
	}
	return cookie
}

type setCookiesResult struct {
	Set int `json:"set"`
}

func encodeCookiesSet(a messages.CookiesSet) setCookiesResult { return setCookiesResult(a) }

func decodeClearCookies(p *params) (messages.SessionID, messages.ClearCookies) {
	return p.session(), messages.ClearCookies{
		Name: p.optionalString("name"), Domain: p.optionalString("domain"), Path: p.optionalString("path"),
	}
}

type clearCookiesResult struct {
	Removed int `json:"removed"`
}

func encodeCookiesCleared(a messages.CookiesCleared) clearCookiesResult { return clearCookiesResult(a) }
