package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"plasmate/internal/testsite"
)

// stub is a network that is not there: it records dials and look-ups. No packet
// leaves, whether the guard holds or not.
type stub struct {
	mu    sync.Mutex
	dials []string
	asked []string
	dns   map[string][]string // answers by name
}

var errStub = errors.New("stubbed dialler")

func (s *stub) dial(_ context.Context, network, addr string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials = append(s.dials, addr)
	return nil, errStub
}

func (s *stub) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, host)
	var out []netip.Addr
	for _, a := range s.dns[host] {
		out = append(out, netip.MustParseAddr(a))
	}
	if len(out) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return out, nil
}

func stubbed(t testing.TB, s *stub, change ...func(*Config)) *Client {
	return newClient(t, nil, append([]func(*Config){func(c *Config) {
		c.Dial, c.Resolver = s.dial, s
	}}, change...)...)
}

func private(c *Config) { c.AllowPrivateNetwork = true }

// spelling is one way to write an address, and whether the private option
// opens it.
type spelling struct {
	url    string
	opened string // what is dialled with the option; "" nothing
}

// URL §3.5 (host parsing), RFC 6890, RFC 6761 §6.3, RFC 6052; UD-075.
var spellings = []spelling{
	// Loopback, IPv4.
	{"http://127.0.0.1/", "127.0.0.1:80"},
	{"http://127.0.0.1:8080/", "127.0.0.1:8080"},
	{"https://127.0.0.1/", "127.0.0.1:443"},
	{"http://127.0.0.1./", "127.0.0.1:80"},
	{"http://127.1/", "127.0.0.1:80"},
	{"http://127.0.1/", "127.0.0.1:80"},
	{"http://127.255.255.254/", "127.255.255.254:80"},
	{"http://2130706433/", "127.0.0.1:80"},
	{"http://0x7f000001/", "127.0.0.1:80"},
	{"http://0X7F.1/", "127.0.0.1:80"},
	{"http://0x7f.0x0.0x0.0x1/", "127.0.0.1:80"},
	{"http://0177.0.0.1/", "127.0.0.1:80"},
	{"http://017700000001/", "127.0.0.1:80"},
	{"http://0177.0x0.0.1/", "127.0.0.1:80"},
	{"http://127.0x.0.1/", "127.0.0.1:80"},
	{"http://１２７.0.0.1/", "127.0.0.1:80"},
	{"http://①②⑦.⓪.⓪.①/", "127.0.0.1:80"},
	{"http://127。0。0。1/", "127.0.0.1:80"},
	{"http://127.0.0.%31/", "127.0.0.1:80"},
	{"http:\\\\127.0.0.1\\", "127.0.0.1:80"},
	{"http:127.0.0.1", "127.0.0.1:80"},
	{"  http://127.0.0.1/ ", "127.0.0.1:80"},
	{"ht\ntp://127.0.0.1/", "127.0.0.1:80"},
	{"http://user:pw@127.0.0.1/", "127.0.0.1:80"},
	{"http://example.com@127.0.0.1/", "127.0.0.1:80"},
	{"http://example.com:80@127.0.0.1:81/", "127.0.0.1:81"},
	{"http://127.0.0.1\\@example.com/", "127.0.0.1:80"},
	{"http://127.0.0.1#@example.com/", "127.0.0.1:80"},
	{"http://127.0.0.1?@example.com/", "127.0.0.1:80"},
	// Loopback names: never a question to DNS.
	{"http://localhost/", "127.0.0.1:80"},
	{"http://localhost./", "127.0.0.1:80"},
	{"http://LOCALHOST/", "127.0.0.1:80"},
	{"http://ｌｏｃａｌｈｏｓｔ/", "127.0.0.1:80"},
	{"http://loc%61lhost/", "127.0.0.1:80"},
	{"http://foo.localhost/", "127.0.0.1:80"},
	{"http://foo.localhost./", "127.0.0.1:80"},
	{"http://localhost.localdomain/", "127.0.0.1:80"},
	{"http://ip6-localhost/", "127.0.0.1:80"},
	// Loopback, IPv6 and IPv4-mapped.
	{"http://[::1]/", "[::1]:80"},
	{"http://[0:0:0:0:0:0:0:1]/", "[::1]:80"},
	{"http://[0000::0001]:81/", "[::1]:81"},
	{"http://[::ffff:127.0.0.1]/", "127.0.0.1:80"},
	{"http://[::ffff:7f00:1]/", "127.0.0.1:80"},
	{"http://[0:0:0:0:0:FFFF:7F00:0001]/", "127.0.0.1:80"},
	// Private and shared.
	{"http://10.0.0.1/", "10.0.0.1:80"},
	{"http://167772161/", "10.0.0.1:80"},
	{"http://172.16.0.1/", "172.16.0.1:80"},
	{"http://172.31.255.254/", "172.31.255.254:80"},
	{"http://192.168.0.1/", "192.168.0.1:80"},
	{"http://192.168.257/", "192.168.1.1:80"},
	{"http://100.64.0.1/", "100.64.0.1:80"},
	{"http://[fd00::1]/", "[fd00::1]:80"},
	{"http://[fc00::1]/", "[fc00::1]:80"},
	{"http://[::ffff:10.0.0.1]/", "10.0.0.1:80"},
	{"http://[::ffff:c0a8:1]/", "192.168.0.1:80"},
	// What the option does not open: link-local and metadata.
	{"http://169.254.169.254/latest/meta-data/", ""},
	{"http://2852039166/", ""},
	{"http://0xa9fea9fe/", ""},
	{"http://0251.0376.0251.0376/", ""},
	{"http://169.254.43518/", ""},
	{"http://[::ffff:169.254.169.254]/", ""},
	{"http://[::ffff:a9fe:a9fe]/", ""},
	{"http://169.254.170.2/", ""},
	{"http://169.254.1.1/", ""},
	{"http://100.100.100.200/", ""},
	{"http://168.63.129.16/", ""},
	{"http://192.0.0.192/", ""},
	{"http://[fd00:ec2::254]/", ""},
	{"http://[fe80::1]/", ""},
	{"http://metadata.google.internal/", ""},
	{"http://METADATA.google.internal./computeMetadata/v1/", ""},
	{"http://metadata/", ""},
	{"http://instance-data/", ""},
	// Unspecified, multicast, broadcast, reserved.
	{"http://0.0.0.0/", ""},
	{"http://0/", ""},
	{"http://0x0/", ""},
	{"http://0.1.2.3/", ""},
	{"http://[::]/", ""},
	{"http://[::ffff:0.0.0.0]/", ""},
	{"http://224.0.0.1/", ""},
	{"http://239.255.255.250/", ""},
	{"http://255.255.255.255/", ""},
	{"http://240.0.0.1/", ""},
	{"http://192.0.2.1/", ""},
	{"http://198.18.0.1/", ""},
	{"http://[ff02::1]/", ""},
	{"http://[2001:db8::1]/", ""},
	{"http://[100::1]/", ""},
	{"http://[fec0::1]/", "[fec0::1]:80"},
	// IPv4 in IPv6: somebody else unpacks them.
	{"http://[64:ff9b::7f00:1]/", ""},
	{"http://[64:ff9b::169.254.169.254]/", ""},
	{"http://[64:ff9b:1::a00:1]/", ""},
	{"http://[2002:7f00:1::]/", ""},
	{"http://[2002:a9fe:a9fe::1]/", ""},
	{"http://[2001:0:7f00:1::]/", ""},
	{"http://[::127.0.0.1]/", ""},
	{"http://[::ffff:0:127.0.0.1]/", ""},
	{"http://[2606:4700::5efe:127.0.0.1]/", ""},
	// No host at all.
	{"http://[fe80::1%25eth0]/", ""},
	{"http://[::1%lo]/", ""},
	{"http://1.2.3.4.5/", ""},
	{"http://0x7f.0.0.0x100000000/", ""},
	{"http://256.0.0.1/", ""},
	{"file:///etc/passwd", ""},
	{"ftp://127.0.0.1/x", ""},
	{"gopher://127.0.0.1/", ""},
}

func TestSpellingsRefused(t *testing.T) {
	var s stub
	c := stubbed(t, &s)
	for _, sp := range spellings {
		_, err := get(t, c, sp.url)
		var e *Error
		if !asError(err, &e) || e.Reason != BlockedAddress && e.Reason != UnsupportedScheme {
			t.Errorf("%q: %v, want a refusal", sp.url, err)
			continue
		}
		if e.Reason == BlockedAddress && !strings.Contains(e.Msg, "--allow-private-network") && e.Detail != "malformed" {
			t.Errorf("%q: the message names no flag: %s", sp.url, e.Msg)
		}
	}
	if len(s.dials) != 0 || len(s.asked) != 0 {
		t.Errorf("dialled %v, asked DNS for %v; want neither", s.dials, s.asked)
	}
	t.Logf("%d spellings", len(spellings))
}

func TestSpellingsWithPrivateNetwork(t *testing.T) {
	for _, sp := range spellings {
		var s stub
		_, err := get(t, stubbed(t, &s, private), sp.url)
		if err == nil {
			t.Errorf("%q: the stub answered", sp.url)
		}
		got := ""
		if len(s.dials) > 0 {
			got = s.dials[0]
		}
		if got != sp.opened || len(s.asked) != 0 {
			t.Errorf("%q: dialled %v, asked %v, want %q", sp.url, s.dials, s.asked, sp.opened)
		}
	}
}

// Names are judged by the addresses that they resolve to.
func TestNamesThatResolveInside(t *testing.T) {
	for _, tc := range []struct {
		answers []string
		dialled string // "" none
	}{
		{[]string{"93.184.216.34"}, "93.184.216.34:80"},
		{[]string{"10.0.0.1"}, ""},
		{[]string{"127.0.0.1", "::1"}, ""},
		{[]string{"169.254.169.254"}, ""},
		{[]string{"::ffff:10.0.0.1"}, ""},
		{[]string{"64:ff9b::a00:1"}, ""},
		{[]string{"10.0.0.1", "93.184.216.34"}, "93.184.216.34:80"},
		{[]string{"::ffff:93.184.216.34"}, "93.184.216.34:80"},
	} {
		s := stub{dns: map[string][]string{"a.example": tc.answers}}
		_, err := get(t, stubbed(t, &s), "http://a.example/")
		if tc.dialled == "" {
			if e := wantError(t, err, BlockedAddress, "connect"); !strings.Contains(e.Msg, "a.example") {
				t.Errorf("message %q", e.Msg)
			}
		}
		if got := strings.Join(s.dials, " "); got != tc.dialled {
			t.Errorf("%v: dialled %q, want %q", tc.answers, got, tc.dialled)
		}
	}
}

// The second answer of a rebinding server is judged like the first.
func TestRebinding(t *testing.T) {
	s := stub{dns: map[string][]string{"a.example": {"93.184.216.34"}}}
	c := stubbed(t, &s)
	get(t, c, "http://a.example/")
	s.mu.Lock()
	s.dns["a.example"] = []string{"127.0.0.1"}
	s.mu.Unlock()
	c.dialer.dns.mu.Lock()
	clear(c.dialer.dns.entries) // as if 30 s had passed
	c.dialer.dns.mu.Unlock()
	_, err := get(t, c, "http://a.example/")
	wantError(t, err, BlockedAddress, "connect")
	if got := strings.Join(s.dials, " "); got != "93.184.216.34:80" {
		t.Errorf("dialled %q", got)
	}
}

// The socket's own hook refuses what slipped past everything before it.
func TestControlHook(t *testing.T) {
	closed, open := newDialer(Config{}.withDefaults()), newDialer(Config{AllowPrivateNetwork: true}.withDefaults())
	for _, tc := range []struct {
		network, addr      string
		byDefault, flagged bool
	}{
		{"tcp4", "93.184.216.34:8443", true, true},
		{"tcp6", "[2606:4700::1111]:443", true, true},
		{"tcp4", "127.0.0.1:80", false, true},
		{"tcp4", "10.1.2.3:80", false, true},
		{"tcp6", "[::1]:80", false, true},
		{"tcp6", "[fd00::1]:80", false, true},
		{"tcp4", "169.254.169.254:80", false, false},
		{"tcp4", "0.0.0.0:80", false, false},
		{"tcp6", "[64:ff9b::7f00:1]:80", false, false},
		{"tcp6", "[fe80::1%eth0]:80", false, false},
		{"udp4", "93.184.216.34:443", false, false},
		{"tcp4", "no address", false, false},
	} {
		if got := closed.control(tc.network, tc.addr, nil) == nil; got != tc.byDefault {
			t.Errorf("%s: passes %v, want %v", tc.addr, got, tc.byDefault)
		}
		if got := open.control(tc.network, tc.addr, nil) == nil; got != tc.flagged {
			t.Errorf("%s with the option: passes %v, want %v", tc.addr, got, tc.flagged)
		}
	}
}

func TestHostRules(t *testing.T) {
	for _, tc := range []struct{ rule, url, dialled string }{
		{"*.test=127.0.0.1:8080", "http://a.test/", "127.0.0.1:8080"},
		{"*.test=127.0.0.1:8080", "https://b.a.test:99/", "127.0.0.1:8080"},
		{"*.test=127.0.0.1:8080", "http://A.TEST./", "127.0.0.1:8080"},
		{"*.test=10.0.0.1", "https://a.test/", "10.0.0.1:443"},
		{"*.test=[::1]:81", "http://a.test/", "[::1]:81"},
		{"*.test=::1", "http://a.test/", "[::1]:80"},
		{"*.test=127.0.0.1", "http://test/", ""},
		{"*.test=127.0.0.1", "http://a.test.example/", ""},
		{"*.test=127.0.0.1", "http://atest/", ""},
		{"a.test=127.0.0.1", "http://b.test/", ""},
		{"a.test=127.0.0.1", "http://x.a.test/", ""},
		{"*=127.0.0.1:1", "http://any.example/", "127.0.0.1:1"},
		{"*=127.0.0.1:1", "http://127.0.0.1/", ""},
		{"*=127.0.0.1:1", "http://[::1]/", ""},
		{"*=127.0.0.1:1", "http://10.0.0.1/", ""},
		{"localhost=127.0.0.1:1", "http://localhost/", "127.0.0.1:1"},
		{"metadata.google.internal=169.254.169.254", "http://metadata.google.internal/", "169.254.169.254:80"},
	} {
		rule, err := ParseHostRule(tc.rule)
		if err != nil {
			t.Fatal(err)
		}
		var s stub
		_, err = get(t, stubbed(t, &s, func(c *Config) { c.Resolve = []HostRule{rule} }), tc.url)
		if got := strings.Join(s.dials, " "); got != tc.dialled || err == nil {
			t.Errorf("%s: %s dialled %q, want %q", tc.rule, tc.url, got, tc.dialled)
		}
		if tc.dialled != "" && len(s.asked) > 0 {
			t.Errorf("%s: asked DNS for %v", tc.rule, s.asked)
		}
	}
}

func TestParseHostRule(t *testing.T) {
	for in, want := range map[string]string{
		"*.test=127.0.0.1:8080": "*.test=127.0.0.1:8080",
		" A.Test. = ::1 ":       "a.test=::1",
		"a.test=[::1]":          "a.test=::1",
		"a.test=[::1]:80":       "a.test=[::1]:80",
		"*=10.0.0.1":            "*=10.0.0.1",
	} {
		if got, err := ParseHostRule(in); err != nil || got.String() != want {
			t.Errorf("%q: %v %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"", "a.test", "=127.0.0.1", "a.test=", "a.test=b.test", "a.test=127.0.0.1:x", "127.0.0.1=127.0.0.1", "[::1]=::1", "a*.test=127.0.0.1", "*test=127.0.0.1", "a.*=127.0.0.1", "a.test=127.0.0.1:99999"} {
		if got, err := ParseHostRule(in); err == nil {
			t.Errorf("%q: %v, want an error", in, got)
		}
	}
}

// Redirects are judged like first requests, whatever they spell.
func TestSpellingsBehindRedirects(t *testing.T) {
	site := testsite.Start(t)
	c := newClient(t, site)
	dials := 0
	guarded := c.dialer.guarded
	c.dialer.guarded = func(ctx context.Context, network, addr string) (net.Conn, error) {
		dials++
		return guarded(ctx, network, addr)
	}
	for i, sp := range spellings {
		if sp.url == "http:127.0.0.1" {
			continue // a relative path, if the base is an http URL
		}
		path := fmt.Sprint("/r", i)
		location := strings.NewReplacer("\n", "", " ", "").Replace(sp.url)
		site.Redirect("a.test", path, 302, location)
		resp, hops, err := Follow(t.Context(), c, Navigation{URL: "http://a.test" + path})
		if err == nil && resp.Status == 302 {
			continue // no URL: a response like another
		}
		var e *Error
		if !asError(err, &e) || e.Reason != BlockedAddress && e.Reason != UnsupportedScheme || len(hops) != 1 {
			t.Errorf("%q: %v after %d hops", sp.url, err, len(hops))
		} else if !strings.Contains(e.Msg, "http://a.test"+path) {
			t.Errorf("%q: the message does not name the hop: %s", sp.url, e.Msg)
		}
	}
	if dials != 0 {
		t.Errorf("%d dials", dials)
	}
}

func TestDNSErrors(t *testing.T) {
	_, err := get(t, stubbed(t, &stub{}), "http://nowhere.example/")
	e := wantError(t, err, DNS, "dns")
	if !strings.Contains(e.Msg, "nowhere.example") {
		t.Errorf("message %q", e.Msg)
	}
}
