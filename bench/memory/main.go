// Command memory measures what an idle session costs a server: it starts
// `plasmate serve`, opens many AWP connections with a session each, first
// without a page, then with one, and reads the server's resident memory.
//
//	make build && go run ./bench/memory -sessions 5000
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"plasmate/clients/awp"
)

func main() {
	binary := flag.String("plasmate", "bin/plasmate", "the server's program")
	sessions := flag.Int("sessions", 5000, "connections with a session each")
	pageBytes := flag.Int("page-bytes", 35<<10, "size of the page that each session loads")
	shared := flag.Bool("shared", false, "all load the same page instead of one each")
	settle := flag.Duration("settle", time.Minute, "time to wait before memory is read: a page's analysis is dropped after 20 s, and then garbage is given back")
	flag.Parse()
	if err := run(*binary, *sessions, *pageBytes, *shared, *settle); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

func run(binary string, sessions, pageBytes int, shared bool, settle time.Duration) error {
	site, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	body := page(pageBytes)
	web := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>%s</title>%s", r.URL.Path, body)
	})}
	go web.Serve(site) // ends with the program
	server, url, err := start(binary, site.Addr().String())
	if err != nil {
		return err
	}
	defer server.Process.Kill()
	ctx := context.Background()
	if err := warmUp(ctx, url, shared); err != nil {
		return err
	}
	base := resident(server.Process.Pid)
	fmt.Printf("server alone: %d KiB\n", base)

	clients := make([]*awp.Client, sessions)
	ids := make([]string, sessions)
	if err := each(ctx, sessions, func(ctx context.Context, i int) (err error) {
		clients[i], ids[i], err = open(ctx, url)
		return err
	}); err != nil {
		return err
	}
	report("session without a page", server.Process.Pid, base, sessions, settle)
	if err := each(ctx, sessions, func(ctx context.Context, i int) error {
		return navigate(ctx, clients[i], ids[i], i, shared)
	}); err != nil {
		return err
	}
	report(fmt.Sprintf("session with a page of %d KiB (one for all: %t)", pageBytes>>10, shared), server.Process.Pid, base, sessions, settle)
	return nil
}

// page is a plausible document of about n bytes.
func page(n int) string {
	var b strings.Builder
	b.WriteString("<main><h1>Catalogue</h1>")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `<article class="card card--wide"><h2><a href="/item/%d">Item %d</a></h2><p class="text">Made of wool, linen and patience; item %d of the list.</p><span class="price">$%d.50</span></article>`, i, i, i, i)
	}
	return b.String() + "</main>"
}

func start(binary, site string) (*exec.Cmd, string, error) {
	cmd := exec.Command(binary, "serve", "--port", "0", "--resolve", "*.test="+site)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, "", fmt.Errorf("wait for the server: %w", err)
	}
	return cmd, strings.TrimSpace(strings.TrimPrefix(line, "plasmate listening on ")), nil
}

func open(ctx context.Context, url string) (*awp.Client, string, error) {
	c, err := awp.Dial(ctx, url, awp.Options{})
	if err != nil {
		return nil, "", err
	}
	if err := c.Call(ctx, "awp.hello", nil, nil); err != nil {
		return nil, "", err
	}
	var s struct {
		ID string `json:"session_id"`
	}
	err = c.Call(ctx, "session.create", nil, &s)
	return c, s.ID, err
}

func navigate(ctx context.Context, c *awp.Client, session string, i int, shared bool) error {
	if shared {
		i = 0
	}
	return c.Call(ctx, "page.navigate", map[string]any{"session_id": session, "url": fmt.Sprintf("http://h%d.test/%d", i%16, i)}, nil)
}

// warmUp opens one session, navigates and closes it.
func warmUp(ctx context.Context, url string, shared bool) error {
	c, id, err := open(ctx, url)
	if err != nil {
		return err
	}
	defer c.Close()
	return navigate(ctx, c, id, -1, shared)
}

func each(ctx context.Context, n int, do func(context.Context, int) error) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(64)
	for i := range n {
		all.Go(func() error { return do(ctx, i) })
	}
	return all.Wait()
}

func report(what string, pid, base, sessions int, settle time.Duration) {
	peak := resident(pid)
	<-time.After(settle)
	now := resident(pid)
	fmt.Printf("%s: %.1f KiB each (%d KiB now, %d KiB right after)\n", what, float64(now-base)/float64(sessions), now, peak)
}

// resident is the memory of a process in KiB, 0 where there is no /proc.
func resident(pid int) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(v), " kB"))
			return n
		}
	}
	return 0
}
