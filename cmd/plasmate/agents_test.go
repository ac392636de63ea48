package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"plasmate/clients/awp"
)

// Many agents at once, each with a site and a login of its own: nobody sees
// another's page.
func TestManyAgentsEachSeeTheirOwnPage(t *testing.T) {
	agents := 200
	if testing.Short() {
		agents = 50
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		name, _, _ := strings.Cut(r.Host, ".")
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "agent", Value: name})
			fmt.Fprintf(w, `<title>Front of %s</title><main><h1>%s</h1><a href="/in">Enter</a></main>`, name, name)
			return
		}
		c, err := r.Cookie("agent")
		if err != nil {
			http.Error(w, "no cookie", http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, `<title>Inside</title><main><h1>%s is with %s</h1></main>`, c.Value, name)
	}))
	defer site.Close()
	p := serve(t, nil, "--resolve", "*.test="+strings.TrimPrefix(site.URL, "http://"))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	all, ctx := errgroup.WithContext(ctx)
	for i := range agents {
		all.Go(func() error { return visit(ctx, p.url, fmt.Sprintf("a%d", i)) })
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
}

// visit is one agent: navigate, observe, click, extract.
func visit(ctx context.Context, server, name string) error {
	c, err := awp.Dial(ctx, server, awp.Options{})
	if err != nil {
		return err
	}
	defer c.Close()
	call := func(method string, params map[string]any, result any) error {
		if err := c.Call(ctx, method, params, result); err != nil {
			return fmt.Errorf("%s: %s: %w", name, method, err)
		}
		return nil
	}
	var session struct {
		ID string `json:"session_id"`
	}
	var seen struct {
		SOM struct{ Title string }
	}
	var acted struct {
		Effects struct{ Navigated bool }
	}
	var got struct {
		Data struct{ Heading string }
	}
	if err := call("awp.hello", nil, nil); err != nil {
		return err
	}
	if err := call("session.create", nil, &session); err != nil {
		return err
	}
	for _, step := range []struct {
		method string
		params map[string]any
		result any
	}{
		{"page.navigate", map[string]any{"url": "http://" + name + ".test/"}, nil},
		{"page.observe", map[string]any{}, &seen},
		{"page.act", map[string]any{"intent": map[string]any{"action": "click", "target": map[string]any{"text": "Enter"}}}, &acted},
		{"page.extract", map[string]any{"fields": map[string]any{"heading": map[string]any{"role": "heading"}}}, &got},
	} {
		step.params["session_id"] = session.ID
		if err := call(step.method, step.params, step.result); err != nil {
			return err
		}
	}
	if want := "Front of " + name; seen.SOM.Title != want {
		return fmt.Errorf("%s saw the page %q, want %q", name, seen.SOM.Title, want)
	}
	if want := name + " is with " + name; !acted.Effects.Navigated || got.Data.Heading != want {
		return fmt.Errorf("%s arrived at %q, want %q", name, got.Data.Heading, want)
	}
	return nil
}
