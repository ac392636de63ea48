package actors

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/messages"
)

// frameCredit is how many frames of one connection may wait for its actor; the
// reader of the socket blocks beyond it, so that TCP pushes back.
const frameCredit = 32

// peer is the outside's end of a connection actor.
type peer struct {
	root   *actor.RootContext
	pid    *actor.PID
	credit chan struct{} // a token for each frame that waits
	ended  chan struct{} // closed when the actor has stopped
	once   sync.Once
}

func newPeer(root *actor.RootContext) *peer {
	return &peer{root: root, credit: make(chan struct{}, frameCredit), ended: make(chan struct{})}
}

func (p *peer) Deliver(f messages.Frame) bool {
	select {
	case p.credit <- struct{}{}:
	case <-p.ended:
		return false
	}
	p.root.Send(p.pid, frame{f})
	return true
}

func (p *peer) Gone() { p.root.Send(p.pid, gone{}) }

// handled gives a frame's credit back. The actor calls it.
func (p *peer) handled() { <-p.credit }

// end tells the outside that the actor has stopped.
func (p *peer) end() { p.once.Do(func() { close(p.ended) }) }

// noLink is the link of a connection without a socket.
type noLink struct{}

func (noLink) Send([]byte)       {}
func (noLink) Close(int, string) {}

// localConnection asks a connection actor from ordinary Go code.
type localConnection struct {
	peer *peer
	asks atomic.Uint64
}

// Ask implements messages.Asker.
func (l *localConnection) Ask(ctx context.Context, to messages.SessionID, request any) (any, error) {
	n := l.asks.Add(1)
	reply := make(chan answer, 1)
	l.peer.root.Send(l.peer.pid, ask{n: n, to: to, request: request, reply: reply})
	select {
	case a := <-reply:
		if a.err != nil {
			return nil, a.err
		}
		return a.value, nil
	case <-l.peer.ended:
		return nil, messages.Errorf(messages.Canceled, "the engine is closed")
	case <-ctx.Done():
		l.peer.root.Send(l.peer.pid, cancelAsk{n: n})
		code := messages.Canceled
		if context.Cause(ctx) == context.DeadlineExceeded {
			code = messages.Timeout
		}
		return nil, &messages.Error{Code: code, Msg: "gave up waiting: " + ctx.Err().Error(), Err: ctx.Err()}
	}
}
