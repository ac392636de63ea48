package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"plasmate"
	"plasmate/transport/mcp"
)

// shop is a site with a form, a list and a table.
func shop(t *testing.T) string {
	page := func(w http.ResponseWriter, title, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title><main><h1>%s</h1>%s</main>", title, title, body)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "Tea shop", `<p>Fresh tea.</p><form action="/find"><label>Find <input name="q"></label><button>Search</button></form>
<ul><li><a href="/a">Sencha</a> $4</li><li><a href="/b">Matcha</a> $9</li></ul><table><tr><th>Size<th>Price<tr><td>S<td>$1<tr><td>L<td>$2</table>`)
	})
	mux.HandleFunc("/find", func(w http.ResponseWriter, r *http.Request) {
		page(w, "Found "+r.URL.Query().Get("q"), "<p>One tea.</p>")
	})
	mux.HandleFunc("/account", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "Account", `<p>Card 4242 4242 4242 4242</p><form method="post" action="/gone"><button>Delete account</button></form><form><label>Note <input name="n"></label></form>`)
	})
	mux.HandleFunc("POST /gone", func(w http.ResponseWriter, _ *http.Request) { page(w, "Gone", "<p>Deleted.</p>") })
	mux.HandleFunc("/a", func(w http.ResponseWriter, _ *http.Request) { page(w, "Sencha", "<p>Green and fresh.</p>") })
	mux.HandleFunc("/b", func(w http.ResponseWriter, _ *http.Request) { page(w, "Matcha", "<p>A powder.</p>") })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.Listener.Addr().String()
}

func config(t *testing.T) mcp.Config {
	t.Helper()
	_, cfg := start(t)
	return cfg
}

func start(t *testing.T) (*plasmate.Engine, mcp.Config) {
	t.Helper()
	engine, err := plasmate.New(plasmate.Config{Network: plasmate.NetworkConfig{Resolve: []string{"*.test=" + shop(t)}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
		defer stop()
		if err := engine.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return engine, mcp.Config{Asker: engine.Asker(), Version: "1.2.3", SearchURL: "http://tea.test/find?q=%s"}
}

// doors connects the SDK's client through each transport.
func doors(t *testing.T, test func(*testing.T, *sdk.ClientSession)) {
	client := func() *sdk.Client { return sdk.NewClient(&sdk.Implementation{Name: "t", Version: "0"}, nil) }
	t.Run("in memory", func(t *testing.T) {
		here, there := sdk.NewInMemoryTransports()
		ctx, stop := context.WithCancel(context.Background())
		t.Cleanup(stop)
		go func() { _ = mcp.NewServer(config(t)).Run(ctx, there) }()
		session, err := client().Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		test(t, session)
	})
	t.Run("streamable HTTP", func(t *testing.T) {
		server := httptest.NewServer(mcp.NewHandler(config(t)))
		t.Cleanup(server.Close)
		session, err := client().Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		test(t, session)
	})
}

func use(t *testing.T, s *sdk.ClientSession, tool string, args any) (string, bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d blocks, want 1", tool, len(r.Content))
	}
	text, ok := r.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("%s: a %T", tool, r.Content[0])
	}
	return text.Text, r.IsError
}

type args = map[string]any

func TestTools(t *testing.T) {
	doors(t, func(t *testing.T, s *sdk.ClientSession) {
		for _, row := range []struct {
			tool   string
			args   args
			failed bool
			want   []string
		}{
			{"observe", args{}, true, []string{"✗ observe: not-found"}},
			{"navigate", args{"url": "http://tea.test/"}, false, []string{"Tea shop"}},
			{"observe", args{}, false, []string{"# Tea shop", "[1]", `"Find"`, `"Search"`}},
			{"observe", args{"mode": "full"}, false, []string{"Fresh tea."}},
			{"observe", args{"mode": "odd"}, true, []string{"✗ observe: invalid-args mode is actions, full or read"}},
			{"observe", args{"budget": "x"}, true, []string{"✗ observe: invalid-args"}},
			{"observe", args{"surprise": 1}, true, []string{"invalid-args", "surprise"}},
			{"observe", args{"ref": 999}, true, []string{"✗ observe: not-found"}},
			{"find", args{"q": "search"}, false, []string{`button "Search"`}},
			{"find", args{"q": "css:li"}, false, []string{"css"}},
			{"find", args{"q": "css:li["}, true, []string{"✗ find: invalid-args"}},
			{"extract", args{"kind": "table"}, false, []string{"Size", "$2"}},
			{"extract", args{"kind": "meta"}, false, []string{"Tea shop"}},
			{"extract", args{"kind": "odd"}, true, []string{"invalid-args"}},
			{"tabs", args{"op": "list"}, false, []string{"* 1", "http://tea.test/"}},
			{"tabs", args{"op": "open", "url": "http://tea.test/a"}, false, []string{"Sencha"}},
			{"tabs", args{}, false, []string{"  1", "* 2"}},
			{"tabs", args{"op": "switch", "index": 1}, false, []string{"* 1"}},
			{"tabs", args{"op": "close", "index": 2}, false, []string{"* 1"}},
			{"tabs", args{"op": "close", "index": 2}, true, []string{"not-found"}},
			{"wait", args{"text": "Fresh"}, false, []string{"✓ wait"}},
			{"wait", args{"text": "Never there"}, true, []string{"✗ wait: timeout"}},
			{"screenshot", args{}, true, []string{"✗ screenshot: unsupported"}},
			{"research", args{"urls": []string{"http://tea.test/a", "http://tea.test/b", "http://no.invalid/"}, "limit": 3}, false,
				[]string{"1 ", "Green and fresh.", "2 ", "A powder.", "3 ✗ http://no.invalid/"}},
			{"navigate", args{"url": "green tea"}, false, []string{"Found green tea"}},
			{"navigate", args{"url": "back"}, false, []string{"Tea shop"}},
			{"navigate", args{"url": "http://127.0.0.1:1/"}, true, []string{"✗ navigate: blocked", "--allow-private-network"}},
			{"navigate", args{}, true, []string{"✗ navigate: invalid-args"}},
		} {
			text, failed := use(t, s, row.tool, row.args)
			if failed != row.failed {
				t.Errorf("%s %v: failed %v, want %v: %s", row.tool, row.args, failed, row.failed, text)
			}
			for _, want := range row.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s %v: %q is not in\n%s", row.tool, row.args, want, text)
				}
			}
		}
	})
}

func TestCancelReachesThePage(t *testing.T) {
	doors(t, func(t *testing.T, s *sdk.ClientSession) {
		ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer stop()
		if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "navigate", Arguments: args{"url": "http://tea.test/slow"}}); err == nil {
			t.Error("a page that never comes was answered")
		}
		if text, failed := use(t, s, "navigate", args{"url": "http://tea.test/"}); failed { // the session is usable
			t.Error(text)
		}
	})
}

// TestToolsAreShort: a model reads them with every request.
func TestToolsAreShort(t *testing.T) {
	doors(t, func(t *testing.T, s *sdk.ClientSession) {
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		codec, err := tokenizer.Get(tokenizer.O200kBase)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, tool := range list.Tools {
			b, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "inputSchema": tool.InputSchema})
			if err != nil {
				t.Fatal(err)
			}
			n, err := codec.Count(string(b))
			if err != nil {
				t.Fatal(err)
			}
			total += n
		}
		t.Logf("%d tools, %d tokens (o200k)", len(list.Tools), total)
		if len(list.Tools) != 9 || total > 1200 {
			t.Errorf("%d tools with %d tokens, want 9 with at most 1200", len(list.Tools), total)
		}
	})
}

// TestSessionsShareNothing: each MCP session is a session of the runtime.
func TestSessionsShareNothing(t *testing.T) {
	server := httptest.NewServer(mcp.NewHandler(config(t)))
	t.Cleanup(server.Close)
	var sessions [2]*sdk.ClientSession
	for i := range sessions {
		s, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "0"}, nil).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		sessions[i] = s
	}
	if text, failed := use(t, sessions[0], "navigate", args{"url": "http://tea.test/a"}); failed {
		t.Fatal(text)
	}
	if text, failed := use(t, sessions[1], "observe", args{}); !failed {
		t.Errorf("the other session sees %s", text)
	}
}

func TestASessionEndsWithItsClient(t *testing.T) {
	engine, cfg := start(t)
	here, there := sdk.NewInMemoryTransports()
	ended := make(chan struct{})
	go func() { defer close(ended); _ = mcp.NewServer(cfg).Run(context.Background(), there) }()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "0"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, failed := use(t, s, "navigate", args{"url": "http://tea.test/"}); failed {
		t.Fatal(text)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	deadline := time.Now().Add(10 * time.Second)
	for engine.Stats().Alive["session"] != 0 {
		if time.Now().After(deadline) {
			t.Fatalf("left: %v", engine.Stats().Alive)
		}
		runtime.Gosched()
	}
}
