package awp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSetNetwork changes one thing after the other and looks at the next request.
func TestSetNetwork(t *testing.T) {
	site := newSite(t, pagesAt(map[string]reply{
		"/p": page(`<a id=own href=/own>own</a><a id=other href=http://b.test/x>other</a><a id=ads href=/ads/1>ads</a>`),
	}))
	a := newAgent(t, site)
	set := func(params map[string]any) json.RawMessage {
		t.Helper()
		var r json.RawMessage
		a.must("session.set_network", params, &r)
		return r
	}
	sent := func() seenRequest {
		t.Helper()
		site.requests()
		a.mustLoad("http://a.test/p")
		return site.requests()[0]
	}

	got := set(map[string]any{"user_agent": "agent/1", "locale": "de-DE", "headers": map[string]string{"X-Team": "red", "Authorization": "Bearer t0p"}})
	want := `{"user_agent":"agent/1","locale":"de-DE","header_names":["Authorization","X-Team"],"offline":false}`
	if diff := cmp.Diff(string(got), want); diff != "" {
		t.Errorf("result, got - want +\n%s", diff)
	}
	r := sent()
	for name, value := range map[string]string{
		"User-Agent": "agent/1", "Accept-Language": "de-DE,de;q=0.9", "X-Team": "red", "Authorization": "Bearer t0p",
	} {
		if v := r.header.Get(name); v != value {
			t.Errorf("%s is %q, want %q", name, v, value)
		}
	}

	// A document takes credentials along within its origin only.
	for id, want := range map[string]string{"#own": "Bearer t0p", "#other": ""} {
		sent()
		if _, err := a.act(map[string]any{"action": "click", "target": map[string]string{"css": id}}); err != nil {
			t.Fatal(err)
		}
		if r := site.requests()[0]; r.header.Get("Authorization") != want || r.header.Get("X-Team") != "red" {
			t.Errorf("%s: %v, want Authorization %q", r.line, r.header, want)
		}
	}

	// What is absent stays; an empty object takes all away.
	set(map[string]any{"locale": ""})
	if r := sent(); r.header.Get("X-Team") != "red" || r.header.Get("Accept-Language") != "en-US,en;q=0.9" {
		t.Errorf("%v, want the team and the default locale", r.header)
	}
	set(map[string]any{"headers": map[string]string{}})
	if r := sent(); r.header.Get("X-Team") != "" {
		t.Errorf("%v, want no team", r.header)
	}

	set(map[string]any{"blocked_urls": []string{"*://*/ads/*", "http://c.test/exact"}})
	sent()
	_, err := a.act(map[string]any{"action": "click", "target": map[string]string{"css": "#ads"}})
	wantClass(t, "a blocked pattern", err, "blocked_address")
	_, err = a.load("http://c.test/exact")
	wantClass(t, "a blocked URL", err, "blocked_address")
	a.mustLoad("http://c.test/exact/not")

	set(map[string]any{"offline": true})
	site.requests()
	if _, err := a.load("http://a.test/p"); err == nil || factsOf(t, err).Cause != "offline" {
		t.Errorf("offline: %v", err)
	}
	a.mustLoad("data:text/html,<title>here</title>")
	set(map[string]any{"offline": false})
	if n := len(site.requests()); n != 0 {
		t.Errorf("%d requests while offline", n)
	}
	sent()
}

// TestSetNetworkRefuses what is no session's to set; nothing is changed by it.
func TestSetNetworkRefuses(t *testing.T) {
	a := newAgent(t, newSite(t, pagesAt(nil)))
	for _, tt := range []struct {
		param string
		value any
	}{
		{"headers", map[string]string{"Host": "b.test"}},
		{"headers", map[string]string{"Cookie": "a=1"}},
		{"headers", map[string]string{"origin": "http://b.test"}},
		{"headers", map[string]string{"Sec-Fetch-Site": "none"}},
		{"headers", map[string]string{"X": "a\r\nY: b"}},
		{"headers", map[string]string{"not a token": "a"}},
		{"headers", map[string]string{"X": strings.Repeat("a", 20_000)}},
		{"headers", []string{"X: a"}},
		{"user_agent", "a\nb"},
		{"locale", "not a locale"},
		{"proxy", "ftp://p.test"},
		{"proxy", "http://p.test/path"},
		{"proxy_bypass", []string{""}},
		{"proxy", "http://127.0.0.1:6379"},
		{"proxy_bypass", []string{""}},
		{"blocked_urls", []string{""}},
		{"offline", "yes"},
	} {
		var before, after json.RawMessage
		a.must("session.set_network", nil, &before)
		err := a.call("session.set_network", map[string]any{tt.param: tt.value, "user_agent2": "x"}, nil)
		if err == nil || err.Code != "INVALID_REQUEST" || !strings.Contains(string(err.Details), `"param":"`+tt.param) {
			t.Errorf("%s %v: %v, want INVALID_REQUEST that names it", tt.param, tt.value, err)
		}
		a.must("session.set_network", nil, &after)
		if string(before) != string(after) {
			t.Errorf("%s %v changed %s to %s", tt.param, tt.value, before, after)
		}
	}
}

// TestSessionProxy goes through the proxy that the session chose, among those
// that the server allows, but for the hosts of its bypass list.
func TestSessionProxy(t *testing.T) {
	origin := newSite(t, pagesAt(map[string]reply{"/": page("<title>direct</title>")}))
	proxy := newSite(t, func(r seenRequest) reply { return page("<title>proxied</title>") })
	// Names of --resolve go direct: proxied hosts are others.
	a := newAgent(t, origin, "--session-proxy", "http://"+proxy.addr)
	set := func(params map[string]any) {
		t.Helper()
		a.must("session.set_network", params, nil)
	}
	set(map[string]any{"proxy": "http://me:s3cret@" + proxy.addr, "proxy_bypass": []string{"*.bypass.example", "bypass.test"}})
	var shown struct{ Proxy string }
	a.must("session.set_network", nil, &shown)
	if shown.Proxy != "http://me:xxxxx@"+proxy.addr {
		t.Errorf("the proxy is shown as %q", shown.Proxy)
	}
	if p := a.mustLoad("http://plain.example/x"); p.Title != "proxied" {
		t.Errorf("by proxy: %+v", p)
	}
	r := proxy.requests()[0]
	if r.line != "GET plain.examplehttp://plain.example/x" || r.header.Get("Proxy-Authorization") != "Basic bWU6czNjcmV0" {
		t.Errorf("the proxy saw %s with %q", r.line, r.header.Get("Proxy-Authorization"))
	}
	if p := a.mustLoad("http://bypass.test/"); p.Title != "direct" {
		t.Errorf("past the proxy: %+v", p)
	}
	set(map[string]any{"proxy": "direct"})
	if p := a.mustLoad("http://a.test/"); p.Title != "direct" {
		t.Errorf("direct: %+v", p)
	}
	if n := len(proxy.requests()); n != 0 {
		t.Errorf("the proxy saw %d more requests", n)
	}
}
