package awp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "plasmate/clients/awp"
)

// runCodings loads the same page under each content coding.
func runCodings(t *testing.T, c fieldCase) {
	var want struct {
		Outcomes []json.RawMessage `json:"outcomes"`
		Page     struct {
			Title string   `json:"title"`
			Links []string `json:"links"`
		} `json:"page"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		site := serveVariant(t, v)
		a := newAgent(t, site)
		got, err := a.load(v.URL)
		for _, coding := range strings.Split(site.requests()[0].header.Get("Accept-Encoding"), ",") {
			if known := []string{"gzip", "deflate", "br", "zstd"}; !slices.Contains(known, strings.TrimSpace(coding)) {
				t.Errorf("%q is accepted, and not decoded", coding)
			}
		}
		if class := outcomeClass(want.Outcomes[i]); class != "" {
			wantClass(t, v.Name, err, class)
			continue
		}
		if err != nil || got.Title != want.Page.Title || !cmp.Equal(a.observe().links(), want.Page.Links) {
			t.Errorf("%s: %+v %v", v.Name, got, err)
		}
	}
}

// outcomeClass is the error class of an outcome; "" if it is none.
func outcomeClass(raw json.RawMessage) string {
	var o struct{ Error struct{ Class string } }
	_ = json.Unmarshal(raw, &o)
	return o.Error.Class
}

// runCutOff loads bodies that end early.
func runCutOff(t *testing.T, c fieldCase) {
	var want struct {
		Outcomes []string `json:"outcomes"`
		Partial  struct {
			Title string   `json:"title"`
			Links []string `json:"links"`
		} `json:"partial"`
		Error struct {
			Class   string `json:"class"`
			Retries int    `json:"retried_at_most"`
		} `json:"error"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		cut := v.reply(t)
		site := newSite(t, func(seenRequest) reply { return cut })
		a := newAgent(t, site)
		got, err := a.load(v.URL)
		if want.Outcomes[i] == "error" {
			wantClass(t, v.Name, err, want.Error.Class)
			if n := len(site.requests()); n > 1+want.Error.Retries {
				t.Errorf("%s: %d requests", v.Name, n)
			}
			site.use(pagesAt(nil))
			a.mustLoad(v.URL) // the session is usable
			continue
		}
		if err != nil || !got.Incomplete || got.Title != want.Partial.Title || !cmp.Equal(a.observe().links(), want.Partial.Links) {
			t.Errorf("%s: %+v %v, want it marked incomplete", v.Name, got, err)
		}
	}
}

// runKinds loads bodies of every kind. What is binary is an error that
// describes it and may save it.
func runKinds(t *testing.T, c fieldCase) {
	var want struct {
		Links []int    `json:"html_links"`
		As    []string `json:"treated_as"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		dir := t.TempDir()
		site := serveVariant(t, v)
		a := newAgent(t, site, "--download-dir", dir)
		_, err := a.load(v.URL)
		if want.As[i] == "binary" {
			wantDownload(t, v, err, dir)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v %s", v.Name, err, err.Details)
			continue
		}
		// SOM: a link in XML text is no link; the expected counts say the same.
		if got := len(a.observe().links()); got != want.Links[i] {
			t.Errorf("%s: %d links, want %d", v.Name, got, want.Links[i])
		}
		if text := a.text("text"); want.As[i] == "json" && !sameJSON(text, *v.Body) {
			t.Errorf("%s: text %q, want the JSON %q", v.Name, text, *v.Body)
		}
	}
}

// sameJSON: AWP §3 has JSON pretty-printed, so that white space may differ.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && cmp.Equal(x, y)
}

// runBlocked asks for every spelling of what must not be reached. The server
// runs in this process with a dialler that opens nothing but the site.
func runBlocked(t *testing.T, c fieldCase) {
	site := newSite(t, func(r seenRequest) reply {
		for _, red := range c.Input.Redirects {
			if "GET "+strings.TrimPrefix(red["from"], "http://") != r.line {
				continue
			}
			switch {
			case red["location"] != "":
				return reply{status: 302, header: map[string]string{"location": red["location"]}}
			case red["meta_refresh"] != "":
				return page(`<meta http-equiv=refresh content="0;url=` + red["meta_refresh"] + `">`)
			case red["form_action"] != "":
				return page(`<form action="` + red["form_action"] + `"><button>go</button></form>`)
			}
		}
		return page("ok")
	})
	s, dials := startGuarded(t, site)
	a := connect(t, s)
	for _, url := range c.Input.URLs {
		_, err := a.load(url)
		wantClass(t, url, err, "blocked_address", "blocked_scheme")
		if err != nil && factsOf(t, err).URL == "" {
			t.Errorf("%s: the hop is not named in %s", url, err.Details)
		}
	}
	for _, red := range c.Input.Redirects {
		p, err := a.load(red["from"])
		switch {
		case red["form_action"] != "":
			if err != nil {
				t.Fatal(err)
			}
			_, err = a.act(map[string]any{"action": "click", "target": map[string]string{"css": "button"}})
			wantClass(t, "form to "+red["form_action"], err, "blocked_address")
		case red["meta_refresh"] != "":
			// HTML: a refresh that fails leaves the document that asks for it.
			if err != nil || p.URL != red["from"] {
				t.Errorf("refresh to %s: %+v, %v", red["meta_refresh"], p, err)
			}
		default:
			wantClass(t, "redirect to "+red["location"], err, "blocked_address", "blocked_scheme")
			if err != nil && strings.HasPrefix(factsOf(t, err).URL, red["from"]) {
				t.Errorf("redirect to %s: the error names %s", red["location"], factsOf(t, err).URL)
			}
		}
	}
	for _, addr := range dials() {
		t.Errorf("dialled %s", addr)
	}
}

// wantDownload wants an error that describes the bytes, and the bytes unchanged.
func wantDownload(t *testing.T, v served, err *client.Error, dir string) {
	t.Helper()
	if err == nil || err.Code != "NAVIGATION_FAILED" {
		t.Errorf("%s: %v, want NAVIGATION_FAILED", v.Name, err)
		return
	}
	f := factsOf(t, err)
	want := v.reply(t)
	if f.Reason != "content_type" || f.Size != int64(len(want.body)) || f.ContentType != want.header["content-type"] || f.Download == nil {
		t.Errorf("%s: details %s", v.Name, err.Details)
		return
	}
	saved, e := os.ReadFile(filepath.Join(dir, f.Download.SavedAs))
	if e != nil || !bytes.Equal(saved, want.body) {
		t.Errorf("%s: saved %d bytes as %q (%v), want %d", v.Name, len(saved), f.Download.SavedAs, e, len(want.body))
	}
}
