// Package actors is the runtime: every connection, session, page, host and
// in-flight exchange is an actor that shares nothing with the others and talks
// by messages only.
//
//	browser ── connection ── session ── page
//	pool ── host ── exchange
//
// Requests go down the tree, answers go up, and nobody asks a parent and
// waits. No Receive waits for anything: what waits (a load, a compile, an HTTP
// exchange) runs in the one worker goroutine of a page or exchange actor, which
// reports by message. An actor that panics is stopped, not restarted: a
// session that silently lost its cookies is worse than one that is gone.
package actors
