package awp_test

import (
	"bufio"
	wirebinary "encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// wsFrame is one WebSocket frame of a case.
type wsFrame struct {
	Fin     bool   `json:"fin"`
	Opcode  string `json:"opcode"`
	Payload string `json:"payload_hex"`
}

// opcodes of RFC 6455 §5.2.
var opcodes = map[string]byte{"continuation": 0, "text": 1, "binary": 2, "close": 8, "ping": 9, "pong": 10}

// masked is the frame as a client sends it.
func (f wsFrame) masked(t *testing.T) []byte {
	t.Helper()
	payload, err := hex.DecodeString(f.Payload)
	if err != nil {
		t.Fatal(err)
	}
	b := []byte{opcodes[f.Opcode]}
	if f.Fin {
		b[0] |= 0x80
	}
	if len(payload) < 126 {
		b = append(b, 0x80|byte(len(payload)))
	} else {
		b = wirebinary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(len(payload)))
	}
	mask := [4]byte{7, 11, 13, 17}
	b = append(b, mask[:]...)
	for i, c := range payload {
		b = append(b, c^mask[i%4])
	}
	return b
}

// rawSocket is a WebSocket whose frames are read and written by hand.
type rawSocket struct {
	net.Conn
	in *bufio.Reader
}

func dialRaw(t *testing.T, url string) rawSocket {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(url, "ws://"), "/")
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", host)
	if err != nil {
		t.Fatal(err)
	}
	s := rawSocket{c, bufio.NewReader(c)}
	resp, err := http.ReadResponse(s.in, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("upgrade: %+v, %v", resp, err)
	}
	return s
}

// next reads a frame of the server: unmasked, and valid UTF-8 if it is text.
func (s rawSocket) next(t *testing.T) (opcode byte, payload []byte) {
	t.Helper()
	var head [2]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		t.Fatal(err)
	}
	size := int(head[1] & 0x7f)
	if size == 126 {
		var n [2]byte
		if _, err := io.ReadFull(s.in, n[:]); err != nil {
			t.Fatal(err)
		}
		size = int(wirebinary.BigEndian.Uint16(n[:]))
	}
	payload = make([]byte, size)
	if _, err := io.ReadFull(s.in, payload); err != nil {
		t.Fatal(err)
	}
	opcode = head[0] & 0x0f
	if head[1]&0x80 != 0 || opcode == 1 && !utf8.Valid(payload) {
		t.Errorf("frame %x is masked or no UTF-8", payload)
	}
	return opcode, payload
}

// runFragments sends one message in pieces of every size.
func runFragments(t *testing.T, c fieldCase) {
	server := startServer(t)
	var whole []byte
	frames := make([][]byte, 0, len(c.Input.Frames))
	for _, f := range c.Input.Frames {
		frames = append(frames, f.masked(t))
		if f.Opcode != "ping" {
			payload, _ := hex.DecodeString(f.Payload)
			whole = append(whole, payload...)
		}
	}
	single := make([][]byte, 0, len(whole))
	for i, b := range whole {
		f := wsFrame{Fin: i == len(whole)-1, Opcode: "continuation", Payload: hex.EncodeToString([]byte{b})}
		if i == 0 {
			f.Opcode = "text"
		}
		single = append(single, f.masked(t))
	}
	all := []byte{}
	for _, f := range frames {
		all = append(all, f...)
	}
	bytewise := make([][]byte, len(all))
	for i := range all {
		bytewise[i] = all[i : i+1]
	}
	for _, v := range []struct {
		name  string
		sends [][]byte
		pong  bool
	}{
		{"frame by frame", frames, true},
		{"1-byte frames", single, false},
		{"all in one segment", [][]byte{all}, true},
		{"one byte a segment", bytewise, true},
	} {
		s := dialRaw(t, server)
		for _, b := range v.sends {
			if _, err := s.Write(b); err != nil {
				t.Fatalf("%s: %v", v.name, err)
			}
		}
		wantHello(t, v.name, s, v.pong)
		// The connection is open, and nothing else was answered before.
		again := wsFrame{Fin: true, Opcode: "text", Payload: hex.EncodeToString([]byte(`{"id":"2","method":"nope"}`))}
		if _, err := s.Write(again.masked(t)); err != nil {
			t.Fatal(err)
		}
		if _, payload := s.next(t); !strings.Contains(string(payload), `"id":"2"`) {
			t.Errorf("%s: then came %s", v.name, payload)
		}
	}
}

func wantHello(t *testing.T, name string, s rawSocket, pong bool) {
	t.Helper()
	var answered, ponged bool
	for !answered || pong && !ponged {
		switch opcode, payload := s.next(t); opcode {
		case opcodes["pong"]:
			ponged = true
			if string(payload) != "pq" {
				t.Errorf("%s: pong %q", name, payload)
			}
		case opcodes["text"]:
			var r struct {
				ID     string
				Result json.RawMessage
			}
			if err := json.Unmarshal(payload, &r); err != nil || r.ID != "1" || r.Result == nil || answered {
				t.Errorf("%s: answer %s", name, payload)
			}
			answered = true
		default:
			t.Fatalf("%s: opcode %d %q", name, opcode, payload)
		}
	}
}

// rpcRow is one message of an rpc case.
type rpcRow struct {
	N        string          `json:"n"`
	Send     json.RawMessage `json:"send"`
	Protocol string          `json:"protocol"`
}

// UnmarshalJSON takes the rows of other protocols for empty ones.
func (r *rpcRow) UnmarshalJSON(b []byte) error {
	if b[0] != '{' {
		return nil
	}
	type fields rpcRow
	return json.Unmarshal(b, (*fields)(r))
}

// runIDs sends AWP's rows: those of the case that name it, and what the case
// says of ids. The rows of MCP and BAP are those protocols'.
func runIDs(t *testing.T, c fieldCase) {
	site := newSite(t, pagesAt(nil))
	s := dialRaw(t, startServer(t, "--resolve", "*.test="+site.addr))
	ask := func(frame string) (id any, code string) {
		f := wsFrame{Fin: true, Opcode: "text", Payload: hex.EncodeToString([]byte(frame))}
		if _, err := s.Write(f.masked(t)); err != nil {
			t.Fatal(err)
		}
		_, payload := s.next(t)
		var r struct {
			ID    any
			Error struct{ Code string }
		}
		if err := json.Unmarshal(payload, &r); err != nil {
			t.Fatal(err)
		}
		return r.ID, r.Error.Code
	}
	if id, code := ask(`{"id":"h","type":"request","method":"awp.hello","params":{}}`); id != "h" || code != "" {
		t.Fatalf("hello: %v %s", id, code)
	}
	ran := 0
	for _, row := range c.Input.Messages {
		if !strings.HasPrefix(row.Protocol, "awp") {
			continue
		}
		ran++
		if id, code := ask(string(row.Send)); id != "1" || code != "NOT_FOUND" {
			t.Errorf("row %s: %v %s, want NOT_FOUND of id 1", row.N, id, code)
		}
	}
	if ran == 0 {
		t.Error("no row is AWP's")
	}
	for name, frame := range map[string]string{
		"missing": `{"type":"request","method":"page.observe"}`,
		"empty":   `{"id":"","type":"request","method":"page.observe"}`,
		"null":    `{"id":null,"type":"request","method":"page.observe"}`,
		"number":  `{"id":7,"type":"request","method":"page.observe"}`,
	} {
		if id, code := ask(frame); id != "" || code != "INVALID_REQUEST" {
			t.Errorf("id %s: %v %s, want INVALID_REQUEST without an id", name, id, code)
		}
	}
	if id, code := ask(`{"id":"z","type":"request","method":"no.such"}`); id != "z" || code != "INVALID_REQUEST" {
		t.Errorf("unknown method: %v %s", id, code)
	}
	t.Logf("%d of %d rows are AWP's", ran, len(c.Input.Messages))
}
