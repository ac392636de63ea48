package som

import (
	"bytes"
	"runtime"
	"sort"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"plasmate/bench/corpus"
)

// corpusPage is one page of the corpus, decoded.
type corpusPage struct {
	File, URL string
	Raw       int
	Source    []byte
}

// loadCorpus is the whole corpus if it is there, else the part in the repository.
func loadCorpus(tb testing.TB) []corpusPage {
	tb.Helper()
	pages, source, err := corpus.Load()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Logf("%d pages of the %s", len(pages), source)
	var out []corpusPage
	for i := range pages {
		if p := &pages[i]; !raceDetector || i%8 == 0 {
			out = append(out, corpusPage{p.File, p.URL, len(p.Body), p.UTF8()})
		}
	}
	return out
}

// cpuTime is the processor time of this process, which other work on the
// machine does not lengthen.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCorpus measures parse alone and parse, compile and encode together
// over the whole corpus and reports their ratio. Run it with GOMAXPROCS=1. The
// two take turns, so that both meet the same conditions.
func BenchmarkCorpus(b *testing.B) {
	pages := loadCorpus(b)
	total := 0
	for _, p := range pages {
		total += len(p.Source)
	}
	b.ReportAllocs()
	var parse, all time.Duration
	elements := 0
	for b.Loop() {
		for i := 0; i < len(pages); i += 16 {
			some := pages[i:min(i+16, len(pages))]
			runtime.GC()
			start := cpuTime()
			for _, p := range some {
				_, _ = html.Parse(bytes.NewReader(p.Source))
			}
			runtime.GC()
			mid := cpuTime()
			for _, p := range some {
				page := Analyze(Input{URL: p.URL, Source: p.Source, HTMLBytes: p.Raw}, Options{})
				elements += page.Meta.ElementCount
			}
			runtime.GC()
			parse += mid - start
			all += cpuTime() - mid
		}
	}
	b.ReportMetric(float64(all)/float64(parse), "x-parse")
	b.ReportMetric(float64(total)*float64(b.N)/parse.Seconds()/1e6, "parse-MB/s")
	b.ReportMetric(float64(total)*float64(b.N)/all.Seconds()/1e6, "all-MB/s")
	b.ReportMetric(float64(elements)/float64(b.N), "elements/op")
}

// sizeBar is the bound of the median size. The aim is 0.35, which element ids,
// actions and both forms of each address do not leave room for.
const sizeBar = 0.63

// TestCorpusSize measures SOM bytes against HTML bytes over the corpus.
func TestCorpusSize(t *testing.T) {
	var ratios []float64
	for _, p := range loadCorpus(t) {
		page := Analyze(Input{URL: p.URL, Source: p.Source, HTMLBytes: p.Raw}, Options{})
		ratios = append(ratios, float64(len(page.JSON()))/float64(p.Raw))
	}
	sort.Float64s(ratios)
	median := ratios[len(ratios)/2]
	t.Logf("SOM/HTML median %.3f, p90 %.3f", median, ratios[len(ratios)*9/10])
	if len(ratios) > 200 && median > sizeBar { // the part in the repository has another mix of pages
		t.Errorf("median size is %.3f of the HTML, want at most %.2f", median, sizeBar)
	}
}
