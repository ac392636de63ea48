package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestURLKey(t *testing.T) {
	tests := []struct {
		rule, a, b string
		same       bool
	}{
		{"a fragment is no part of it", "http://a.test/p#one", "http://a.test/p#two", true},
		{"unreserved escapes are undone", "http://a.test/%7Eu", "http://a.test/~u", true},
		{"digits of escapes have no case", "http://a.test/%c3%a4", "http://a.test/%C3%A4", true},
		{"an escaped slash is no slash", "http://a.test/a%2Fb", "http://a.test/a/b", false},
		{"a final slash stays", "http://a.test/p", "http://a.test/p/", false},
		{"a lone question mark stays", "http://a.test/s?", "http://a.test/s", false},
		{"the order of parameters stays", "http://a.test/s?a=1&b=2", "http://a.test/s?b=2&a=1", false},
		{"letter case of the path stays", "http://a.test/A", "http://a.test/a", false},
		{"a percent sign alone is itself", "http://a.test/100%", "http://a.test/100%25", false},
	}
	for _, tt := range tests {
		if got := URLKey(tt.a) == URLKey(tt.b); got != tt.same {
			t.Errorf("%s: %s and %s same %v, want %v", tt.rule, tt.a, tt.b, got, tt.same)
		}
	}
}

func TestShapeOf(t *testing.T) {
	tests := []struct {
		path, query string
		hasQuery    bool
		want        Shape
	}{
		{"/", "", false, Shape{Pattern: "/*", Prefix: "/"}},
		{"/wiki/Foo", "", false, Shape{Pattern: "/wiki/*", Prefix: "/wiki/Foo"}},
		{"/cal", "m=12", true, Shape{Pattern: "/cal?m", Counted: true, Prefix: "/cal"}},
		{"/cal/2024/01/02/", "", false, Shape{Pattern: "/cal/N/N/N/", Counted: true, Prefix: "/cal/2024/01/02/"}},
		{"/s", "b=1&a=2&b=3", true, Shape{Pattern: "/s?a&b", Counted: true, Prefix: "/s"}},
		{"/s;jsessionid=A1", "", false, Shape{Pattern: "/*", Prefix: "/s;jsessionid=A1"}},
		{"/o/6f1d0c3ab9e84f77", "", false, Shape{Pattern: "/o/N", Counted: true, Prefix: "/o/6f1d0c3ab9e84f77"}},
		{"/loop/next/next/next/", "", false, Shape{Pattern: "/loop/next/next/next/*", Prefix: "/loop/next/next/next/"}},
		{"/loop/next/next/next/next/", "", false, Shape{Pattern: "/loop/next/next/next/next/*", Trap: TrapRepeat, Prefix: "/loop/"}},
		{"/x/a/b/a/b/a/b/a/b", "", false, Shape{Pattern: "/x/a/b/a/b/a/b/a/*", Trap: TrapRepeat, Prefix: "/x/"}},
		{"/q", strings.Repeat("a=1&", 40), true, Shape{Pattern: "/q?a", Counted: true, Trap: TrapRepeat, Prefix: "/q"}},
		{"/q", strings.Repeat("x", 2100), true, Shape{Pattern: "/q?" + strings.Repeat("x", 64), Counted: true, Trap: TrapLength, Prefix: "/q"}},
	}
	for _, tt := range tests {
		got := ShapeOf(tt.path, tt.query, tt.hasQuery, TrapLimits{}.WithDefaults())
		if d := cmp.Diff(got, tt.want); d != "" {
			t.Errorf("%s?%s (-got +want):\n%s", tt.path, tt.query, d)
		}
	}
}
