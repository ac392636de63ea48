// Command crawl_go is what plasmate crawl is measured against: a loopback
// server of the page corpus, the bare limit of net/http and html.Parse, and
// colly. It is a module of its own, so that plasmate does not depend on colly.
//
//	crawl_go serve DIR ADDR LATENCY_MS
//	crawl_go urls DIR HOSTS N > urls.txt
//	crawl_go bare|light|colly urls.txt ADDR CONCURRENCY > records.jsonl
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gocolly/colly/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "see the comment of the package")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "serve":
		err = serve(os.Args[2], os.Args[3], os.Args[4])
	case "urls":
		err = urls(os.Args[2], os.Args[3], os.Args[4])
	default:
		err = client(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// corpus are the pages below dir, by the path they are served at.
func corpus(dir string) (paths []string, types map[string]string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		return nil, nil, err
	}
	types = map[string]string{}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		column[name] = i
	}
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		kind := "text/html"
		if c := f[column["http_charset"]]; c != "" {
			kind += "; charset=" + c
		}
		paths = append(paths, f[column["file"]])
		types[f[column["file"]]] = kind
	}
	return paths, types, nil
}

// serve gives the corpus on every virtual host: /N/FILE is FILE for any N.
func serve(dir, addr, latency string) error {
	wait, err := strconv.Atoi(latency)
	if err != nil {
		return err
	}
	paths, types, err := corpus(dir)
	if err != nil {
		return err
	}
	bodies := map[string][]byte{}
	for _, p := range paths {
		if bodies[p], err = os.ReadFile(filepath.Join(dir, p)); err != nil {
			return err
		}
	}
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		body, ok := bodies[file]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if wait > 0 {
			time.Sleep(time.Duration(wait) * time.Millisecond)
		}
		w.Header().Set("Content-Type", types[file])
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	}))
}

func urls(dir, hosts, n string) error {
	h, err := strconv.Atoi(hosts)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(n)
	if err != nil {
		return err
	}
	paths, _, err := corpus(dir)
	if err != nil {
		return err
	}
	for i := range count {
		p := (&url.URL{Path: paths[i%len(paths)]}).EscapedPath()
		fmt.Printf("http://h%d.test/%d/%s\n", i%h, i/len(paths), p)
	}
	return nil
}

// transport dials addr whatever the host, and keeps as many connections as
// there are workers.
func transport(addr string, concurrency int) *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		},
		MaxIdleConns: 4 * concurrency, MaxIdleConnsPerHost: concurrency, DisableCompression: true,
	}
}

// record is what the light extraction writes.
type record struct {
	URL    string   `json:"url"`
	Status int      `json:"status"`
	Title  string   `json:"title"`
	Links  []string `json:"links"`
	Text   string   `json:"text"`
}

func client(mode, list, addr, workers string) error {
	concurrency, err := strconv.Atoi(workers)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	all := strings.Fields(string(data))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	var mu sync.Mutex
	write := func(r record) {
		line, _ := json.Marshal(r)
		mu.Lock()
		defer mu.Unlock()
		_, _ = out.Write(append(line, '\n'))
	}
	var done, bytesIn atomic.Int64
	began := time.Now()
	switch mode {
	case "colly":
		crawlColly(all, addr, concurrency, write, &done, &bytesIn)
	case "fetch", "bare", "light":
		crawlBare(mode, all, addr, concurrency, write, &done, &bytesIn)
	default:
		return fmt.Errorf("unknown mode %q", mode)
	}
	took := time.Since(began)
	if err := out.Flush(); err != nil {
		return err
	}
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	cpu := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	fmt.Fprintf(os.Stderr, "%s\t%d pages\t%.1f pages/s\t%.2f ms CPU/page\t%d MiB RSS\n", mode, done.Load(),
		float64(done.Load())/took.Seconds(), cpu.Seconds()*1000/float64(max(done.Load(), 1)), u.Maxrss/1024)
	return nil
}

// crawlBare fetches and parses, and with mode light takes title, links and text.
func crawlBare(mode string, all []string, addr string, concurrency int, write func(record), done, bytesIn *atomic.Int64) {
	c := &http.Client{Transport: transport(addr, concurrency)}
	next := make(chan string)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for u := range next {
				resp, err := c.Get(u)
				if err != nil {
					continue
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil {
					continue
				}
				bytesIn.Add(int64(len(body)))
				if mode == "fetch" {
					done.Add(1)
					continue
				}
				root, err := html.Parse(bytes.NewReader(body))
				if err == nil && mode == "light" {
					write(light(u, resp.StatusCode, root))
				}
				done.Add(1)
			}
		}()
	}
	for _, u := range all {
		next <- u
	}
	close(next)
	workers.Wait()
}

func light(page string, status int, root *html.Node) record {
	r := record{URL: page, Status: status}
	base, _ := url.Parse(page)
	var text strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
			text.WriteByte(' ')
		case n.DataAtom == atom.Script || n.DataAtom == atom.Style:
			return
		case n.DataAtom == atom.Title && r.Title == "" && n.FirstChild != nil:
			r.Title = n.FirstChild.Data
		case n.DataAtom == atom.A:
			for _, a := range n.Attr {
				if a.Key == "href" {
					if u, err := base.Parse(a.Val); err == nil {
						r.Links = append(r.Links, u.String())
					}
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	r.Text = strings.Join(strings.Fields(text.String()), " ")
	return r
}

func crawlColly(all []string, addr string, concurrency int, write func(record), done, bytesIn *atomic.Int64) {
	c := colly.NewCollector(colly.Async(true), colly.MaxBodySize(0), colly.AllowURLRevisit())
	c.WithTransport(transport(addr, concurrency))
	_ = c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: concurrency})
	c.OnHTML("html", func(e *colly.HTMLElement) {
		r := record{URL: e.Request.URL.String(), Status: e.Response.StatusCode}
		r.Title = e.DOM.Find("title").First().Text()
		e.ForEach("a[href]", func(_ int, a *colly.HTMLElement) {
			r.Links = append(r.Links, e.Request.AbsoluteURL(a.Attr("href")))
		})
		e.DOM.Find("script,style").Remove()
		r.Text = strings.Join(strings.Fields(e.DOM.Text()), " ")
		write(r)
	})
	c.OnScraped(func(r *colly.Response) { done.Add(1); bytesIn.Add(int64(len(r.Body))) })
	for _, u := range all {
		_ = c.Visit(u)
	}
	c.Wait()
}
