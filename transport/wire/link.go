package wire

import (
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// link is the outbound half of a socket. Frames wait in a bounded queue; a
// goroutine writes them while there are any, so an idle socket has none.
// It implements messages.Link.
type link struct {
	ws       *websocket.Conn
	limits   Limits
	overflow func() // called once when the client does not read

	mu      sync.Mutex
	queue   [][]byte
	bytes   int
	writing bool
	closing bool // nothing more is taken
	code    int
	reason  string
}

// Send queues a frame. A client that does not read its answers is closed with 1008.
func (l *link) Send(frame []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return
	}
	if len(l.queue) >= l.limits.OutFrames || l.bytes+len(frame) > l.limits.OutBytes && len(l.queue) > 0 {
		l.queue, l.bytes = nil, 0
		l.close(websocket.ClosePolicyViolation, "the client does not read its messages")
		go l.overflow()
		return
	}
	l.queue = append(l.queue, frame)
	l.bytes += len(frame)
	l.write()
}

// Close writes what is queued, then the close frame, and ends the socket.
func (l *link) Close(code int, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closing {
		l.close(code, reason)
	}
}

func (l *link) close(code int, reason string) {
	l.closing, l.code, l.reason = true, code, reason
	if code == websocket.CloseGoingAway && l.writing {
		// The server ends: a client that does not read must not hold it up.
		_ = l.ws.NetConn().SetWriteDeadline(time.Now().Add(l.limits.CloseTimeout))
	}
	l.write()
}

func (l *link) write() {
	if !l.writing {
		l.writing = true
		go l.drain()
	}
}

// drain writes until nothing is left. Only one runs at a time.
func (l *link) drain() {
	for {
		l.mu.Lock()
		batch := l.queue
		l.queue, l.bytes = nil, 0
		if len(batch) == 0 {
			l.writing = false
			closing, code, reason := l.closing, l.code, l.reason
			l.mu.Unlock()
			if closing {
				l.end(code, reason)
			}
			return
		}
		l.mu.Unlock()
		for _, frame := range batch {
			_ = l.ws.SetWriteDeadline(time.Now().Add(l.limits.WriteTimeout)) // the write reports it
			if err := l.ws.WriteMessage(websocket.TextMessage, frame); err != nil {
				l.mu.Lock()
				l.closing, l.queue, l.writing = true, nil, false
				l.mu.Unlock()
				_ = l.ws.Close() // the reader sees it and reports the client gone
				return
			}
		}
	}
}

// end says goodbye and waits a little for the client's answer, which the
// reader reads; without it a reset could overtake the close frame.
func (l *link) end(code int, reason string) {
	deadline := time.Now().Add(l.limits.CloseTimeout)
	if err := l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), deadline); err != nil {
		_ = l.ws.Close()
		return
	}
	_ = l.ws.SetReadDeadline(deadline)
}
