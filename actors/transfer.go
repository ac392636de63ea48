package actors

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/engine"
	"plasmate/fetch/cookie"
	"plasmate/messages"
)

// internal marks the numbers of requests that the session itself makes of its pages.
const internal = uint64(1) << 63

type (
	// exportPage asks a page for its state, answered by a messages.PageState.
	exportPage struct{}
	// importPage gives a page its state, answered by a messages.PageImported.
	importPage struct{ state []byte }
)

// gathering is a request of the session that its pages carry out together.
type gathering struct {
	n      uint64                     // the call to answer
	left   map[uint64]messages.PageID // by the number of the page's part
	parts  map[messages.PageID]any
	order  []messages.PageID
	finish func(parts []any) any
}

// gather asks every page for its part, behind what it has to do already.
func (s *session) gather(c actor.Context, n uint64, ask func(messages.PageID) any, finish func([]any) any) {
	g := &gathering{n: n, left: make(map[uint64]messages.PageID), parts: make(map[messages.PageID]any), finish: finish}
	s.gatherings = append(s.gatherings, g)
	lanes := append([]*lane(nil), s.lanes...)
	for _, l := range lanes {
		g.order = append(g.order, l.id)
		s.parts++
		part := request{n: internal | s.parts, message: ask(l.id)}
		g.left[part.n] = l.id
		l.waiting = append(l.waiting, part)
	}
	for _, l := range lanes {
		s.next(c, l)
	}
	s.gathered(c, g)
}

// part takes a page's part of a gathering.
func (s *session) part(c actor.Context, n uint64, value any, err *messages.Error) {
	for _, g := range s.gatherings {
		id, ok := g.left[n]
		if !ok {
			continue
		}
		delete(g.left, n)
		g.parts[id] = value
		if err != nil {
			clear(g.left) // the first failure is the answer
			s.gatherings = without(s.gatherings, g)
			s.fail(c, g.n, err)
			return
		}
		s.gathered(c, g)
		return
	}
}

func (s *session) gathered(c actor.Context, g *gathering) {
	if len(g.left) > 0 {
		return
	}
	parts := make([]any, len(g.order))
	for i, id := range g.order {
		parts[i] = g.parts[id]
	}
	s.gatherings = without(s.gatherings, g)
	s.answer(c, g.n, g.finish(parts))
}

func without(list []*gathering, g *gathering) []*gathering {
	var rest []*gathering
	for _, other := range list {
		if other != g {
			rest = append(rest, other)
		}
	}
	return rest
}

func (s *session) exportSession(c actor.Context, n uint64) {
	s.gather(c, n, func(messages.PageID) any { return exportPage{} }, func(parts []any) any {
		state := messages.SessionState{
			Network: s.network, Timeout: s.timeout,
			Cookies: getCookies(s.jar, messages.GetCookies{}, time.Now()).Cookies,
		}
		for _, p := range parts {
			page, _ := p.(messages.PageState)
			state.Pages = append(state.Pages, page)
		}
		return messages.SessionExported{State: state}
	})
}

func (s *session) importSession(c actor.Context, n uint64, m messages.ImportSession) {
	setDefault(&m.State.Network.UserAgent, messages.DefaultUserAgent)
	setDefault(&m.State.Network.Locale, messages.DefaultLocale)
	if err := s.admissible(m.State); err != nil {
		s.fail(c, n, err)
		return
	}
	for _, l := range s.lanes {
		s.interruptAll(c, l, errReplaced)
		c.Poison(l.pid)
	}
	s.lanes = nil
	s.network = m.State.Network
	s.profile = profileOf(s.id, s.network, s.jar)
	s.timeout = m.State.Timeout
	setDefault(&s.timeout, messages.DefaultTimeout)
	s.jar.Clear()
	_ = setCookies(s.jar, messages.SetCookies{Cookies: m.State.Cookies}, time.Now()) // admissible has tried them
	states := make(map[messages.PageID][]byte, len(m.State.Pages))
	for _, p := range m.State.Pages {
		number, _ := pageNumber(p.ID)
		s.pages = number - 1
		s.addLane(c)
		states[p.ID] = p.State
	}
	s.gather(c, n, func(id messages.PageID) any { return importPage{states[id]} }, func(parts []any) any {
		var answer messages.SessionImported
		for _, p := range parts {
			page, _ := p.(messages.PageImported)
			answer.Pages = append(answer.Pages, page)
		}
		return answer
	})
}

// errReplaced is the cause for which the requests of replaced pages end.
var errReplaced = errors.New("an import put another state in place of the session's")

// admissible checks a state before anything is changed.
func (s *session) admissible(state messages.SessionState) *messages.Error {
	if err := checkNetwork(state.Network, s.cfg.Proxies); err != nil {
		return err
	}
	if err := setCookies(new(cookie.Jar), messages.SetCookies{Cookies: state.Cookies}, time.Now()); err != nil {
		return err
	}
	if len(state.Pages) > maxPages {
		return wrong("state.pages", "at most 64 pages")
	}
	last := 0
	for _, p := range state.Pages {
		number, ok := pageNumber(p.ID)
		if !ok || number <= last {
			return wrong("state.pages", `page ids "p_1", "p_2" … in ascending order`)
		}
		if p.State != nil && p.Engine != s.engine.Name() {
			return wrong("state.pages", "pages of the engine "+s.engine.Name())
		}
		last = number
	}
	return nil
}

// pageNumber is the number in a page's id.
func pageNumber(id messages.PageID) (int, bool) {
	digits, ok := strings.CutPrefix(string(id), "p_")
	number, err := strconv.Atoi(digits)
	return number, ok && err == nil && number > 0 && number < 1<<30 && strconv.Itoa(number) == digits
}

// named completes a page's part with what only the session knows.
func named(value any, id messages.PageID, engine string) any {
	switch v := value.(type) {
	case messages.PageState:
		v.ID, v.Engine = id, engine
		return v
	case messages.PageImported:
		v.ID = id
		return v
	}
	return value
}

// export is the page's part of an exported session.
func (t *tab) export(_ context.Context, _ exportPage) (messages.PageState, error) {
	e, ok := t.engine.(engine.Portable)
	if !ok {
		return messages.PageState{}, messages.Errorf(messages.Unsupported, "this engine's pages cannot be exported")
	}
	state, err := e.Export()
	return messages.PageState{State: state}, err
}

// take brings the page into an exported state.
func (t *tab) take(ctx context.Context, m importPage) (messages.PageImported, error) {
	if m.state == nil {
		return messages.PageImported{}, nil
	}
	e, ok := t.engine.(engine.Portable)
	if !ok {
		return messages.PageImported{}, messages.Errorf(messages.Unsupported, "this engine's pages cannot be imported")
	}
	loaded, err := e.Import(ctx, m.state)
	if err != nil {
		return messages.PageImported{}, &messages.Error{
			Code: messages.Invalid, Msg: fmt.Sprintf("%v; other pages may have been taken over", err), Err: err,
			Detail: messages.ParamDetail{Param: "state.pages", Expected: "what session.export gave"},
		}
	}
	t.loaded = loaded
	if _, err := t.compile(context.WithoutCancel(ctx)); err != nil {
		return messages.PageImported{}, err
	}
	return messages.PageImported{URL: loaded.URL, Title: t.doc.Title}, nil
}
