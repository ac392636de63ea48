package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"plasmate/messages"
	"plasmate/transport/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo is a runtime whose peers send back what they get, through the codec's
// Receive, and keep count.
type echo struct {
	mu    sync.Mutex
	links []messages.Link
	gone  chan struct{}
	full  error // refuses connections
}

func (e *echo) Connect(c messages.Codec, l messages.Link) (messages.Peer, error) {
	if e.full != nil {
		return nil, e.full
	}
	e.mu.Lock()
	e.links = append(e.links, l)
	e.mu.Unlock()
	return &echoPeer{e: e, codec: c, link: l}, nil
}

type echoPeer struct {
	e     *echo
	codec messages.Codec
	link  messages.Link
}

func (p *echoPeer) Deliver(f messages.Frame) bool {
	for _, out := range p.codec.Receive(f).Frames {
		p.link.Send(out)
	}
	return true
}

func (p *echoPeer) Gone() {
	select {
	case p.e.gone <- struct{}{}:
	default:
	}
}

// mirror is a codec that answers each frame with its name and the frame.
type mirror string

func (m mirror) Receive(f messages.Frame) messages.Step {
	if n := strings.Count(string(f.Data), "flood"); n > 0 {
		step := messages.Step{}
		for range 4000 {
			step.Frames = append(step.Frames, make([]byte, 64<<10))
		}
		return step
	}
	return messages.Step{Frames: [][]byte{append([]byte(m+" "), f.Data...)}}
}

func (mirror) Event(messages.SessionID, messages.Event) messages.Step { return messages.Step{} }

func (mirror) Answer(messages.Call, any, *messages.Error) messages.Step { return messages.Step{} }

func start(t *testing.T, cfg wire.Config) (*echo, string) {
	t.Helper()
	e := &echo{gone: make(chan struct{}, 100)}
	if cfg.Runtime == nil {
		cfg.Runtime = e
	}
	cfg.Version = "1.2.3"
	cfg.Protocols = []wire.Protocol{
		{Path: "/bap", Subprotocol: "bap", New: func() messages.Codec { return mirror("bap") },
			Speaks: func(f messages.Frame) bool { return strings.Contains(string(f.Data), "jsonrpc") }},
		{Path: "/awp", Subprotocol: "awp.v0.1", New: func() messages.Codec { return mirror("awp") }},
	}
	s := wire.NewServer(cfg)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		e.mu.Lock()
		for _, link := range e.links {
			link.Close(websocket.CloseGoingAway, "server shutting down")
		}
		e.mu.Unlock()
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
		defer stop()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return e, l.Addr().String()
}

func dial(t *testing.T, url string, header http.Header, subprotocols ...string) *websocket.Conn {
	t.Helper()
	d := websocket.Dialer{Subprotocols: subprotocols}
	ws, _, err := d.DialContext(t.Context(), url, header)
	if err != nil {
		t.Fatalf("dial %s: %v", url, err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}

func ask(t *testing.T, ws *websocket.Conn, frame string) string {
	t.Helper()
	if err := ws.WriteMessage(websocket.TextMessage, []byte(frame)); err != nil {
		t.Fatal(err)
	}
	_ = ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, data, err := ws.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestProtocolOfAConnection(t *testing.T) {
	_, addr := start(t, wire.Config{})
	for _, row := range []struct {
		path, subprotocol, first, want string
	}{
		{"/awp", "", `{"jsonrpc":"2.0"}`, "awp"},
		{"/bap", "", `{}`, "bap"},
		{"/", "", `{"jsonrpc":"2.0"}`, "bap"},
		{"/", "", `{}`, "awp"},
		{"/any/other", "", `nonsense`, "awp"},
		{"/", "bap", `{}`, "bap"},
		{"/", "awp.v0.1", `{"jsonrpc":"2.0"}`, "awp"},
	} {
		var offered []string
		if row.subprotocol != "" {
			offered = []string{"x", row.subprotocol}
		}
		ws := dial(t, "ws://"+addr+row.path, nil, offered...)
		if got := ws.Subprotocol(); got != row.subprotocol {
			t.Errorf("%+v: echoed subprotocol %q", row, got)
		}
		got, _, _ := strings.Cut(ask(t, ws, row.first), " ")
		if got != row.want {
			t.Errorf("%+v: got %s", row, got)
		}
	}
}

func TestHealth(t *testing.T) {
	_, addr := start(t, wire.Config{AuthToken: "secret"})
	res, err := http.Get("http://" + addr + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var got map[string]string
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got["status"] != "ok" || got["version"] != "1.2.3" || res.StatusCode != 200 {
		t.Errorf("%d %v", res.StatusCode, got)
	}
}

func TestWhoMayConnect(t *testing.T) {
	_, addr := start(t, wire.Config{AuthToken: "s3cret", Origins: []string{"https://app.example"}})
	_, port, _ := net.SplitHostPort(addr)
	bearer := http.Header{"Authorization": {"Bearer s3cret"}}
	withOrigin := func(o string) http.Header {
		return http.Header{"Authorization": {"bearer s3cret"}, "Origin": {o}}
	}
	for _, row := range []struct {
		name   string
		query  string
		header http.Header
		status int
	}{
		{"no token", "", nil, 401},
		{"wrong token", "", http.Header{"Authorization": {"Bearer s3cre"}}, 401},
		{"token of another scheme", "", http.Header{"Authorization": {"Basic s3cret"}}, 401},
		{"token in the header", "", bearer, 101},
		{"token in the query", "?token=s3cret", nil, 101},
		{"wrong token in the query", "?token=", nil, 401},
		{"origin of the server", "", withOrigin("http://127.0.0.1:" + port), 101},
		{"origin of the server by name", "", withOrigin("http://localhost:" + port), 101},
		{"listed origin", "", withOrigin("https://app.example"), 101},
		{"another origin", "", withOrigin("https://evil.example"), 403},
		{"opaque origin", "", withOrigin("null"), 403},
		{"a name rebound to us", "", withOrigin("http://evil.example:" + port), 403},
	} {
		ws, res, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr+"/"+row.query, row.header)
		if res == nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		if res.StatusCode != row.status {
			t.Errorf("%s: status %d, want %d", row.name, res.StatusCode, row.status)
		}
		if ws != nil {
			_ = ws.Close()
		}
	}
}

func TestOrdinaryRequestsAreToldWhatThisIs(t *testing.T) {
	_, addr := start(t, wire.Config{})
	res, err := http.Get("http://" + addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusUpgradeRequired || !strings.Contains(string(body), "WebSocket") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

func TestTooManyConnections(t *testing.T) {
	_, addr := start(t, wire.Config{Limits: wire.Limits{Connections: 1}})
	ask(t, dial(t, "ws://"+addr+"/", nil), "x")
	_, res, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr+"/", nil)
	if err == nil || res == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("second connection: %v, %v", res, err)
	}
}

func TestRuntimeThatTakesNoConnection(t *testing.T) {
	_, addr := start(t, wire.Config{Runtime: &echo{full: errors.New("full")}})
	wantClose(t, dial(t, "ws://"+addr+"/", nil), websocket.CloseTryAgainLater)
}

// wantClose reads until the server closes the connection with code.
func wantClose(t *testing.T, ws *websocket.Conn, code int) {
	t.Helper()
	_ = ws.SetReadDeadline(time.Now().Add(20 * time.Second))
	for {
		if _, _, err := ws.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, code) {
				t.Errorf("ended with %v, want close code %d", err, code)
			}
			return
		}
	}
}

func TestMessageOverTheLimitCloses1009(t *testing.T) {
	_, addr := start(t, wire.Config{Limits: wire.Limits{MessageBytes: 1000}})
	ws := dial(t, "ws://"+addr+"/", nil)
	if got := ask(t, ws, strings.Repeat("x", 1000)); len(got) != 1004 {
		t.Errorf("a message of the limit's length came back with %d bytes", len(got))
	}
	if err := ws.WriteMessage(websocket.TextMessage, make([]byte, 300_000)); err != nil {
		t.Fatal(err)
	}
	wantClose(t, ws, websocket.CloseMessageTooBig)
}

func TestTextThatIsNotUTF8Closes1007(t *testing.T) {
	_, addr := start(t, wire.Config{})
	ws := dial(t, "ws://"+addr+"/", nil)
	if err := ws.WriteMessage(websocket.TextMessage, []byte("caf\xe9")); err != nil {
		t.Fatal(err)
	}
	wantClose(t, ws, websocket.CloseInvalidFramePayloadData)
}

func TestClientThatDoesNotReadIsClosed1008(t *testing.T) {
	e, addr := start(t, wire.Config{Limits: wire.Limits{OutFrames: 8, OutBytes: 1 << 20, WriteTimeout: 5 * time.Second}})
	slow, quick := dial(t, "ws://"+addr+"/", nil), dial(t, "ws://"+addr+"/", nil)
	if err := slow.WriteMessage(websocket.TextMessage, []byte("flood")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-e.gone: // what it asked for is cancelled at once
	case <-time.After(10 * time.Second):
		t.Fatal("the runtime was not told")
	}
	if got := ask(t, quick, "hi"); got != "awp hi" { // another client is not delayed
		t.Errorf("got %q", got)
	}
	wantClose(t, slow, websocket.ClosePolicyViolation)
}

func TestDeadPeersAreClosed(t *testing.T) {
	e, addr := start(t, wire.Config{Limits: wire.Limits{PingEvery: 20 * time.Millisecond}})
	dead := dial(t, "ws://"+addr+"/", nil) // never reads, so never answers a ping
	ask(t, dead, "hi")
	select {
	case <-e.gone:
	case <-time.After(10 * time.Second):
		t.Fatal("a client that answers no ping is still there")
	}
}

func TestLivingPeersStay(t *testing.T) {
	_, addr := start(t, wire.Config{Limits: wire.Limits{PingEvery: 20 * time.Millisecond}})
	ws := dial(t, "ws://"+addr+"/", nil)
	pings := 0
	answer := ws.PingHandler()
	ws.SetPingHandler(func(s string) error {
		if pings++; pings == 10 {
			_ = ws.WriteMessage(websocket.TextMessage, []byte("still here"))
		}
		return answer(s)
	})
	_ = ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, data, err := ws.ReadMessage(); err != nil || string(data) != "awp still here" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestFragments: RFC 6455 §5.4, control frames may come between fragments and
// a character may be split across them; §5.6, UTF-8 is judged over the whole.
func TestFragments(t *testing.T) {
	_, addr := start(t, wire.Config{})
	ws := dial(t, "ws://"+addr+"/", nil)
	raw := ws.NetConn()
	message := []byte(`{"client_name":"käse"}`)
	var wireBytes []byte
	for i, b := range message {
		head := byte(0) // continuation
		if i == 0 {
			head = 1 // text
		}
		if i == len(message)-1 {
			head |= 0x80
		}
		wireBytes = append(wireBytes, head, 0x81, 0, 0, 0, 0, b)
		if i == 17 { // in the middle of ä
			wireBytes = append(wireBytes, 0x89, 0x82, 0, 0, 0, 0, 'p', 'q')
		}
	}
	ponged := ""
	ws.SetPongHandler(func(s string) error { ponged = s; return nil })
	if _, err := raw.Write(wireBytes); err != nil {
		t.Fatal(err)
	}
	_ = ws.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, data, err := ws.ReadMessage()
	if err != nil || string(data) != "awp "+string(message) {
		t.Errorf("%q, %v", data, err)
	}
	if ponged != "pq" {
		t.Errorf("pong %q, want pq", ponged)
	}
}
