package messages

import (
	"context"
	"fmt"
)

// SessionID names a session within its connection: "s_" and random hex digits.
// It means nothing on another connection. The empty id stands for the
// connection itself, which opens and closes sessions.
type SessionID string

// Request is a message that is answered with exactly one R or one *Error.
// Only this package adds to the vocabulary.
type Request[R any] interface{ answeredBy(R) }

// Asker delivers a request to a session and waits for its answer. It returns
// when ctx is done, whoever is silent; the request is then cancelled.
type Asker interface {
	Ask(ctx context.Context, to SessionID, request any) (any, error)
}

// Ask asks a session (or with the empty id the connection) and waits. The error is an *Error.
func Ask[R any](ctx context.Context, a Asker, to SessionID, m Request[R]) (R, error) {
	var zero R
	answer, err := a.Ask(ctx, to, m)
	if err != nil {
		return zero, AsError(err)
	}
	r, ok := answer.(R)
	if !ok {
		return zero, AsError(fmt.Errorf("answer to %T is a %T", m, answer))
	}
	return r, nil
}
