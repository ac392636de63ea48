package awp_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	client "plasmate/clients/awp"
)

// BenchmarkIdleSession measures the resident memory of the server for each
// idle AWP session. Run it with a fixed count:
//
//	go test ./transport/awp -run '^$' -bench IdleSession -benchtime 5000x
func BenchmarkIdleSession(b *testing.B) {
	page := corpusPage(b)
	for name, url := range map[string]func(n int) string{
		"no page":       nil,
		"one page":      func(int) string { return "http://a.test/p" },
		"a page of own": func(n int) string { return fmt.Sprintf("http://a.test/p/%d", n) },
	} {
		b.Run(name, func(b *testing.B) { idleSessions(b, page, url) })
	}
}

// corpusPage is about 35 KB of real HTML.
func corpusPage(b *testing.B) []byte {
	files, err := filepath.Glob("../../testdata/corpus/*/*.html")
	if err != nil || len(files) == 0 {
		b.Skip("testdata/corpus is not there")
	}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Size() > 33_000 && info.Size() < 37_000 {
			data, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			b.Logf("page: %s, %d bytes", f, len(data))
			return data
		}
	}
	b.Skip("no page of about 35 KB in testdata/corpus")
	return nil
}

func idleSessions(b *testing.B, page []byte, url func(int) string) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "%s<p>%s</p>", page, r.URL.Path) // other bytes, so another page
	}))
	defer site.Close()
	path, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(path, "serve", "--port", "0", "--resolve", "*.test="+site.Listener.Addr().String(), "--max-sessions", "100000", "--max-connections", "100000")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	address := strings.TrimPrefix(strings.TrimSpace(line), "plasmate listening on ")
	before := resident(b, cmd.Process.Pid)
	for n := range b.N {
		c, err := client.Dial(b.Context(), address, client.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		session, err := hello(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		if url != nil {
			if err := c.Call(b.Context(), "page.navigate", map[string]any{"session_id": session, "url": url(n)}, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.StopTimer()
	// Idle means idle: pages forget their analysis, the collector gives memory back.
	timer := time.NewTimer(time.Minute)
	defer timer.Stop()
	now := resident(b, cmd.Process.Pid)
	if b.N >= 1000 {
		<-timer.C
		now = resident(b, cmd.Process.Pid)
	}
	b.ReportMetric(float64(now-before)/1024/float64(b.N), "KiB/session")
	b.ReportMetric(0, "ns/op")
}

// resident is the resident set size of a process in bytes.
func resident(b testing.TB, pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Skip("no /proc here")
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		b.Fatal(err)
	}
	return pages * os.Getpagesize()
}
