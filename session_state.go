package plasmate

import (
	"context"

	"plasmate/messages"
)

// SetNetwork changes how the session reaches the web from its next request on,
// and gives how it is now. Nil fields of m stay as they are.
func (s *Session) SetNetwork(ctx context.Context, m messages.SetNetwork) (messages.Network, error) {
	r, err := ask(ctx, s, m)
	return r.Network, err
}

// Export gives all that another engine needs to go on with the session. It
// holds secrets: cookies, header values and what was typed.
func (s *Session) Export(ctx context.Context) (messages.SessionState, error) {
	r, err := ask(ctx, s, messages.ExportSession{})
	return r.State, err
}

// Import puts an exported state in place of the session's own. Nothing is fetched.
func (s *Session) Import(ctx context.Context, state messages.SessionState) ([]messages.PageImported, error) {
	r, err := ask(ctx, s, messages.ImportSession{State: state})
	return r.Pages, err
}
