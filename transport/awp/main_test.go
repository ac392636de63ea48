package awp_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// scratch is a folder for the whole run.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "plasmate"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// binary builds plasmate once and gives its path.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "plasmate")
	out, err := exec.Command("go", "build", "-o", path, "plasmate/cmd/plasmate").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build plasmate: %w\n%s", err, out)
	}
	return path, nil
})

// startServer runs plasmate serve and gives its address, ws://HOST:PORT/.
func startServer(t testing.TB, args ...string) string {
	t.Helper()
	url, _ := startProcess(t, args...)
	return url
}

// startProcess is startServer with a way to end the process early. It must
// exit with 0.
func startProcess(t testing.TB, args ...string) (url string, end func(os.Signal)) {
	t.Helper()
	url, _, end = startCommand(t, args...)
	return url, end
}

// startCommand is startProcess with the process itself.
func startCommand(t testing.TB, args ...string) (url string, process *os.Process, end func(os.Signal)) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"serve", "--port", "0"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once // a second signal ends it at once
	end = func(sig os.Signal) { once.Do(func() { _ = cmd.Process.Signal(sig) }) }
	t.Cleanup(func() {
		end(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("plasmate serve: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "plasmate listening on ")
	if err != nil || !ok {
		t.Fatalf("the server said %q: %v", line, err)
	}
	return url, cmd.Process, end
}
