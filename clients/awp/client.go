// Package awp is a small client of AWP v0.1 over WebSocket, for programs that
// want the raw exchange: the demo and tests use it. It sends what it is given
// and returns what it gets; it knows no page. Programs that embed the engine
// use package plasmate instead, which needs no socket.
//
// Spec: AWP v0.1 §1, §2.
package awp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/gorilla/websocket"
)

// Error is an error response.
type Error struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Details json.RawMessage `json:"details,omitempty"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Exchange is one request and its response, as sent.
type Exchange struct{ Request, Response []byte }

// Options are the choices of a connection. The zero value is the default.
type Options struct {
	Token        string // sent as Authorization: Bearer
	Subprotocols []string
	// Seen, if not nil, is told of every exchange before Call returns.
	Seen func(Exchange)
}

// Client is one connection. It is safe for concurrent use; requests are pipelined.
type Client struct {
	ws   *websocket.Conn
	seen func(Exchange)

	write sync.Mutex // one writer at a time

	mu      sync.Mutex
	next    int
	waiting map[string]chan response // by request id
	ended   error                    // why nothing more will come
}

type request struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

type response struct {
	raw    []byte
	ID     string          `json:"id"`
	Type   string          `json:"type"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
	lost   error
}

// Dial opens a connection to a ws: URL. It does not say hello.
func Dial(ctx context.Context, url string, o Options) (*Client, error) {
	header := http.Header{}
	if o.Token != "" {
		header.Set("Authorization", "Bearer "+o.Token)
	}
	d := websocket.Dialer{Subprotocols: o.Subprotocols}
	ws, resp, err := d.DialContext(ctx, url, header)
	if err != nil {
		if resp != nil {
			return nil, fmt.Errorf("connect to %s: HTTP %s", url, resp.Status)
		}
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	c := &Client{ws: ws, seen: o.Seen, waiting: make(map[string]chan response)}
	go c.read()
	return c, nil
}

// Call sends a request and decodes its result into result, which may be nil.
// The error is an *Error if the server answered with one.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	id, answer, err := c.expect()
	if err != nil {
		return err
	}
	frame, err := json.Marshal(request{ID: id, Type: "request", Method: method, Params: params})
	if err != nil {
		c.forget(id)
		return fmt.Errorf("encode %s: %w", method, err)
	}
	c.write.Lock()
	err = c.ws.WriteMessage(websocket.TextMessage, frame)
	c.write.Unlock()
	if err != nil {
		c.forget(id)
		return fmt.Errorf("send %s: %w", method, err)
	}
	select {
	case r := <-answer:
		return c.take(frame, r, method, result)
	case <-ctx.Done():
		c.forget(id)
		return fmt.Errorf("wait for the answer to %s: %w", method, ctx.Err())
	}
}

func (c *Client) take(frame []byte, r response, method string, result any) error {
	if r.lost != nil {
		return fmt.Errorf("wait for the answer to %s: %w", method, r.lost)
	}
	if c.seen != nil {
		c.seen(Exchange{Request: frame, Response: r.raw})
	}
	if r.Error != nil {
		return r.Error
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		return fmt.Errorf("decode the answer to %s: %w", method, err)
	}
	return nil
}

func (c *Client) expect() (string, chan response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return "", nil, c.ended
	}
	c.next++
	id := strconv.Itoa(c.next)
	answer := make(chan response, 1)
	c.waiting[id] = answer
	return id, answer, nil
}

func (c *Client) forget(id string) {
	c.mu.Lock()
	delete(c.waiting, id)
	c.mu.Unlock()
}

// read hands out responses until the connection ends, then fails who still waits.
func (c *Client) read() {
	for {
		_, raw, err := c.ws.ReadMessage()
		if err != nil {
			c.end(fmt.Errorf("connection ended: %w", err))
			return
		}
		r := response{raw: raw}
		if json.Unmarshal(raw, &r) != nil || r.Type != "response" {
			continue // an event, or nothing we know
		}
		c.mu.Lock()
		answer := c.waiting[r.ID]
		delete(c.waiting, r.ID)
		c.mu.Unlock()
		if answer != nil {
			answer <- r
		}
	}
}

func (c *Client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = err
	for id, answer := range c.waiting {
		delete(c.waiting, id)
		answer <- response{lost: err}
	}
}

// Close says goodbye and closes the connection.
func (c *Client) Close() error {
	c.write.Lock()
	// The server closes too; if it is gone already there is nobody to tell.
	_ = c.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""))
	c.write.Unlock()
	return c.ws.Close()
}
