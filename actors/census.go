package actors

import (
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// departed says that a child has ended. Actors send it to themselves on
// *actor.Terminated, which is a system message and overtakes what the child
// sent before its end; departed comes after it.
type departed struct{ id string }

func tellDeparted(c actor.Context, m *actor.Terminated) {
	c.Send(c.Self(), departed{id: m.Who.Id})
}

// kind is a kind of actor, for counting and supervision.
type kind int

const (
	kindBrowser kind = iota
	kindConnection
	kindSession
	kindPage
	kindPool
	kindHost
	kindExchange
	kindCrawl
	kindJournal
	kindErrand
	kinds
)

var kindNames = [kinds]string{"browser", "connection", "session", "page", "pool", "host", "exchange", "crawl", "journal", "errand"}

// census counts actors alive and panics. It holds counters only.
type census struct {
	counts [kinds]atomic.Int64
	panics atomic.Uint64
}

func newCensus() *census { return &census{} }

func (c *census) alive() map[string]int64 {
	m := make(map[string]int64, int(kinds))
	for k := range kinds {
		m[kindNames[k]] = c.counts[k].Load()
	}
	return m
}

// props makes the props of an actor of kind k: counted while it lives, its
// children stopped when they panic.
func (c *census) props(k kind, produce func() actor.Actor) *actor.Props {
	return actor.PropsFromProducer(produce,
		actor.WithSupervisor(actor.NewOneForOneStrategy(0, 0, func(any) actor.Directive {
			c.panics.Add(1)
			return actor.StopDirective
		})),
		actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
			return func(rc actor.ReceiverContext, env *actor.MessageEnvelope) {
				switch env.Message.(type) {
				case *actor.Started:
					c.counts[k].Add(1)
				case *actor.Stopped:
					c.counts[k].Add(-1)
				}
				next(rc, env)
			}
		}))
}
