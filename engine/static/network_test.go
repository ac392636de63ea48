package static

import "testing"

// A pattern's stars stand for any text; it is the whole URL.
func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, url string
		want         bool
	}{
		{"*", "http://a.test/", true},
		{"http://a.test/", "http://a.test/", true},
		{"http://a.test/", "http://a.test/x", false},
		{"http://a.test/*", "http://a.test/x", true},
		{"*.png", "http://a.test/x.png", true},
		{"*.png", "http://a.test/x.png?y", false},
		{"*://*/ads/*", "https://b.test/ads/1", true},
		{"*a*a*", "ba", false},
		{"*a*a", "aa", true},
		{"ab*bc", "abc", false},
		{"**", "", true},
		{"", "x", false},
	} {
		if got := matches(tt.pattern, tt.url); got != tt.want {
			t.Errorf("%q of %q: %v, want %v", tt.pattern, tt.url, got, tt.want)
		}
	}
}

func TestBypasses(t *testing.T) {
	list := []string{"a.test", "*.b.test", ".c.test", "10.0.0.0/8", "::1"}
	for host, want := range map[string]bool{
		"a.test": true, "x.a.test": true, "xa.test": false, "b.test": false, "x.b.test": true, "x.c.test": true, "A.TEST.": true,
		"10.1.2.3": true, "[::ffff:10.1.2.3]": true, "11.0.0.1": false, "[::1]:81": true, "d.test": false,
	} {
		if got := bypasses(list, "http://"+host+"/"); got != want {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
	if !bypasses([]string{"*"}, "http://any.test/") || bypasses(nil, "http://a.test/") {
		t.Error("star or empty list")
	}
}
