package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"plasmate/policy"
)

// attemptDelay is when the next address is tried beside one that has not
// answered yet (RFC 8305 §5).
const attemptDelay = 250 * time.Millisecond

// dialer opens connections to the addresses that the guard lets pass. Each
// address is judged twice: by policy before anything is dialled, and by ssrf
// in the socket's control hook, which sees what is really dialled.
type dialer struct {
	rules   []HostRule
	private bool
	timeout time.Duration
	dns     *dnsCache
	guard   *ssrf.Guardian
	guarded DialFunc // for addresses that passed the guard
	mapped  DialFunc // for targets of host rules
	conns   conns
}

func newDialer(cfg Config) *dialer {
	d := &dialer{
		rules:   cfg.Resolve,
		private: cfg.AllowPrivateNetwork,
		timeout: cfg.DialTimeout,
		dns:     newDNSCache(cfg.Resolver, cfg.DialTimeout),
		guard:   newGuard(cfg.AllowPrivateNetwork),
	}
	guarded := &net.Dialer{Control: d.control, KeepAlive: 30 * time.Second}
	open := &net.Dialer{KeepAlive: 30 * time.Second}
	d.guarded, d.mapped = guarded.DialContext, open.DialContext
	if cfg.Dial != nil {
		d.guarded, d.mapped = cfg.Dial, cfg.Dial
	}
	return d
}

func newGuard(private bool) *ssrf.Guardian {
	opts := []ssrf.Option{ssrf.WithAnyPort()}
	if private {
		opts = append(opts,
			ssrf.WithAllowedV4Prefixes(
				netip.MustParsePrefix("10.0.0.0/8"),
				netip.MustParsePrefix("127.0.0.0/8"),
				netip.MustParsePrefix("172.16.0.0/12"),
				netip.MustParsePrefix("192.168.0.0/16"),
				netip.MustParsePrefix("100.64.0.0/10")),
			ssrf.WithAllowedV6Prefixes(
				netip.MustParsePrefix("::1/128"),
				netip.MustParsePrefix("fc00::/7"),
				netip.MustParsePrefix("fec0::/10")))
	}
	return ssrf.New(opts...)
}

// control runs in the socket just before it connects.
func (d *dialer) control(network, address string, c syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return blocked(address, policy.Malformed)
	}
	if class := policy.Address(ap.Addr()); !class.Allowed(d.private) {
		return blocked(address, class)
	}
	if err := d.guard.Safe(network, address, c); err != nil {
		return blocked(address, policy.Reserved)
	}
	return nil
}

// judge refuses hosts by what can be said without a look-up. Names that a host
// rule maps pass.
func (d *dialer) judge(host string) *Error {
	if a, ok := literal(host); ok {
		return d.judgeAddr(host, a)
	}
	if _, ok := d.rule(host); ok {
		return nil
	}
	if class := policy.Name(host); !class.Allowed(d.private) {
		return blocked(host, class)
	}
	return nil
}

func (d *dialer) judgeAddr(host string, a netip.Addr) *Error {
	if class := policy.Address(a); !class.Allowed(d.private) {
		return blocked(describe(host, a), class)
	}
	if d.guard.SafeAddr(a.Unmap()) != nil {
		return blocked(describe(host, a), policy.Reserved)
	}
	return nil
}

func (d *dialer) rule(host string) (HostRule, bool) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for _, r := range d.rules {
		if r.matches(host) {
			return r, true
		}
	}
	return HostRule{}, false
}

// dialContext is for http.Transport; addr is host:port of the URL.
func (d *dialer) dialContext(ctx context.Context, _, addr string) (net.Conn, error) {
	c, err := d.dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	return d.conns.add(c)
}

func (d *dialer) dial(ctx context.Context, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, d.timeout, errDialTimeout)
	defer cancel()
	if proxy := proxyOf(ctx); proxy != nil {
		return d.dialProxy(ctx, proxy, addr)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, blocked(addr, policy.Malformed)
	}
	if e := d.judge(host); e != nil {
		return nil, e
	}
	tm := timingOf(ctx)
	if _, ok := literal(host); !ok {
		if r, ok := d.rule(host); ok {
			defer tm.span(connectSpan)()
			c, err := d.mapped(ctx, "tcp", r.target(port))
			return c, d.connectError(ctx, host, r.target(port), err)
		}
	}
	addrs, err := d.addresses(ctx, tm, host)
	if err != nil {
		return nil, err
	}
	defer tm.span(connectSpan)()
	return d.dialFirst(ctx, host, addrs, port)
}

// addresses is where host may be reached, all of them past the guard.
func (d *dialer) addresses(ctx context.Context, tm *timing, host string) ([]netip.Addr, error) {
	if a, ok := literal(host); ok {
		return []netip.Addr{a.Unmap()}, nil // judged already
	}
	if policy.Name(host) == policy.Loopback { // only here if allowed; RFC 6761 §6.3
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	end := tm.span(dnsSpan)
	found, err := d.dns.lookup(ctx, strings.TrimSuffix(host, "."))
	end()
	if err != nil || len(found) == 0 {
		return nil, dnsError(host, err)
	}
	var ok []netip.Addr
	var refused *Error
	for _, a := range found {
		if e := d.judgeAddr(host, a); e != nil {
			refused = e
			continue
		}
		ok = append(ok, a.Unmap())
	}
	if len(ok) == 0 {
		return nil, refused
	}
	return interleave(ok), nil
}

// interleave alternates address families, keeping the resolver's order within
// each (RFC 8305 §4).
func interleave(addrs []netip.Addr) []netip.Addr {
	var first, second []netip.Addr
	for _, a := range addrs {
		if a.Is4() == addrs[0].Is4() {
			first = append(first, a)
		} else {
			second = append(second, a)
		}
	}
	out := make([]netip.Addr, 0, len(addrs))
	for i := 0; len(out) < len(addrs); i++ {
		if i < len(first) {
			out = append(out, first[i])
		}
		if i < len(second) {
			out = append(out, second[i])
		}
	}
	return out
}

// dialFirst opens the first connection that succeeds; an address that is slow
// gets company, one that fails a successor at once.
func (d *dialer) dialFirst(ctx context.Context, host string, addrs []netip.Addr, port string) (net.Conn, error) {
	if len(addrs) == 1 {
		target := joinHostPort(addrs[0], port)
		c, err := d.guarded(ctx, "tcp", target)
		return c, d.connectError(ctx, host, target, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		conn   net.Conn
		err    error
		target string
	}
	results := make(chan result) // unbuffered: a late winner sees ctx end and closes
	try := func(target string) {
		c, err := d.guarded(ctx, "tcp", target)
		select {
		case results <- result{c, err, target}:
		case <-ctx.Done():
			if c != nil {
				c.Close()
			}
		}
	}
	var firstErr error
	running := 0
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-next.C:
			if len(addrs) > 0 {
				go try(joinHostPort(addrs[0], port))
				addrs, running = addrs[1:], running+1
				next.Reset(attemptDelay)
			}
		case r := <-results:
			running--
			if r.err == nil {
				return r.conn, nil
			}
			if firstErr == nil {
				firstErr = d.connectError(ctx, host, r.target, r.err)
			}
			if len(addrs) > 0 {
				next.Reset(0)
			} else if running == 0 {
				return nil, firstErr
			}
		case <-ctx.Done():
			return nil, d.connectError(ctx, host, "", context.Cause(ctx))
		}
	}
}

// connectError explains err, nil if it is nil.
func (d *dialer) connectError(ctx context.Context, host, target string, err error) error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return err
	}
	at := host
	if target != "" && !strings.HasPrefix(target, host) {
		at = host + " (" + target + ")"
	}
	e = &Error{Reason: Connect, Phase: "connect", Err: err}
	var nerr net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Msg = fmt.Sprintf("%s refuses connections: nothing listens on this port", at)
	case ctx.Err() != nil, errors.As(err, &nerr) && nerr.Timeout():
		e.Reason = Timeout
		e.Msg = fmt.Sprintf("%s did not accept a connection in time; it may be down or filtered", at)
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		e.Msg = fmt.Sprintf("%s is not reachable from this machine's network", at)
	default:
		e.Msg = fmt.Sprintf("connect to %s: %v", at, err)
	}
	return e
}

func dnsError(host string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e := &Error{Reason: DNS, Phase: "dns", Err: err}
	var de *net.DNSError
	switch {
	case err == nil, errors.As(err, &de) && de.IsNotFound:
		e.Msg = fmt.Sprintf("no address found for %s: check the spelling of the host", host)
	case errors.As(err, &de) && de.IsTimeout, errors.Is(err, errDialTimeout), errors.Is(err, context.DeadlineExceeded):
		e.Msg = fmt.Sprintf("looking up %s took too long: the DNS server does not answer", host)
	default:
		e.Msg = fmt.Sprintf("look up %s: %v", host, err)
	}
	return e
}

// blocked is the guard's refusal.
func blocked(host string, class policy.Class) *Error {
	hint := "--allow-private-network does not open it either"
	switch {
	case class.Allowed(true):
		hint = "pass --allow-private-network (or set PLASMATE_ALLOW_PRIVATE_NETWORK=1) if that is intended"
	case class == policy.Malformed:
		hint = "it is neither a host name nor an address"
	}
	return &Error{
		Reason: BlockedAddress,
		Phase:  "connect",
		Msg:    fmt.Sprintf("%s is refused, a %s address: %s", host, class, hint),
		Detail: string(class),
	}
}

// literal is the address that host spells, brackets allowed.
func literal(host string) (netip.Addr, bool) {
	host = strings.TrimSuffix(host, ".")
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return a, err == nil
}

func describe(host string, a netip.Addr) string {
	if s := a.String(); s != host && "["+s+"]" != host {
		return host + " (" + s + ")"
	}
	return host
}

func joinHostPort(a netip.Addr, port string) string {
	return net.JoinHostPort(a.String(), port)
}
