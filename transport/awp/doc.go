// Package awp is the codec of the Agent Web Protocol: JSON requests,
// responses and events over WebSocket. It decodes frames into messages and
// encodes their answers; it holds the handshake, the sessions that the
// connection opened and the ids in flight, and nothing of any page.
//
// Spec: AWP v0.1.
package awp
