package plasmate_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"plasmate"
	"plasmate/bench/corpus"
)

// serveCorpus serves the page corpus as /N/FILE on every host, for any N, and
// gives n of its URLs on so many hosts.
func serveCorpus(tb testing.TB, hosts, n int, delay time.Duration) (rule string, urls []string) {
	pages, which, err := corpus.Load()
	if err != nil {
		tb.Skip(err)
	}
	tb.Logf("%s, %d pages", which, len(pages))
	byFile := map[string]*corpus.Page{}
	for i := range pages {
		byFile[pages[i].File] = &pages[i]
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		p, ok := byFile[file]
		if !ok {
			http.NotFound(w, r)
			return
		}
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", p.ContentType())
		w.Write(p.Body)
	})}
	go server.Serve(l) // ends with Close
	tb.Cleanup(func() { server.Close() })
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://h%d.test/%d/%s", i%hosts, i/len(pages), pages[i%len(pages)].File))
	}
	return "*.test=" + l.Addr().String(), urls
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCrawl sweeps pages of the corpus from loopback, the server's own CPU
// time included; bare is fetch and html.Parse and nothing else.
func BenchmarkCrawl(b *testing.B) {
	const n = 500
	report := func(b *testing.B, began time.Duration) {
		b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "pages/s")
		b.ReportMetric((cpu()-began).Seconds()*1000/float64(b.N*n), "ms-CPU/page")
	}
	b.Run("bare", func(b *testing.B) {
		rule, urls := serveCorpus(b, 10, n, 0)
		addr := strings.TrimPrefix(rule, "*.test=")
		began := cpu()
		for b.Loop() {
			sweepBare(b, addr, urls)
		}
		report(b, began)
	})
	for _, f := range []struct {
		name   string
		format plasmate.CrawlFormat
	}{{"som", plasmate.CrawlSOM}, {"outline", plasmate.CrawlOutline}} {
		b.Run(f.name, func(b *testing.B) {
			rule, urls := serveCorpus(b, 10, n, 0)
			dir := b.TempDir()
			began := cpu()
			for i := 0; b.Loop(); i++ {
				o := plasmate.CrawlOptions{
					Format: f.format, MaxDepth: -1, Rate: -1, PerHost: 7,
					Network: plasmate.NetworkConfig{Resolve: []string{rule}},
				}
				s, err := plasmate.CrawlToFiles(b.Context(), urls, o, plasmate.CrawlFiles{Records: filepath.Join(dir, fmt.Sprint(i))})
				if err != nil || s.Done != n {
					b.Fatalf("%d pages, %v", s.Done, err)
				}
			}
			report(b, began)
		})
	}
}

func sweepBare(b *testing.B, addr string, urls []string) {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer c.CloseIdleConnections()
	next := make(chan string)
	var workers sync.WaitGroup
	for range 64 {
		workers.Go(func() {
			for u := range next {
				_, path, _ := strings.Cut(strings.TrimPrefix(u, "http://"), "/")
				resp, err := c.Get("http://" + addr + "/" + path)
				if err != nil {
					b.Error(err)
					continue
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil {
					b.Error(err)
				}
				_, _ = html.Parse(bytes.NewReader(body)) // some pages nest too deep for it
			}
		})
	}
	for _, u := range urls {
		next <- u
	}
	close(next)
	workers.Wait()
}
