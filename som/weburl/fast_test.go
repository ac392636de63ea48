package weburl

import (
	"math/rand/v2"
	"testing"
)

func bases() []string {
	return []string{
		"http://a.test/d/e/f.html?k=1#z", "https://a.test:8443", "http://a.test//", "http://u:p@a.test/x/",
		"http://127.0.0.1:8080/a//b", "file:///C:/a/b", "mailto:x", "about:blank", "foo://h/a/b?q", "https://a.test/%2e/a%2fb/",
	}
}

// same fails if the fast path answers and the full parser answers otherwise.
func same(t *testing.T, b *URL, ref string) {
	t.Helper()
	for _, c := range []struct {
		base *base
		u    *URL
	}{{newBase(b), b}, {&base{}, nil}} {
		fast, ok := c.base.fastJoin(nil, ref)
		if !ok {
			continue
		}
		slow, base := "", ""
		var err error
		if c.u == nil {
			var u *URL
			if u, err = slowURL(ref); err == nil {
				slow = u.String()
			}
		} else {
			base = c.u.String()
			var u *URL
			if u, err = slowJoin(base, ref); err == nil {
				slow = u.String()
			}
		}
		if err != nil || slow != fast {
			t.Fatalf("join %q to %q: fast path %q, full parser %q, %v", ref, base, fast, slow, err)
		}
	}
}

func slowURL(s string) (*URL, error) {
	u, err := slowParse(s)
	if err != nil {
		return nil, err
	}
	return index(u.Href(false)), nil
}

// pieces of which hrefs are made; glued at random they hit the borders between
// what the fast path takes and what it leaves.
func pieces() []string {
	return []string{
		"http:", "https:", "HTTP:", "ftp:", "mailto:", "data:", "javascript:", "tel:", "x:", "//", "/", "\\", "?", "#", "..", ".",
		"%2e", "%2E", "%", "%zz", "%41", ":", "@", "a.test", "b", "A", "xn--zca", "a-b", "1.2.3.4", "0x1", "1", "08", "255.255.255.255", "256",
		":80", ":443", ":8080", ":0", ":080", "[::1]", " ", "\t", "\n", "ü", "日", "\xff", "\x00", "'", "\"", "<", "`", "{", "^", "|", "&=+", ";,!", "~", "\x7f", "a b",
	}
}

func TestFastPathIsTheFullParser(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := pieces()
	all := bases()
	for range 60_000 {
		b, err := Parse(all[r.IntN(len(all))])
		if err != nil {
			t.Fatal(err)
		}
		ref := ""
		for range 1 + r.IntN(7) {
			ref += p[r.IntN(len(p))]
		}
		same(t, b, ref)
	}
}

func FuzzFastPath(f *testing.F) {
	for _, b := range bases() {
		for _, p := range pieces() {
			f.Add(b, p)
		}
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		if len(base)+len(ref) > 1<<12 {
			return
		}
		b, err := Parse(base)
		if err != nil {
			return
		}
		if again, err := Parse(b.String()); err != nil || again.String() != b.String() {
			t.Fatalf("%q does not parse as itself: %v", b, err)
		}
		same(t, b, ref)
		r := NewResolver(base)
		abs, ok := r.Resolve(ref)
		u, err := b.Join(ref)
		if ok != (err == nil) || ok && abs != u.String() {
			t.Fatalf("resolve %q against %q: %q, %v; join: %v", ref, base, abs, ok, err)
		}
	})
}

func benchmarkHrefs() []string {
	return []string{
		"https://en.wikipedia.org/wiki/URL", "/wiki/Uniform_Resource_Identifier", "#cite_note-3", "?page=2", "../img/a.png", "article.html",
		"https://a.test", "//cdn.test/x.js?v=1", "mailto:x@y.test", "/search?q=a%20b&lang=en#top",
	}
}

func BenchmarkResolve(b *testing.B) {
	r := NewResolver("https://www.a.test/docs/guide/index.html")
	hrefs := benchmarkHrefs()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, ok := r.Resolve(hrefs[i%len(hrefs)]); !ok {
			b.Fatal("no URL")
		}
	}
}

func BenchmarkResolveFullParser(b *testing.B) {
	base, err := slowParse("https://www.a.test/docs/guide/index.html")
	if err != nil {
		b.Fatal(err)
	}
	hrefs := benchmarkHrefs()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := slowJoinTo(base, hrefs[i%len(hrefs)]); err != nil {
			b.Fatal(err)
		}
	}
}
