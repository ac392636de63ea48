package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Config is how a Client talks to servers. The zero value is ready for use and
// reaches public addresses only.
type Config struct {
	// AllowPrivateNetwork opens private, loopback and shared addresses.
	// Link-local addresses and cloud metadata services stay refused: only a
	// Resolve rule for a name leads there.
	AllowPrivateNetwork bool
	// Resolve maps host names to addresses at dial time; the first rule that
	// fits wins. Names in it pass the address guard.
	Resolve []HostRule
	// CAFile names a PEM file of authorities to trust besides the system's.
	CAFile string
	// InsecureHosts lists hosts whose certificate is not checked, by name or
	// as "*.name".
	InsecureHosts []string

	// Proxy is the URL of a proxy for all requests, "" for none; NoProxy lists
	// hosts that are asked directly: names with all below them, "*.name",
	// addresses, networks in CIDR form.
	Proxy   string
	NoProxy []string

	MaxBodyBytes    int64 // decoded; 0 is 32 MiB
	MaxHeaderBytes  int64 // of a response; 0 is 256 KiB
	MaxConnsPerHost int   // 0 is 16

	DialTimeout   time.Duration // DNS and TCP of one connection; 0 is 10 s
	TLSTimeout    time.Duration // 0 is 10 s
	HeaderTimeout time.Duration // request written to headers read; 0 is 30 s
	StallTimeout  time.Duration // longest pause within a body; 0 is 30 s
	Timeout       time.Duration // whole exchange; 0 is 5 min

	// Resolver answers DNS questions; nil is the system's.
	Resolver Resolver
	// Dial replaces the last step of dialling, for tests: it gets an address
	// that the guard let pass.
	Dial DialFunc
}

// DialFunc opens a connection to an address in the form ip:port.
type DialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// withDefaults fills in what the zero value leaves open.
func (c Config) withDefaults() Config {
	c.MaxBodyBytes = cmp.Or(c.MaxBodyBytes, 32<<20)
	c.MaxHeaderBytes = cmp.Or(c.MaxHeaderBytes, 256<<10)
	c.MaxConnsPerHost = cmp.Or(c.MaxConnsPerHost, 16)
	c.DialTimeout = cmp.Or(c.DialTimeout, 10*time.Second)
	c.TLSTimeout = cmp.Or(c.TLSTimeout, 10*time.Second)
	c.HeaderTimeout = cmp.Or(c.HeaderTimeout, 30*time.Second)
	c.StallTimeout = cmp.Or(c.StallTimeout, 30*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 5*time.Minute)
	return c
}

// Client makes HTTP exchanges. It is safe for concurrent use.
type Client struct {
	cfg        Config
	dialer     *dialer
	transports [4]*http.Transport // by mode
	proxy      *url.URL           // nil is none
	pools      pools
}

// mode picks a transport: its bits are modes that a host may need.
type mode int

const (
	insecure mode = 1 << iota // certificate not checked
	http1                     // HTTP/2 refused by the server
)

// New makes a client. The errors are an unreadable CAFile and a bad Proxy.
func New(cfg Config) (*Client, error) {
	cfg = cfg.withDefaults()
	roots, err := readRoots(cfg.CAFile)
	if err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, dialer: newDialer(cfg)}
	if cfg.Proxy != "" {
		if c.proxy, err = ParseProxy(cfg.Proxy); err != nil {
			return nil, err
		}
	}
	for m := range c.transports {
		c.transports[m] = newTransport(cfg, c.dialer, roots, mode(m))
	}
	return c, nil
}

// Close closes all connections. Exchanges under way fail, later ones too.
func (c *Client) Close() {
	c.dialer.conns.close()
	for _, t := range c.transports {
		t.CloseIdleConnections()
	}
}

// readRoots is the system's certificate pool and the authorities in file; nil
// is the system's pool alone.
func readRoots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read CA file: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read CA file %s: no PEM certificate in it", file)
	}
	return pool, nil
}

func newTransport(cfg Config, d *dialer, roots *x509.CertPool, m mode) *http.Transport {
	var p http.Protocols
	p.SetHTTP1(true)
	p.SetHTTP2(m&http1 == 0)
	return &http.Transport{
		DialContext: d.dialContext,
		Proxy:       transportProxy,
		TLSClientConfig: &tls.Config{
			RootCAs:            roots,
			InsecureSkipVerify: m&insecure != 0,
		},
		Protocols:              &p,
		DisableCompression:     true, // codings are undone in coding.go
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    6,
		MaxConnsPerHost:        cfg.MaxConnsPerHost,
		IdleConnTimeout:        60 * time.Second,
		TLSHandshakeTimeout:    cfg.TLSTimeout,
		ResponseHeaderTimeout:  cfg.HeaderTimeout,
		MaxResponseHeaderBytes: cfg.MaxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout:           15 * time.Second,
			PingTimeout:               10 * time.Second,
			MaxReceiveBufferPerStream: 1 << 20,
		},
	}
}
