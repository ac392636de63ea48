package awp_test

import (
	"mime"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files go out only from --upload-dir.
func TestUploads(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "hello", "sub/b.png": "\x89PNG"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	form := page(`<form method=post enctype=multipart/form-data action=/up><input type=file id=f name=f><input type=file multiple id=m name=m><button id=b>go</button></form>`)
	site := newSite(t, pagesAt(map[string]reply{"/p": form}))
	a := newAgent(t, site, "--upload-dir", dir)
	a.mustLoad("http://a.test/p")
	upload := func(css string, value any) map[string]any {
		return map[string]any{"action": "upload", "target": map[string]string{"css": css}, "value": value}
	}
	for _, bad := range []map[string]any{
		upload("#f", "../"+filepath.Base(dir)+"/a.txt"), upload("#f", "/etc/hostname"), upload("#f", "out"), upload("#f", "sub"),
		upload("#f", "missing.txt"), upload("#f", []string{"a.txt", "sub/b.png"}), upload("#b", "a.txt"),
	} {
		if _, err := a.act(bad); err == nil || err.Code != "INVALID_REQUEST" {
			t.Errorf("%v: %v, want INVALID_REQUEST", bad, err)
		}
	}
	for _, good := range []map[string]any{upload("#f", "a.txt"), upload("#m", []string{filepath.Join(dir, "a.txt"), "sub/b.png"})} {
		if _, err := a.act(good); err != nil {
			t.Fatalf("%v: %v %s", good, err, err.Details)
		}
	}
	site.requests()
	if _, err := a.act(map[string]any{"action": "click", "target": map[string]string{"css": "#b"}}); err != nil {
		t.Fatal(err)
	}
	r := site.requests()[0]
	_, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	sent, err := multipart.NewReader(strings.NewReader(r.body), params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for name, files := range sent.File {
		for _, f := range files {
			got[name] = append(got[name], f.Filename+" "+f.Header.Get("Content-Type"))
		}
	}
	want := map[string][]string{"f": {"a.txt text/plain"}, "m": {"a.txt text/plain", "b.png image/png"}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("files, got - want +\n%s", diff)
	}

	b := newAgent(t, site)
	b.mustLoad("http://a.test/p")
	if _, err := b.act(upload("#f", filepath.Join(dir, "a.txt"))); err == nil || !strings.Contains(err.Message, "--upload-dir") {
		t.Errorf("without --upload-dir: %v, want it named", err)
	}
}

// What is no page is described, and saved in --download-dir only.
func TestDownloads(t *testing.T) {
	dir := t.TempDir()
	attachment := reply{status: 200, header: map[string]string{"content-type": "text/csv", "content-disposition": `attachment; filename="../r.csv"`}, body: []byte("a,b")}
	site := newSite(t, pagesAt(map[string]reply{"/p": page(`<title>P</title><a id=a href=/r>report</a>`), "/r": attachment}))
	for _, tt := range []struct {
		args    []string
		savedAs string
	}{{nil, ""}, {[]string{"--download-dir", dir}, "r.csv"}} {
		a := newAgent(t, site, tt.args...)
		a.mustLoad("http://a.test/p")
		_, err := a.act(map[string]any{"action": "click", "target": map[string]string{"css": "#a"}})
		if err == nil || err.Code != "NAVIGATION_FAILED" {
			t.Fatalf("%v: %v, want NAVIGATION_FAILED", tt.args, err)
		}
		f := factsOf(t, err)
		if d := f.Download; f.Reason != "content_type" || d == nil || d.Name != "r.csv" || d.Type != "text/csv" || d.Size != 3 || d.SavedAs != tt.savedAs {
			t.Errorf("%v: details %s", tt.args, err.Details)
		}
		if som := a.observe(); som.Title != "P" {
			t.Errorf("%v: the page is %q, want it as it was", tt.args, som.Title)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "r.csv")); err != nil || string(got) != "a,b" {
		t.Errorf("saved %q, %v", got, err)
	}
}

// What an external sheet hides is hidden, if sheets are asked for.
func TestStyles(t *testing.T) {
	site := newSite(t, pagesAt(map[string]reply{
		"/p":     page(`<link rel=stylesheet href=/a.css><p class=x>unseen</p><p>seen</p><a class=x href=/no>no</a>`),
		"/a.css": {status: 200, header: map[string]string{"content-type": "text/css"}, body: []byte(".x{display:none}")},
	}))
	for _, tt := range []struct {
		args []string
		want bool
	}{{nil, true}, {[]string{"--styles"}, false}} {
		a := newAgent(t, site, tt.args...)
		a.mustLoad("http://a.test/p")
		if text := a.text("text"); strings.Contains(text, "unseen") != tt.want || !strings.Contains(text, "seen") {
			t.Errorf("%v: %q", tt.args, text)
		}
	}
}
