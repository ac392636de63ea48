package cookie

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

var t0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// UD-051: values come back byte for byte (RFC 6265bis §5.6, §5.8.3).
func TestValuesByteForByte(t *testing.T) {
	var j Jar
	j.Store("http://www.a.test/set", []string{
		`a="x y"; Path=/`, `b=1"2; Path=/`, `c={"k":1,"v":"x"}; Path=/`, "d=p,q; Path=/", "e=; Path=/", "f = sp ; Path=/",
	}, t0)
	want := `a="x y"; b=1"2; c={"k":1,"v":"x"}; d=p,q; e=; f=sp`
	if got := j.Header("http://www.a.test/", t0); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// UD-053: paths, expiry, bad attributes.
func TestPathsAndExpiry(t *testing.T) {
	var j Jar
	j.Store("http://www.a.test/set", []string{
		"r=root; Path=/", "d=docs; Path=/docs", "q=slash; Path=/docs/", "def=default",
		"old=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "m0=1; Path=/; Max-Age=0",
		"me=1; Path=/; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "mx=1; Path=/; Max-Age=abc",
		"rel=1; Path=docs", "neg=1; Path=/; Max-Age=-5",
	}, t0)
	j.Store("http://www.a.test/x/y/z", []string{"deep=1"}, t0)
	for path, want := range map[string]string{
		"/docs":      "d=docs; r=root; def=default; me=1; mx=1; rel=1",
		"/docs/":     "q=slash; d=docs; r=root; def=default; me=1; mx=1; rel=1",
		"/docs/x":    "q=slash; d=docs; r=root; def=default; me=1; mx=1; rel=1",
		"/docsets":   "r=root; def=default; me=1; mx=1; rel=1",
		"/":          "r=root; def=default; me=1; mx=1; rel=1",
		"/x/y/other": "deep=1; r=root; def=default; me=1; mx=1; rel=1",
		"/x/yz":      "r=root; def=default; me=1; mx=1; rel=1",
	} {
		if got := j.Header("http://www.a.test"+path, t0); got != want {
			t.Errorf("%s: got  %s\nwant %s", path, got, want)
		}
	}
}

// Each row stores cookies from one URL and looks for them at another.
func TestRules(t *testing.T) {
	const a, as = "http://www.a.test/", "https://www.a.test/"
	for _, c := range []struct{ name, from, set, at, want string }{
		{"host-only by default", a, "k=1", "http://x.www.a.test/", ""},
		{"host-only: not the parent", a, "k=1", "http://a.test/", ""},
		{"Domain reaches subdomains", a, "k=1; Domain=a.test", "http://y.a.test/", "k=1"},
		{"Domain reaches itself", a, "k=1; Domain=a.test", "http://a.test/", "k=1"},
		{"a leading dot is ignored", a, "k=1; Domain=.A.TEST", "http://y.a.test/", "k=1"},
		{"an empty Domain is none", a, "k=1; Domain=", "http://x.www.a.test/", ""},
		{"an empty Domain keeps the cookie", a, "k=1; Domain=", a, "k=1"},
		{"the last Domain counts", a, "k=1; Domain=b.test; Domain=a.test", "http://y.a.test/", "k=1"},
		{"Domain of another site", a, "k=1; Domain=b.test", "http://b.test/", ""},
		{"Domain of a subdomain", "http://a.test/", "k=1; Domain=www.a.test", a, ""},
		{"a suffix is no domain match", "http://wwwa.test/", "k=1; Domain=a.test", "http://a.test/", ""},
		{"Domain is a public suffix", "http://a.co.uk/", "k=1; Domain=co.uk", "http://a.co.uk/", ""},
		{"Domain is the public suffix itself", "http://github.io/", "k=1; Domain=github.io", "http://x.github.io/", ""},
		{"which keeps it host-only", "http://github.io/", "k=1; Domain=github.io", "http://github.io/", "k=1"},
		{"Domain beyond ASCII", a, "k=1; Domain=ä.test", a, ""},
		{"Domain on an address: the same", "http://127.0.0.1/", "k=1; Domain=127.0.0.1", "http://127.0.0.1/", "k=1"},
		{"Domain on an address: a part", "http://127.0.0.1/", "k=1; Domain=0.0.1", "http://127.0.0.1/", ""},
		{"IPv6 host", "http://[::1]/", "k=1", "http://[::1]:8080/", "k=1"},
		{"ports do not count", "http://a.test:1/", "k=1", "http://a.test:2/", "k=1"},
		{"host letter case does not count", "http://A.test/", "k=1", "http://a.TEST/", "k=1"},
		{"Secure from an open connection", a, "k=1; Secure", as, ""},
		{"Secure is not sent in the open", as, "k=1; Secure", a, ""},
		{"Secure is sent over TLS", as, "k=1; secure=anything", as, "k=1"},
		{"Secure on this machine", "http://localhost/", "k=1; Secure", "http://localhost/", "k=1"},
		{"HttpOnly is sent", a, "k=1; HttpOnly", a, "k=1"},
		{"SameSite=None needs Secure", a, "k=1; SameSite=None", a, ""},
		{"SameSite nonsense is default", a, "k=1; SameSite=odd", a, "k=1"},
		{"Partitioned needs Secure", as, "k=1; Partitioned", as, ""},
		{"Partitioned is kept", as, "k=1; Partitioned; Secure", as, "k=1"},
		{"__Secure- in the open", a, "__Secure-k=1; Secure", as, ""},
		{"__Secure- without Secure", as, "__Secure-k=1", as, ""},
		{"__Secure-", as, "__Secure-k=1; Secure; Domain=a.test", as, "__Secure-k=1"},
		{"__secure- in any letters", as, "__SeCuRe-k=1", as, ""},
		{"__Host-", as, "__Host-k=1; Secure; Path=/", as, "__Host-k=1"},
		{"__Host- without Path", as, "__Host-k=1; Secure", as, ""},
		{"__Host- with another Path", as, "__Host-k=1; Secure; Path=/x", "https://www.a.test/x", ""},
		{"__Host- with Domain", as, "__Host-k=1; Secure; Path=/; Domain=a.test", as, ""},
		{"__HOST- in any letters", as, "__HOST-k=1; Path=/", as, ""},
		{"a nameless cookie that looks like __Host-", as, "=__Host-k=1; Secure; Path=/", as, ""},
		{"no equals sign: a value", a, "v", a, "v"},
		{"an empty name", a, "=v", a, "v"},
		{"neither name nor value", a, "=; Path=/", a, ""},
		{"nothing", a, "", a, ""},
		{"more equals signs", a, "k=a=b==", a, "k=a=b=="},
		{"tabs are trimmed", a, "\tk\t=\t1\t;\tPath\t=\t/\t", a, "k=1"},
		{"a tab inside stays", a, "k=a\tb", a, "k=a\tb"},
		{"a control drops the cookie", a, "k=a\x01b", a, ""},
		{"DEL drops the cookie", a, "k=a\x7fb", a, ""},
		{"a control in an attribute too", a, "k=1; Path=/\x00", a, ""},
		{"bytes beyond ASCII stay", a, "k=\xe4\xc3\xa4", a, "k=\xe4\xc3\xa4"},
		{"4096 bytes", a, "k=" + strings.Repeat("x", 4095), a, "k=" + strings.Repeat("x", 4095)},
		{"4097 bytes", a, "k=" + strings.Repeat("x", 4096), a, ""},
		{"a long attribute is ignored", a, "k=1; Path=/" + strings.Repeat("x", 1024), a, "k=1"},
		{"unknown attributes", a, "k=1; Priority=High; x", a, "k=1"},
		{"the last Path counts", a, "k=1; Path=/x; Path=/", a, "k=1"},
		{"an empty Path is the default", "http://www.a.test/d/p", "k=1; Path=", "http://www.a.test/d/q", "k=1"},
		{"default path of a deep URL", "http://www.a.test/d/p", "k=1", "http://www.a.test/", ""},
		{"a path matches whole segments", a, "k=1; Path=/d", "http://www.a.test/dx", ""},
		{"path letters count", a, "k=1; Path=/D", "http://www.a.test/d", ""},
		{"the query is no path", a, "k=1; Path=/d", "http://www.a.test/d?x/y", "k=1"},
		{"Max-Age with plus", a, "k=1; Max-Age=+0", a, "k=1"},
		{"Max-Age minus alone", a, "k=1; Max-Age=-", a, ""},
		{"Max-Age huge", a, "k=1; Max-Age=99999999999999999999999", a, "k=1"},
		{"the last Max-Age counts", a, "k=1; Max-Age=0; Max-Age=9", a, "k=1"},
		{"an invalid Max-Age leaves the other", a, "k=1; Max-Age=0; Max-Age=x", a, ""},
		{"an invalid Expires is ignored", a, "k=1; Expires=soon", a, "k=1"},
		{"not a URL", "about:blank", "k=1", a, ""},
	} {
		var j Jar
		j.Store(c.from, []string{c.set}, t0)
		if got := j.Header(c.at, t0); got != c.want {
			t.Errorf("%s: got %.60q, want %.60q", c.name, got, c.want)
		}
	}
}

// §5.1.1.
func TestParseDate(t *testing.T) {
	want := time.Date(2037, 11, 6, 8, 49, 37, 0, time.UTC)
	for _, s := range []string{
		"Fri, 06 Nov 2037 08:49:37 GMT", "Friday, 06-Nov-37 08:49:37 GMT", "Fri Nov  6 08:49:37 2037",
		"6 nov 2037 8:49:37", "2037 NOVEMBER 6 08:49:37x", "06/Nov/2037 08:49:37", "x 6th Novo 37 8:49:37",
		"Fri, 06 Nov 2037 08:49:37 GMT+0100",
	} {
		if got, ok := parseDate(s); !ok || !got.Equal(want) {
			t.Errorf("%q: %v %v, want %v", s, got, ok, want)
		}
	}
	for s, year := range map[string]int{"1 Jan 70 0:0:0": 1970, "1 Jan 99 0:0:0": 1999, "1 Jan 69 0:0:0": 2069, "1 Jan 00 0:0:0": 2000, "1 Jan 1601 0:0:0": 1601} {
		if got, ok := parseDate(s); !ok || got.Year() != year {
			t.Errorf("%q: %v %v, want year %d", s, got, ok, year)
		}
	}
	for _, s := range []string{
		"", "06 Nov 2037", "Nov 2037 08:49:37", "06 2037 08:49:37", "06 Nov 08:49:37", "06 Nov 1600 08:49:37",
		"06 Nov 2037 24:00:00", "06 Nov 2037 08:60:37", "06 Nov 2037 08:49:60", "31 Feb 2037 08:49:37",
		"00 Nov 2037 08:49:37", "32 Nov 2037 08:49:37", "06 Nov 2037 08:49", "06 Nov 20370 08:49:37",
	} {
		if got, ok := parseDate(s); ok {
			t.Errorf("%q: %v, want none", s, got)
		}
	}
}

func TestExpiry(t *testing.T) {
	const url = "http://a.test/"
	var j Jar
	j.Store(url, []string{"s=1", "m=1; Max-Age=60", "far=1; Max-Age=999999999", "x=1; Expires=Fri, 02 Jan 2026 03:05:05 GMT"}, t0)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, "s=1; m=1; far=1; x=1"}, {59 * time.Second, "s=1; m=1; far=1; x=1"}, {60 * time.Second, "s=1; far=1"},
		{399 * 24 * time.Hour, "s=1; far=1"}, {400 * 24 * time.Hour, "s=1"},
	} {
		if got := j.Header(url, t0.Add(c.after)); got != c.want {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
		}
	}
}

func TestReplace(t *testing.T) {
	const url = "http://a.test/"
	var j Jar
	j.Store(url, []string{"a=1", "b=1"}, t0)
	j.Store(url, []string{"a=2; Path=/"}, t0.Add(time.Minute))
	if got := j.Header(url, t0); got != "a=2; b=1" {
		t.Errorf("a new value keeps its place: %q", got)
	}
	j.Store(url, []string{"a=; Max-Age=0"}, t0.Add(time.Minute))
	if got := j.Header(url, t0); got != "b=1" {
		t.Errorf("an expired one deletes: %q", got)
	}
	j.Store(url, []string{"b=dom; Domain=a.test"}, t0.Add(time.Minute))
	if got := j.Header(url, t0.Add(time.Minute)); got != "b=1; b=dom" {
		t.Errorf("host-only and domain cookies are two: %q", got)
	}
}

// Leave secure cookies alone (§5.7).
func TestSecureCookiesAreNotShadowed(t *testing.T) {
	var j Jar
	j.Store("https://a.test/", []string{"k=tls; Secure; Path=/d; Domain=a.test"}, t0)
	j.Store("http://a.test/", []string{"k=open; Path=/d/e"}, t0)
	j.Store("http://www.a.test/", []string{"k=open; Path=/d"}, t0)
	if got := j.Header("https://www.a.test/d/e", t0); got != "k=tls" {
		t.Errorf("got %q", got)
	}
	j.Store("http://a.test/", []string{"k=open; Path=/"}, t0) // does not stand before it
	if got := j.Header("https://a.test/d", t0); got != "k=tls; k=open" {
		t.Errorf("got %q", got)
	}
}

func TestSameSiteContexts(t *testing.T) {
	const url = "https://a.test/"
	var j Jar
	j.Store(url, []string{"st=1; SameSite=strict", "lx=1; SameSite=LAX", "no=1; SameSite=None; Secure", "df=1"}, t0)
	late := t0.Add(3 * time.Minute)
	for _, c := range []struct {
		name string
		c    Context
		now  time.Time
		want string
	}{
		{"same site", Context{}, late, "st=1; lx=1; no=1; df=1"},
		{"same site POST in a frame", Context{Method: "POST"}, late, "st=1; lx=1; no=1; df=1"},
		{"cross-site link", Context{CrossSite: true, TopLevel: true}, late, "lx=1; no=1; df=1"},
		{"cross-site form", Context{CrossSite: true, TopLevel: true, Method: "POST"}, late, "no=1"},
		{"cross-site form, cookie two minutes young", Context{CrossSite: true, TopLevel: true, Method: "POST"}, t0, "no=1; df=1"},
		{"cross-site image", Context{CrossSite: true}, late, "no=1"},
	} {
		if got := j.HeaderFor(url, c.c, c.now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	var k Jar
	k.StoreFor(url, []string{"a=1", "b=1; SameSite=None; Secure"}, Context{CrossSite: true}, t0)
	if got := k.Header(url, t0); got != "b=1" {
		t.Errorf("set by a cross-site subresource: %q", got)
	}
	k.StoreFor(url, []string{"c=1; SameSite=Strict"}, Context{CrossSite: true, TopLevel: true}, t0)
	if got := k.Header(url, t0); got != "b=1; c=1" {
		t.Errorf("set by a cross-site navigation: %q", got)
	}
}

func TestScripts(t *testing.T) {
	const url = "http://a.test/"
	var j Jar
	j.Store(url, []string{"h=1; HttpOnly", "k=1"}, t0)
	script := Context{Script: true}
	j.StoreFor(url, []string{"h=2", "x=1; HttpOnly", "k=2"}, script, t0)
	if got := j.HeaderFor(url, script, t0); got != "k=2" {
		t.Errorf("a script sees %q", got)
	}
	if got := j.Header(url, t0); got != "h=1; k=2" {
		t.Errorf("the server sees %q", got)
	}
}

func TestLimits(t *testing.T) {
	var j Jar
	for i := range 200 {
		j.Store("http://a.test/", []string{fmt.Sprintf("k%d=1", i)}, t0.Add(time.Duration(i)*time.Second))
	}
	all := j.All(t0)
	if len(all) != maxPerSite || all[0].Name != "k20" {
		t.Errorf("%d cookies from %s, want 180 from k20", len(all), all[0].Name)
	}
	j.Header("http://a.test/", t0) // all are used now
	j.Store("http://b.test/", []string{"k=1"}, t0)
	for i := range 30_000 {
		j.Store("http://"+fmt.Sprint("h", i%500)+".test/", []string{fmt.Sprintf("k%d=1", i)}, t0.Add(time.Hour))
	}
	if n := j.Len(); n > maxPerJar || n < maxPerJar-purgeBatch {
		t.Errorf("%d cookies, want %d to %d", n, maxPerJar-purgeBatch, maxPerJar)
	}
	n := 0
	for _, bucket := range j.sites {
		n += len(bucket)
	}
	if n != j.count {
		t.Errorf("count is %d, there are %d", j.count, n)
	}
}

func TestEvictionOrder(t *testing.T) {
	var j Jar
	j.Store("https://a.test/", []string{"s=1; Secure"}, t0)
	j.Store("https://a.test/", []string{"gone=1; Max-Age=1"}, t0.Add(time.Second))
	for i := range maxPerSite - 1 {
		j.Store("https://a.test/", []string{fmt.Sprintf("k%d=1", i)}, t0.Add(time.Minute))
	}
	if got := j.Header("https://a.test/", t0.Add(time.Minute)); !strings.HasPrefix(got, "s=1; k0=1") {
		t.Errorf("the expired one goes first: %.40q", got)
	}
	j.Store("https://a.test/", []string{"new=1"}, t0.Add(2*time.Minute))
	if got := j.Header("https://a.test/", t0.Add(2*time.Minute)); !strings.HasPrefix(got, "s=1; k1=1") {
		t.Errorf("a cookie that is not Secure goes before a Secure one: %.40q", got)
	}
}

func TestExportImport(t *testing.T) {
	var j, k Jar
	j.Store("https://www.a.test/d/p", []string{
		"host=1", "dom=1; Domain=a.test", "__Host-x=1; Secure; Path=/", `q="a b"; HttpOnly; SameSite=Strict; Max-Age=100`,
		"p=1; Secure; Partitioned; SameSite=None", "nameless", "gone=1; Max-Age=5",
	}, t0)
	j.Store("http://[::1]/", []string{"ip=1"}, t0.Add(time.Second))
	later := t0.Add(10 * time.Second)
	out := j.Export(later)
	if err := k.Import(out, later); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(k.Export(later), out); d != "" {
		t.Error(d)
	}
	for _, url := range []string{"https://www.a.test/d/p", "https://x.www.a.test/", "http://[::1]/"} {
		if got, want := k.Header(url, later), j.Header(url, later); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if len(out) != 7 {
		t.Errorf("%d cookies exported, want 7", len(out))
	}
}

func TestSetByHand(t *testing.T) {
	var j Jar
	for _, c := range []struct {
		name string
		c    Cookie
		ok   bool
	}{
		{"plain", Cookie{Name: "a", Value: "1", Domain: "A.test", HostOnly: true}, true},
		{"dotted domain", Cookie{Name: "b", Value: "1", Domain: ".a.test"}, true},
		{"no domain", Cookie{Name: "c"}, false},
		{"domain with path", Cookie{Name: "c", Domain: "a.test/x"}, false},
		{"semicolon", Cookie{Name: "c", Value: "1;2", Domain: "a.test"}, false},
		{"line break", Cookie{Name: "c", Value: "1\r\nX: 1", Domain: "a.test"}, false},
		{"spaces around", Cookie{Name: "c", Value: " 1", Domain: "a.test"}, false},
		{"equals in name", Cookie{Name: "c=d", Domain: "a.test"}, false},
		{"nothing in it", Cookie{Domain: "a.test"}, false},
		{"too long", Cookie{Name: "c", Value: strings.Repeat("x", 4096), Domain: "a.test"}, false},
		{"relative path", Cookie{Name: "c", Value: "1", Domain: "a.test", Path: "x"}, false},
		{"None without Secure", Cookie{Name: "c", Domain: "a.test", SameSite: None}, false},
		{"SameSite nonsense", Cookie{Name: "c", Domain: "a.test", SameSite: "odd"}, false},
		{"__Host- for a domain", Cookie{Name: "__Host-c", Domain: "a.test", Secure: true}, false},
	} {
		if err := j.Set(c.c, t0); (err == nil) != c.ok {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	if got := j.Header("http://a.test/", t0); got != "a=1; b=1" {
		t.Errorf("got %q", got)
	}
	if got := j.Header("http://x.a.test/", t0); got != "b=1" {
		t.Errorf("got %q", got)
	}
	if got := j.Get("http://a.test/", t0); len(got) != 2 || got[0].Name != "a" {
		t.Errorf("Get: %v", got)
	}
	if n := j.Remove("a", "", ""); n != 1 || j.Len() != 1 {
		t.Errorf("removed %d, left %d", n, j.Len())
	}
	if n := j.Remove("", "b.test", ""); n != 0 {
		t.Errorf("removed %d", n)
	}
	if j.Clear(); j.Len() != 0 || j.Header("http://a.test/", t0) != "" {
		t.Error("not empty after Clear")
	}
}

func TestEmptyJarIsCheap(t *testing.T) {
	if size := unsafe.Sizeof(Jar{}); size > 64 {
		t.Errorf("an empty jar has %d bytes", size)
	}
	var j Jar
	if n := testing.AllocsPerRun(100, func() { j.Header("http://a.test/", t0); j.Store("http://a.test/", nil, t0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestConcurrentUse(t *testing.T) {
	var j Jar
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				j.Store("http://a.test/", []string{fmt.Sprintf("k%d=%d", i, g)}, t0)
				j.Header("http://a.test/", t0)
				j.All(t0)
			}
		})
	}
	wg.Wait()
	if n := j.Len(); n != 100 {
		t.Errorf("%d cookies, want 100", n)
	}
}

func FuzzStore(f *testing.F) {
	for _, s := range []string{"a=1; Path=/; Domain=a.test; Max-Age=5", "=x", "__Host-a=1; Secure; Path=/", "k=v; Expires=Fri, 06 Nov 2037 08:49:37 GMT; SameSite=None; Partitioned", "\t;=;", "a=\"b; c\"; HttpOnly"} {
		f.Add(s)
	}
	const url = "https://www.a.test/d/p"
	f.Fuzz(func(t *testing.T, header string) {
		var j, k Jar
		j.Store(url, []string{header}, t0)
		got := j.Header(url, t0)
		if strings.ContainsAny(got, "\r\n\x00;") || len(got) > maxPair+1 {
			t.Fatalf("Cookie header %q", got)
		}
		out := j.Export(t0)
		if err := k.Import(out, t0); err != nil {
			t.Fatalf("%+v: %v", out, err)
		}
		if again := k.Header(url, t0); again != got {
			t.Fatalf("after export and import %q, was %q", again, got)
		}
	})
}

func BenchmarkHeader(b *testing.B) {
	var j Jar
	for i := range 20 {
		j.Store("https://www.a.test/", []string{fmt.Sprintf("key%d=value%d; Path=/", i, i)}, t0)
	}
	b.ReportAllocs()
	for b.Loop() {
		j.Header("https://www.a.test/d/p", t0)
	}
}
