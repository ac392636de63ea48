package fetch

import (
	"testing"

	"plasmate/fetch/cookie"
	"plasmate/policy"
	"plasmate/som/weburl"
)

// FuzzFollow plays a server that redirects twice, with any Location, cookies
// and policy: the chain ends, every request is for http or https, nothing of
// Authorization leaves its origin, and no header can be split.
func FuzzFollow(f *testing.F) {
	f.Add("http://a.test/#f", "POST", 307, "//b.test/x", "sid=1; Domain=test", "no-referrer, origin", 302, "/")
	f.Add("https://u:p@a.test/", "GET", 302, " \\\\c.test\\..\\ü", "__Host-a=1; Path=/; Secure", "bogus", 303, "javascript:1")
	f.Add("http://a.test/", "PUT", 308, "http://[", "", "", 301, "data:,x")
	f.Fuzz(func(t *testing.T, url, method string, s1 int, loc1, setCookie, policyHeader string, s2 int, loc2 string) {
		n, origin := 0, ""
		ex := exchangeFunc(func(_ ctx, r *Request) (*Response, error) {
			u, err := weburl.Parse(r.URL)
			if err != nil || !policy.Scheme(u.Scheme()) || u.HasFragment() {
				t.Fatalf("request for %q: %v", r.URL, err)
			}
			if n == 0 {
				origin = u.Origin()
			} else if u.Origin() != origin && r.Header.Get("Authorization") != "" {
				t.Fatalf("Authorization went to %s", r.URL)
			}
			for name, values := range r.Header {
				for _, v := range values {
					for i := range len(v) {
						if v[i] == '\r' || v[i] == '\n' || v[i] == 0 {
							t.Fatalf("%s: %q", name, v)
						}
					}
				}
			}
			h := header("Set-Cookie", setCookie, "Referrer-Policy", policyHeader)
			switch n++; n {
			case 1:
				h.Set("Location", loc1)
				return &Response{Status: s1, Header: h}, nil
			case 2:
				h.Set("Location", loc2)
				return &Response{Status: s2, Header: h}, nil
			}
			return &Response{Status: 200, Header: h}, nil
		})
		resp, hops, err := Follow(t.Context(), ex, Navigation{
			URL: url, Method: method, Body: []byte("x"), Header: header("Authorization", "secret"),
			Jar: new(cookie.Jar), Referrer: "https://a.test/page?q#f",
		})
		if (resp == nil) == (err == nil) || len(hops) > 3 {
			t.Fatalf("%v, %v, %d hops", resp, err, len(hops))
		}
		var e *Error
		if err != nil && (!asError(err, &e) || e.Reason == "" || e.Msg == "") {
			t.Fatalf("error %#v", err)
		}
	})
}

func FuzzParseHostRule(f *testing.F) {
	for _, s := range []string{"*.test=127.0.0.1:8080", "a=[::1]", "*=::", "=", "a=1.2.3.4:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseHostRule(s)
		if err != nil {
			return
		}
		again, err := ParseHostRule(r.String())
		if err != nil || again != r {
			t.Fatalf("%q: %v, then %v %v", s, r, again, err)
		}
	})
}
