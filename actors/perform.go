package actors

import (
	"context"

	"plasmate/messages"
)

// perform carries out the steps of an act and says what changed.
func (t *tab) perform(ctx context.Context, r *reader, m messages.Perform) (messages.Told, error) {
	return messages.Told{}, messages.Errorf(messages.Unsupported, "not yet")
}
