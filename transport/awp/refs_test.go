package awp_test

import (
	"slices"
	"testing"

	"plasmate/clients/awp"
)

// An id is made of origin, role, name and place, so that another page may have
// the same one. It is good there for who goes there by address, or has looked;
// not for who was led there by a click.
func TestReferencesOfEarlierPages(t *testing.T) {
	const body = `<form method=post action=/did><button id=b>Delete</button></form><a id=go href=/two>go</a><a id=next href=?page=2>next</a>`
	site := newSite(t, pagesAt(map[string]reply{"/one": page(body), "/two": page(body), "/three": page("<p>nothing like it")}))
	a := newAgent(t, site)
	click := func(target map[string]any) (actedOn, *awp.Error) {
		t.Helper()
		return a.act(map[string]any{"action": "click", "target": target})
	}
	start := func() (button, link, next string) {
		t.Helper()
		a.mustLoad("http://a.test/one")
		som := a.observe()
		return som.byHTMLID("b").ID, som.byHTMLID("go").ID, som.byHTMLID("next").ID
	}
	last := func() string { return lineOf(site.requests())[0] }

	ref, link, next := start()
	if _, err := click(map[string]any{"ref": link}); err != nil {
		t.Fatal(err)
	}
	site.requests()
	_, err := click(map[string]any{"ref": ref})
	wantClass(t, "led there by a click", err, "stale_ref")
	if got := a.observe().byHTMLID("b").ID; got != ref {
		t.Fatalf("the button is %s, want %s as on the page before", got, ref)
	}
	if _, err := click(map[string]any{"ref": ref}); err != nil || last() != "POST a.test/did" {
		t.Errorf("after a look: %v", err)
	}

	start()
	a.mustLoad("http://a.test/two")
	site.requests()
	if _, err := click(map[string]any{"ref": ref}); err != nil || last() != "POST a.test/did" {
		t.Errorf("by address: %v", err)
	}

	start()
	for range 2 { // the same page, another query
		if _, err := click(map[string]any{"ref": next}); err != nil {
			t.Errorf("next: %v", err)
		}
	}

	start()
	a.mustLoad("http://a.test/three")
	site.requests()
	wantClass(t, "observe", a.call("page.observe", map[string]any{"ref": ref}, nil), "stale_ref")
	_, err = click(map[string]any{"ref": ref, "fallback": map[string]any{"ref": link}})
	wantClass(t, "stale throughout", err, "stale_ref")
	if got, err := click(map[string]any{"ref": ref, "fallback": map[string]any{"text": "nothing like it"}}); err != nil || got.Resolved.Role != "paragraph" {
		t.Errorf("the fallback of a stale reference: %+v, %v", got, err)
	}
	if n := len(site.requests()); n != 0 {
		t.Errorf("stale references made %d requests", n)
	}
}

// awp.hello names files only where they work.
func TestFeaturesOfFiles(t *testing.T) {
	site := newSite(t, pagesAt(nil))
	for _, tt := range []struct {
		args []string
		want bool
	}{{nil, false}, {[]string{"--upload-dir", t.TempDir(), "--download-dir", t.TempDir()}, true}} {
		var r struct{ Features []string }
		newAgent(t, site, tt.args...).must("awp.hello", nil, &r)
		for _, name := range []string{"act.upload", "downloads.save"} {
			if slices.Contains(r.Features, name) != tt.want {
				t.Errorf("%q: features %q", tt.args, r.Features)
			}
		}
	}
}
