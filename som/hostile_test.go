package som

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// shape is a family of hostile pages, by size.
type shape struct {
	name string
	make func(n int) string
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func shapes() []shape {
	return []shape{
		{"nested divs", func(n int) string { return strings.Repeat("<div>", n) + "x" }},
		{"nested spans with text", func(n int) string { return strings.Repeat("<span>x ", n) }},
		{"sibling paragraphs", func(n int) string { return strings.Repeat("<p>x y", n) }},
		{"links in one paragraph", func(n int) string { return "<p>" + numbered(n, "<a href=/%d>x</a> ") }},
		{"nested lists", func(n int) string { return strings.Repeat("<ul><li>x", n) }},
		{"nested tables", func(n int) string { return strings.Repeat("<table><tr><td>x", n) }},
		{"cells in one row", func(n int) string { return "<table><tr>" + strings.Repeat("<th colspan=9 rowspan=9>x", n) }},
		{"rows", func(n int) string { return "<table><tr><th>a<th>b" + strings.Repeat("<tr><td>1<td>2", n) }},
		{"labels of one control", func(n int) string { return strings.Repeat("<label for=a>x</label>", n) + "<input id=a>" }},
		{"names that point at all", func(n int) string {
			return strings.Repeat("<p id=a>x", n/10) + numbered(n/10, "<button aria-labelledby='a a a a a b%d'>y</button>")
		}},
		{"names in a circle", func(n int) string {
			var b strings.Builder
			for i := range n / 4 {
				fmt.Fprintf(&b, "<a href=/ id=i%d aria-labelledby='i%d i%d'>x</a>", i, i+1, i)
			}
			return b.String()
		}},
		{"roles named by nested content", func(n int) string { return strings.Repeat("<div role=button aria-label=''><img alt=x>", n) }},
		{"owned elements", func(n int) string {
			return "<div role=button aria-owns='" + numbered(n/10, "o%d ") + "'><img alt=y></div>" + numbered(n/10, "<i id=o%d>x</i>")
		}},
		{"many attributes", func(n int) string { return "<div" + numbered(n, " aria-a%d=1") + ">x" }},
		{"forms and controls", func(n int) string { return numbered(n/4, "<form><input name=a%d></form><input form=f>") }},
		{"loose forms", func(n int) string {
			return "<table>" + numbered(n/8, "<tr><form><td><input name=a%d></td></form></tr>")
		}},
		{"options", func(n int) string { return "<select>" + strings.Repeat("<option>x", n) }},
		{"details in details", func(n int) string { return strings.Repeat("<details><summary>s</summary>x", n) }},
		{"shadow roots", func(n int) string {
			return strings.Repeat("<x-a><template shadowrootmode=open><slot></slot></template>y", n/4)
		}},
		{"slots", func(n int) string {
			return "<x-a><template shadowrootmode=open>" + numbered(n/4, "<slot name=s%d></slot>") + "</template>" + numbered(n/4, "<b slot=s%d>x</b>")
		}},
		{"one default slot twice", func(n int) string {
			return "<x-a><template shadowrootmode=open>" + strings.Repeat("<slot></slot>", n/4) + "</template>" + strings.Repeat("<b>x</b>", n/4)
		}},
		{"a datalist for many", func(n int) string {
			return "<datalist id=d>" + strings.Repeat("<option value=x>", n/4) + "</datalist>" + strings.Repeat("<input list=d>", n/4)
		}},
		{"a long text that names many", func(n int) string {
			return "<p id=p>" + strings.Repeat("word ", n) + "</p>" + strings.Repeat("<button aria-labelledby=p></button><section aria-labelledby=p>x</section><input aria-describedby=p>", n/16)
		}},
		{"nested comboboxes", func(n int) string { return strings.Repeat("<div role=combobox>x<i>y</i>", n/4) }},
		{"same ids", func(n int) string { return strings.Repeat("<div><br></div>x", n) }},
		{"mis-nested formatting", func(n int) string { return strings.Repeat("<b><i><p></b></i>x", n/4) }},
		{"blank text", func(n int) string { return strings.Repeat("<div>\u00a0</div>", n) }},
	}
}

// TestHostilePages: each shape compiles to valid JSON whose size and elements
// are bounded by the source.
func TestHostilePages(t *testing.T) {
	s := somSchema(t)
	for _, sh := range shapes() {
		t.Run(sh.name, func(t *testing.T) {
			src := sh.make(4000)
			p := compile(t, "https://example.test/", src)
			validate(t, s, sh.name, p.JSON())
			checkPage(t, sh.name, p)
			if !bytes.Equal(p.JSON(), compile(t, "https://example.test/", src).JSON()) {
				t.Error("the same source gave other bytes")
			}
			if max := 64*len(src) + 4096; len(p.JSON()) > max {
				t.Errorf("%d bytes of SOM of %d bytes of HTML", len(p.JSON()), len(src))
			}
		})
	}
}

// BenchmarkGrowth doubles each hostile shape and reports the exponent with
// which time grows: 1 is linear.
func BenchmarkGrowth(b *testing.B) {
	for _, sh := range shapes() {
		b.Run(strings.ReplaceAll(sh.name, " ", "_"), func(b *testing.B) {
			small, large := []byte(sh.make(8_000)), []byte(sh.make(32_000))
			var ts, tl float64
			for b.Loop() {
				start := cpuTime()
				for range 4 {
					Analyze(Input{URL: "https://example.test/", Source: small}, Options{})
				}
				mid := cpuTime()
				Analyze(Input{URL: "https://example.test/", Source: large}, Options{})
				ts += (mid - start).Seconds() / 4
				tl += (cpuTime() - mid).Seconds()
			}
			b.ReportMetric(math.Log(tl/ts)/math.Log(float64(len(large))/float64(len(small))), "exponent")
		})
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, sh := range shapes() {
		f.Add([]byte(sh.make(12)), "text/html")
	}
	f.Add([]byte(hiding), "")
	f.Add([]byte(`<rss><channel><title>t</title><item><link>/a</link></item></channel></rss>`), "application/rss+xml")
	f.Add([]byte(`{"a":[1,"\u00e4"]}`), "application/json")
	f.Add([]byte("<p/>\xff\xfe<![CDATA[x]]>"), "application/xhtml+xml")
	f.Fuzz(func(t *testing.T, src []byte, kind string) {
		in := Input{URL: "https://example.test/", Source: src, ContentType: kind}
		p := Analyze(in, Options{})
		if !bytes.Equal(p.JSON(), Analyze(in, Options{}).JSON()) {
			t.Error("the same source gave other bytes")
		}
		checkPage(t, "fuzz", p)
	})
}

func FuzzResolve(f *testing.F) {
	f.Add("a", "link", "a[href]", "x")
	f.Add("", "button", ":has(> p)", "(a|b)*")
	f.Add("Delete...", "", "div:nth-child(2n+1) ~ p", "[")
	p := Analyze(Input{URL: "https://example.test/", Source: []byte(hiding)}, Options{})
	f.Fuzz(func(t *testing.T, text, role, css, re string) {
		m, err := p.Resolve(Target{Text: text, Role: role, CSS: css})
		if (err == nil) != (m.Element != nil) {
			t.Errorf("%+v and error %v", m, err)
		}
		data, prov, qerr := p.Extract([]string{"q"}, map[string]Query{"q": {TextMatch: re, CSS: css, Role: role, All: true, Props: []string{"text", "href"}}})
		if qerr == nil {
			readJSON(t, data)
			readJSON(t, prov)
		}
	})
}
