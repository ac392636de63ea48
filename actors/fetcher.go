package actors

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"golang.org/x/time/rate"

	"plasmate/fetch"
	"plasmate/messages"
)

// FetchLimits bound the exchanges under way. A zero field takes the default.
type FetchLimits struct {
	Global    int           // exchanges at once; 1,024
	PerHost   int           // exchanges at once with one host; 256
	Rate      rate.Limit    // exchanges a second with one host; 0: no limit
	Burst     int           // exchanges that may start at once under Rate; 1
	HostQueue int           // exchanges waiting for one host; 10,000
	HostIdle  time.Duration // after which an idle host's actor ends; 1 min
}

func (l FetchLimits) withDefaults() FetchLimits {
	setDefault(&l.Global, 1024)
	setDefault(&l.PerHost, 256)
	setDefault(&l.Burst, 1)
	setDefault(&l.HostQueue, 10_000)
	setDefault(&l.HostIdle, time.Minute)
	if l.Rate <= 0 {
		l.Rate = rate.Inf
	}
	if l.Rate != rate.Inf {
		// An ended host comes back with a full bucket, so it must outlive the refill.
		refill := time.Duration(float64(l.Burst) / float64(l.Rate) * float64(time.Second))
		l.HostIdle = max(l.HostIdle, refill)
	}
	return l
}

// fetcher is the exchanger that engines use: it asks the pool and waits in the
// caller's goroutine, which is a page's worker.
type fetcher struct {
	root *actor.RootContext
	pool *actor.PID
	last atomic.Uint64
}

// Exchange implements fetch.Exchanger. When ctx ends, the exchange is
// cancelled and its connection closed.
func (f *fetcher) Exchange(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	n := f.last.Add(1)
	reply := make(chan exchanged, 1)
	f.root.Send(f.pool, exchange{n: n, request: r, reply: reply})
	select {
	case x := <-reply:
		return x.response, x.err
	case <-ctx.Done():
		f.root.Send(f.pool, cancelExchange{n: n})
		return nil, fmt.Errorf("fetch %s: %w", r.URL, ctx.Err())
	}
}

type (
	// exchange asks for one exchange; reply has room for the one answer.
	exchange struct {
		n       uint64
		request *fetch.Request
		reply   chan<- exchanged
	}
	exchanged struct {
		response *fetch.Response
		err      error
	}
	cancelExchange struct{ n uint64 }
	// turnWanted asks the pool for one of the global places.
	turnWanted struct{ host string }
	// turn gives it to a host.
	turn struct{}
	// turnUnused gives it back.
	turnUnused struct{}
	// exchangeEnded gives the place of exchange n back (if it had one) and
	// says that n has been answered.
	exchangeEnded struct {
		n      uint64
		placed bool
	}
	// hostIdle says that a host has nothing to do.
	hostIdle struct{ host string }
)

// pool is the parent of the hosts. It keeps the global limit, fair between
// hosts: a host waits for at most one turn at a time.
type pool struct {
	cfg    Config
	census *census

	hosts   map[string]*hostEntry
	byPID   map[string]string // host by its actor's id
	open    map[uint64]openExchange
	waiting []string // hosts that want a turn, in order
	busy    int      // places taken
}

type hostEntry struct {
	name string
	pid  *actor.PID
	open int // exchanges given to it and not ended
	held int // places and turns it holds
}

type openExchange struct {
	host  string
	reply chan<- exchanged
}

func (p *pool) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		p.hosts = make(map[string]*hostEntry)
		p.byPID = make(map[string]string)
		p.open = make(map[uint64]openExchange)
	case exchange:
		p.exchange(c, m)
	case cancelExchange:
		p.cancel(c, m)
	case pace:
		p.pace(c, m)
	case turnWanted:
		p.waiting = append(p.waiting, m.host)
		p.giveTurns(c)
	case turnUnused:
		p.release(c, p.byPID[c.Sender().GetId()])
	case exchangeEnded:
		p.ended(c, m)
	case hostIdle:
		p.idle(c, m)
	case *actor.Terminated:
		tellDeparted(c, m)
	case departed:
		p.departed(c, m)
	}
}

func (p *pool) exchange(c actor.Context, m exchange) {
	h := p.host(c, hostKey(m.request.URL))
	name := h.name
	if h.open >= p.cfg.Fetch.HostQueue {
		m.reply <- exchanged{err: &messages.Error{
			Code: messages.Limit, Msg: "too many requests wait for " + name,
			Detail: messages.LimitDetail{Limit: "host-queue", Value: p.cfg.Fetch.HostQueue, RetryAfter: time.Second},
		}}
		return
	}
	h.open++
	p.open[m.n] = openExchange{host: name, reply: m.reply}
	c.Send(h.pid, m)
}

// host finds a host's entry, and starts its actor if there is none.
func (p *pool) host(c actor.Context, name string) *hostEntry {
	if h, ok := p.hosts[name]; ok {
		return h
	}
	pid := c.Spawn(p.census.props(kindHost, func() actor.Actor {
		return newHost(name, p.cfg, p.census)
	}))
	h := &hostEntry{name: name, pid: pid}
	p.hosts[name] = h
	p.byPID[pid.Id] = name
	return h
}

func (p *pool) cancel(c actor.Context, m cancelExchange) {
	if o, ok := p.open[m.n]; ok {
		c.Send(p.hosts[o.host].pid, m)
	}
}

// giveTurns hands free places to the hosts that wait, in turn.
func (p *pool) giveTurns(c actor.Context) {
	for p.busy < p.cfg.Fetch.Global && len(p.waiting) > 0 {
		name := p.waiting[0]
		p.waiting = p.waiting[1:]
		if h, ok := p.hosts[name]; ok {
			p.busy++
			h.held++
			c.Send(h.pid, turn{})
		}
	}
}

func (p *pool) release(c actor.Context, name string) {
	if h, ok := p.hosts[name]; ok && h.held > 0 {
		h.held--
		p.busy--
	}
	p.giveTurns(c)
}

func (p *pool) ended(c actor.Context, m exchangeEnded) {
	o, ok := p.open[m.n]
	if !ok {
		return
	}
	delete(p.open, m.n)
	if h, ok := p.hosts[o.host]; ok {
		h.open--
	}
	if m.placed {
		p.release(c, o.host)
	}
}

// idle ends a host unless something is on its way to it.
func (p *pool) idle(c actor.Context, m hostIdle) {
	if h, ok := p.hosts[m.host]; ok && h.open == 0 && h.held == 0 {
		delete(p.hosts, m.host)
		delete(p.byPID, h.pid.Id)
		c.Poison(h.pid)
	}
}

// departed cleans up after a host that crashed; the next exchange starts it anew.
func (p *pool) departed(c actor.Context, m departed) {
	name, ok := p.byPID[m.id]
	if !ok {
		return
	}
	delete(p.byPID, m.id)
	p.busy -= p.hosts[name].held
	delete(p.hosts, name)
	for n, o := range p.open {
		if o.host == name {
			delete(p.open, n)
			select {
			case o.reply <- exchanged{err: messages.Errorf(messages.Internal, "the fetcher of %s crashed", name)}:
			default: // answered already
			}
		}
	}
	p.giveTurns(c)
}
