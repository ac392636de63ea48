package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/cache"
	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/messages"
)

// Config says what a [System] is made of. The zero value of a field is its default.
type Config struct {
	// Client makes single HTTP exchanges; the system decides whose turn it is.
	Client fetch.Exchanger
	// NewEngine makes the engine; its exchanges go through the given exchanger.
	NewEngine func(fetch.Exchanger) engine.Engine
	// SessionEnded is told of every session that has ended, so that caches can
	// forget what was only for it. It must not block.
	SessionEnded func(messages.SessionID)
	// Pages is the cache of compiled pages.
	Pages *cache.Pages

	Secrets []Secret // that every session may type by name
	// Proxies are those that sessions may choose, as fetch.ParseProxy takes them.
	Proxies []string

	Fetch       FetchLimits
	Connections int           // at once; 10,000
	Sessions    int           // at once, of all connections together; 10,000
	Queue       int           // requests waiting in one session; 1,024
	Grace       time.Duration // for requests in flight at shutdown; 1 s
	Log         *slog.Logger  // discards by default
}

func (c Config) withDefaults() Config {
	c.Fetch = c.Fetch.withDefaults()
	setDefault(&c.Connections, 10_000)
	setDefault(&c.Sessions, 10_000)
	setDefault(&c.Queue, 1_024)
	setDefault(&c.Grace, time.Second)
	if c.SessionEnded == nil {
		c.SessionEnded = func(messages.SessionID) {}
	}
	if c.Pages == nil {
		c.Pages = cache.New(cache.Limits{})
	}
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return c
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// System is one supervised runtime. It is safe for concurrent use.
type System struct {
	cfg     Config
	sys     *actor.ActorSystem
	census  *census
	browser *actor.PID
	pool    *actor.PID
	fetcher *fetcher
	local   *localConnection
	closing atomic.Bool
	crawls  crawls
}

// New starts a runtime. Close it with [System.Shutdown].
func New(cfg Config) (*System, error) {
	if cfg.Client == nil || cfg.NewEngine == nil {
		return nil, errors.New("actors: Config wants a Client and NewEngine")
	}
	cfg = cfg.withDefaults()
	s := &System{cfg: cfg, census: newCensus()}
	s.sys = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return cfg.Log.With("part", "actors") }),
		actor.WithDeadLetterRequestLogging(false),
		actor.WithDeadLetterThrottleInterval(10*time.Millisecond),
	)
	s.pool = s.sys.Root.Spawn(s.census.props(kindPool, func() actor.Actor {
		return &pool{cfg: cfg, census: s.census}
	}))
	s.fetcher = &fetcher{root: s.sys.Root, pool: s.pool}
	eng := cfg.NewEngine(s.fetcher)
	s.browser = s.sys.Root.Spawn(s.census.props(kindBrowser, func() actor.Actor {
		return &browser{cfg: cfg, census: s.census, engine: eng}
	}))
	local, err := s.connect(nil, noLink{})
	if err != nil {
		return nil, fmt.Errorf("open local connection: %w", err)
	}
	s.local = &localConnection{peer: local}
	return s, nil
}

// Connect adds a connection whose protocol is codec and whose way out is link.
// The error is an *messages.Error (Limit, Canceled).
func (s *System) Connect(codec messages.Codec, link messages.Link) (messages.Peer, error) {
	return s.connect(codec, link)
}

func (s *System) connect(codec messages.Codec, link messages.Link) (*peer, error) {
	if s.closing.Load() {
		return nil, messages.Errorf(messages.Canceled, "the server is shutting down")
	}
	p := newPeer(s.sys.Root)
	opened := make(chan connected, 1)
	s.sys.Root.Send(s.browser, connect{codec: codec, link: link, peer: p, opened: opened})
	select {
	case c := <-opened:
		if c.err != nil {
			return nil, c.err
		}
		p.pid = c.pid
		return p, nil
	case <-time.After(10 * time.Second):
		return nil, messages.Errorf(messages.Internal, "the runtime does not answer")
	}
}

// Local is a connection of its own for callers in this process. Its sessions
// live until they are closed or the system is shut down.
func (s *System) Local() messages.Asker { return s.local }

// Fetcher makes exchanges in the turn of their host, outside of any session.
func (s *System) Fetcher() fetch.Exchanger { return s.fetcher }

// Shutdown stops everything: requests in flight get a short grace, then are
// cancelled and answered; links are closed with 1001. It returns when no actor
// is left or ctx is done.
func (s *System) Shutdown(ctx context.Context) error {
	if s.closing.Swap(true) {
		return nil
	}
	s.crawls.stop(ctx)
	drained := make(chan struct{})
	s.sys.Root.Send(s.browser, drain{done: drained})
	select {
	case <-drained:
	case <-ctx.Done():
	}
	for _, pid := range []*actor.PID{s.browser, s.pool} {
		stopped := make(chan struct{})
		go func() {
			_ = s.sys.Root.PoisonFuture(pid).Wait() // bounded by protoactor: 10 s
			close(stopped)
		}()
		select {
		case <-stopped:
		case <-ctx.Done():
			s.sys.Root.Stop(pid)
		}
	}
	s.sys.Shutdown()
	return ctx.Err()
}

// Stats is a snapshot of what runs and what went wrong.
type Stats struct {
	Alive  map[string]int64 // actors by kind
	Panics uint64           // recovered, each ended one session or exchange
	Pages  cache.Stats
}

// Stats counts the actors alive by kind.
func (s *System) Stats() Stats {
	return Stats{Alive: s.census.alive(), Panics: s.census.panics.Load(), Pages: s.cfg.Pages.Stats()}
}
