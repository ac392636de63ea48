package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/engine"
	"plasmate/fetch/cookie"
	"plasmate/messages"
	"plasmate/policy"
)

// session is one agent's browsing session: its requests run one after the
// other, in the order they came.
type session struct {
	cfg     Config
	census  *census
	engine  engine.Engine
	id      messages.SessionID
	profile engine.Profile
	jar     *cookie.Jar
	open    messages.OpenSession

	page    *actor.PID
	shown   *shown // the page as last reported; nil: none yet
	running *request
	waiting []request
	ended   bool // stopping: what still comes is refused
}

// shown is what a session can answer by itself.
type shown struct{ som []byte }

type (
	// request is call n of the parent connection.
	request struct {
		n       uint64
		message any
	}
	// cancel ends request n, wherever it is, for a cause.
	cancel struct {
		n     uint64
		cause error
	}
	// endSession ends the session and answers call n; 0 is nobody's.
	endSession struct{ n uint64 }
)

func newSession(cfg Config, census *census, eng engine.Engine, id messages.SessionID, open messages.OpenSession) *session {
	setDefault(&open.UserAgent, messages.DefaultUserAgent)
	setDefault(&open.Locale, messages.DefaultLocale)
	setDefault(&open.Timeout, messages.DefaultTimeout)
	jar := new(cookie.Jar)
	return &session{cfg: cfg, census: census, engine: eng, id: id, open: open, jar: jar, profile: engine.Profile{
		Session:        string(id),
		UserAgent:      open.UserAgent,
		AcceptLanguage: policy.AcceptLanguage(open.Locale),
		Jar:            jar,
	}}
}

func (s *session) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		s.page = c.Spawn(s.census.props(kindPage, func() actor.Actor {
			return &page{census: s.census, tab: newTab(s.engine.NewPage(s.profile), s.cfg.Pages)}
		}))
	case request:
		s.request(c, m)
	case worked:
		s.worked(c, m)
	case cancel:
		s.cancel(c, m)
	case endSession:
		s.end(c, m)
	case *actor.Terminated:
		tellDeparted(c, m)
	case departed:
		s.departed(c)
	}
}

func (s *session) request(c actor.Context, m request) {
	if s.ended {
		s.fail(c, m.n, unknownSession(s.id))
		return
	}
	if len(s.waiting) >= s.cfg.Queue {
		s.fail(c, m.n, &messages.Error{
			Code: messages.Limit, Msg: "too many requests wait in this session; await some answers first",
			Detail: messages.LimitDetail{Limit: "max-queue", Value: s.cfg.Queue},
		})
		return
	}
	s.waiting = append(s.waiting, m)
	if _, ok := m.message.(messages.Navigate); ok {
		s.supersede(c)
	}
	s.next(c)
}

// supersede ends the navigation right before the newest request, which is one
// too: no request stands between them that could see its page.
func (s *session) supersede(c actor.Context) {
	if older := len(s.waiting) - 2; older >= 0 {
		if _, ok := s.waiting[older].message.(messages.Navigate); ok {
			s.fail(c, s.waiting[older].n, s.interrupted(s.waiting[older], errSuperseded))
			s.waiting = append(s.waiting[:older], s.waiting[older+1:]...)
		}
		return
	}
	if s.running == nil {
		return
	}
	if _, ok := s.running.message.(messages.Navigate); ok {
		c.Send(s.page, cancel{n: s.running.n, cause: errSuperseded})
	}
}

// next starts the first waiting request unless one runs.
func (s *session) next(c actor.Context) {
	for s.running == nil && len(s.waiting) > 0 {
		m := s.waiting[0]
		s.waiting = s.waiting[1:]
		if len(s.waiting) == 0 {
			s.waiting = nil // let the array go
		}
		if s.answered(c, m) {
			continue
		}
		s.running = &m
		c.Send(s.page, work{n: m.n, message: m.message, timeout: s.open.Timeout})
	}
}

// answered answers what needs no work: cookies, and the SOM of the page, kept as bytes.
func (s *session) answered(c actor.Context, m request) bool {
	if value, err, ok := cookieRequest(s.jar, m.message, time.Now()); ok {
		c.Send(c.Parent(), answer{n: m.n, value: value, err: err})
		return true
	}
	if s.shown == nil && needsPage(m.message) {
		s.fail(c, m.n, errNoPage)
		return true
	}
	o, ok := m.message.(messages.Observe)
	if !ok || s.shown == nil || o.Format != messages.FormatSOM || o.Ref != "" {
		return false
	}
	c.Send(c.Parent(), answer{n: m.n, value: messages.Observed{SOM: s.shown.som}})
	return true
}

func needsPage(message any) bool {
	switch message.(type) {
	case messages.Observe, messages.Act, messages.Extract, messages.Traverse:
		return true
	}
	return false
}

func (s *session) worked(c actor.Context, m worked) {
	if s.running == nil || s.running.n != m.n {
		return
	}
	s.running = nil
	if m.som != nil {
		s.shown = &shown{som: m.som}
	}
	c.Send(c.Parent(), answer{n: m.n, value: m.value, err: m.err})
	if m.panicked {
		s.stop(c)
		s.refuseWaiting(c, messages.Errorf(messages.NotFound, "the session crashed and is closed; create a new one"))
		return
	}
	s.next(c)
}

func (s *session) cancel(c actor.Context, m cancel) {
	if s.running != nil && s.running.n == m.n {
		c.Send(s.page, m)
		return
	}
	for i, w := range s.waiting {
		if w.n == m.n {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			s.fail(c, m.n, s.interrupted(w, m.cause))
			return
		}
	}
}

// end answers everything at once and stops: the page's work is cancelled by
// the page actor's own end.
func (s *session) end(c actor.Context, m endSession) {
	if s.running != nil {
		s.fail(c, s.running.n, s.interrupted(*s.running, errSessionClosed))
		s.running = nil
	}
	for _, w := range s.waiting {
		s.fail(c, w.n, s.interrupted(w, errSessionClosed))
	}
	s.waiting = nil
	if m.n != 0 {
		c.Send(c.Parent(), answer{n: m.n, value: messages.SessionClosed{}})
	}
	s.stop(c)
}

func (s *session) stop(c actor.Context) {
	s.ended = true
	c.Poison(c.Self())
}

// departed ends the session when its page crashed.
func (s *session) departed(c actor.Context) {
	if s.ended {
		return
	}
	err := messages.Errorf(messages.Internal, "the page crashed and its session is closed; create a new one")
	if s.running != nil {
		s.fail(c, s.running.n, err)
		s.running = nil
	}
	s.refuseWaiting(c, err)
	s.stop(c)
}

func (s *session) refuseWaiting(c actor.Context, err *messages.Error) {
	for _, w := range s.waiting {
		s.fail(c, w.n, err)
	}
	s.waiting = nil
}

func (s *session) fail(c actor.Context, n uint64, err *messages.Error) {
	c.Send(c.Parent(), answer{n: n, err: err})
}

// interrupted is the answer to a request that was cancelled for a cause.
func (s *session) interrupted(m request, cause error) *messages.Error {
	return interruption(m.message, cause)
}
