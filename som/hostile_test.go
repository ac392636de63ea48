package som

import (
	"bytes"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

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

// quickest is the least processor time of a few compilations, with no garbage
// collection in any of them.
func quickest(src []byte) float64 {
	best := math.Inf(1)
	for range 5 {
		runtime.GC()
		start := cpuTime()
		Analyze(Input{URL: "https://example.test/", Source: src}, Options{})
		best = min(best, (cpuTime() - start).Seconds())
	}
	return best
}

// slope is the exponent k of y = c·x^k that fits the points best.
func slope(x, y []float64) float64 {
	var mx, my, up, down float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	for i := range x {
		up += (math.Log(x[i]) - mx) * (math.Log(y[i]) - my)
		down += (math.Log(x[i]) - mx) * (math.Log(x[i]) - mx)
	}
	return up / down
}

// BenchmarkGrowth doubles each hostile shape three times and reports the exponent
// with which time and allocated bytes grow: 1 is linear.
func BenchmarkGrowth(b *testing.B) {
	for _, sh := range shapes() {
		b.Run(strings.ReplaceAll(sh.name, " ", "_"), func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			var sizes, times, allocs []float64
			for b.Loop() {
				sizes, times, allocs = nil, nil, nil
				for n := 10_000; n <= 80_000; n *= 2 {
					src := []byte(sh.make(n))
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					Analyze(Input{URL: "https://example.test/", Source: src}, Options{})
					runtime.ReadMemStats(&after)
					sizes = append(sizes, float64(len(src)))
					allocs = append(allocs, float64(after.TotalAlloc-before.TotalAlloc))
					times = append(times, quickest(src))
				}
			}
			b.ReportMetric(slope(sizes, times), "exponent")
			b.ReportMetric(slope(sizes, allocs), "alloc-exponent")
			b.ReportMetric(times[len(times)-1]*1e9/sizes[len(sizes)-1], "ns/byte")
			b.ReportMetric(0, "ns/op")
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
