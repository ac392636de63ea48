package awp_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestSignalEndsTheServerPolitely: what is in flight is answered, sockets are
// closed with 1001, the process exits with 0 (startServer checks that).
func TestSignalEndsTheServerPolitely(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			began := make(chan struct{}, 1)
			site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				began <- struct{}{}
				<-r.Context().Done()
			}))
			t.Cleanup(site.Close)
			url, end := startProcess(t, "--resolve", "*.test="+site.Listener.Addr().String())
			ws, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer ws.Close()
			p := player{t: t, url: url, conns: map[string]*socket{}, sessions: map[string]string{}}
			p.send("", []string{`{"id":"h","method":"awp.hello"}`, `{"id":"1","method":"session.create"}`})
			p.receive("", 2)
			p.send("", []string{`{"id":"2","method":"page.navigate","params":{"session_id":"s_1","url":"http://a.test/"}}`})
			<-began
			start := time.Now()
			end(sig)
			got := p.receive("", 2)
			if len(got) != 2 || !strings.Contains(got[0], `"id":"2","type":"response","error"`) || got[1] != "!closed 1001" {
				t.Errorf("after the signal came %q", got)
			}
			_ = ws.SetReadDeadline(time.Now().Add(20 * time.Second))
			if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Errorf("the idle connection ended with %v, want 1001", err)
			}
			t.Logf("answered and closed after %v", time.Since(start))
		})
	}
}
