package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"plasmate/actors"
	"plasmate/cache"
	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/som"
)

// runtime is the runtime that package plasmate starts, but with an engine that
// remembers each session's document: recall is measured against the very bytes
// that were compiled, and no server is asked twice.
type runtime struct {
	client  *fetch.Client
	system  *actors.System
	sources *sources
}

func newRuntime(p Plan) (*runtime, error) {
	var rules []fetch.HostRule
	for _, r := range p.Network.Resolve {
		rule, err := fetch.ParseHostRule(r)
		if err != nil {
			return nil, fmt.Errorf("resolve rule %q: %w", r, err)
		}
		rules = append(rules, rule)
	}
	client, err := fetch.New(fetch.Config{
		AllowPrivateNetwork: p.Network.AllowPrivate, Resolve: rules,
		CAFile: p.Network.CAFile, InsecureHosts: p.Network.Insecure,
	})
	if err != nil {
		return nil, fmt.Errorf("set up the HTTP client: %w", err)
	}
	rt := &runtime{client: client, sources: &sources{last: make(map[string]som.Input)}}
	rt.system, err = actors.New(actors.Config{
		Client: client,
		NewEngine: func(x fetch.Exchanger) engine.Engine {
			return recorder{Engine: static.New(static.Config{Exchanger: x}), sources: rt.sources}
		},
		Pages: cache.New(cache.Limits{Entries: 1, Bytes: 1}), // every row is compiled
		Fetch: actors.FetchLimits{Rate: rate.Limit(p.Rate)},
	})
	if err != nil {
		client.Close()
		return nil, err
	}
	return rt, nil
}

func (rt *runtime) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = rt.system.Shutdown(ctx) // the rows are there; nothing depends on it
	rt.client.Close()
}

// visit loads one URL and measures it.
func (rt *runtime) visit(ctx context.Context, p Plan, url string, count *Counter) Row {
	row := Row{URL: url}
	opened, err := messages.Ask(ctx, rt.system.Local(), "", messages.OpenSession{UserAgent: p.UserAgent, Timeout: p.Timeout})
	if err != nil {
		return row.fail(err)
	}
	id := opened.ID
	defer func() {
		rt.sources.forget(id)
		// The session ends with the runtime at the latest.
		_, _ = messages.Ask(context.WithoutCancel(ctx), rt.system.Local(), "", messages.CloseSession{ID: id})
	}()
	nav, err := messages.Ask(ctx, rt.system.Local(), id, messages.Navigate{URL: url, Timeout: p.Timeout})
	if err != nil {
		return row.fail(err)
	}
	seen, err := messages.Ask(ctx, rt.system.Local(), id, messages.Observe{})
	if err != nil {
		return row.fail(err)
	}
	short, err := messages.Ask(ctx, rt.system.Local(), id, messages.Observe{Format: messages.FormatCompact})
	if err != nil {
		return row.fail(err)
	}
	in := rt.sources.of(id)
	row.measure(nav, seen.SOM, in, count)
	row.CompactBytes, row.CompactTokens = len(short.SOM), count.Tokens(short.SOM)
	if row.Outcome == OK {
		row.recall(in, short.SOM, p.Oracles[url])
	}
	return row
}

func (r *Row) measure(nav messages.Navigated, doc []byte, in som.Input, count *Counter) {
	r.FinalURL, r.Status, r.ContentType = nav.URL, nav.Status, nav.ContentType
	r.HTMLBytes, r.SOMBytes = nav.HTMLBytes, len(doc)
	r.FetchMS, r.CompileMS, r.LoadMS = ms(nav.Took.Fetch), ms(nav.Took.Compile), ms(nav.Took.Total)
	r.Outcome = outcomeOf(nav)
	var head struct {
		Meta struct {
			Elements    int `json:"element_count"`
			Interactive int `json:"interactive_count"`
		} `json:"meta"`
	}
	if err := json.Unmarshal(doc, &head); err != nil {
		r.Outcome, r.Error = Failed, "the SOM is no JSON: "+err.Error()
		return
	}
	r.Elements, r.Interactive = head.Meta.Elements, head.Meta.Interactive
	r.HTMLTokens, r.SOMTokens = count.Tokens(in.Source), count.Tokens(doc)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// sources holds the last document of each session. It is safe for concurrent use.
type sources struct {
	mu   sync.Mutex
	last map[string]som.Input
}

func (s *sources) set(session string, in som.Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[session] = in
}

func (s *sources) of(session messages.SessionID) som.Input {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[string(session)]
}

func (s *sources) forget(session messages.SessionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.last, string(session))
}

// recorder is an engine whose pages tell sources what they hold.
type recorder struct {
	engine.Engine
	sources *sources
}

// NewPage implements engine.Engine.
func (r recorder) NewPage(p engine.Profile) engine.Page {
	return recorded{Page: r.Engine.NewPage(p), session: p.Session, sources: r.sources}
}

type recorded struct {
	engine.Page
	session string
	sources *sources
}

// Snapshot implements engine.Page.
func (r recorded) Snapshot(ctx context.Context) (som.Input, error) {
	in, err := r.Page.Snapshot(ctx)
	if err == nil {
		r.sources.set(r.session, in)
	}
	return in, err
}
