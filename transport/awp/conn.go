package awp

import (
	"bytes"
	"slices"

	"plasmate/messages"
)

// ProtocolVersion is the version of the protocol spoken here.
const ProtocolVersion = "0.1"

// features are named in the answer to awp.hello; each works.
var features = []string{
	"som.snapshot", "act.primitive", "extract", "observe.formats", "observe.mutations",
	"act.history", "session.cookies", "session.set_network", "session.export", "session.import", "session.pages", multiplex, events,
}

// The features that a client must ask for: several sessions, and events.
const (
	multiplex = "session.multiplex"
	events    = "events"
)

// Config says how connections behave. A zero field takes the default.
type Config struct {
	ServerVersion string
	InFlight      int // requests in flight on a connection; 64
	// Uploads and Downloads say that files may be chosen, and are saved: the
	// features act.upload and downloads.save.
	Uploads, Downloads bool
}

// features are those of every server, and those that this one was started with.
func (c Config) features() []string {
	list := slices.Clone(features)
	if c.Uploads {
		list = append(list, "act.upload")
	}
	if c.Downloads {
		list = append(list, "downloads.save")
	}
	return list
}

// Conn is the protocol's state on one connection. It implements messages.Codec.
type Conn struct {
	cfg       Config
	greeted   bool
	multiplex bool
	events    bool
	session   messages.SessionID // the active one, unless multiplexed
	inFlight  map[string]bool
}

// NewConn makes the codec of a new connection.
func NewConn(cfg Config) *Conn {
	if cfg.InFlight <= 0 {
		cfg.InFlight = 64
	}
	return &Conn{cfg: cfg, inFlight: make(map[string]bool)}
}

// Speaks says whether a connection's first frame may be AWP's: everything but
// JSON-RPC is, so that a client with a fault gets an answer it can read.
func Speaks(first messages.Frame) bool {
	return first.Binary || !bytes.Contains(first.Data, []byte(`"jsonrpc"`))
}

// tag travels with a call and comes back with its answer.
type tag struct {
	id     envelopeID
	encode func(id envelopeID, answer any) []byte
	quiet  bool // a call of our own, whose answer the client does not expect
}

// Receive implements messages.Codec.
func (c *Conn) Receive(f messages.Frame) messages.Step {
	if f.Binary {
		return c.reject(noID, invalid("binary frames are not supported; send UTF-8 JSON text frames"))
	}
	env, err := decodeEnvelope(f.Data)
	if err != nil {
		return c.reject(env.id, err)
	}
	if err := c.admit(env); err != nil {
		return c.reject(env.id, err)
	}
	if env.method == "awp.hello" {
		return c.hello(env)
	}
	request, err := methods[env.method].decode(newParams(env.params, "")) // admit has looked the method up
	if err != nil {
		return c.reject(env.id, err)
	}
	c.inFlight[env.id.text] = true
	call := messages.Call{To: request.session, Request: request.message, Tag: tag{id: env.id, encode: request.encode}}
	if _, ok := request.message.(messages.OpenSession); ok && c.session != "" && !c.multiplex {
		return messages.Step{Calls: []messages.Call{c.closeActive(), call}}
	}
	return messages.Step{Calls: []messages.Call{call}}
}

// admit checks what must hold before a request is decoded.
func (c *Conn) admit(env envelope) *messages.Error {
	switch {
	case c.inFlight[env.id.text]:
		return invalid("id %q is still in flight; every request needs an id of its own", env.id.text)
	case env.method != "awp.hello" && !c.greeted:
		return invalid("send awp.hello first")
	case env.method != "awp.hello" && methods[env.method] == nil:
		return invalid("unknown method %q", env.method)
	case len(c.inFlight) >= c.cfg.InFlight && env.method != "awp.hello" && env.method != "session.close": // those end waits, or need none
		return &messages.Error{
			Code: messages.Limit, Msg: "too many requests in flight on this connection; await some answers first",
			Detail: messages.LimitDetail{Limit: "max-in-flight", Value: c.cfg.InFlight},
		}
	}
	return nil
}

// hello needs nobody but the codec.
func (c *Conn) hello(env envelope) messages.Step {
	p := newParams(env.params, "")
	p.optionalString("client_name")
	p.optionalString("client_version")
	version := p.optionalString("awp_version")
	wanted := p.optionalStrings("features")
	if p.err != nil {
		return c.reject(env.id, p.err)
	}
	if p.has("awp_version") && version != ProtocolVersion {
		return messages.Step{Frames: [][]byte{encodeError(env.id, &messages.Error{
			Code: messages.Invalid, Msg: "awp_version " + version + " is not supported",
			Detail: messages.VersionDetail{Supported: []string{ProtocolVersion}},
		})}}
	}
	c.greeted = true
	for _, f := range wanted {
		c.multiplex = c.multiplex || f == multiplex
		c.events = c.events || f == events
	}
	return messages.Step{Frames: [][]byte{encodeResult(env.id, helloResult{
		AWPVersion: ProtocolVersion, ServerName: "plasmate", ServerVersion: c.cfg.ServerVersion, Features: c.cfg.features(),
	})}}
}

type helloResult struct {
	AWPVersion    string   `json:"awp_version"`
	ServerName    string   `json:"server_name"`
	ServerVersion string   `json:"server_version"`
	Features      []string `json:"features"`
}

// closeActive ends the one session that a connection may have.
func (c *Conn) closeActive() messages.Call {
	old := c.session
	c.session = ""
	return messages.Call{Request: messages.CloseSession{ID: old}, Tag: tag{quiet: true}}
}

func (c *Conn) reject(id envelopeID, err *messages.Error) messages.Step {
	return messages.Step{Frames: [][]byte{encodeError(id, err)}}
}

// Answer implements messages.Codec.
func (c *Conn) Answer(call messages.Call, answer any, err *messages.Error) messages.Step {
	t, _ := call.Tag.(tag)
	if t.quiet {
		return messages.Step{}
	}
	delete(c.inFlight, t.id.text)
	if err != nil {
		return c.reject(t.id, err)
	}
	var before []messages.Call
	switch a := answer.(type) {
	case messages.SessionOpened:
		if c.session != "" && !c.multiplex { // two creates were in flight: the later wins
			before = append(before, c.closeActive())
		}
		c.session = a.ID
	case messages.SessionClosed:
		if m, ok := call.Request.(messages.CloseSession); ok && m.ID == c.session {
			c.session = ""
		}
	}
	return messages.Step{Frames: [][]byte{t.encode(t.id, answer)}, Calls: before}
}
