package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"plasmate/clients/awp"
)

// process is a plasmate serve of its own.
type process struct {
	cmd    *exec.Cmd
	url    string // ws://HOST:PORT/
	stdout *bufio.Reader
	stderr strings.Builder
}

// serve starts plasmate serve on a free port and waits for its line.
func serve(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command("plasmate", append([]string{"serve", "--port", "0"}, args...)...)}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	p.stdout = bufio.NewReader(out)
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("plasmate serve printed %q: %v\n%s", line, err, p.stderr.String())
	}
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "plasmate listening on ")
	if !ok || !strings.HasPrefix(url, "ws://127.0.0.1:") || !strings.HasSuffix(url, "/") {
		t.Fatalf("plasmate serve printed %q, want plasmate listening on ws://127.0.0.1:PORT/", line)
	}
	p.url = url
	return p
}

// end sends a signal and returns what else stdout had; it fails the test if the exit code is not 0.
func (p *process) end(t *testing.T, sig os.Signal) string {
	t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(p.stdout)
	if err := errors.Join(err, p.cmd.Wait()); err != nil {
		t.Fatalf("plasmate serve: %v\n%s", err, p.stderr.String())
	}
	return string(rest)
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestServeSaysItIsUp(t *testing.T) {
	p := serve(t, nil)
	r, err := http.Get("http" + strings.TrimPrefix(p.url, "ws") + "health")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var health struct{ Status, Version string }
	if err := json.NewDecoder(r.Body).Decode(&health); err != nil || health.Status != "ok" || health.Version != "0.1.0" {
		t.Errorf("GET /health = %+v, %v, want ok and 0.1.0", health, err)
	}
	if rest := p.end(t, os.Interrupt); rest != "" {
		t.Errorf("stdout has %q after the first line", rest)
	}
}

func TestServeEndsOnSIGTERM(t *testing.T) {
	site := testServer(t)
	p := serve(t, nil, "--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
	ctx := testContext(t)
	c, err := awp.Dial(ctx, p.url, awp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	session := hello(t, ctx, c)
	inFlight := make(chan error, 1)
	go func() {
		inFlight <- c.Call(ctx, "page.navigate", map[string]any{"session_id": session, "url": "http://slow.test/"}, nil)
	}()
	// A second session's answer proves nothing about the first's; the order of frames does.
	if err := c.Call(ctx, "awp.hello", nil, nil); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	p.end(t, syscall.SIGTERM)
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the server took %v to end, want 5 s at most", took)
	}
	var answered *awp.Error
	var closed *websocket.CloseError
	if err := <-inFlight; errors.As(err, &closed) {
		if closed.Code != websocket.CloseGoingAway {
			t.Errorf("the socket was closed with %d, want 1001", closed.Code)
		}
	} else if !errors.As(err, &answered) {
		t.Errorf("the request in flight ended with %v, want an answer or close code 1001", err)
	}
	if err := c.Call(ctx, "awp.hello", nil, nil); err == nil {
		t.Error("the connection outlives the server")
	} else if errors.As(err, &closed) && closed.Code != websocket.CloseGoingAway {
		t.Errorf("the socket was closed with %d, want 1001", closed.Code)
	}
}

func hello(t *testing.T, ctx context.Context, c *awp.Client) (session string) {
	t.Helper()
	if err := c.Call(ctx, "awp.hello", map[string]string{"awp_version": "0.1"}, nil); err != nil {
		t.Fatal(err)
	}
	var r struct {
		ID string `json:"session_id"`
	}
	if err := c.Call(ctx, "session.create", nil, &r); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func TestServeWantsItsToken(t *testing.T) {
	p := serve(t, []string{"PLASMATE_AUTH_TOKEN=open sesame"})
	for _, c := range []struct {
		name, query, token string
		ok                 bool
	}{
		{"no token", "", "", false},
		{"wrong token", "", "open", false},
		{"Authorization: Bearer", "", "open sesame", true},
		{"?token=", "?token=open+sesame", "", true},
		{"wrong ?token=", "?token=open", "", false},
	} {
		client, err := awp.Dial(testContext(t), p.url+c.query, awp.Options{Token: c.token})
		if (err == nil) != c.ok {
			t.Errorf("%s: connecting gave %v, want success %t", c.name, err, c.ok)
		}
		if err != nil && !strings.Contains(err.Error(), "401") {
			t.Errorf("%s: refused with %v, want 401", c.name, err)
		}
		if client != nil {
			client.Close()
		}
	}
}

func TestServeChecksTheOrigin(t *testing.T) {
	p := serve(t, nil, "--allow-origin", "https://ide.example")
	own := "http" + strings.TrimSuffix(strings.TrimPrefix(p.url, "ws"), "/")
	for origin, ok := range map[string]bool{own: true, "https://ide.example": true, "https://evil.example": false, "null": false} {
		ws, resp, err := websocket.DefaultDialer.Dial(p.url, http.Header{"Origin": {origin}})
		if (err == nil) != ok {
			t.Errorf("Origin %s: connecting gave %v, want success %t", origin, err, ok)
		}
		if err != nil && (resp == nil || resp.StatusCode != http.StatusForbidden) {
			t.Errorf("Origin %s: refused with %v, want 403", origin, resp)
		}
		if ws != nil {
			ws.Close()
		}
	}
}

func TestServeGivesSessionsItsDefaults(t *testing.T) {
	site := testServer(t)
	p := serve(t, nil, "--user-agent", "house/1", "--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
	ctx := testContext(t)
	for want, params := range map[string]map[string]string{"You are house/1": nil, "You are guest/2": {"user_agent": "guest/2"}} {
		c, err := awp.Dial(ctx, p.url, awp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hello(t, ctx, c)
		var s struct {
			ID string `json:"session_id"`
		}
		if err := c.Call(ctx, "session.create", params, &s); err != nil {
			t.Fatal(err)
		}
		if err := c.Call(ctx, "page.navigate", map[string]string{"session_id": s.ID, "url": "http://agent.test/"}, nil); err != nil {
			t.Fatal(err)
		}
		var seen struct{ Text string }
		if err := c.Call(ctx, "page.observe", map[string]string{"session_id": s.ID, "format": "text"}, &seen); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(seen.Text, want) {
			t.Errorf("the server saw %q, want %q", seen.Text, want)
		}
		c.Close()
	}
}

func TestServeReportsAPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	out, err := exec.Command("plasmate", "serve", "--port", port).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(string(out), "in use") {
		t.Errorf("serving on a taken port: %v, %q, want exit code 1 and why", err, out)
	}
}
