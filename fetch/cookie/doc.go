// Package cookie is the cookie store of a session: byte for byte what browsers
// keep and send. It makes no requests and reads no clock: callers pass the
// time.
//
// Spec: RFC 6265bis (draft 20). Limits as browsers have them: 4096 bytes for
// name and value, 1024 for an attribute, 180 cookies a site, 3000 a jar.
package cookie
