package actors

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/engine"
	"plasmate/messages"
)

// connection owns one client's protocol state, its sessions and its requests
// in flight. When it goes, they go.
type connection struct {
	cfg    Config
	census *census
	engine engine.Engine
	codec  messages.Codec // nil for the local connection
	link   messages.Link
	peer   *peer

	sessions map[messages.SessionID]*actor.PID
	ids      map[string]messages.SessionID // by the session actor's id
	calls    map[uint64]call
	asks     map[uint64]uint64 // local ask → call
	last     uint64            // number of the newest call
	draining bool
}

// call is a request in flight.
type call struct {
	messages.Call
	ask   uint64        // local asks
	reply chan<- answer // local asks; nil: the codec answers
}

type (
	// frame comes from the socket's reader.
	frame struct{ messages.Frame }
	// gone says that the client has gone.
	gone struct{}
	// ask is a call from this process; reply has room for the one answer.
	ask struct {
		n       uint64
		to      messages.SessionID
		request any
		reply   chan<- answer
	}
	cancelAsk struct{ n uint64 }
	// answer answers call n, with exactly one of value and err.
	answer struct {
		n     uint64
		value any
		err   *messages.Error
	}
	drainConnection struct{}
	graceOver       struct{}
)

func (k *connection) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		k.sessions = make(map[messages.SessionID]*actor.PID)
		k.ids = make(map[string]messages.SessionID)
		k.calls = make(map[uint64]call)
	case frame:
		k.frame(c, m)
	case ask:
		k.ask(c, m)
	case cancelAsk:
		k.cancelAsk(c, m)
	case answer:
		k.answer(c, m)
	case event:
		k.event(c, m)
	case admitted:
		k.admitted(c, m)
	case *actor.Terminated:
		tellDeparted(c, m)
	case departed:
		k.departed(c, m)
	case drainConnection:
		k.drain(c)
	case graceOver:
		k.graceOver(c)
	case gone:
		c.Poison(c.Self())
	}
}

func (k *connection) frame(c actor.Context, m frame) {
	k.peer.handled()
	k.perform(c, k.codec.Receive(m.Frame))
}

// perform sends what a codec wants to send and starts its calls.
func (k *connection) perform(c actor.Context, s messages.Step) {
	for _, f := range s.Frames {
		k.link.Send(f)
	}
	for _, call_ := range s.Calls {
		k.start(c, call{Call: call_})
	}
}

func (k *connection) ask(c actor.Context, m ask) {
	if k.asks == nil {
		k.asks = make(map[uint64]uint64)
	}
	k.asks[m.n] = k.last + 1
	k.start(c, call{Call: messages.Call{To: m.to, Request: m.request}, ask: m.n, reply: m.reply})
}

func (k *connection) cancelAsk(c actor.Context, m cancelAsk) {
	n, ok := k.asks[m.n]
	if !ok {
		return // answered already
	}
	if pid, ok := k.sessions[k.calls[n].To]; ok {
		c.Send(pid, cancel{n: n, cause: errAskerGone})
	}
}

// start gives a call its number and sends it on its way.
func (k *connection) start(c actor.Context, q call) {
	k.last++
	n := k.last
	k.calls[n] = q
	if k.draining {
		k.answer(c, answer{n: n, err: messages.Errorf(messages.Canceled, "the server is shutting down")})
		return
	}
	switch m := q.Request.(type) {
	case messages.OpenSession:
		c.Send(c.Parent(), admit{n: n, from: c.Self()})
	case messages.CloseSession:
		k.closeSession(c, n, m)
	default:
		pid, ok := k.sessions[q.To]
		if !ok {
			k.answer(c, answer{n: n, err: unknownSession(q.To)})
			return
		}
		c.Send(pid, request{n: n, message: q.Request})
	}
}

func unknownSession(id messages.SessionID) *messages.Error {
	return messages.Errorf(messages.NotFound, "no session %q on this connection; create one first", string(id))
}

// answer ends a call: exactly one answer goes out for each.
func (k *connection) answer(c actor.Context, m answer) {
	q, ok := k.calls[m.n]
	if !ok {
		return
	}
	delete(k.calls, m.n)
	if m.err != nil && m.err.Code == messages.Internal {
		k.cfg.Log.Error("request failed inside", "session", string(q.To), "err", m.err.Err)
	}
	if q.reply != nil {
		delete(k.asks, q.ask)
		q.reply <- m
	} else {
		k.perform(c, k.codec.Answer(q.Call, m.value, m.err))
	}
	if k.draining && len(k.calls) == 0 {
		k.leave(c)
	}
}

func (k *connection) event(c actor.Context, m event) {
	if k.codec != nil {
		k.perform(c, k.codec.Event(m.from, m.Event))
	}
}

func (k *connection) admitted(c actor.Context, m admitted) {
	q, ok := k.calls[m.n]
	if !ok || m.err != nil {
		k.answer(c, answer{n: m.n, err: m.err})
		return
	}
	open, _ := q.Request.(messages.OpenSession) // only those are admitted
	id := newSessionID()
	pid := c.Spawn(k.census.props(kindSession, func() actor.Actor {
		return newSession(k.cfg, k.census, k.engine, id, open)
	}))
	k.sessions[id] = pid
	k.ids[pid.Id] = id
	k.answer(c, answer{n: m.n, value: messages.SessionOpened{ID: id}})
}

func newSessionID() messages.SessionID {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return messages.SessionID("s_" + hex.EncodeToString(b[:]))
}

// closeSession tells the session to end; from now on its id means nothing.
func (k *connection) closeSession(c actor.Context, n uint64, m messages.CloseSession) {
	pid, ok := k.sessions[m.ID]
	if !ok {
		k.answer(c, answer{n: n, err: unknownSession(m.ID)})
		return
	}
	delete(k.sessions, m.ID)
	c.Send(pid, endSession{n: n})
}

// departed answers what a session left unanswered: only a crash leaves any.
func (k *connection) departed(c actor.Context, m departed) {
	id, ok := k.ids[m.id]
	if !ok {
		return
	}
	delete(k.ids, m.id)
	delete(k.sessions, id)
	c.Send(c.Parent(), sessionEnded{from: c.Self()})
	for n, q := range k.calls {
		end, ending := q.Request.(messages.CloseSession)
		switch {
		case ending && end.ID == id:
			k.answer(c, answer{n: n, value: messages.SessionClosed{}})
		case q.To == id && !ending:
			k.answer(c, answer{n: n, err: messages.Errorf(messages.Internal, "the session crashed and is closed; create a new one")})
		}
	}
}

// drain lets requests in flight finish for a grace, then cancels them.
func (k *connection) drain(c actor.Context) {
	k.draining = true
	if len(k.calls) == 0 {
		k.leave(c)
		return
	}
	root, self := c.ActorSystem().Root, c.Self()
	time.AfterFunc(k.cfg.Grace, func() { root.Send(self, graceOver{}) })
}

func (k *connection) graceOver(c actor.Context) {
	for _, pid := range k.sessions {
		c.Send(pid, endSession{})
	}
}

func (k *connection) leave(c actor.Context) {
	k.link.Close(1001, "server shutting down")
	c.Poison(c.Self())
}
