package messages

// Frame is one message of a transport.
type Frame struct {
	Data   []byte
	Binary bool
}

// Call is a request that a codec decoded, on its way to a session.
type Call struct {
	To      SessionID // "": the connection
	Request any       // a Request of this package
	Tag     any       // the codec's own; comes back with the answer
}

// Step is what follows from a frame or an answer: frames to send, then calls to make.
type Step struct {
	Frames [][]byte
	Calls  []Call
}

// Codec is one protocol on one connection. It holds the protocol's state
// (handshake, sessions it opened, requests in flight) and no page's. Its owner
// never calls two methods at once.
type Codec interface {
	// Receive decodes a frame from the client.
	Receive(f Frame) Step
	// Answer encodes the one answer of a call: a value of the type that answers
	// its request, or an error.
	Answer(c Call, answer any, err *Error) Step
	// Event encodes what happened in a session, if the client wants to know.
	Event(from SessionID, e Event) Step
}

// Link is the way out of a connection. It is safe for concurrent use and never blocks.
type Link interface {
	// Send queues a frame; the link closes itself (1008) if the client does not read.
	Send(frame []byte)
	// Close sends what is queued, then the close code, and ends the connection.
	Close(code int, reason string)
}

// Peer is the runtime's end of a connection.
type Peer interface {
	// Deliver hands over a frame. It blocks while too many wait, so that the
	// transport pushes back, and returns false when the connection has ended.
	Deliver(f Frame) bool
	// Gone says that the client has gone: everything in flight is cancelled.
	Gone()
}
