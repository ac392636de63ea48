package actors

import (
	"time"

	"plasmate/fetch/cookie"
	"plasmate/messages"
)

// cookieRequest answers the requests about a session's cookies; false for others.
func cookieRequest(jar *cookie.Jar, message any, now time.Time) (value any, err *messages.Error, ok bool) {
	switch m := message.(type) {
	case messages.GetCookies:
		return getCookies(jar, m, now), nil, true
	case messages.SetCookies:
		if err := setCookies(jar, m, now); err != nil {
			return nil, err, true
		}
		return messages.CookiesSet{Set: len(m.Cookies)}, nil, true
	case messages.ClearCookies:
		return messages.CookiesCleared{Removed: jar.Remove(m.Name, m.Domain, m.Path)}, nil, true
	}
	return nil, nil, false
}

func getCookies(jar *cookie.Jar, m messages.GetCookies, now time.Time) messages.CookiesGot {
	list := jar.All(now)
	if m.URL != "" {
		list = jar.Get(m.URL, now)
	}
	got := messages.CookiesGot{Cookies: make([]messages.Cookie, len(list))}
	for i, c := range list {
		got.Cookies[i] = messages.Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, HostOnly: c.HostOnly, Path: c.Path, Expires: c.Expires,
			Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: string(c.SameSite), Partitioned: c.Partitioned, Created: c.Created,
		}
	}
	return got
}

// setCookies sets all or none: they are tried on an empty jar first.
func setCookies(jar *cookie.Jar, m messages.SetCookies, now time.Time) *messages.Error {
	list := make([]cookie.Cookie, len(m.Cookies))
	for i, c := range m.Cookies {
		list[i] = cookie.Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, HostOnly: c.HostOnly, Path: c.Path, Expires: c.Expires,
			Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: cookie.SameSite(c.SameSite), Partitioned: c.Partitioned, Created: c.Created,
		}
	}
	for _, target := range []*cookie.Jar{new(cookie.Jar), jar} {
		if err := target.Import(list, now); err != nil {
			return &messages.Error{
				Code: messages.Invalid, Msg: err.Error(), Err: err,
				Detail: messages.ParamDetail{Param: "cookies", Expected: "cookies that a server could set"},
			}
		}
	}
	return nil
}
