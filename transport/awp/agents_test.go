package awp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plasmate"
	client "plasmate/clients/awp"
	"plasmate/messages"
	"plasmate/transport/awp"
	"plasmate/transport/wire"
)

// server is plasmate in this process, so that its actors can be counted.
type server struct {
	engine *plasmate.Engine
	url    string
}

func startInProcess(t *testing.T, site string, change ...func(*plasmate.Config)) server {
	t.Helper()
	cfg := plasmate.Config{Network: plasmate.NetworkConfig{Resolve: []string{"*.test=" + site}}}
	for _, f := range change {
		f(&cfg)
	}
	engine, err := plasmate.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := wire.NewServer(wire.Config{Runtime: engine, Protocols: []wire.Protocol{{
		Path: "/awp", Subprotocol: "awp.v0.1", Speaks: awp.Speaks,
		New: func() messages.Codec { return awp.NewConn(awp.Config{ServerVersion: plasmate.Version}) },
	}}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
		defer stop()
		if err := engine.Close(ctx); err != nil {
			t.Errorf("close the engine: %v", err)
		}
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("shut the server down: %v", err)
		}
	})
	return server{engine: engine, url: "ws://" + l.Addr().String() + "/"}
}

// agentSite gives every agent a page of its own, with a link and a form.
func agentSite(t *testing.T) string {
	mux := http.NewServeMux()
	page := func(title, body string) string {
		return "<!doctype html><html lang=en><title>" + title + "</title><main><h1>" + title + "</h1>" + body + "</main>"
	}
	mux.HandleFunc("/agent/{n}", func(w http.ResponseWriter, r *http.Request) {
		n := r.PathValue("n")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.SetCookie(w, &http.Cookie{Name: "agent", Value: n, Path: "/"})
		_, _ = fmt.Fprint(w, page("Agent "+n, "<p>Only for "+n+"</p><a href='/own/"+n+"'>Go on</a>"))
	})
	mux.HandleFunc("/own/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, page("Own "+r.PathValue("n"), "<p>Cookie "+r.Header.Get("Cookie")+"</p>"))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.Listener.Addr().String()
}

func TestTwoHundredAgentsEachSeeTheirOwnPage(t *testing.T) {
	s := startInProcess(t, agentSite(t))
	var all sync.WaitGroup
	for n := range 200 {
		all.Go(func() {
			if err := agentRun(t.Context(), s.url, n); err != nil {
				t.Errorf("agent %d: %v", n, err)
			}
		})
	}
	all.Wait()
}

// agentRun navigates, clicks and observes, and checks that all of it is agent n's.
func agentRun(ctx context.Context, url string, n int) error {
	c, err := client.Dial(ctx, url, client.Options{})
	if err != nil {
		return err
	}
	defer c.Close()
	session, err := hello(ctx, c)
	if err != nil {
		return err
	}
	host := fmt.Sprintf("h%d.test", n%7)
	if err := c.Call(ctx, "page.navigate", map[string]any{"session_id": session, "url": fmt.Sprintf("http://%s/agent/%d", host, n)}, nil); err != nil {
		return err
	}
	if err := observed(ctx, c, session, fmt.Sprintf("Only for %d\"", n)); err != nil {
		return err
	}
	click := map[string]any{"action": "click", "target": map[string]string{"text": "Go on", "role": "link"}}
	var acted struct {
		Effects struct{ Navigated bool }
	}
	if err := c.Call(ctx, "page.act", map[string]any{"session_id": session, "intent": click}, &acted); err != nil {
		return err
	}
	if !acted.Effects.Navigated {
		return fmt.Errorf("the click did not navigate")
	}
	return observed(ctx, c, session, fmt.Sprintf("Cookie agent=%d\"", n))
}

func hello(ctx context.Context, c *client.Client) (string, error) {
	if err := c.Call(ctx, "awp.hello", map[string]string{"awp_version": "0.1"}, nil); err != nil {
		return "", err
	}
	var created struct {
		SessionID string `json:"session_id"`
	}
	err := c.Call(ctx, "session.create", nil, &created)
	return created.SessionID, err
}

func observed(ctx context.Context, c *client.Client, session, want string) error {
	var o struct{ SOM json.RawMessage }
	if err := c.Call(ctx, "page.observe", map[string]any{"session_id": session}, &o); err != nil {
		return err
	}
	if !strings.Contains(string(o.SOM), want) {
		return fmt.Errorf("observed %.300s, which lacks %q", o.SOM, want)
	}
	return nil
}

func TestNothingIsLeftAfterAThousandConnections(t *testing.T) {
	s := startInProcess(t, agentSite(t))
	before := runtime.NumGoroutine()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for n := next.Add(1); n <= 1000; n = next.Add(1) {
				if err := comeAndGo(t.Context(), s.url, int(n)); err != nil {
					t.Errorf("connection %d: %v", n, err)
					return
				}
			}
		})
	}
	all.Wait()
	deadline := time.Now().Add(20 * time.Second)
	for {
		alive := s.engine.Stats().Alive
		goroutines := runtime.NumGoroutine()
		// The local connection stays, hosts and idle HTTP connections for a while.
		if alive["connection"] == 1 && alive["session"] == 0 && alive["page"] == 0 && alive["exchange"] == 0 && goroutines < before+60 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left: actors %v, %d goroutines (%d before)", alive, goroutines, before)
		}
		runtime.Gosched()
	}
}

// comeAndGo connects, navigates and leaves: politely, or by dropping the
// socket in the middle of a navigation.
func comeAndGo(ctx context.Context, url string, n int) error {
	c, err := client.Dial(ctx, url, client.Options{})
	if err != nil {
		return err
	}
	defer c.Close()
	session, err := hello(ctx, c)
	if err != nil {
		return err
	}
	params := map[string]any{"session_id": session, "url": fmt.Sprintf("http://a.test/agent/%d", n%50)}
	if n%2 == 0 {
		return c.Call(ctx, "page.navigate", params, nil)
	}
	go func() { _ = c.Call(ctx, "page.navigate", params, nil) }()
	return nil
}

func TestALeavingClientCancelsItsFetch(t *testing.T) {
	began, ended := make(chan struct{}, 1), make(chan struct{}, 1)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done() // the server sees the connection close
		ended <- struct{}{}
	}))
	t.Cleanup(site.Close)
	for name, leave := range map[string]func(context.Context, *client.Client, string) error{
		"client gone": func(_ context.Context, c *client.Client, _ string) error { return c.Close() },
		"session closed": func(ctx context.Context, c *client.Client, session string) error {
			return c.Call(ctx, "session.close", map[string]string{"session_id": session}, nil)
		},
		"newer navigation": func(ctx context.Context, c *client.Client, session string) error {
			return c.Call(ctx, "page.navigate", map[string]string{"session_id": session, "url": "about:blank"}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startInProcess(t, site.Listener.Addr().String())
			ctx := t.Context()
			c, err := client.Dial(ctx, s.url, client.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			session, err := hello(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				_ = c.Call(ctx, "page.navigate", map[string]string{"session_id": session, "url": "http://a.test/"}, nil)
			}()
			<-began
			if err := leave(ctx, c, session); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Fatal("the server never saw the connection close")
			}
		})
	}
}
