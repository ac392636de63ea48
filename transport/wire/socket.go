package wire

import (
	"errors"
	"net/http"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"plasmate/messages"
)

// socket upgrades a request and hands the connection to the runtime.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	if !s.authorized(r) {
		refuse(w)
		return
	}
	if !websocket.IsWebSocketUpgrade(r) {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "this is a WebSocket endpoint of plasmate", http.StatusUpgradeRequired)
		return
	}
	if !s.enter() {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil { // answered by Upgrade
		s.leave()
		return
	}
	conn := &conn{server: s, ws: ws, protocol: s.protocol(r.URL, ws.Subprotocol())}
	go conn.run() // not in the handler's goroutine, whose stack has grown
}

func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= s.cfg.Limits.Connections {
		return false
	}
	s.count++
	s.socks.Add(1)
	return true
}

func (s *Server) leave() {
	s.mu.Lock()
	s.count--
	s.mu.Unlock()
	s.socks.Done()
}

// conn reads one socket.
type conn struct {
	server   *Server
	ws       *websocket.Conn
	protocol *Protocol
	link     *link
	peer     atomic.Pointer[messages.Peer] // nil before it is connected
	missed   atomic.Int32                  // pings without a pong
	pinger   *time.Timer
}

func (c *conn) run() {
	defer c.server.leave()
	defer c.ws.Close()
	limits := c.server.cfg.Limits
	c.ws.SetReadLimit(limits.MessageBytes)
	c.link = &link{ws: c.ws, limits: limits, overflow: c.overflow}
	c.ws.SetPongHandler(func(string) error { c.missed.Store(0); return nil })
	c.ws.SetCloseHandler(c.answerClose)
	c.pinger = time.AfterFunc(time.Hour, c.ping)
	c.pinger.Reset(limits.PingEvery)
	defer c.pinger.Stop()
	peer, err := c.server.cfg.Runtime.Connect(c.codec(), c.link)
	if err != nil {
		c.link.Close(websocket.CloseTryAgainLater, err.Error())
		_, _ = c.read() // until the closing handshake is over
		return
	}
	c.peer.Store(&peer)
	defer peer.Gone()
	for {
		f, ok := c.read()
		if !ok {
			return
		}
		if !peer.Deliver(f) { // the runtime has ended the connection
			_, _ = c.read()
			return
		}
	}
}

func (c *conn) codec() messages.Codec {
	if c.protocol != nil {
		return c.protocol.New()
	}
	return &undecided{protocols: c.server.cfg.Protocols}
}

// read gives the next message; false when the connection has ended.
func (c *conn) read() (messages.Frame, bool) {
	kind, data, err := c.ws.ReadMessage()
	switch {
	case errors.Is(err, websocket.ErrReadLimit): // gorilla has sent 1009
		c.linger()
		return messages.Frame{}, false
	case err != nil:
		return messages.Frame{}, false
	case kind == websocket.TextMessage && !utf8.Valid(data): // RFC 6455 §8.1
		c.link.Close(websocket.CloseInvalidFramePayloadData, "text that is not UTF-8")
		c.linger()
		return messages.Frame{}, false
	}
	return messages.Frame{Data: data, Binary: kind == websocket.BinaryMessage}, true
}

// linger reads on for a moment: closing a socket with unread input resets it,
// and the reset can overtake the close frame.
func (c *conn) linger() {
	raw := c.ws.NetConn()
	_ = raw.SetReadDeadline(time.Now().Add(c.server.cfg.Limits.CloseTimeout))
	buf := make([]byte, 4096)
	for {
		if _, err := raw.Read(buf); err != nil {
			return
		}
	}
}

// answerClose echoes the client's close frame, in turn with other frames.
func (c *conn) answerClose(code int, _ string) error {
	if code == websocket.CloseNoStatusReceived {
		code = websocket.CloseNormalClosure
	}
	deadline := time.Now().Add(c.server.cfg.Limits.CloseTimeout)
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), deadline)
	return nil
}

// overflow cancels what a client that does not read has asked for.
func (c *conn) overflow() {
	if p := c.peer.Load(); p != nil {
		(*p).Gone()
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(c.server.cfg.Limits.WriteTimeout))
}

func (c *conn) ping() {
	if c.missed.Add(1) > 2 {
		_ = c.ws.Close() // a dead peer reads no close frame
		return
	}
	_ = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(c.server.cfg.Limits.CloseTimeout))
	c.pinger.Reset(c.server.cfg.Limits.PingEvery)
}
