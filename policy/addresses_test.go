package policy

import (
	"net/netip"
	"testing"

	"code.dny.dev/ssrf"
)

func TestAddress(t *testing.T) {
	for _, c := range []struct {
		addr string
		want Class
	}{
		{"8.8.8.8", Public},
		{"172.15.255.255", Public},
		{"172.32.0.0", Public},
		{"100.63.255.255", Public},
		{"100.128.0.0", Public},
		{"2606:4700::1111", Public},
		{"2001:200::1", Public},
		{"0.0.0.0", Unspecified},
		{"0.1.2.3", Unspecified},
		{"::", Unspecified},
		{"127.0.0.1", Loopback},
		{"127.255.255.254", Loopback},
		{"::1", Loopback},
		{"::ffff:127.0.0.1", Loopback},
		{"10.255.0.1", Private},
		{"172.16.0.1", Private},
		{"172.31.255.255", Private},
		{"192.168.1.1", Private},
		{"::ffff:10.0.0.1", Private},
		{"fc00::1", Private},
		{"fdff::1", Private},
		{"fec0::1", Private},
		{"100.64.0.1", Shared},
		{"100.127.255.255", Shared},
		{"169.254.0.1", LinkLocal},
		{"fe80::1", LinkLocal},
		{"fe80::1%eth0", LinkLocal},
		{"224.0.0.1", Multicast},
		{"239.255.255.250", Multicast},
		{"ff02::1", Multicast},
		{"192.0.2.1", Reserved},
		{"198.18.0.1", Reserved},
		{"198.51.100.1", Reserved},
		{"203.0.113.1", Reserved},
		{"240.0.0.1", Reserved},
		{"255.255.255.255", Reserved},
		{"2001:db8::1", Reserved},
		{"2001:10::1", Reserved},
		{"3fff::1", Reserved},
		{"4000::1", Reserved},
		{"100::1", Reserved},
		{"64:ff9b::7f00:1", Embedded},
		{"64:ff9b:1::a00:1", Embedded},
		{"2002:7f00:1::", Embedded},
		{"2001::1", Embedded},
		{"::7f00:1", Embedded},
		{"::ffff:0:7f00:1", Embedded},
		{"2606:4700::5efe:a00:1", Embedded},
		{"169.254.169.254", Metadata},
		{"::ffff:169.254.169.254", Metadata},
		{"100.100.100.200", Metadata},
		{"168.63.129.16", Metadata},
		{"192.0.0.192", Metadata},
		{"fd00:ec2::254", Metadata},
	} {
		if got := Address(netip.MustParseAddr(c.addr)); got != c.want {
			t.Errorf("Address(%s) = %s, want %s", c.addr, got, c.want)
		}
	}
	if got := Address(netip.Addr{}); got != Malformed {
		t.Errorf("Address(zero) = %s, want %s", got, Malformed)
	}
}

// The two guards are independent lists of the same registries: neither may let
// through what the other refuses without our saying so.
func TestAddressAgreesWithRegistries(t *testing.T) {
	g := ssrf.New(ssrf.WithAnyPort())
	check := func(a netip.Addr) {
		t.Helper()
		if c := Address(a); c.Allowed(false) && g.SafeAddr(a) != nil {
			t.Errorf("%s: class %s is allowed, the registry refuses it", a, c)
		}
	}
	for _, p := range append(append([]netip.Prefix{}, ssrf.IPv4DeniedPrefixes...), ssrf.IPv6DeniedPrefixes...) {
		first, last := p.Masked().Addr(), lastOf(p)
		for _, a := range []netip.Addr{first, first.Next(), last.Prev(), last} {
			if Address(a).Allowed(false) {
				t.Errorf("%s of %s is allowed", a, p)
			}
		}
		check(first.Prev())
		check(last.Next())
	}
}

func lastOf(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 1 << (7 - i%8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		name string
		want Class
	}{
		{"a.test", Public},
		{"notlocalhost", Public},
		{"localhost.example.com", Public},
		{"xn--kse-qla.de", Public},
		{"localhost", Loopback},
		{"LocalHost.", Loopback},
		{"foo.localhost", Loopback},
		{"a.b.localhost..", Loopback},
		{"localhost.localdomain", Loopback},
		{"ip6-loopback", Loopback},
		{"metadata.google.internal", Metadata},
		{"METADATA.google.internal.", Metadata},
		{"x.metadata.goog", Metadata},
		{"metadata", Metadata},
		{"instance-data", Metadata},
		{"2130706433", Malformed},
		{"0x7f.1", Malformed},
		{"1.2.3.4.5", Malformed},
		{"a.0x", Malformed},
		{"", Malformed},
		{".", Malformed},
	} {
		if got := Name(c.name); got != c.want {
			t.Errorf("Name(%q) = %s, want %s", c.name, got, c.want)
		}
	}
}

func TestClassAllowed(t *testing.T) {
	for _, c := range []struct {
		class               Class
		byDefault, withFlag bool
	}{
		{Public, true, true},
		{Private, false, true},
		{Loopback, false, true},
		{Shared, false, true},
		{LinkLocal, false, false},
		{Metadata, false, false},
		{Unspecified, false, false},
		{Multicast, false, false},
		{Reserved, false, false},
		{Embedded, false, false},
		{Malformed, false, false},
	} {
		if got := c.class.Allowed(false); got != c.byDefault {
			t.Errorf("%s by default: %v, want %v", c.class, got, c.byDefault)
		}
		if got := c.class.Allowed(true); got != c.withFlag {
			t.Errorf("%s with the private option: %v, want %v", c.class, got, c.withFlag)
		}
	}
}

func TestScheme(t *testing.T) {
	for s, want := range map[string]bool{
		"http": true, "https": true, "file": false, "ftp": false, "gopher": false,
		"javascript": false, "data": false, "": false,
	} {
		if got := Scheme(s); got != want {
			t.Errorf("Scheme(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestBadPort(t *testing.T) {
	for port, want := range map[int]bool{
		80: false, 443: false, 8080: false, 3000: false, 9222: false, 65535: false,
		0: true, 22: true, 25: true, 6000: true, 6667: true, 10080: true,
	} {
		if got := BadPort(port); got != want {
			t.Errorf("BadPort(%d) = %v, want %v", port, got, want)
		}
	}
}
