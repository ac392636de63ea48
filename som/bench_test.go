package som

import (
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"plasmate/bench/corpus"
	"plasmate/som/dom"
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

// phases are the processor times of the steps to a SOM.
type phases struct{ parse, tree, compile, encode time.Duration }

// measure runs the steps over pages: html.Parse alone, as the yardstick; then
// what Analyze does, in its parts. The first page's work is done by each step in
// turn, so that all meet the same conditions.
func measure(pages []corpusPage) (p phases, elements, allocs, bytes uint64) {
	var roots []*html.Node
	var made []*Page
	step := func(d *time.Duration, f func()) {
		runtime.GC()
		start := cpuTime()
		f()
		*d += cpuTime() - start
	}
	step(&p.parse, func() {
		for _, p := range pages {
			_, _ = html.Parse(strings.NewReader(string(p.Source)))
		}
	})
	step(&p.tree, func() {
		for _, p := range pages {
			roots = append(roots, dom.Parse(p.Source).Root)
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	step(&p.compile, func() {
		for i, p := range pages {
			made = append(made, Analyze(Input{URL: p.URL, Root: roots[i], Source: p.Source, HTMLBytes: p.Raw}, Options{}))
		}
	})
	runtime.ReadMemStats(&after)
	step(&p.encode, func() {
		for _, p := range made {
			p.encode(make([]byte, 0, len(p.json)))
		}
	})
	p.compile -= p.encode // Analyze encodes
	for _, p := range made {
		elements += uint64(p.Meta.ElementCount)
	}
	return p, elements, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

// BenchmarkCorpus measures the corpus, a few pages at a time, and reports MB/s
// of each step on one core and compile and encode as a multiple of parsing. Run
// it with GOMAXPROCS=1.
func BenchmarkCorpus(b *testing.B) {
	pages := loadCorpus(b)
	total := 0
	for _, p := range pages {
		total += len(p.Source)
	}
	var sum phases
	var elements, allocs, bytes uint64
	for b.Loop() {
		for i := 0; i < len(pages); i += 16 {
			p, e, a, n := measure(pages[i:min(i+16, len(pages))])
			sum.parse += p.parse
			sum.tree += p.tree
			sum.compile += p.compile
			sum.encode += p.encode
			elements, allocs, bytes = elements+e, allocs+a, bytes+n
		}
	}
	mb := float64(total) * float64(b.N) / 1e6
	b.ReportMetric(mb/sum.parse.Seconds(), "parse-MB/s")
	b.ReportMetric(mb/sum.tree.Seconds(), "tree-MB/s")
	b.ReportMetric(mb/sum.compile.Seconds(), "compile-MB/s")
	b.ReportMetric(mb/sum.encode.Seconds(), "encode-MB/s")
	b.ReportMetric(mb/(sum.tree+sum.compile+sum.encode).Seconds(), "all-MB/s")
	b.ReportMetric(float64(sum.compile+sum.encode)/float64(sum.parse), "compile+encode/parse")
	b.ReportMetric(float64(allocs)/float64(elements), "allocs/element")
	b.ReportMetric(float64(bytes)/float64(elements), "B/element")
	b.ReportMetric(0, "ns/op")
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
