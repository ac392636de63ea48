package som

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// corpusPage is one page of the corpus, decoded.
type corpusPage struct {
	File, URL string
	Raw       int
	Source    []byte
}

// corpus loads the pages of $PLASMATE_CORPUS, or of the corpus beside the
// checkout. Without one the test is skipped, since there is nothing to measure.
func corpus(tb testing.TB) []corpusPage {
	dir := os.Getenv("PLASMATE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	data, err := os.ReadFile(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		tb.Skipf("no corpus: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	head := strings.Split(lines[0], "\t")
	col := map[string]int{}
	for i, h := range head {
		col[h] = i
	}
	var pages []corpusPage
	for _, l := range lines[1:] {
		f := strings.Split(l, "\t")
		raw, err := os.ReadFile(filepath.Join(dir, f[col["file"]]))
		if err != nil {
			tb.Fatal(err)
		}
		pages = append(pages, corpusPage{f[col["file"]], pageURL(f[col["url"]], f[col["file"]]), len(raw), decode(tb, raw, f[col["charset"]])})
	}
	return pages
}

func pageURL(url, file string) string {
	if url == "" {
		return "https://example.test/" + file
	}
	return url
}

func decode(tb testing.TB, raw []byte, label string) []byte {
	if strings.HasPrefix(label, "utf-8") || label == "" {
		return bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	}
	e, _ := charset.Lookup(label)
	if e == nil {
		tb.Fatalf("no charset %q", label)
	}
	out, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		tb.Fatal(err)
	}
	return bytes.TrimPrefix(out, []byte("\ufeff"))
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
	pages := corpus(b)
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

// TestCorpusSize reports the size of SOM against HTML over the corpus.
func TestCorpusSize(t *testing.T) {
	var ratios []float64
	type row struct {
		r float64
		s string
	}
	var rows []row
	for _, p := range corpus(t) {
		page := Analyze(Input{URL: p.URL, Source: p.Source, HTMLBytes: p.Raw}, Options{})
		r := float64(len(page.JSON())) / float64(p.Raw)
		ratios = append(ratios, r)
		rows = append(rows, row{r, fmt.Sprintf("%.2f %s %d", r, p.File, p.Raw)})
	}
	sort.Float64s(ratios)
	sort.Slice(rows, func(i, j int) bool { return rows[i].r < rows[j].r })
	if testing.Verbose() {
		for _, r := range rows {
			t.Log(r.s)
		}
	}
	median := ratios[len(ratios)/2]
	t.Logf("SOM/HTML median %.3f p90 %.3f", median, ratios[len(ratios)*9/10])
	if median > 0.35 {
		t.Errorf("median size %.3f of the HTML, want at most 0.35", median)
	}
}
