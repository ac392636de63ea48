// Package wire carries protocols over WebSocket: it accepts connections,
// guards them (token, origin, limits), reads frames for the runtime and writes
// the runtime's frames without ever waiting for a slow client. It knows no
// protocol: a [Protocol] brings its codec.
//
// Spec: AWP v0.1 §1 (transport), RFC 6455.
package wire
