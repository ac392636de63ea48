package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"plasmate/internal/testsite"
)

// crawlSite serves a tree of pages on two hosts: page n links to 3n+1 to 3n+3.
func crawlSite(t testing.TB, pages int, delay time.Duration) (*testsite.Site, []string) {
	site := testsite.Start(t)
	var all []string
	for _, host := range []string{"a.test", "b.test"} {
		site.Handle(host, "/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/p/"))
			if err != nil || n >= pages {
				http.NotFound(w, r)
				return
			}
			select {
			case <-time.After(delay):
			case <-r.Context().Done():
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%s %d</title><h1>Page %d</h1>", r.Host, n, n)
			for i := 3*n + 1; i <= 3*n+3 && i < pages; i++ {
				fmt.Fprintf(w, "<p><a href=/p/%d>page %d</a></p>", i, i)
			}
		})
		for n := range pages {
			all = append(all, fmt.Sprintf("http://%s/p/%d", host, n))
		}
	}
	slices.Sort(all)
	return site, all
}

// crawled reads the URLs of an output's records.
func crawled(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".zst") {
		d, err := zstd.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if data, err = io.ReadAll(d); err != nil {
			t.Fatal(err)
		}
	}
	var urls []string
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		var r struct {
			URL, Outcome string
			SOM          json.RawMessage
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("record %d of %s: %v", i+1, file, err)
		}
		if r.Outcome != "ok" || len(r.SOM) == 0 {
			t.Errorf("%s: outcome %s, SOM of %d bytes", r.URL, r.Outcome, len(r.SOM))
		}
		urls = append(urls, r.URL)
	}
	slices.Sort(urls)
	return urls
}

// TestCrawlChild is the process that TestKilledCrawlLosesNothing kills.
func TestCrawlChild(t *testing.T) {
	args := os.Getenv("PLASMATE_TEST_CRAWL")
	if args == "" {
		t.Skip("runs as a child of another test")
	}
	os.Exit(Run(context.Background(), strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr))
}

func TestKilledCrawlLosesNothing(t *testing.T) {
	kills := 20
	if testing.Short() {
		kills = 5
	}
	for _, name := range []string{"pages.jsonl", "pages.jsonl.zst"} {
		t.Run(name, func(t *testing.T) {
			site, want := crawlSite(t, 600, 6*time.Millisecond)
			out := filepath.Join(t.TempDir(), name)
			args := []string{"crawl", "http://a.test/p/0", "http://b.test/p/0", "--resolve", site.Rule(), "--rate", "0", "--per-host", "8",
				"--output", out, "--warc", out + ".warc", "--resume", "--quiet"}
			killed := 0
			for round := 0; ; round++ {
				cmd := exec.Command(os.Args[0], "-test.run=^TestCrawlChild$")
				cmd.Env = append(os.Environ(), "PLASMATE_TEST_CRAWL="+strings.Join(args, "\n"))
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if killed < kills {
					after := time.Duration(20+rand.IntN(120)) * time.Millisecond
					time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
				}
				err := cmd.Wait()
				if err == nil {
					break
				}
				if cmd.ProcessState.Exited() { // by itself
					t.Fatalf("round %d: %v\n%s", round, err, stderr.String())
				}
				killed++
			}
			if d := cmp.Diff(crawled(t, out), want); d != "" {
				t.Errorf("after %d kills (-got +want):\n%s", killed, d)
			}
			t.Logf("%d kills, %d requests for %d pages", killed, len(site.Requests()), len(want))
			checkWARC(t, out+".warc", len(want))
		})
	}
}

// checkWARC walks the records by their lengths and counts the responses of pages.
func checkWARC(t *testing.T, file string, want int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	responses := map[string]int{}
	first := ""
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte("\r\n\r\n"))
		if !ok || !bytes.HasPrefix(head, []byte("WARC/1.1\r\n")) {
			t.Fatalf("no record at %q", data[:min(len(data), 80)])
		}
		fields := map[string]string{}
		for line := range strings.SplitSeq(string(head), "\r\n") {
			k, v, _ := strings.Cut(line, ": ")
			fields[k] = v
		}
		n, err := strconv.Atoi(fields["Content-Length"])
		if err != nil || len(rest) < n+4 || string(rest[n:n+4]) != "\r\n\r\n" {
			t.Fatalf("a record of %q bytes does not end where it should", fields["Content-Length"])
		}
		if first == "" {
			first = fields["WARC-Type"]
		}
		if fields["WARC-Type"] == "response" {
			responses[fields["WARC-Target-URI"]]++
		}
		data = rest[n+4:]
	}
	if first != "warcinfo" {
		t.Errorf("the first record is %q", first)
	}
	if len(responses) != want {
		t.Errorf("%d responses, want %d", len(responses), want)
	}
	for url, n := range responses {
		if n != 1 {
			t.Errorf("%s has %d responses", url, n)
		}
	}
}

func TestFullDiskStopsTheCrawlCleanly(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	site, _ := crawlSite(t, 50, 0)
	var stderr bytes.Buffer
	code := Run(t.Context(), []string{"crawl", "http://a.test/p/0", "--resolve", site.Rule(), "--rate", "0",
		"--output", "/dev/full", "--state", filepath.Join(t.TempDir(), "state"), "--quiet"}, nil, io.Discard, &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "disk is full") || !strings.Contains(stderr.String(), "--resume") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

func TestCrawlToStdoutWithStatus(t *testing.T) {
	site, _ := crawlSite(t, 20, 0)
	dir := t.TempDir()
	list := filepath.Join(dir, "urls.txt")
	if err := os.WriteFile(list, []byte("# pages\nhttp://a.test/p/3\nhttp://b.test/p/4\nhttp://a.test/p/3#again\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fields := filepath.Join(dir, "fields.json")
	if err := os.WriteFile(fields, []byte(`{"head":{"role":"heading"},"all":{"role":"link","all":true,"props":["href"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"crawl", "--urls", list, "--extract", fields, "--resolve", site.Rule(), "--rate", "0", "--report", filepath.Join(dir, "report.json")}, nil, &stdout, &stderr)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var got []string
	for line := range strings.Lines(stdout.String()) {
		var r struct {
			URL    string
			Fields json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		got = append(got, r.URL+" "+string(r.Fields))
	}
	slices.Sort(got)
	wantLines := []string{
		`http://a.test/p/3 {"head":"Page 3","all":[{"href":"/p/10"},{"href":"/p/11"},{"href":"/p/12"}]}`,
		`http://b.test/p/4 {"head":"Page 4","all":[{"href":"/p/13"},{"href":"/p/14"},{"href":"/p/15"}]}`,
	}
	if d := cmp.Diff(got, wantLines); d != "" {
		t.Errorf("records (-got +want):\n%s", d)
	}
	var report crawlReport
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	if !report.Finished || report.Done != 2 || report.Outcomes["ok"] != 2 || report.Outcomes["timeout"] != 0 {
		t.Errorf("report %s", data)
	}
	if !strings.Contains(stderr.String(), "2 done, 0 waiting") || !strings.Contains(stderr.String(), "ok 2") {
		t.Errorf("status %q", stderr.String())
	}
}

// A crawl that is cut short by --max-pages goes on as it began: a list of URLs
// is not followed by what they link to.
func TestResumeKeepsTheDepth(t *testing.T) {
	site, _ := crawlSite(t, 50, 0)
	dir := t.TempDir()
	out, list := filepath.Join(dir, "o.jsonl"), filepath.Join(dir, "urls.txt")
	if err := os.WriteFile(list, []byte("http://a.test/p/1\nhttp://a.test/p/2\nhttp://a.test/p/3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--urls", list, "--max-pages", "1"}, {"--resume"}, {"--urls", list, "--resume"}} {
		var stderr bytes.Buffer
		args = append(append([]string{"crawl"}, args...), "--resolve", site.Rule(), "--rate", "0", "-o", out, "--quiet")
		if code := Run(t.Context(), args, nil, io.Discard, &stderr); code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
		}
	}
	if d := cmp.Diff(crawled(t, out), []string{"http://a.test/p/1", "http://a.test/p/2", "http://a.test/p/3"}); d != "" {
		t.Errorf("records (-got +want):\n%s", d)
	}
}

func TestCrawlRefusesToOverwrite(t *testing.T) {
	site, _ := crawlSite(t, 3, 0)
	out := filepath.Join(t.TempDir(), "o.jsonl")
	run := func(more ...string) (int, string) {
		var stderr bytes.Buffer
		code := Run(t.Context(), append([]string{"crawl", "http://a.test/p/0", "--resolve", site.Rule(), "--rate", "0", "-o", out, "--quiet"}, more...), nil, io.Discard, &stderr)
		return code, stderr.String()
	}
	if code, msg := run(); code != exitOK {
		t.Fatalf("first run: %d %s", code, msg)
	}
	if code, msg := run(); code != exitUsage || !strings.Contains(msg, "earlier crawl") {
		t.Errorf("second run: %d %s", code, msg)
	}
	site.Forget()
	if code, msg := run("--resume"); code != exitOK || len(site.Requests()) != 0 {
		t.Errorf("resume of a finished crawl: %d %s, %d requests", code, msg, len(site.Requests()))
	}
	if code, msg := run("--overwrite"); code != exitOK || len(crawled(t, out)) != 3 {
		t.Errorf("overwrite: %d %s", code, msg)
	}
}
