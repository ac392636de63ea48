package awp_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the server sections of the transcripts")

// TestTranscripts plays testdata/awp/*.txtar through a real WebSocket against
// the built binary. The sections of a transcript, in order:
//
//	args            flags of plasmate serve, one a line
//	page HOST/PATH  a document of the test site: HTML, or a head as in
//	                "HTTP 302", "Location: /x" and an empty line before the body;
//	                "HTTP hang" never answers
//	client [NAME]   frames to send on connection NAME, a line each; a line
//	                "!binary HEX" is a binary frame, "!close" closes the socket,
//	                "!bytes N" is a text frame of N bytes
//	server [NAME]   the frames that must come back, in any order; "!closed CODE"
//	                is the end of the connection
//	ordered [NAME]  the same, in this order
//
// Ids of sessions are s_1, s_2 … in the order they are seen, and times are 0.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../testdata/awp/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			play(t, file)
		})
	}
}

func play(t *testing.T, file string) {
	script, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := player{t: t, conns: make(map[string]*socket), sessions: make(map[string]string)}
	p.start(script)
	for i := range script.Files {
		f := &script.Files[i]
		what, name, _ := strings.Cut(f.Name, " ")
		switch what {
		case "client":
			p.send(name, lines(f.Data))
		case "server", "ordered":
			got, want := p.receive(name, len(lines(f.Data))), lines(f.Data)
			if what == "server" {
				slices.Sort(got)
				slices.Sort(want)
			}
			if *update {
				f.Data = []byte(strings.Join(got, "\n") + "\n")
			} else if diff := cmp.Diff(got, want); diff != "" {
				t.Fatalf("%s, section %d: got - want +\n%s", file, i, diff)
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func lines(data []byte) []string {
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// player plays one transcript.
type player struct {
	t        *testing.T
	url      string
	conns    map[string]*socket
	sessions map[string]string // as in the transcript, by the real id
}

// start starts the test site and the server.
func (p *player) start(script *txtar.Archive) {
	pages := make(map[string][]byte)
	var args []string
	for _, f := range script.Files {
		if name, ok := strings.CutPrefix(f.Name, "page "); ok {
			pages[name] = f.Data
		}
		if f.Name == "args" {
			args = lines(f.Data)
		}
	}
	done := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serve(w, r, pages, done)
	}))
	p.t.Cleanup(site.Close)
	p.t.Cleanup(func() { close(done) })
	p.url = startServer(p.t, append(args, "--resolve", "*.test="+site.Listener.Addr().String())...)
}

// serve answers with a page of the transcript.
func serve(w http.ResponseWriter, r *http.Request, pages map[string][]byte, done <-chan struct{}) {
	body, ok := pages[r.Host+r.URL.RequestURI()]
	if !ok {
		http.Error(w, "no such page in the transcript", http.StatusNotFound)
		return
	}
	status := http.StatusOK
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if rest, ok := bytes.CutPrefix(body, []byte("HTTP ")); ok {
		head, tail, _ := bytes.Cut(rest, []byte("\n\n"))
		fields := lines(head)
		if fields[0] == "hang" {
			select {
			case <-done:
			case <-r.Context().Done():
			}
			return
		}
		status, _ = strconv.Atoi(fields[0])
		for _, f := range fields[1:] {
			name, value, _ := strings.Cut(f, ": ")
			w.Header().Set(name, value)
		}
		body = tail
	}
	body = bytes.ReplaceAll(body, []byte("$REQUEST"), []byte(r.Method+" "+r.Header.Get("Cookie")))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// socket is one connection; what the server sends waits in frames.
type socket struct {
	*websocket.Conn
	frames chan string
}

func (p *player) conn(name string) *socket {
	if c, ok := p.conns[name]; ok {
		return c
	}
	ws, _, err := websocket.DefaultDialer.DialContext(p.t.Context(), p.url, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = ws.Close() })
	c := &socket{Conn: ws, frames: make(chan string, 1000)}
	p.conns[name] = c
	go c.read()
	return c
}

func (c *socket) read() {
	defer close(c.frames)
	for {
		_, data, err := c.ReadMessage()
		if closed, ok := err.(*websocket.CloseError); ok {
			c.frames <- fmt.Sprintf("!closed %d", closed.Code)
		}
		if err != nil {
			return
		}
		c.frames <- string(data)
	}
}

func (p *player) send(name string, frames []string) {
	for _, f := range frames {
		c, kind, data := p.conn(name), websocket.TextMessage, []byte(p.real(f))
		if command, ok := strings.CutPrefix(f, "!"); ok {
			verb, arg, _ := strings.Cut(command, " ")
			switch verb {
			case "close":
				_ = c.Close()
				continue
			case "binary":
				kind = websocket.BinaryMessage
				data, _ = hex.DecodeString(arg)
			case "bytes":
				n, _ := strconv.Atoi(arg)
				data = bytes.Repeat([]byte(" "), n)
			}
		}
		if err := c.WriteMessage(kind, data); err != nil {
			p.t.Fatalf("send %.100s: %v", f, err)
		}
	}
}

// receive waits for n frames; to update, for all that come.
func (p *player) receive(name string, n int) []string {
	patience := 20 * time.Second
	if *update {
		n, patience = 1000, 700*time.Millisecond
	}
	c := p.conn(name)
	var got []string
	for range n {
		select {
		case frame, ok := <-c.frames:
			if !ok {
				return got
			}
			got = append(got, p.shown(frame))
		case <-time.After(patience):
			return got
		}
	}
	return got
}

var (
	sessionID = regexp.MustCompile(`\bs_[0-9a-f]{16}\b`)
	times     = regexp.MustCompile(`"(load_ms|fetch_ms|compile_ms)":\d+`)
)

// shown is a frame as it stands in a transcript.
func (p *player) shown(frame string) string {
	frame = sessionID.ReplaceAllStringFunc(frame, func(id string) string {
		if _, ok := p.sessions[id]; !ok {
			p.sessions[id] = "s_" + strconv.Itoa(len(p.sessions)+1)
		}
		return p.sessions[id]
	})
	return times.ReplaceAllString(frame, `"$1":0`)
}

// real is a frame of a transcript as it must be sent.
func (p *player) real(frame string) string {
	for id, name := range p.sessions {
		frame = strings.ReplaceAll(frame, `"`+name+`"`, `"`+id+`"`)
	}
	return frame
}
