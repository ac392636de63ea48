package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The protocol document's own client, byte for byte, and ours.
var pythonClients = []string{"../../clients/python/testdata/seed_client.txt", "../../clients/python/plasmate_client.py"}

// python is Debian's interpreter, which has python3-websockets. Without them
// the test fails: `make test` installs both.
func python(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(testContext(t), "/usr/bin/python3", append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	return cmd
}

func TestPythonClients(t *testing.T) {
	site := testServer(t)
	p := serve(t, nil, "--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
	want := map[string]any{
		"hello": "0.1", "status": 200.0, "title": "Lantern & Loom", "bytes agree": true,
		"heading": "Lamps and cloth, made in small runs", "price": "$129.00", "links": 5.0,
		"typed": true, "navigated": true, "found": []any{"Fell blanket", "Slate cushion"},
		"error": "NOT_FOUND", "closed": true,
	}
	for _, client := range pythonClients {
		t.Run(filepath.Base(client), func(t *testing.T) {
			out, err := output(python(t, "testdata/scenario.py", client, p.url))
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var got map[string]any
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if d := cmp.Diff(got, want); d != "" {
				t.Errorf("scenario (-got +want):\n%s", d)
			}
		})
	}
}

// The document's client ends with a quick test that visits a news site over https.
func TestPythonQuickTest(t *testing.T) {
	news := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, `<title>News</title><main><a href="/1">First story</a> <a href="/2">Second story</a></main>`)
	}))
	defer news.Close()
	p := serve(t, nil, "--resolve", "news.ycombinator.com="+strings.TrimPrefix(news.URL, "https://"), "--insecure", "news.ycombinator.com")
	for _, client := range pythonClients {
		out, err := output(python(t, "testdata/quicktest.py", client, p.url))
		if err != nil {
			t.Errorf("%s: %v\n%s", client, err, out)
			continue
		}
		for _, want := range []string{"Loaded https://news.ycombinator.com", "2 elements, 2 interactive", "  - First story", "  - Second story"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s printed\n%s\nwant %q in it", client, out, want)
			}
		}
	}
}

func TestPythonClientNoticesALostConnection(t *testing.T) {
	site := testServer(t)
	p := serve(t, nil, "--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
	cmd := python(t, "testdata/dropped.py", pythonClients[1], p.url)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); line != "waiting\n" {
		t.Fatalf("the script printed %q: %v", line, err)
	}
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if got, want := string(rest), "ConnectionError\nConnectionError\n"; got != want {
		t.Errorf("the client raised\n%s\nwant\n%s", got, want)
	}
}

// output runs a command and gives stdout, or stderr too if it fails.
func output(cmd *exec.Cmd) (string, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out) + stderr.String(), err
	}
	return string(out), nil
}
