package weburl

import (
	"errors"
	"strings"
	"testing"
)

func parse(t *testing.T, s string) *URL {
	t.Helper()
	u, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestOrigin(t *testing.T) { // URL Standard, Origin
	for _, c := range []struct{ url, want string }{
		{"https://u:p@A.test:443/x?y#z", "https://a.test"},
		{"http://a.test:8080", "http://a.test:8080"},
		{"ws://a.test/", "ws://a.test"},
		{"blob:https://a.test/1-2", "https://a.test"},
		{"blob:x", "null"},
		{"file:///x", "null"},
		{"data:,x", "null"},
		{"about:blank", "null"},
		{"foo://a/b", "null"},
	} {
		if got := parse(t, c.url).Origin(); got != c.want {
			t.Errorf("origin of %s: got %s, want %s", c.url, got, c.want)
		}
	}
}

func TestEffectivePort(t *testing.T) {
	for _, c := range []struct {
		url  string
		want int
	}{
		{"http://a.test", 80},
		{"https://[::1]", 443},
		{"https://[::1]:8443", 8443},
		{"ws://a", 80},
		{"wss://a", 443},
		{"ftp://a", 21},
		{"foo://a:0", 0},
		{"foo://a", 0},
		{"file:///x", 0},
		{"mailto:x", 0},
	} {
		if got := parse(t, c.url).EffectivePort(); got != c.want {
			t.Errorf("port of %s: got %d, want %d", c.url, got, c.want)
		}
	}
}

func TestWithAndWithout(t *testing.T) {
	u := parse(t, "https://u:p@a.test/d/p?q='#f")
	for _, c := range []struct {
		got  *URL
		want string
	}{
		{u.WithoutFragment(), "https://u:p@a.test/d/p?q=%27"},
		{u.WithFragment("a b`#"), "https://u:p@a.test/d/p?q=%27#a%20b%60#"},
		{u.WithFragment(""), "https://u:p@a.test/d/p?q=%27#"},
		{u.WithoutQuery(), "https://u:p@a.test/d/p#f"},
		{u.WithQuery("a=ü&'#"), "https://u:p@a.test/d/p?a=%C3%BC&%27%23#f"},
		{u.WithQuery(""), "https://u:p@a.test/d/p?#f"},
		{u.WithoutCredentials(), "https://a.test/d/p?q=%27#f"},
		{parse(t, "foo:x").WithQuery("'"), "foo:x?'"},
	} {
		if c.got.String() != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
		if again := parse(t, c.want); *again != *c.got {
			t.Errorf("%s does not parse as itself: %+v, %+v", c.want, *again, *c.got)
		}
	}
	if got, want := u.RequestURI(), "/d/p?q=%27"; got != want {
		t.Errorf("request URI: got %s, want %s", got, want)
	}
}

func TestLimits(t *testing.T) {
	if _, err := Parse("http://a.test/\t" + strings.Repeat("x", MaxLength)); !errors.Is(err, ErrTooLong) {
		t.Errorf("an overlong URL: got %v, want ErrTooLong", err)
	}
	long := NewResolver("http://a.test/" + strings.Repeat("x", MaxBase))
	if got, ok := long.Resolve("y"); ok {
		t.Errorf("an overlong base joins to %s", got)
	}
	if got, ok := long.Resolve("http://b.test"); !ok || got != "http://b.test/" {
		t.Errorf("absolute href under an overlong base: got %q, %v", got, ok)
	}
	bad := NewResolver("/not-absolute")
	if got, ok := bad.Resolve("y"); ok || got != "" {
		t.Errorf("without a base: got %q, %v", got, ok)
	}
	if got, ok := NewResolver("http://a.test/").Resolve("http://["); ok || got != "" {
		t.Errorf("a bad link: got %q, %v", got, ok)
	}
}
