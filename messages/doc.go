// Package messages is the one vocabulary of plasmate's runtime: what can be
// asked of a session and what is answered. Every protocol is a codec over it,
// so a message is added once and every protocol can have it. It holds values
// only: no JSON, no contexts, channels, actors or locks. Nothing reachable from
// a message changes once the message is sent.
package messages
