package som

import (
	"runtime"
	"sort"
	"testing"
)

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestPageMemory: a page without its tree is small, and Bytes tells how small.
func TestPageMemory(t *testing.T) {
	pages := loadCorpus(t)
	sort.Slice(pages, func(i, j int) bool { return len(pages[i].Source) < len(pages[j].Source) })
	i := sort.Search(len(pages), func(i int) bool { return len(pages[i].Source) > 30_000 })
	some := pages[i:min(i+20, len(pages))]
	kept := make([]*Page, len(some))
	before := heap()
	html, told := 0, 0
	for i, p := range some {
		kept[i] = Analyze(Input{URL: p.URL, Source: p.Source, HTMLBytes: p.Raw}, Options{}).WithoutTree()
		html += len(p.Source)
		told += kept[i].Bytes() - len(p.Source) // the sources are alive anyway
	}
	used := int(heap()-before) / len(some)
	t.Logf("%d pages of %d bytes: %d bytes each, Bytes says %d", len(some), html/len(some), used, told/len(some))
	if used > 250<<10 || used > 2*told/len(some) {
		t.Errorf("a page of %d bytes keeps %d bytes, Bytes says %d", html/len(some), used, told/len(some))
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(pages)
}
