package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"plasmate/messages"
)

// lane is the queue of one page's requests, which run one after the other in
// the order they came, and what the session can answer of the page by itself.
type lane struct {
	id      messages.PageID
	pid     *actor.PID
	som     []byte            // of the page as last reported; nil: no page yet
	seen    []byte            // the SOM that was last observed as a whole
	place   messages.PageInfo // where it is
	running *request
	waiting []request
	closing []request // requests to close it, until it gives the reader back
}

// drain takes all requests out of the lane.
func (l *lane) drain() []request {
	all := l.waiting
	if l.running != nil {
		all = append([]request{*l.running}, all...)
	}
	l.running, l.waiting = nil, nil
	return all
}

func (s *session) enqueue(c actor.Context, l *lane, m request) {
	if len(l.waiting) >= s.cfg.Queue {
		s.fail(c, m.n, &messages.Error{
			Code: messages.Limit, Msg: "too many requests wait in this session; await some answers first",
			Detail: messages.LimitDetail{Limit: "max-queue", Value: s.cfg.Queue},
		})
		return
	}
	l.waiting = append(l.waiting, m)
	if _, ok := m.message.(messages.Navigate); ok {
		s.supersede(c, l)
	}
	s.next(c, l)
}

// supersede ends the navigation right before the newest request, which is one
// too: no request stands between them that could see its page.
func (s *session) supersede(c actor.Context, l *lane) {
	if older := len(l.waiting) - 2; older >= 0 {
		if _, ok := l.waiting[older].message.(messages.Navigate); ok {
			s.fail(c, l.waiting[older].n, interruption(l.waiting[older].message, errSuperseded))
			l.waiting = append(l.waiting[:older], l.waiting[older+1:]...)
		}
		return
	}
	if l.running == nil {
		return
	}
	if _, ok := l.running.message.(messages.Navigate); ok {
		c.Send(l.pid, cancel{n: l.running.n, cause: errSuperseded})
	}
}

// next starts the first waiting request unless one runs.
func (s *session) next(c actor.Context, l *lane) {
	for l.running == nil && len(l.waiting) > 0 {
		m := l.waiting[0]
		l.waiting = l.waiting[1:]
		if len(l.waiting) == 0 {
			l.waiting = nil // let the array go
		}
		if s.own(c, m) || s.known(c, l, m) {
			continue
		}
		w := work{n: m.n, message: m.message, base: l.seen, seen: sameBytes(l.seen, l.som), profile: s.profile, timeout: s.timeout}
		if textRequest(m.message) && !s.lend(&w) {
			l.waiting = append([]request{m}, l.waiting...)
			return // until another page gives the reader back
		}
		l.running = &m
		c.Send(l.pid, w)
		if o, ok := m.message.(messages.Observe); ok && o.Changes {
			l.seen = l.som
		}
	}
}

// known answers what needs no work: the SOM of the page, kept as bytes.
func (s *session) known(c actor.Context, l *lane, m request) bool {
	if l.som == nil && needsPage(m.message) {
		s.fail(c, m.n, errNoPage)
		return true
	}
	o, ok := m.message.(messages.Observe)
	if !ok || o.Format != messages.FormatSOM || o.Ref != "" || o.Changes && l.seen != nil {
		return false
	}
	l.seen = l.som
	s.answer(c, m.n, messages.Observed{SOM: l.som})
	return true
}

func needsPage(message any) bool {
	switch message.(type) {
	case messages.Observe, messages.Act, messages.Extract, messages.Traverse,
		messages.View, messages.Find, messages.Pick, messages.Perform:
		return true
	}
	return false
}

func (s *session) worked(c actor.Context, m worked) {
	for _, l := range s.lanes {
		if l.running != nil && l.running.n == m.n {
			s.finished(c, l, m)
			return
		}
	}
}

func (s *session) finished(c actor.Context, l *lane, m worked) {
	reading := textRequest(l.running.message)
	l.running = nil
	if m.som != nil {
		l.som = m.som
	}
	if m.place != nil {
		l.place = *m.place
	}
	s.reply(c, answer{n: m.n, value: named(m.value, l.id, s.engine.Name()), err: m.err})
	if m.panicked {
		s.crash(c, messages.Errorf(messages.NotFound, "the session crashed and is closed; create a new one"))
		return
	}
	if m.event != nil {
		c.Send(c.Parent(), event{from: s.id, Event: m.event(l.id)})
	}
	closing := l.closing
	l.closing = nil
	for _, m := range closing {
		if q, ok := m.message.(messages.ClosePage); ok {
			s.closePage(c, m, q)
		}
	}
	if len(closing) == 0 {
		s.next(c, l)
	}
	if reading {
		s.lent = false
		for _, other := range s.lanes {
			s.next(c, other)
		}
	}
}

// lend gives the session's reader along with a piece of work, unless another
// page has it.
func (s *session) lend(w *work) bool {
	if s.lent {
		return false
	}
	if s.reader == nil {
		s.reader = newReader(s.cfg.Secrets)
	}
	s.lent, w.reader = true, s.reader
	return true
}

func (s *session) cancel(c actor.Context, m cancel) {
	for _, l := range s.lanes {
		if l.running != nil && l.running.n == m.n {
			c.Send(l.pid, m)
			return
		}
		for i, w := range l.waiting {
			if w.n == m.n {
				l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
				s.fail(c, m.n, interruption(w.message, m.cause))
				return
			}
		}
	}
}

// interruptAll answers every request of a lane with the cause of its end.
func (s *session) interruptAll(c actor.Context, l *lane, cause error) {
	for _, m := range l.drain() {
		s.fail(c, m.n, interruption(m.message, cause))
	}
}
