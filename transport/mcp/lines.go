package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// maxLine bounds one message from a client on stdio.
const maxLine = 16 << 20

// lines lets through what the SDK's reader survives: it ends a session at a
// line that is no JSON object, but the protocol wants that line answered and
// the next one read (JSON-RPC 2.0 §5.1).
type lines struct {
	in    *bufio.Reader
	out   *lockedWriter
	ready []byte // the rest of a good line
}

func newLines(in io.Reader, out *lockedWriter) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// Read gives the next bytes of good lines.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.ready) == 0 {
		line, tooLong, err := l.next()
		if fault := judge(line, tooLong); fault != "" {
			if _, err := l.out.Write([]byte(fault + "\n")); err != nil {
				return 0, err
			}
		} else if len(line) > 0 {
			l.ready = append(line, '\n')
		}
		if err != nil && len(l.ready) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.ready)
	l.ready = l.ready[n:]
	return n, nil
}

func (l *lines) Close() error { return nil }

// next is one line without its end. Too long a line is skipped to its end.
func (l *lines) next() (line []byte, tooLong bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(line), tooLong, err
		}
	}
}

// judge is the answer to a line that is no message; "" if it may be one.
func judge(line []byte, tooLong bool) string {
	switch {
	case tooLong:
		return rpcError(-32600, "the message is too long")
	case len(line) == 0:
		return ""
	case !json.Valid(line):
		return rpcError(-32700, "the line is not JSON")
	case line[0] != '{':
		return rpcError(-32600, "the line is not a JSON object; batches are not part of the protocol")
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	if json.Unmarshal(line, &m) != nil {
		return rpcError(-32600, "method must be a string")
	}
	if m.Method != nil && string(m.ID) == "null" {
		return rpcError(-32600, "id must be a string or a number")
	}
	return ""
}

func rpcError(code int, text string) string {
	b, _ := json.Marshal(map[string]any{ // strings and numbers always marshal
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": text},
	})
	return string(b)
}

// lockedWriter keeps lines of two writers apart: each Write is a whole line.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (l *lockedWriter) Close() error { return nil }
