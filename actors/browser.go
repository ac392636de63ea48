package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"plasmate/engine"
	"plasmate/messages"
)

// browser is the parent of all connections and counts what all of them
// together may have.
type browser struct {
	cfg    Config
	census *census
	engine engine.Engine

	connections map[string]*member // by the actor's id
	sessions    int
	drained     chan<- struct{} // not nil: shutting down
}

// member is what the browser knows of a connection.
type member struct {
	pid      *actor.PID
	link     messages.Link
	peer     *peer
	sessions int
}

type (
	// connect asks for a new connection actor.
	connect struct {
		codec  messages.Codec
		link   messages.Link
		peer   *peer
		opened chan<- connected
	}
	connected struct {
		pid *actor.PID
		err error
	}
	// admit asks for leave to open a session.
	admit struct {
		n    uint64
		from *actor.PID
	}
	admitted struct {
		n   uint64
		err *messages.Error
	}
	// sessionEnded gives a session's place back.
	sessionEnded struct{ from *actor.PID }
	// drain ends every connection, then closes done.
	drain struct{ done chan<- struct{} }
)

func (b *browser) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		b.connections = make(map[string]*member)
	case connect:
		b.connect(c, m)
	case admit:
		b.admit(c, m)
	case sessionEnded:
		b.sessionEnded(m)
	case *actor.Terminated:
		tellDeparted(c, m)
	case departed:
		b.departed(m)
	case drain:
		b.drain(c, m)
	}
}

func (b *browser) connect(c actor.Context, m connect) {
	if b.drained != nil {
		m.opened <- connected{err: messages.Errorf(messages.Canceled, "the server is shutting down")}
		return
	}
	if len(b.connections) > b.cfg.Connections { // one of them is the local one
		m.opened <- connected{err: &messages.Error{
			Code: messages.Limit, Msg: "too many connections; try again later",
			Detail: messages.LimitDetail{Limit: "max-connections", Value: b.cfg.Connections},
		}}
		return
	}
	pid := c.Spawn(b.census.props(kindConnection, func() actor.Actor {
		return &connection{cfg: b.cfg, census: b.census, engine: b.engine, codec: m.codec, link: m.link, peer: m.peer}
	}))
	b.connections[pid.Id] = &member{pid: pid, link: m.link, peer: m.peer}
	m.opened <- connected{pid: pid}
}

func (b *browser) admit(c actor.Context, m admit) {
	conn, ok := b.connections[m.from.Id]
	if !ok {
		return
	}
	if b.sessions >= b.cfg.Sessions {
		c.Send(m.from, admitted{n: m.n, err: &messages.Error{
			Code: messages.Limit, Msg: "too many sessions; close one or try again later",
			Detail: messages.LimitDetail{Limit: "max-sessions", Value: b.cfg.Sessions},
		}})
		return
	}
	b.sessions++
	conn.sessions++
	c.Send(m.from, admitted{n: m.n})
}

func (b *browser) sessionEnded(m sessionEnded) {
	if conn, ok := b.connections[m.from.Id]; ok && conn.sessions > 0 {
		conn.sessions--
		b.sessions--
	}
}

func (b *browser) departed(m departed) {
	conn, ok := b.connections[m.id]
	if !ok {
		return
	}
	delete(b.connections, m.id)
	b.sessions -= conn.sessions
	conn.peer.end()
	conn.link.Close(1011, "internal error") // it has closed already unless the actor crashed
	b.reportDrained()
}

func (b *browser) drain(c actor.Context, m drain) {
	b.drained = m.done
	for _, conn := range b.connections {
		c.Send(conn.pid, drainConnection{})
	}
	b.reportDrained()
}

func (b *browser) reportDrained() {
	if b.drained != nil && len(b.connections) == 0 {
		close(b.drained)
		b.drained = nil
	}
}
