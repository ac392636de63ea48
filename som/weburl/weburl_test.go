package weburl

import "testing"

func TestHrefsAsBrowsersResolveThem(t *testing.T) { // UD-009
	r := NewResolver("http://a.test/d/p?k=1#z")
	for _, c := range []struct{ href, want string }{
		{"  /a b\n/c  ", "http://a.test/a%20b/c"},
		{"/Käse?q=ü#ß", "http://a.test/K%C3%A4se?q=%C3%BC#%C3%9F"},
		{`\x\y`, "http://a.test/x/y"},
		{"/%u0041", "http://a.test/%u0041"},
		{"?x=1|2", "http://a.test/d/p?x=1|2"},
		{"//b.test/x", "http://b.test/x"},
		{"http:rel", "http://a.test/d/rel"},
		{"", "http://a.test/d/p?k=1"},
		{`/s?q='x"y<z>`, "http://a.test/s?q=%27x%22y%3Cz%3E"},
		{"mailto:x@y.test", "mailto:x@y.test"},
		{"http://b.test:80/q", "http://b.test/q"},
		{"../../../../up", "http://a.test/up"},
		{"/a%2fb/%2e%2e/c", "http://a.test/c"},
		{"https:rel2", "https://rel2/"},
		{"#frag", "http://a.test/d/p?k=1#frag"},
	} {
		got, ok := r.Resolve(c.href)
		if !ok || got != c.want {
			t.Errorf("Resolve(%q) = %q, %v, want %q", c.href, got, ok, c.want)
		}
	}
}

func TestQueriesInTheDocumentsEncoding(t *testing.T) {
	for _, c := range []struct{ label, href, want string }{
		{"windows-1252", "/Käse?q=ü€→#ß", "http://a.test/K%C3%A4se?q=%FC%80%26%238594%3B#%C3%9F"},
		{"windows-1251", "?q=Привет", "http://a.test/d/p?q=%CF%F0%E8%E2%E5%F2"},
		{"shift_jis", "?q=ソ", "http://a.test/d/p?q=%83\\"},
		{"iso-2022-jp", "?q=日x", "http://a.test/d/p?q=%1B$BF|%1B(Bx"},
		{"gbk", "?q=中", "http://a.test/d/p?q=%D6%D0"},
		{"utf-16le", "?q=ü", "http://a.test/d/p?q=%C3%BC"},
		{"no-such", "?q=ü", "http://a.test/d/p?q=%C3%BC"},
		{"windows-1252", "ws://b.test/?q=ü", "ws://b.test/?q=%C3%BC"},
		{"windows-1252", "x:?q=ü", "x:?q=%C3%BC"},
	} {
		got, ok := NewResolver("http://a.test/d/p", QueryEncoding(c.label)).Resolve(c.href)
		if !ok || got != c.want {
			t.Errorf("%s: Resolve(%q) = %q, %v, want %q", c.label, c.href, got, ok, c.want)
		}
	}
}

func TestAppendForm(t *testing.T) {
	fields := []Field{{"a b", "1+1=2&*-._~"}, {"ü", "→"}, {"", "x\r\ny"}}
	for _, c := range []struct{ label, want string }{
		{"", "a+b=1%2B1%3D2%26*-._%7E&%C3%BC=%E2%86%92&=x%0D%0Ay"},
		{"iso-8859-1", "a+b=1%2B1%3D2%26*-._%7E&%FC=%26%238594%3B&=x%0D%0Ay"},
	} {
		if got := string(AppendForm(nil, fields, c.label)); got != c.want {
			t.Errorf("%q: got %s, want %s", c.label, got, c.want)
		}
	}
}
