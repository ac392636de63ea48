package fetch

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/fetch/cookie"
	"plasmate/internal/testsite"
)

// shown is a request as a test compares it: the line and some headers, "-" for
// one that is not there.
func shown(r testsite.Request, names ...string) string {
	parts := []string{r.Line}
	for _, n := range names {
		v, ok := r.Header[n]
		if !ok {
			v = []string{"-"}
		}
		parts = append(parts, strings.ToLower(n)+"="+strings.Join(v, ","))
	}
	return strings.Join(append(parts, "body="+r.Body), " ")
}

func requests(s *testsite.Site, names ...string) []string {
	var out []string
	for _, r := range s.Requests() {
		out = append(out, shown(r, names...))
	}
	return out
}

// UD-001: POST then 302 then 307.
func TestFollowPostBecomesGetForGood(t *testing.T) {
	site := testsite.Start(t)
	site.Handle("a.test", "POST /login", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "sid=1; Path=/")
		w.Header().Set("Location", "/a")
		w.WriteHeader(302)
	})
	site.Redirect("a.test", "/a", 307, "/b")
	site.Page("a.test", "/b", "text/html; charset=utf-8", "<title>in</title>")
	resp, hops, err := Follow(t.Context(), newClient(t, site), Navigation{
		Method: "POST", URL: "http://a.test/login", Body: []byte("u=1"),
		ContentType: "application/x-www-form-urlencoded", Jar: new(cookie.Jar),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := requests(site, "Cookie", "Content-Type", "Content-Length")
	want := []string{
		"POST a.test/login cookie=- content-type=application/x-www-form-urlencoded content-length=3 body=u=1",
		"GET a.test/a cookie=sid=1 content-type=- content-length=- body=",
		"GET a.test/b cookie=sid=1 content-type=- content-length=- body=",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
	if resp.URL != "http://a.test/b" || resp.Status != 200 || string(resp.Body) != "<title>in</title>" {
		t.Errorf("final is %s %d %q", resp.URL, resp.Status, resp.Body)
	}
	if len(hops) != 3 || hops[0].Location != "/a" || hops[2].Status != 200 {
		t.Errorf("hops are %+v", hops)
	}
}

// UD-003: Authorization is dropped cross-origin and stays dropped; cookies
// follow the host and not the port.
func TestFollowDropsAuthorization(t *testing.T) {
	site := testsite.Start(t)
	site.Redirect("a.test", "/start", 302, "http://b.test/x")
	site.Redirect("b.test", "/x", 302, "http://a.test:8081/port")
	site.Redirect("a.test", "/port", 302, "http://a.test/back")
	site.Page("a.test", "/back", "text/html; charset=utf-8", "ok")
	jar := new(cookie.Jar)
	jar.Store("http://a.test/", []string{"sid=A; Path=/"}, now())
	_, _, err := Follow(t.Context(), newClient(t, site), Navigation{
		URL: "http://a.test/start", Header: header("authorization", "Bearer t0p"), Jar: jar,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"GET a.test/start authorization=Bearer t0p cookie=sid=A body=",
		"GET b.test/x authorization=- cookie=- body=",
		"GET a.test:8081/port authorization=- cookie=sid=A body=",
		"GET a.test/back authorization=- cookie=sid=A body=",
	}
	if d := cmp.Diff(requests(site, "Authorization", "Cookie"), want); d != "" {
		t.Error(d)
	}
}

// UD-005: a redirect to the same URL that sets a cookie is followed.
func TestFollowToItselfWithCookie(t *testing.T) {
	site := testsite.Start(t)
	site.Handle("a.test", "/", func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("s"); err != nil {
			w.Header().Set("Set-Cookie", "s=1")
			w.Header().Set("Location", "/")
			w.WriteHeader(302)
			return
		}
		fmt.Fprint(w, "<title>inside</title>")
	})
	resp, _, err := Follow(t.Context(), newClient(t, site), Navigation{URL: "http://a.test/", Jar: new(cookie.Jar)})
	if err != nil {
		t.Fatal(err)
	}
	if string(resp.Body) != "<title>inside</title>" {
		t.Errorf("body is %q", resp.Body)
	}
	if d := cmp.Diff(requests(site, "Cookie"), []string{"GET a.test/ cookie=- body=", "GET a.test/ cookie=s=1 body="}); d != "" {
		t.Error(d)
	}
}

func TestFollowMethodAndBody(t *testing.T) {
	for _, c := range []struct {
		status     int
		method     string
		wantMethod string
		wantBody   string
	}{
		{301, "POST", "GET", ""}, {302, "POST", "GET", ""}, {303, "POST", "GET", ""},
		{307, "POST", "POST", "u=1"}, {308, "POST", "POST", "u=1"},
		{301, "PUT", "PUT", "u=1"}, {302, "DELETE", "DELETE", "u=1"}, {303, "PUT", "GET", ""},
		{303, "HEAD", "HEAD", ""}, {301, "GET", "GET", ""}, {308, "GET", "GET", ""},
	} {
		t.Run(fmt.Sprint(c.status, c.method), func(t *testing.T) {
			var last *Request
			ex := script(map[string]reply{
				"http://a.test/":  {status: c.status, location: "/b"},
				"http://a.test/b": {status: 200},
			}, &last)
			nav := Navigation{URL: "http://a.test/", Method: c.method}
			if c.method != "GET" && c.method != "HEAD" {
				nav.Body, nav.ContentType = []byte("u=1"), "text/plain"
			}
			if _, _, err := Follow(t.Context(), ex, nav); err != nil {
				t.Fatal(err)
			}
			if last.Method != c.wantMethod || string(last.Body) != c.wantBody {
				t.Errorf("second request is %s %q, want %s %q", last.Method, last.Body, c.wantMethod, c.wantBody)
			}
			if got := last.Header.Get("Content-Type") != ""; got != (c.wantBody != "") {
				t.Errorf("has Content-Type: %v", got)
			}
		})
	}
}

func TestFollowLocation(t *testing.T) {
	for _, c := range []struct {
		name, from, location, want string
		status                     int
	}{
		{"the fragment is inherited", "http://a.test/#top", "/b", "http://a.test/b#top", 200},
		{"a fragment of its own wins", "http://a.test/#top", "/b#x", "http://a.test/b#x", 200},
		{"an empty fragment of its own wins", "http://a.test/#top", "/b#", "http://a.test/b#", 200},
		{"scheme-relative", "http://a.test/", "//b.test/b", "http://b.test/b", 200},
		{"spaces and bytes beyond ASCII", "http://a.test/", " /K\xc3\xa4se x ", "http://a.test/K%C3%A4se%20x", 200},
		{"bytes of an old encoding stay", "http://a.test/", "/K\xe4se", "http://a.test/K%E4se", 200},
		{"backslashes are slashes", "http://a.test/", `\b`, "http://a.test/b", 200},
		{"no Location: a response like another", "http://a.test/", "", "http://a.test/", 302},
		{"no URL in Location: a response like another", "http://a.test/", "http://[", "http://a.test/", 302},
	} {
		t.Run(c.name, func(t *testing.T) {
			ex := exchangeFunc(nil)
			n := 0
			ex = func(_ ctx, r *Request) (*Response, error) {
				if n++; n == 1 {
					h := header()
					if c.location != "" {
						h.Set("Location", c.location)
					}
					return &Response{Status: 302, Header: h}, nil
				}
				return &Response{Status: 200, Header: header()}, nil
			}
			resp, _, err := Follow(t.Context(), ex, Navigation{URL: c.from})
			if err != nil {
				t.Fatal(err)
			}
			if resp.URL != c.want || resp.Status != c.status {
				t.Errorf("final is %d %s, want %d %s", resp.Status, resp.URL, c.status, c.want)
			}
		})
	}
}

func TestFollowRefuses(t *testing.T) {
	for _, c := range []struct {
		name, location string
		reason         Reason
		hop            string
	}{
		{"file:", "file:///etc/passwd", UnsupportedScheme, "file:///etc/passwd"},
		{"javascript:", "javascript:alert(1)", UnsupportedScheme, "javascript:alert(1)"},
		{"ftp:", "ftp://b.test/x", UnsupportedScheme, "ftp://b.test/x"},
		{"data:", "data:text/html,x", UnsupportedScheme, "data:text/html,x"},
		{"itself", "/", RedirectLoop, "http://a.test/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ex := script(map[string]reply{"http://a.test/": {status: 302, location: c.location}}, nil)
			_, hops, err := Follow(t.Context(), ex, Navigation{URL: "http://a.test/", Jar: new(cookie.Jar)})
			var e *Error
			if !asError(err, &e) || e.Reason != c.reason || e.URL != c.hop || !strings.Contains(e.Msg, "a.test") {
				t.Errorf("error is %+v, want %s at %s", err, c.reason, c.hop)
			}
			if len(hops) != 1 {
				t.Errorf("%d hops, want 1", len(hops))
			}
		})
	}
}

func TestFollowLimit(t *testing.T) {
	for _, c := range []struct{ max, redirects, wantRequests int }{
		{0, 10, 11}, {0, 11, -11}, {3, 3, 4}, {3, 4, -4}, {-1, 1, -1}, {-1, 0, 1},
	} {
		n := 0
		ex := exchangeFunc(func(_ ctx, r *Request) (*Response, error) {
			n++
			if n <= c.redirects {
				return &Response{Status: 302, Header: header("Location", fmt.Sprint("/", n))}, nil
			}
			return &Response{Status: 200, Header: header()}, nil
		})
		_, _, err := Follow(t.Context(), ex, Navigation{URL: "http://a.test/", MaxRedirects: c.max})
		want := c.wantRequests
		if want < 0 {
			want = -want
			wantError(t, err, RedirectLimit, "redirect")
		} else if err != nil {
			t.Errorf("max %d, %d redirects: %v", c.max, c.redirects, err)
		}
		if n != want {
			t.Errorf("max %d, %d redirects: %d requests, want %d", c.max, c.redirects, n, want)
		}
	}
}

// Referrer Policy §8.3 and Fetch, append a request Origin header.
func TestFollowReferrer(t *testing.T) {
	const page = "https://u:p@a.test/d?q#f"
	for _, c := range []struct {
		policy, to, referer, origin string
	}{
		{"", "https://a.test/x", "https://a.test/d?q", "https://a.test"},
		{"", "https://b.test/x", "https://a.test/", "https://a.test"},
		{"", "http://a.test/x", "", "null"},
		{"nonsense", "https://b.test/x", "https://a.test/", "https://a.test"},
		{"no-referrer", "https://a.test/x", "", "null"},
		{"origin", "http://b.test/x", "https://a.test/", "https://a.test"},
		{"unsafe-url", "http://b.test/x", "https://a.test/d?q", "https://a.test"},
		{"strict-origin", "https://a.test/x", "https://a.test/", "https://a.test"},
		{"strict-origin", "http://b.test/x", "", "null"},
		{"same-origin", "https://a.test/x", "https://a.test/d?q", "https://a.test"},
		{"same-origin", "https://b.test/x", "", "null"},
		{"origin-when-cross-origin", "https://a.test/x", "https://a.test/d?q", "https://a.test"},
		{"origin-when-cross-origin", "http://b.test/x", "https://a.test/", "https://a.test"},
		{"no-referrer-when-downgrade", "https://b.test/x", "https://a.test/d?q", "https://a.test"},
		{"no-referrer-when-downgrade", "http://b.test/x", "", "null"},
	} {
		var last *Request
		ex := script(map[string]reply{c.to: {status: 200}}, &last)
		_, _, err := Follow(t.Context(), ex, Navigation{URL: c.to, Method: "POST", Referrer: page, ReferrerPolicy: c.policy})
		if err != nil {
			t.Fatal(err)
		}
		if got := last.Header.Get("Referer"); got != c.referer {
			t.Errorf("%s to %s: Referer %q, want %q", c.policy, c.to, got, c.referer)
		}
		if got := last.Header.Get("Origin"); got != c.origin {
			t.Errorf("%s to %s: Origin %q, want %q", c.policy, c.to, got, c.origin)
		}
	}
}

func TestFollowReferrerAcrossRedirects(t *testing.T) {
	var sent []string
	replies := map[string]reply{
		"https://a.test/1": {status: 307, location: "https://b.test/2"},
		"https://b.test/2": {status: 307, location: "https://c.test/3", policy: "bogus, no-referrer"},
		"https://c.test/3": {status: 200},
	}
	ex := script(replies, nil)
	seen := exchangeFunc(func(c ctx, r *Request) (*Response, error) {
		sent = append(sent, fmt.Sprintf("%s referer=%s origin=%s site=%s", r.URL, r.Header.Get("Referer"), r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")))
		return ex(c, r)
	})
	_, _, err := Follow(t.Context(), seen, Navigation{URL: "https://a.test/1", Method: "POST", Body: []byte("x"), Referrer: "https://a.test/page"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"https://a.test/1 referer=https://a.test/page origin=https://a.test site=same-origin",
		"https://b.test/2 referer=https://a.test/ origin=https://a.test site=cross-site",
		"https://c.test/3 referer= origin=null site=cross-site",
	}
	if d := cmp.Diff(sent, want); d != "" {
		t.Error(d)
	}
}

// SameSite decides by the document that navigates (RFC 6265bis §5.2).
func TestFollowSameSite(t *testing.T) {
	set := []string{"st=1; SameSite=Strict; Secure", "lx=1; SameSite=Lax; Secure", "no=1; SameSite=None; Secure"}
	for _, c := range []struct{ name, method, referrer, want string }{
		{"the user navigates", "GET", "", "st=1; lx=1; no=1"},
		{"the site itself", "POST", "https://www.a.test/", "st=1; lx=1; no=1"},
		{"another site's link", "GET", "https://b.test/", "lx=1; no=1"},
		{"another site's form", "POST", "https://b.test/", "no=1"},
		{"the same host without TLS is another site", "GET", "http://a.test/", "lx=1; no=1"},
	} {
		jar := new(cookie.Jar)
		jar.Store("https://a.test/", set, now())
		var last *Request
		ex := script(map[string]reply{"https://a.test/": {status: 200}}, &last)
		if _, _, err := Follow(t.Context(), ex, Navigation{URL: "https://a.test/", Method: c.method, Referrer: c.referrer, Jar: jar}); err != nil {
			t.Fatal(err)
		}
		if got := last.Header.Get("Cookie"); got != c.want {
			t.Errorf("%s: Cookie %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFollowHeaders(t *testing.T) {
	var last *Request
	ex := script(map[string]reply{"http://a.test/": {status: 200}}, &last)
	nav := Navigation{URL: "http://a.test/#f", Session: "s_1", UserAgent: "UA/1", AcceptLanguage: "de-DE,de;q=0.9", Header: header("X-A", "1")}
	if _, _, err := Follow(t.Context(), ex, nav); err != nil {
		t.Fatal(err)
	}
	want := header("User-Agent", "UA/1", "Accept", acceptDocument, "Accept-Language", "de-DE,de;q=0.9", "Upgrade-Insecure-Requests", "1", "X-A", "1")
	if d := cmp.Diff(last.Header, want); d != "" {
		t.Error(d)
	}
	if last.URL != "http://a.test/" || last.Session != "s_1" {
		t.Errorf("request is %+v", last)
	}
}

// The error names the hop that failed and where it was reached from.
func TestFollowNamesHop(t *testing.T) {
	for _, to := range []string{"http://169.254.169.254/", "//127.0.0.1/", "http://[::1]/", "http://10.0.0.1/"} {
		site := testsite.Start(t)
		site.Redirect("a.test", "/r", 302, to)
		_, hops, err := Follow(t.Context(), newClient(t, site), Navigation{URL: "http://a.test/r"})
		e := wantError(t, err, BlockedAddress, "connect")
		if want := "http:" + strings.TrimPrefix(to, "http:"); e.URL != want {
			t.Errorf("error names %s, want %s", e.URL, want)
		}
		if !strings.Contains(e.Msg, "--allow-private-network") || !strings.Contains(e.Msg, "a.test/r") || len(hops) != 1 {
			t.Errorf("message %q after %d hops", e.Msg, len(hops))
		}
		if !slices.Equal(site.Lines(), []string{"GET a.test/r"}) {
			t.Errorf("server saw %v", site.Lines())
		}
	}
}
