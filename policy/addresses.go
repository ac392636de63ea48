package policy

import (
	"encoding/binary"
	"net/netip"
)

// Class is what kind of network a name or address belongs to.
type Class string

// The classes, from open to closed.
const (
	Public      Class = "public"
	Private     Class = "private"     // RFC 1918, RFC 4193, site-local
	Loopback    Class = "loopback"    // 127.0.0.0/8, ::1, localhost names
	Shared      Class = "shared"      // carrier-grade NAT, RFC 6598
	LinkLocal   Class = "link-local"  // RFC 3927, RFC 4291 §2.5.6
	Unspecified Class = "unspecified" // 0.0.0.0/8, ::
	Multicast   Class = "multicast"
	Reserved    Class = "reserved"       // other blocks of the IANA registries
	Embedded    Class = "IPv4-in-IPv6"   // NAT64, 6to4, Teredo, ISATAP, …
	Metadata    Class = "cloud metadata" // services that hand out credentials
	Malformed   Class = "malformed"      // neither a name nor an address
)

// Allowed tells whether a destination of class c may be dialled. The private
// option opens what a developer's own network is made of: loopback, private
// and shared addresses. It opens neither link-local addresses nor cloud
// metadata services: no page lives there, only credentials.
func (c Class) Allowed(private bool) bool {
	switch c {
	case Public:
		return true
	case Private, Loopback, Shared:
		return private
	}
	return false
}

// Address classifies an address that is about to be dialled. IPv4-mapped
// addresses count as the address in them.
//
// Spec: the IANA special-purpose address registries (RFC 6890).
func Address(a netip.Addr) Class {
	if !a.IsValid() {
		return Malformed
	}
	a = a.WithZone("").Unmap()
	if metadata(a) {
		return Metadata
	}
	if a.Is4() {
		return address4(a.As4())
	}
	return address6(a)
}

func metadata(a netip.Addr) bool {
	switch a.String() {
	case "169.254.169.254", "169.254.170.2", "169.254.170.23", // AWS, GCP, Azure, ECS, EKS
		"100.100.100.200",               // Alibaba
		"192.0.0.192",                   // Oracle
		"168.63.129.16",                 // Azure's wire server, a public address
		"fd00:ec2::254", "fd20:ce::254", // AWS, GCP
		"fd00:ec2::23", "fd00:42::42": // EKS, Scaleway
		return true
	}
	return false
}

func address4(b [4]byte) Class {
	n := binary.BigEndian.Uint32(b[:])
	in := func(a, b, c, d byte, bits int) bool {
		p := uint32(a)<<24 | uint32(b)<<16 | uint32(c)<<8 | uint32(d)
		return n>>(32-bits) == p>>(32-bits)
	}
	switch {
	case in(0, 0, 0, 0, 8):
		return Unspecified
	case in(127, 0, 0, 0, 8):
		return Loopback
	case in(10, 0, 0, 0, 8), in(172, 16, 0, 0, 12), in(192, 168, 0, 0, 16):
		return Private
	case in(100, 64, 0, 0, 10):
		return Shared
	case in(169, 254, 0, 0, 16):
		return LinkLocal
	case in(224, 0, 0, 0, 4):
		return Multicast
	case in(192, 0, 0, 0, 24), in(192, 0, 2, 0, 24), in(192, 31, 196, 0, 24),
		in(192, 52, 193, 0, 24), in(192, 88, 99, 0, 24), in(192, 175, 48, 0, 24),
		in(198, 18, 0, 0, 15), in(198, 51, 100, 0, 24), in(203, 0, 113, 0, 24),
		in(240, 0, 0, 0, 4):
		return Reserved
	}
	return Public
}

func address6(a netip.Addr) Class {
	b := a.As16()
	switch {
	case a == netip.IPv6Unspecified():
		return Unspecified
	case a == netip.IPv6Loopback():
		return Loopback
	case b[0] == 0xff:
		return Multicast
	case b[0]&0xfe == 0xfc, b[0] == 0xfe && b[1]&0xc0 == 0xc0:
		return Private
	case b[0] == 0xfe && b[1]&0xc0 == 0x80:
		return LinkLocal
	case embeds4(b):
		return Embedded
	case b[0]&0xe0 != 0x20: // outside 2000::/3, all that is in use
		return Reserved
	case b[0] == 0x20 && b[1] == 0x01 && (b[2] < 0x02 || b[2] == 0x0d && b[3] == 0xb8),
		b[0] == 0x26 && b[1] == 0x20 && b[2] == 0 && b[3] == 0x4f && b[4] == 0x80 && b[5] == 0,
		b[0] == 0x3f && b[1] == 0xff && b[2] < 0x10:
		return Reserved
	}
	return Public
}

// embeds4 finds the forms whose last hop is an IPv4 address that somebody else
// unpacks: IPv4-compatible ::/96, SIIT ::ffff:0:0/96, NAT64 64:ff9b::/96 and
// 64:ff9b:1::/48, 6to4 2002::/16, Teredo 2001::/32, ISATAP interface ids.
func embeds4(b [16]byte) bool {
	head := binary.BigEndian.Uint64(b[:8])
	mid := binary.BigEndian.Uint32(b[8:12])
	switch {
	case head == 0 && (mid == 0 || mid == 0xffff || mid == 0xffff0000):
		return true
	case head>>32 == 0x0064ff9b:
		return true
	case head>>48 == 0x2002, head>>32 == 0x20010000:
		return true
	}
	return mid == 0x00005efe || mid == 0x02005efe
}
