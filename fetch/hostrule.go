package fetch

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// HostRule sends the names that fit a pattern to one address, whatever DNS
// says. Host header, origin and TLS server name stay the original ones.
type HostRule struct {
	Pattern string     // lower case: a name, "*.name" for all names below it, or "*"
	Addr    netip.Addr // where to dial
	Port    uint16     // 0 keeps the URL's port
}

// ParseHostRule reads PATTERN=ADDR[:PORT], such as "*.test=127.0.0.1:8080" or
// "a.test=[::1]". Literal addresses are no patterns: a rule is for names only.
func ParseHostRule(s string) (HostRule, error) {
	pattern, target, ok := strings.Cut(s, "=")
	pattern = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(pattern)), ".")
	if !ok || pattern == "" {
		return HostRule{}, fmt.Errorf("host rule %q: want PATTERN=ADDR[:PORT], as in *.test=127.0.0.1:8080", s)
	}
	if _, err := netip.ParseAddr(strings.Trim(pattern, "[]")); err == nil {
		return HostRule{}, fmt.Errorf("host rule %q: the pattern must be a name, not an address", s)
	}
	if i := strings.LastIndexByte(pattern, '*'); i > 0 || i == 0 && pattern != "*" && pattern[1] != '.' {
		return HostRule{}, fmt.Errorf("host rule %q: a star stands alone or before the first dot", s)
	}
	r := HostRule{Pattern: pattern}
	target = strings.TrimSpace(target)
	if ap, err := netip.ParseAddrPort(target); err == nil {
		r.Addr, r.Port = ap.Addr(), ap.Port()
		return r, nil
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(target, "["), "]"))
	if err != nil {
		return HostRule{}, fmt.Errorf("host rule %q: %q is no IP address with an optional port", s, target)
	}
	r.Addr = a
	return r, nil
}

// matches tells whether the rule is for host, a name in lower case without
// trailing dot.
func (r HostRule) matches(host string) bool {
	if r.Pattern == "*" || r.Pattern == host {
		return true
	}
	suffix, ok := strings.CutPrefix(r.Pattern, "*")
	return ok && len(host) > len(suffix) && strings.HasSuffix(host, suffix)
}

// target is where a rule leads for a URL with that port.
func (r HostRule) target(port string) string {
	if r.Port != 0 {
		port = strconv.Itoa(int(r.Port))
	}
	return joinHostPort(r.Addr, port)
}

func (r HostRule) String() string {
	if r.Port == 0 {
		return r.Pattern + "=" + r.Addr.String()
	}
	return r.Pattern + "=" + netip.AddrPortFrom(r.Addr, r.Port).String()
}
