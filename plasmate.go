// Package plasmate is a browser engine for software agents, as a library. An
// [Engine] fetches pages, compiles them into a Semantic Object Model (regions
// and elements with stable ids) and lets sessions navigate, observe, act and
// extract. It is the same engine that `plasmate serve` offers over AWP: each
// method here asks an actor of the one supervised runtime.
//
// An Engine and its Sessions are safe for concurrent use. Requests to one
// session run in order; sessions run independently of each other.
package plasmate

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
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

// Version is the version of plasmate.
const Version = "0.1.0"

// Config says how an Engine behaves. The zero value is a usable default that
// refuses private addresses.
type Config struct {
	Network NetworkConfig
	Limits  LimitConfig
	Files   FileConfig
	// Secrets are values that the sessions of models may type by name, as
	// ‹secret:NAME›, without ever seeing them.
	Secrets []actors.Secret
	Log     *slog.Logger // nil: silent; never sees page text or cookies
}

// NetworkConfig says what may be reached, and how.
type NetworkConfig struct {
	// AllowPrivate opens loopback, private and link-local addresses.
	AllowPrivate bool
	// Resolve maps host names at dial time: "PATTERN=ADDR[:PORT]", where
	// PATTERN may begin with "*.". Exactly these names pass the private-address
	// guard; Host header and origin stay the original.
	Resolve []string
	CAFile  string // PEM file of further certificate authorities
	// Insecure lists hosts whose certificates are not verified.
	Insecure []string
	// Proxy is http://, https:// or socks5://HOST:PORT; NoProxy lists the hosts
	// that are reached without it.
	Proxy   string
	NoProxy []string
	// SessionProxies are those that sessions may choose (messages.SetNetwork).
	SessionProxies []string
	// NoCache turns the HTTP cache off (RFC 9111, private, of this engine).
	NoCache bool
	// Styles has external style sheets fetched, which say what is hidden.
	Styles bool
}

// FileConfig opens folders of this machine to sessions. Empty is none: no file
// is read or written.
type FileConfig struct {
	UploadDir   string // files below it may be chosen for file inputs
	DownloadDir string // downloads are saved in it
}

// LimitConfig bounds what an engine uses. A zero field takes the default.
type LimitConfig struct {
	Connections int   // 10,000
	Sessions    int   // 10,000
	BodyBytes   int64 // of a decoded response body; 32 MiB
	Redirects   int   // of one navigation; 10

	Rate    float64 // requests a second to one host; 0: no limit
	Burst   int     // requests that may start at once under Rate; 1
	PerHost int     // requests at once to one host; 256
	Global  int     // requests at once; 1,024

	CacheEntries int // compiled pages kept; 4,096
	CacheBytes   int // memory of compiled pages kept; 256 MiB

	ResponseBytes int64 // memory of the HTTP cache; 64 MiB
}

// Engine is one runtime. Close it when done.
type Engine struct {
	system *actors.System
	client *fetch.Client
}

// New starts an engine. The error says which part of cfg is wrong.
func New(cfg Config) (*Engine, error) {
	rules := make([]fetch.HostRule, 0, len(cfg.Network.Resolve))
	for _, r := range cfg.Network.Resolve {
		rule, err := fetch.ParseHostRule(r)
		if err != nil {
			return nil, fmt.Errorf("resolve rule %q: %w", r, err)
		}
		rules = append(rules, rule)
	}
	client, err := fetch.New(fetch.Config{
		Proxy:               cfg.Network.Proxy,
		NoProxy:             cfg.Network.NoProxy,
		AllowPrivateNetwork: cfg.Network.AllowPrivate,
		Resolve:             rules,
		CAFile:              cfg.Network.CAFile,
		InsecureHosts:       cfg.Network.Insecure,
		MaxBodyBytes:        cfg.Limits.BodyBytes,
		MaxConnsPerHost:     cmp.Or(cfg.Limits.PerHost, 256), // the host actor gives the turns
	})
	if err != nil {
		return nil, fmt.Errorf("set up the HTTP client: %w", err)
	}
	for _, p := range cfg.Network.SessionProxies {
		if _, err := fetch.ParseProxy(p); err != nil {
			return nil, fmt.Errorf("proxy for sessions: %w", err)
		}
	}
	sessionEnded := func(string) {}
	system, err := actors.New(actors.Config{
		Client:       client,
		SessionEnded: func(id messages.SessionID) { sessionEnded(string(id)) },
		NewEngine: func(x fetch.Exchanger) engine.Engine {
			if !cfg.Network.NoCache {
				responses := fetch.NewCache(x, fetch.CacheOptions{MaxBytes: cfg.Limits.ResponseBytes})
				sessionEnded = responses.ForgetSession
				x = responses
			}
			return static.New(static.Config{
				Exchanger: x, MaxRedirects: cfg.Limits.Redirects,
				UploadDir: cfg.Files.UploadDir, DownloadDir: cfg.Files.DownloadDir, Styles: cfg.Network.Styles,
			})
		},
		Pages: cache.New(cache.Limits{Entries: cfg.Limits.CacheEntries, Bytes: cfg.Limits.CacheBytes}),
		Fetch: actors.FetchLimits{
			Global: cfg.Limits.Global, PerHost: cfg.Limits.PerHost,
			Rate: rate.Limit(cfg.Limits.Rate), Burst: cfg.Limits.Burst,
		},
		Proxies:     cfg.Network.SessionProxies,
		Connections: cfg.Limits.Connections,
		Sessions:    cfg.Limits.Sessions,
		Secrets:     cfg.Secrets,
		Log:         cfg.Log,
	})
	if err != nil {
		client.Close()
		return nil, err
	}
	return &Engine{system: system, client: client}, nil
}

// Close ends all sessions, cancels what is in flight and returns when nothing
// is left running or ctx is done.
func (e *Engine) Close(ctx context.Context) error {
	err := e.system.Shutdown(ctx)
	e.client.Close()
	return err
}

// Connect gives a protocol's connection to the runtime; servers use it.
func (e *Engine) Connect(c messages.Codec, l messages.Link) (messages.Peer, error) {
	return e.system.Connect(c, l)
}

// Asker asks the runtime with messages, from this process; transports without
// connections of their own use it.
func (e *Engine) Asker() messages.Asker { return e.system.Local() }

// Stats counts actors alive, recovered panics and what the page cache did.
func (e *Engine) Stats() actors.Stats { return e.system.Stats() }

// SessionOptions are the choices of a session. The zero value is the default.
type SessionOptions struct {
	UserAgent string        // messages.DefaultUserAgent
	Locale    string        // language tag; en-US
	Timeout   time.Duration // of each request; 30 s
}

// Session is a browsing session: a cookie jar and a page.
type Session struct {
	engine *Engine
	id     messages.SessionID
}

// Open starts a session. The errors here and below are *messages.Error.
func (e *Engine) Open(ctx context.Context, o SessionOptions) (*Session, error) {
	r, err := messages.Ask(ctx, e.system.Local(), "", messages.OpenSession(o))
	if err != nil {
		return nil, err
	}
	return &Session{engine: e, id: r.ID}, nil
}

// Navigate loads a page with GET. Pages with an HTTP error status are pages too.
func (s *Session) Navigate(ctx context.Context, url string) (messages.Navigated, error) {
	return ask(ctx, s, messages.Navigate{URL: url})
}

// Observe gives the page's SOM as compact JSON (AWP §4). Read only.
func (s *Session) Observe(ctx context.Context) ([]byte, error) {
	r, err := ask(ctx, s, messages.Observe{})
	return r.SOM, err
}

// Compact gives the page as JSON with short keys in about budget bytes (0: a
// ninth of the document's); package som/compact describes it.
func (s *Session) Compact(ctx context.Context, budget int) ([]byte, error) {
	r, err := ask(ctx, s, messages.Observe{Format: messages.FormatCompact, Budget: budget})
	return r.SOM, err
}

// Text gives the page as plain text.
func (s *Session) Text(ctx context.Context) (string, error) {
	r, err := ask(ctx, s, messages.Observe{Format: messages.FormatText})
	return r.Text, err
}

// Markdown gives the page as CommonMark.
func (s *Session) Markdown(ctx context.Context) (string, error) {
	r, err := ask(ctx, s, messages.Observe{Format: messages.FormatMarkdown})
	return r.Text, err
}

// View gives the page as models read it: text with refs [n] for acting.
func (s *Session) View(ctx context.Context, v messages.View) (string, error) {
	r, err := ask(ctx, s, v)
	return r.Text, err
}

// Links gives the page's links in document order, resolved.
func (s *Session) Links(ctx context.Context) ([]som.Link, error) {
	r, err := ask(ctx, s, messages.Observe{Format: messages.FormatLinks})
	return r.Links, err
}

// Act performs one action, such as
//
//	messages.Act{Action: "click", Target: &som.Target{Text: "Sign in", Role: "link"}}
//
// It is an error if the action could not be done exactly as asked.
func (s *Session) Act(ctx context.Context, a messages.Act) (messages.Acted, error) {
	return ask(ctx, s, a)
}

// Extract answers queries with JSON: the data, and the ids of the elements it came from.
func (s *Session) Extract(ctx context.Context, e messages.Extract) (messages.Extracted, error) {
	return ask(ctx, s, e)
}

// Close ends the session and cancels what it is doing.
func (s *Session) Close(ctx context.Context) error {
	_, err := messages.Ask(ctx, s.engine.system.Local(), "", messages.CloseSession{ID: s.id})
	return err
}

func ask[R any](ctx context.Context, s *Session, m messages.Request[R]) (R, error) {
	return messages.Ask(ctx, s.engine.system.Local(), s.id, m)
}
