package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plasmate"
	"plasmate/messages"
	"plasmate/transport/awp"
	"plasmate/transport/mcp"
	"plasmate/transport/wire"
)

// shutdownGrace is how long answering and cancelling may take after a signal.
const shutdownGrace = 4 * time.Second

// serveFlags are the flags of serve; every limit of AWP §1 is one.
type serveFlags struct {
	net       networkFlags
	host      string
	port      int
	authToken string
	origins   []string
	engine    plasmate.LimitConfig
	files     plasmate.FileConfig
	wire      wire.Limits
	inFlight  int
	models    modelFlags
}

func (a *app) serveCommand() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve agents over AWP (WebSocket)",
		Long: `Serve listens for agents and speaks AWP v0.1 with them. When it is ready it
prints one line to stdout: plasmate listening on ws://HOST:PORT/
GET /health on the same port says whether it is up; /mcp is the Model Context
Protocol over streamable HTTP, for models.

SIGTERM or SIGINT: what is in flight is answered or cancelled, sockets are
closed with 1001, and the exit code is 0.

Listening beyond loopback needs --auth-token: whoever connects can fetch
through this machine.`,
		Example: `  plasmate serve
  plasmate serve --port 0 --resolve '*.test=127.0.0.1:8080'
  PLASMATE_AUTH_TOKEN=secret plasmate serve --host 0.0.0.0`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f) },
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *serveFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.host, "host", "127.0.0.1", "address to listen on")
	fs.IntVar(&f.port, "port", 9222, "port to listen on; 0 picks a free one")
	fs.StringVar(&f.authToken, "auth-token", "", "token that clients must send: Authorization: Bearer, or ?token=")
	fs.StringSliceVar(&f.origins, "allow-origin", nil, "`ORIGIN` whose pages may connect from a browser; repeatable")
	withEnv(fs, "host", "port", "auth-token", "allow-origin")
	f.net.register(fs, messages.DefaultUserAgent)
	fs.IntVar(&f.engine.Connections, "max-connections", 10_000, "connections at once")
	fs.IntVar(&f.engine.Sessions, "max-sessions", 10_000, "sessions at once")
	fs.IntVar(&f.inFlight, "max-in-flight", 64, "requests in flight on one connection")
	fs.Int64Var(&f.wire.MessageBytes, "max-message-bytes", 16<<20, "size of one message from a client")
	fs.IntVar(&f.wire.OutFrames, "max-queued-messages", 256, "messages waiting for a slow client before it is closed")
	fs.IntVar(&f.wire.OutBytes, "max-queued-bytes", 64<<20, "bytes waiting for a slow client before it is closed")
	fs.DurationVar(&f.wire.PingEvery, "ping-interval", 30*time.Second, "time between pings; a client that misses two is closed")
	fs.Int64Var(&f.engine.BodyBytes, "max-body-bytes", 32<<20, "size of one decoded response body")
	fs.IntVar(&f.engine.Redirects, "max-redirects", 10, "redirects of one navigation")
	fs.Float64Var(&f.engine.Rate, "rate", 0, "requests a second to one host; 0 is no limit")
	fs.IntVar(&f.engine.Burst, "burst", 1, "requests to one host that may start at once under --rate")
	fs.IntVar(&f.engine.PerHost, "max-per-host", 256, "requests at once to one host")
	fs.IntVar(&f.engine.Global, "max-fetches", 1024, "requests at once to all hosts")
	fs.IntVar(&f.engine.CacheEntries, "cache-entries", 4096, "compiled pages kept")
	fs.IntVar(&f.engine.CacheBytes, "cache-bytes", 256<<20, "memory for compiled pages")
	f.models.register(fs)
	fs.StringSliceVar(&f.net.SessionProxies, "session-proxy", nil, "`URL` of a proxy that sessions may choose; repeatable")
	fs.StringVar(&f.files.UploadDir, "upload-dir", "", "`FOLDER` whose files sessions may upload")
	fs.StringVar(&f.files.DownloadDir, "download-dir", "", "`FOLDER` that downloads are saved in")
	withEnv(fs, "session-proxy", "upload-dir", "download-dir", "max-connections", "max-sessions", "max-in-flight", "max-message-bytes", "max-queued-messages",
		"max-queued-bytes", "ping-interval", "max-body-bytes", "max-redirects", "rate", "burst", "max-per-host",
		"max-fetches", "cache-entries", "cache-bytes")
}

func (f *serveFlags) check() error {
	if err := f.net.check(); err != nil {
		return err
	}
	if f.port < 0 || f.port > 65535 {
		return usagef("--port must be 0 to 65535")
	}
	if !loopback(f.host) && f.authToken == "" {
		return usagef("listening on %q is open to other machines: set --auth-token or PLASMATE_AUTH_TOKEN, or listen on 127.0.0.1", f.host)
	}
	for _, n := range []int64{
		int64(f.engine.Connections), int64(f.engine.Sessions), int64(f.inFlight), f.wire.MessageBytes, int64(f.wire.OutFrames),
		int64(f.wire.OutBytes), int64(f.wire.PingEvery), f.engine.BodyBytes, int64(f.engine.Redirects), int64(f.engine.Burst),
		int64(f.engine.PerHost), int64(f.engine.Global), int64(f.engine.CacheEntries), int64(f.engine.CacheBytes),
	} {
		if n <= 0 {
			return usagef("limits must be positive")
		}
	}
	if f.engine.Rate < 0 {
		return usagef("--rate must not be negative")
	}
	return nil
}

// loopback says whether only this machine can reach a server on host.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (a *app) serve(ctx context.Context, f *serveFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	s, err := a.start(f)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.out, "plasmate listening on %s\n", s.URL()); err != nil {
		return errors.Join(err, s.stop())
	}
	go trimWhenIdle(ctx)
	select {
	case err := <-s.failed:
		return errors.Join(fmt.Errorf("serve: %w", err), s.stop())
	case <-ctx.Done():
		return s.stop()
	}
}

// running is a server that accepts connections.
type running struct {
	engine *plasmate.Engine
	server *wire.Server
	addr   net.Addr
	failed chan error // Serve ended by itself
}

// start listens and serves in the background.
func (a *app) start(f *serveFlags) (*running, error) {
	log := a.logger()
	secrets, err := f.models.readSecrets()
	if err != nil {
		return nil, err
	}
	engine, err := plasmate.New(plasmate.Config{
		Network: f.net.NetworkConfig, Limits: f.engine, Files: f.files, Secrets: secrets, Log: log,
	})
	if err != nil {
		return nil, usageError{err} // only what flags say can be wrong with it
	}
	l, err := net.Listen("tcp", net.JoinHostPort(f.host, strconv.Itoa(f.port)))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), closeEngine(engine))
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && f.authToken == "" {
		_ = l.Close()
		return nil, errors.Join(usagef("%s is no loopback address: set --auth-token", l.Addr()), closeEngine(engine))
	}
	f.wire.Connections = f.engine.Connections
	s := &running{engine: engine, addr: l.Addr(), failed: make(chan error, 1)}
	s.server = wire.NewServer(wire.Config{
		Runtime: engine,
		Protocols: []wire.Protocol{{
			Path: "/awp", Subprotocol: "awp.v0.1", Speaks: awp.Speaks,
			New: func() messages.Codec {
				return &sessionDefaults{
					Codec: awp.NewConn(awp.Config{ServerVersion: plasmate.Version, InFlight: f.inFlight, Uploads: f.files.UploadDir != "", Downloads: f.files.DownloadDir != ""}),
					with:  f.net.session(),
				}
			},
		}},
		Handlers: map[string]http.Handler{"/mcp": mcp.NewHandler(f.models.config(engine, f.net))},
		Version:  plasmate.Version, AuthToken: f.authToken, Origins: f.origins, Limits: f.wire,
	})
	go func() {
		if err := s.server.Serve(l); err != nil {
			s.failed <- err
		}
	}()
	log.Info("listening", "address", l.Addr().String(), "version", plasmate.Version)
	return s, nil
}

// URL is where clients connect to.
func (s *running) URL() string { return "ws://" + s.addr.String() + "/" }

// stop ends the server within shutdownGrace.
func (s *running) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	sockets := make(chan error, 1)
	go func() { sockets <- s.server.Shutdown(ctx) }() // ends when the engine has closed the sockets
	err := s.engine.Close(ctx)
	return errors.Join(err, <-sockets)
}

func closeEngine(e *plasmate.Engine) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	return e.Close(ctx)
}

// sessionDefaults gives sessions the server's defaults where their client asks for none.
type sessionDefaults struct {
	messages.Codec
	with plasmate.SessionOptions
}

// Receive implements messages.Codec.
func (d *sessionDefaults) Receive(f messages.Frame) messages.Step {
	step := d.Codec.Receive(f)
	for i, c := range step.Calls {
		open, ok := c.Request.(messages.OpenSession)
		if !ok {
			continue
		}
		if open.UserAgent == "" {
			open.UserAgent = d.with.UserAgent
		}
		if open.Timeout == 0 {
			open.Timeout = d.with.Timeout
		}
		step.Calls[i].Request = open
	}
	return step
}
