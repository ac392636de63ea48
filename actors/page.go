package actors

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/engine"
	"plasmate/messages"
)

// idleAfter is how long a page keeps its analysis when nobody asks: it is
// rebuilt from the source, which is much smaller.
const idleAfter = 20 * time.Second

// page runs one request at a time on its tab, in a worker goroutine.
type page struct {
	census *census
	tab    *tab
	job    *job // what runs; nil: idle
	idles  uint64
	rest   *time.Timer // sends idle; nil: none
}

// job is one run of the worker.
type job struct {
	n      uint64
	cancel context.CancelCauseFunc
	state  atomic.Int32 // jobRunning, then jobDone or jobAbandoned
}

const (
	jobRunning int32 = iota
	jobDone
	jobAbandoned // the actor has stopped: the worker closes the tab
)

type (
	// work asks for request n to be done within timeout, unless the message
	// names its own.
	work struct {
		n       uint64
		message any
		reader  *reader // for requests of the text protocol
		base    []byte  // the SOM that changes are asked from
		seen    bool    // the current SOM was observed as a whole
		profile *engine.Profile
		timeout time.Duration
	}
	// worked reports request n to the session.
	worked struct {
		n        uint64
		value    any
		err      *messages.Error
		som      []byte                               // the page's SOM if it changed
		event    func(messages.PageID) messages.Event // nil: nothing to tell
		place    *messages.PageInfo                   // where the page is now; nil: nowhere yet
		panicked bool
	}
	idle struct{ n uint64 }
)

func (p *page) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case work:
		p.work(c, m)
	case worked:
		p.job = nil
		c.Send(c.Parent(), m)
		p.armIdle(c)
	case cancel:
		if p.job != nil && p.job.n == m.n {
			p.job.cancel(m.cause)
		}
	case idle:
		if p.job == nil && m.n == p.idles {
			p.tab.forgetAnalysis()
		}
	case *actor.Stopping:
		p.stop()
	}
}

func (p *page) work(c actor.Context, m work) {
	ctx, cancelJob := context.WithCancelCause(context.Background())
	j := &job{n: m.n, cancel: cancelJob}
	p.job = j
	p.idles++
	root, self, t, counts := c.ActorSystem().Root, c.Self(), p.tab, p.census
	go func() {
		report := worked{n: m.n}
		defer func() {
			if r := recover(); r != nil {
				counts.panics.Add(1)
				report = worked{n: m.n, panicked: true, err: &messages.Error{
					Code: messages.Internal, Msg: "the page crashed; its session is closed",
					Err: fmt.Errorf("panic on %T: %v\n%s", m.message, r, debug.Stack()),
				}}
			}
			cancelJob(nil)
			if j.state.CompareAndSwap(jobRunning, jobDone) {
				root.Send(self, report)
			} else {
				t.close()
			}
		}()
		report = t.do(ctx, m)
	}()
}

// armIdle has the page forget its analysis unless new work comes in time.
func (p *page) armIdle(c actor.Context) {
	if !p.tab.analysed() {
		return
	}
	p.idles++
	n, root, self := p.idles, c.ActorSystem().Root, c.Self()
	p.unarm()
	p.rest = time.AfterFunc(idleAfter, func() { root.Send(self, idle{n: n}) })
}

// unarm ends the timer, which would keep a page that has ended in memory.
func (p *page) unarm() {
	if p.rest != nil {
		p.rest.Stop()
		p.rest = nil
	}
}

func (p *page) stop() {
	p.unarm()
	if p.job == nil {
		p.tab.close()
		return
	}
	if p.job.state.CompareAndSwap(jobRunning, jobAbandoned) {
		p.job.cancel(errSessionClosed)
		return
	}
	p.tab.close() // the worker is done, only its report was not read yet
}
