package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"golang.org/x/time/rate"

	"plasmate/fetch"
)

// host gives the turns of one origin: its rate, its concurrency, and fairness
// between the sessions that ask.
type host struct {
	name    string
	cfg     Config
	census  *census
	limiter *rate.Limiter
	// notBefore is the end of a pause that the host asked for.
	notBefore time.Time

	queues  map[string][]exchange // by session
	turns   []string              // sessions with a queue, the next first
	queued  int
	active  map[uint64]inFlight
	wanting bool // a turn was asked for and has not come
	armed   bool // a timer will send due
	idles   uint64
	resting bool // a timer will send restful
}

type inFlight struct {
	pid   *actor.PID
	reply chan<- exchanged
}

type (
	// due says that the rate limit may allow the next exchange.
	due struct{}
	// restful says that nothing came for a while.
	restful struct{ n uint64 }
	// landed reports the end of exchange n.
	landed struct {
		n        uint64
		response *fetch.Response
		err      error
	}
)

func newHost(name string, cfg Config, census *census) *host {
	return &host{
		name: name, cfg: cfg, census: census,
		limiter: rate.NewLimiter(cfg.Fetch.Rate, cfg.Fetch.Burst),
		queues:  make(map[string][]exchange),
		active:  make(map[uint64]inFlight),
	}
}

func (h *host) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case exchange:
		h.enqueue(c, m)
	case turn:
		h.turn(c)
	case cancelExchange:
		h.cancel(c, m)
	case pace:
		h.pace(c, m)
	case landed:
		h.landed(c, m)
	case *actor.Terminated:
		tellDeparted(c, m)
	case departed:
		h.departed(c, m)
	case due:
		h.armed = false
		h.wantTurn(c)
	case restful:
		h.resting = false
		if m.n != h.idles {
			h.rest(c)
		} else if h.queued == 0 && len(h.active) == 0 {
			c.Send(c.Parent(), hostIdle{host: h.name})
		}
	}
}

func (h *host) enqueue(c actor.Context, m exchange) {
	h.idles++
	who := m.request.Session
	if len(h.queues[who]) == 0 {
		h.turns = append(h.turns, who)
	}
	h.queues[who] = append(h.queues[who], m)
	h.queued++
	h.wantTurn(c)
}

// wantTurn asks the pool for a place if one more exchange may start now.
func (h *host) wantTurn(c actor.Context) {
	if h.queued == 0 || h.wanting || h.armed || len(h.active) >= h.cfg.Fetch.PerHost {
		return
	}
	if wait := h.wait(); wait > 0 {
		h.armed = true
		root, self := c.ActorSystem().Root, c.Self()
		time.AfterFunc(wait, func() { root.Send(self, due{}) })
		return
	}
	h.wanting = true
	c.Send(c.Parent(), turnWanted{host: h.name})
}

func (h *host) turn(c actor.Context) {
	h.wanting = false
	m, ok := h.dequeue()
	if !ok { // cancelled meanwhile
		c.Request(c.Parent(), turnUnused{})
		h.rest(c)
		return
	}
	pid := c.Spawn(h.census.props(kindExchange, func() actor.Actor {
		return &exchangeActor{client: h.cfg.Client, census: h.census, n: m.n, request: m.request}
	}))
	h.active[m.n] = inFlight{pid: pid, reply: m.reply}
	h.wantTurn(c)
}

// dequeue takes the oldest exchange of the session whose turn it is.
func (h *host) dequeue() (exchange, bool) {
	if len(h.turns) == 0 {
		return exchange{}, false
	}
	who := h.turns[0]
	h.turns = h.turns[1:]
	m := h.queues[who][0]
	h.setQueue(who, h.queues[who][1:])
	if len(h.queues[who]) > 0 {
		h.turns = append(h.turns, who)
	}
	h.queued--
	return m, true
}

func (h *host) setQueue(who string, q []exchange) {
	if len(q) == 0 {
		delete(h.queues, who)
		return
	}
	h.queues[who] = q
}

// cancel drops exchange n from its queue, or stops it. Its asker has gone.
func (h *host) cancel(c actor.Context, m cancelExchange) {
	if a, ok := h.active[m.n]; ok {
		c.Send(a.pid, m)
		return
	}
	for who, q := range h.queues {
		for i := range q {
			if q[i].n == m.n {
				h.drop(c, who, i)
				return
			}
		}
	}
}

func (h *host) drop(c actor.Context, who string, i int) {
	q := h.queues[who]
	n := q[i].n
	h.setQueue(who, append(q[:i:i], q[i+1:]...))
	h.queued--
	if len(h.queues[who]) == 0 {
		for j, t := range h.turns {
			if t == who {
				h.turns = append(h.turns[:j:j], h.turns[j+1:]...)
				break
			}
		}
	}
	c.Send(c.Parent(), exchangeEnded{n: n})
	h.rest(c)
}

func (h *host) landed(c actor.Context, m landed) {
	a, ok := h.active[m.n]
	if !ok {
		return
	}
	delete(h.active, m.n)
	a.reply <- exchanged{response: m.response, err: m.err}
	c.Send(c.Parent(), exchangeEnded{n: m.n, placed: true})
	h.wantTurn(c)
	h.rest(c)
}

// departed answers for an exchange actor that crashed: all others have landed.
func (h *host) departed(c actor.Context, m departed) {
	for n, a := range h.active {
		if a.pid.Id == m.id {
			h.landed(c, landed{n: n, err: errExchangePanic})
			return
		}
	}
}

// rest arms the timer that ends an idle host.
func (h *host) rest(c actor.Context) {
	if h.queued > 0 || len(h.active) > 0 {
		return
	}
	h.idles++
	if h.resting {
		return // one timer at a time: a busy host rests hundreds of times a minute
	}
	h.resting = true
	n, root, self := h.idles, c.ActorSystem().Root, c.Self()
	time.AfterFunc(h.cfg.Fetch.HostIdle, func() { root.Send(self, restful{n: n}) })
}

// exchangeActor runs one exchange.
type exchangeActor struct {
	client  fetch.Exchanger
	census  *census
	n       uint64
	request *fetch.Request
	stop    context.CancelFunc
}

func (x *exchangeActor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		x.run(c)
	case cancelExchange:
		x.stop()
	case landed:
		c.Send(c.Parent(), m)
		c.Stop(c.Self())
	case *actor.Stopping:
		x.stop()
	}
}

func (x *exchangeActor) run(c actor.Context) {
	ctx, stop := context.WithCancel(context.Background())
	x.stop = stop
	root, self, client, n, r, counts := c.ActorSystem().Root, c.Self(), x.client, x.n, x.request, x.census
	go func() {
		report := landed{n: n}
		defer func() {
			if p := recover(); p != nil {
				counts.panics.Add(1)
				report = landed{n: n, err: fmt.Errorf("fetch %s: %w: %v", r.URL, errExchangePanic, p)}
			}
			stop()
			root.Send(self, report)
		}()
		report.response, report.err = client.Exchange(ctx, r)
	}()
}

var errExchangePanic = errors.New("the exchange panicked")

// hostKey is what exchanges with the same host have in common: scheme, host and port.
func hostKey(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
}
