package policy

import "strings"

// Scheme tells whether a URL with this scheme (lower case, no colon) may be
// sent to a server. Nothing opens file:, ftp: and the like, whatever option is
// given (AWP §3, page.navigate).
func Scheme(scheme string) bool {
	return scheme == "http" || scheme == "https"
}

// Name classifies a host name before it is looked up, so that no question
// about it leaves the machine. A name that says nothing by itself is Public:
// its addresses are judged when they are known.
//
// Spec: RFC 6761 §6.3 (localhost names); metadata names as cloud vendors
// document them.
func Name(host string) Class {
	h := strings.TrimRight(strings.ToLower(host), ".")
	switch h {
	case "localhost", "localhost.localdomain", "localhost6", "localhost6.localdomain6",
		"ip6-localhost", "ip6-loopback", "loopback", "broadcasthost":
		return Loopback
	case "metadata", "metadata.google.internal", "metadata.goog", "metadata.internal",
		"instance-data", "instance-data.ec2.internal", "metadata.azure.internal",
		"metadata.azure.com", "metadata.tencentyun.com", "metadata.platformequinix.com",
		"metadata.packet.net", "rancher-metadata":
		return Metadata
	case "":
		return Malformed
	}
	switch {
	case strings.HasSuffix(h, ".localhost"):
		return Loopback
	case strings.HasSuffix(h, ".metadata.google.internal"),
		strings.HasSuffix(h, ".metadata.goog"):
		return Metadata
	case endsInNumber(h):
		return Malformed
	}
	return Public
}

// endsInNumber is the test of URL §3.5 for hosts that must be IPv4 addresses.
// A name that passes and is no address was refused by every URL parser; some
// resolvers would take it for an address all the same.
func endsInNumber(h string) bool {
	last := h[strings.LastIndexByte(h, '.')+1:]
	if last == "" {
		return false
	}
	if digits(last, "0123456789") {
		return true
	}
	return strings.HasPrefix(last, "0x") && digits(last[2:], "0123456789abcdef")
}

func digits(s, set string) bool {
	return strings.Trim(s, set) == ""
}
