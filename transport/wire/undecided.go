package wire

import "plasmate/messages"

// undecided is the codec of a connection whose first frame will tell its protocol.
type undecided struct {
	protocols []Protocol
	codec     messages.Codec // nil before the first frame
}

// Receive implements messages.Codec.
func (u *undecided) Receive(f messages.Frame) messages.Step {
	if u.codec == nil {
		u.codec = u.speaker(f).New()
	}
	return u.codec.Receive(f)
}

// Answer implements messages.Codec. There is no call before the first frame.
func (u *undecided) Answer(c messages.Call, answer any, err *messages.Error) messages.Step {
	return u.codec.Answer(c, answer, err)
}

// Event implements messages.Codec. There is no session before the first frame.
func (u *undecided) Event(from messages.SessionID, e messages.Event) messages.Step {
	return u.codec.Event(from, e)
}

func (u *undecided) speaker(first messages.Frame) Protocol {
	for _, p := range u.protocols {
		if p.Speaks != nil && p.Speaks(first) {
			return p
		}
	}
	return u.protocols[len(u.protocols)-1]
}
