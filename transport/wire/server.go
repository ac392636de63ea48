package wire

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"plasmate/messages"
)

// Runtime takes the connections.
type Runtime interface {
	Connect(c messages.Codec, l messages.Link) (messages.Peer, error)
}

// Protocol is one protocol that a [Server] speaks.
type Protocol struct {
	Path        string // the request path that means this protocol, e.g. /awp
	Subprotocol string // the WebSocket subprotocol that means it, e.g. awp.v0.1
	// Speaks says whether the first frame of a connection, on a path that
	// means no protocol, is this protocol's.
	Speaks func(first messages.Frame) bool
	New    func() messages.Codec
}

// Limits bound a connection. A zero field takes the default.
type Limits struct {
	Connections  int           // at once; 10,000
	MessageBytes int64         // of one message from a client; 16 MiB
	OutFrames    int           // waiting for a slow client; 256
	OutBytes     int           // waiting for a slow client; 64 MiB
	PingEvery    time.Duration // 30 s; closed after two missed pongs
	WriteTimeout time.Duration // of one message to a client; 10 s
	CloseTimeout time.Duration // for the closing handshake; 1 s
}

func (l Limits) withDefaults() Limits {
	setDefault(&l.Connections, 10_000)
	setDefault(&l.MessageBytes, 16<<20)
	setDefault(&l.OutFrames, 256)
	setDefault(&l.OutBytes, 64<<20)
	setDefault(&l.PingEvery, 30*time.Second)
	setDefault(&l.WriteTimeout, 10*time.Second)
	setDefault(&l.CloseTimeout, time.Second)
	return l
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Config says what a [Server] serves and to whom.
type Config struct {
	Runtime   Runtime
	Protocols []Protocol // the last is taken where nothing else speaks for one
	Version   string     // for /health
	// Handlers serve further paths over HTTP, under the same guards.
	Handlers  map[string]http.Handler
	AuthToken string // "": none is asked for
	// Origins are what an Origin header may be, besides the server's own:
	// scheme://host[:port], or * for any.
	Origins []string
	Limits  Limits
}

// Server is the HTTP side of plasmate: WebSocket protocols and /health on one port.
type Server struct {
	cfg      Config
	upgrader websocket.Upgrader
	http     *http.Server
	own      map[string]bool // origins of the listening address

	mu    sync.Mutex
	count int
	socks sync.WaitGroup
}

// NewServer makes a server. Call Serve to start it.
func NewServer(cfg Config) *Server {
	cfg.Limits = cfg.Limits.withDefaults()
	s := &Server{cfg: cfg, own: make(map[string]bool)}
	s.upgrader = websocket.Upgrader{
		ReadBufferSize:  1024,
		WriteBufferSize: 4096,
		WriteBufferPool: &sync.Pool{},
		CheckOrigin:     s.originAllowed,
		Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
			http.Error(w, reason.Error(), status)
		},
	}
	for _, p := range cfg.Protocols {
		if p.Subprotocol != "" {
			s.upgrader.Subprotocols = append(s.upgrader.Subprotocols, p.Subprotocol)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", s.health)
	for path, h := range cfg.Handlers {
		mux.Handle(path, s.guarded(h))
	}
	mux.HandleFunc("/", s.socket)
	s.http = &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	return s
}

// Serve accepts connections until Shutdown. It returns nil after that.
func (s *Server) Serve(l net.Listener) error {
	s.ownOrigins(l.Addr())
	if err := s.http.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// Shutdown stops accepting, then waits until every socket has ended or ctx is
// done; the runtime closes the sockets when it is shut down.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	ended := make(chan struct{})
	go func() {
		s.socks.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// guarded lets only those through who may connect.
func (s *Server) guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.authorized(r):
			refuse(w)
		case !s.originAllowed(r):
			http.Error(w, "this origin may not connect; the server lists others with --allow-origin", http.StatusForbidden)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="plasmate"`)
	http.Error(w, "a valid token is required: Authorization: Bearer TOKEN, or ?token=TOKEN", http.StatusUnauthorized)
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(struct {
		Status  string `json:"status"`
		Version string `json:"version"`
	}{"ok", s.cfg.Version})
}

// ownOrigins notes the origins under which a browser reaches this server. A
// name that merely resolves here (DNS rebinding) is not among them.
func (s *Server) ownOrigins(addr net.Addr) {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return
	}
	hosts := []string{host}
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		hosts = append(hosts, "localhost", "127.0.0.1", "::1")
	}
	for _, h := range hosts {
		s.own["http://"+net.JoinHostPort(h, port)] = true
		if port == "80" {
			s.own["http://"+strings.TrimSuffix(net.JoinHostPort(h, ""), ":")] = true
		}
	}
}

// originAllowed guards against pages of other origins in a person's browser.
// Programs send no Origin.
func (s *Server) originAllowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || s.own[strings.ToLower(origin)] {
		return true
	}
	for _, o := range s.cfg.Origins {
		if o == "*" || strings.EqualFold(o, origin) {
			return true
		}
	}
	return false
}

// authorized checks the token in constant time: Authorization: Bearer or ?token=.
func (s *Server) authorized(r *http.Request) bool {
	if s.cfg.AuthToken == "" {
		return true
	}
	token := r.URL.Query().Get("token")
	if scheme, value, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "bearer") {
		token = strings.TrimSpace(value)
	}
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.cfg.AuthToken)) == 1
}

// protocol is the protocol that path or subprotocol mean; nil: the first frame decides.
func (s *Server) protocol(u *url.URL, subprotocol string) *Protocol {
	for i, p := range s.cfg.Protocols {
		if subprotocol != "" && p.Subprotocol == subprotocol || p.Path != "" && p.Path == u.Path {
			return &s.cfg.Protocols[i]
		}
	}
	return nil
}
