package actors

import (
	"strconv"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/engine"
	"plasmate/fetch/cookie"
	"plasmate/messages"
)

// session is one agent's browsing session: a cookie jar and its pages, each
// with a lane of requests.
type session struct {
	cfg     Config
	census  *census
	engine  engine.Engine
	id      messages.SessionID
	profile *engine.Profile // of network; never changed, only replaced
	network messages.Network
	jar     *cookie.Jar
	timeout time.Duration // of requests that name none

	lanes []*lane // the first one is for requests that name no page
	pages int     // opened so far

	reader *reader // nil before the first request of the text protocol
	lent   bool    // a page's worker has the reader

	gatherings []*gathering
	parts      uint64 // of gatherings so far
	ended      bool   // stopping: what still comes is refused
}

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
	// event tells the parent connection what happened.
	event struct {
		from messages.SessionID
		messages.Event
	}
)

// maxPages bounds the pages of one session.
const maxPages = 64

func newSession(cfg Config, census *census, eng engine.Engine, id messages.SessionID, open messages.OpenSession) *session {
	setDefault(&open.UserAgent, messages.DefaultUserAgent)
	setDefault(&open.Locale, messages.DefaultLocale)
	setDefault(&open.Timeout, messages.DefaultTimeout)
	s := &session{cfg: cfg, census: census, engine: eng, id: id, jar: new(cookie.Jar), timeout: open.Timeout}
	s.network = messages.Network{UserAgent: open.UserAgent, Locale: open.Locale}
	s.profile = profileOf(id, s.network, s.jar)
	return s
}

func (s *session) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case request:
		s.request(c, m)
	case worked:
		s.worked(c, m)
	case cancel:
		s.cancel(c, m)
	case endSession:
		s.end(c, m)
	case *actor.Stopped:
		if s.reader != nil && !s.lent {
			s.reader.vault.Close()
		}
		s.cfg.SessionEnded(s.id)
	case *actor.Terminated:
		tellDeparted(c, m)
	case departed:
		s.departed(c, m)
	}
}

func (s *session) request(c actor.Context, m request) {
	if s.ended {
		s.fail(c, m.n, unknownSession(s.id))
		return
	}
	switch q := m.message.(type) {
	case messages.ListPages:
		s.answer(c, m.n, s.list())
		return
	case messages.OpenPage:
		s.openPage(c, m)
		return
	case messages.ClosePage:
		s.closePage(c, m, q)
		return
	case messages.ExportSession:
		s.exportSession(c, m.n)
		return
	case messages.ImportSession:
		s.importSession(c, m.n, q)
		return
	}
	l, err := s.lane(c, messages.PageOf(m.message))
	if err != nil {
		s.fail(c, m.n, err)
		return
	}
	s.enqueue(c, l, m)
}

// lane finds the lane of a page; the first one is made when it is needed.
func (s *session) lane(c actor.Context, id messages.PageID) (*lane, *messages.Error) {
	for _, l := range s.lanes {
		if id == "" || l.id == id {
			return l, nil
		}
	}
	if id != "" {
		return nil, messages.Errorf(messages.NotFound, "no page %q in this session", string(id))
	}
	return s.addLane(c), nil
}

func (s *session) addLane(c actor.Context) *lane {
	s.pages++
	l := &lane{id: messages.PageID("p_" + strconv.Itoa(s.pages))}
	profile := s.profile // the actor's, not the session's from here
	l.pid = c.Spawn(s.census.props(kindPage, func() actor.Actor {
		return &page{census: s.census, tab: newTab(s.engine.NewPage(*profile), profile, s.cfg.Pages)}
	}))
	s.lanes = append(s.lanes, l)
	return l
}

func (s *session) openPage(c actor.Context, m request) {
	if len(s.lanes) >= maxPages {
		s.fail(c, m.n, &messages.Error{
			Code: messages.Limit, Msg: "too many pages in this session; close one first",
			Detail: messages.LimitDetail{Limit: "pages of a session", Value: maxPages},
		})
		return
	}
	if len(s.lanes) == 0 {
		s.addLane(c) // the page of requests that name none
	}
	l := s.addLane(c)
	s.answer(c, m.n, messages.PageOpened{ID: l.id})
}

func (s *session) list() messages.PagesListed {
	var list messages.PagesListed
	for _, l := range s.lanes {
		info := l.place
		info.ID = l.id
		list.Pages = append(list.Pages, info)
	}
	return list
}

func (s *session) closePage(c actor.Context, m request, q messages.ClosePage) {
	l, err := s.lane(c, q.ID)
	if err != nil {
		s.fail(c, m.n, err)
		return
	}
	if l.running != nil && textRequest(l.running.message) {
		// It has the reader and must give it back first.
		l.closing = append(l.closing, m)
		c.Send(l.pid, cancel{n: l.running.n, cause: errPageClosed})
		return
	}
	s.remove(l)
	s.interruptAll(c, l, errPageClosed)
	c.Poison(l.pid)
	s.answer(c, m.n, messages.PageClosed{})
}

func (s *session) remove(l *lane) {
	for i := range s.lanes {
		if s.lanes[i] == l {
			s.lanes = append(s.lanes[:i:i], s.lanes[i+1:]...)
			return
		}
	}
}

// own answers what the session can answer without a page: its cookies and network.
func (s *session) own(c actor.Context, m request) bool {
	if q, ok := m.message.(messages.SetNetwork); ok {
		s.setNetwork(c, m.n, q)
		return true
	}
	value, err, ok := cookieRequest(s.jar, m.message, time.Now())
	if ok {
		c.Send(c.Parent(), answer{n: m.n, value: value, err: err})
	}
	return ok
}

func (s *session) setNetwork(c actor.Context, n uint64, m messages.SetNetwork) {
	network, err := setNetwork(s.network, m, s.cfg.Proxies)
	if err != nil {
		s.fail(c, n, err)
		return
	}
	s.network = network
	s.profile = profileOf(s.id, network, s.jar)
	s.answer(c, n, messages.NetworkSet{Network: network})
}

// end answers everything at once and stops: the work of its pages is cancelled
// by their own end.
func (s *session) end(c actor.Context, m endSession) {
	for _, l := range s.lanes {
		s.interruptAll(c, l, errSessionClosed)
	}
	if m.n != 0 {
		s.answer(c, m.n, messages.SessionClosed{})
	}
	s.stop(c)
}

func (s *session) stop(c actor.Context) {
	s.ended = true
	c.Poison(c.Self())
}

// departed ends the session when one of its pages crashed outside its work.
func (s *session) departed(c actor.Context, m departed) {
	for _, l := range s.lanes {
		if l.pid.Id == m.id && !s.ended {
			s.crash(c, messages.Errorf(messages.Internal, "the page crashed and its session is closed; create a new one"))
		}
	}
}

// crash refuses everything with err and stops.
func (s *session) crash(c actor.Context, err *messages.Error) {
	for _, l := range s.lanes {
		for _, m := range l.drain() {
			s.fail(c, m.n, err)
		}
	}
	s.stop(c)
}

func (s *session) answer(c actor.Context, n uint64, value any) {
	s.reply(c, answer{n: n, value: value})
}

func (s *session) fail(c actor.Context, n uint64, err *messages.Error) {
	s.reply(c, answer{n: n, err: err})
}

// reply answers a call, or the session's own request to a page.
func (s *session) reply(c actor.Context, a answer) {
	if a.n&internal != 0 {
		s.part(c, a.n, a.value, a.err)
		return
	}
	c.Send(c.Parent(), a)
}
