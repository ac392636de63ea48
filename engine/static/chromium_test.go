package static_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/fetch/cookie"
)

// pair is one page and a click on #b in it, after clicks on other elements.
type pair struct {
	name, charset, html string
	clicks              string // ids, separated by spaces
	// expected says why the two engines may differ here; such pairs are listed, not failed.
	expected string
}

// asked is what of a request must be the same in both engines.
type asked struct{ Line, Type, Body, Referer, Origin, Cookie string }

var boundary = regexp.MustCompile(`----WebKitFormBoundary[A-Za-z0-9]{16}`)

func requestOf(r request) asked {
	h := r.header
	return asked{
		Line: r.line, Type: boundary.ReplaceAllString(h.Get("Content-Type"), "BOUNDARY"),
		Body:    boundary.ReplaceAllString(r.body, "BOUNDARY"),
		Referer: h.Get("Referer"), Origin: h.Get("Origin"), Cookie: h.Get("Cookie"),
	}
}

// arena serves pair N at http://cN.m.test/p, once, with a cookie, and everything
// else as a small page, a redirect at /rSTATUS.
func arena(t *testing.T, pairs []pair, script func(pair) string) *site {
	var served sync.Map // by host
	return newSite(t, func(r *http.Request) *answer {
		host, _, _ := strings.Cut(r.Host, ".")
		var n int
		if _, err := fmt.Sscanf(host, "c%d", &n); err != nil || n >= len(pairs) {
			return driver(r, pairs)
		}
		var status int
		if _, err := fmt.Sscanf(r.URL.Path, "/r%d", &status); err == nil {
			return &answer{status: status, header: map[string]string{"Location": "/end?x"}}
		}
		if r.URL.Path != "/p" {
			return nil
		}
		if _, again := served.LoadOrStore(host, true); again {
			return nil
		}
		header := map[string]string{"Content-Type": "text/html; charset=" + cmp.Or(pairs[n].charset, "utf-8")}
		if n%4 == 0 { // Chromium keeps no more than 180 cookies of one site
			header["Set-Cookie"] = "sid=" + host + "; Path=/"
		}
		return &answer{body: script(pairs[n]) + pairs[n].html, header: header}
	})
}

// driver is the page that holds all pairs in frames.
func driver(r *http.Request, pairs []pair) *answer {
	if r.URL.Path != "/all" {
		return nil
	}
	var b strings.Builder
	for i := range pairs {
		fmt.Fprintf(&b, "<iframe src=http://c%d.m.test/p?k=1></iframe>", i)
	}
	return &answer{body: b.String()}
}

// byHost sorts requests by pair, leaving out the loads of the pages themselves.
func byHost(got []request) map[string][]asked {
	m := map[string][]asked{}
	first := map[string]bool{}
	for _, r := range got {
		_, target, _ := strings.Cut(r.line, " ")
		host, path, _ := strings.Cut(target, "/")
		if path == "p?k=1" && !first[host] {
			first[host] = true
			continue
		}
		if path != "favicon.ico" && strings.HasPrefix(host, "c") {
			m[host] = append(m[host], requestOf(r))
		}
	}
	return m
}

// The same clicks in Chromium and here must send the same requests, byte for byte.
func TestRequestsAreThoseOfChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Chromium")
	}
	bin, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here to compare with")
	}
	pairs := matrix()
	want := inChromium(t, bin, pairs)
	got := inStatic(t, pairs)
	same := 0
	for i, c := range pairs {
		host := fmt.Sprintf("c%d.m.test", i)
		diff := gocmp.Diff(want[host], got[host])
		switch {
		case diff == "":
			same++
			if c.expected != "" {
				t.Errorf("%s: no difference any more (%s)", c.name, c.expected)
			}
		case c.expected != "":
			t.Logf("%s differs as expected: %s", c.name, c.expected)
		default:
			t.Errorf("%s (-chromium +static):\n%s\n%s", c.name, diff, c.html)
		}
	}
	t.Logf("%d of %d pairs send the same requests", same, len(pairs))
}

func inChromium(t *testing.T, bin string, pairs []pair) map[string][]asked {
	t.Helper()
	s := arena(t, pairs, func(c pair) string {
		return `<script>addEventListener('load',()=>setTimeout(()=>{for(let i of '` + c.clicks + ` b'.trim().split(/ +/)){let e=document.getElementById(i);` +
			`e.click?e.click():e.dispatchEvent(new MouseEvent('click',{bubbles:true,cancelable:true,composed:true}))}}))</script>`
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "--headless", "--no-sandbox", "--disable-gpu", "--disable-popup-blocking",
		"--user-data-dir="+t.TempDir(), "--host-resolver-rules=MAP * "+s.rule.Addr.String()+":"+fmt.Sprint(s.rule.Port),
		"--disable-features=HttpsUpgrades,HttpsFirstBalancedMode", "--virtual-time-budget=20000", "--dump-dom", "http://d.m.test/all")
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("chromium: %v\n%.500s", err, out)
	}
	return byHost(s.take())
}

func inStatic(t *testing.T, pairs []pair) map[string][]asked {
	t.Helper()
	// The script stands here too, so that both engines see the same tree.
	s := arena(t, pairs, func(pair) string { return `<script></script>` })
	client, err := fetch.New(fetch.Config{Resolve: []fetch.HostRule{s.rule}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := static.New(static.Config{Exchanger: client})
	for i, c := range pairs {
		p := tab{t, e.NewPage(engine.Profile{Jar: &cookie.Jar{}})}
		p.load(fmt.Sprintf("http://c%d.m.test/p?k=1", i))
		for _, id := range append(strings.Fields(c.clicks), "b") {
			if _, err := p.act(engine.Click, "#"+id); err != nil && !refusedAsInvalid(err) {
				t.Logf("%s: %v", c.name, err)
			}
		}
	}
	return byHost(s.take())
}

func refusedAsInvalid(err error) bool {
	return slices.Contains([]string{"invalid", "disabled"}, reason(err))
}
