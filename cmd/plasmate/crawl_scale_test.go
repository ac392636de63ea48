package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plasmate/internal/testsite"
)

// A million URLs wait on a thousand hosts; the process may not have more than
// 600 MiB of memory, its mapped store among it.
func TestMillionURLsWait(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a list of a million URLs")
	}
	site := testsite.Start(t)
	site.Page("*", "/", "text/html", "<p>page")
	dir := t.TempDir()
	list := filepath.Join(dir, "urls.txt")
	file, err := os.Create(list)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	for i := range 1_000_000 {
		fmt.Fprintf(w, "http://h%d.test/some/section/page-%d.html?ref=list&n=%d\n", i%1000, i, i%97)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{{"--urls", list}, {"--resume"}} {
		args := append([]string{"crawl", "--resolve", site.Rule(), "--rate", "0", "--ignore-robots", "--max-pages", "200", "--format", "outline",
			"-o", filepath.Join(dir, "o.jsonl")}, more...)
		if more[0] == "--resume" {
			args = append(args, "--max-pages", "400")
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestCrawlChild$")
		cmd.Env = append(os.Environ(), "PLASMATE_TEST_CRAWL="+strings.Join(args, "\n"))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", more, err, stderr.String())
		}
		if !strings.Contains(stderr.String(), " 999") { // waiting
			t.Errorf("%v: %s", more, stderr.String())
		}
		u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			t.Skip("this system does not tell the memory of a child")
		}
		mib := u.Maxrss >> 10
		t.Logf("%v: %d MiB", more, mib)
		if mib > 600 {
			t.Errorf("%v: %d MiB of memory, want at most 600", more, mib)
		}
	}
}
