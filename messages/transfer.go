package messages

import "time"

// SessionState is all of a session that another server needs to go on with it.
// It holds secrets: cookies, header values and what was typed.
type SessionState struct {
	Network Network
	Timeout time.Duration // 0: the default
	Cookies []Cookie
	Pages   []PageState // in the order they were opened
}

// PageState is one page of a session.
type PageState struct {
	ID     PageID
	Engine string // whose form State has
	State  []byte // JSON: document, state of its controls, history; nil: no document yet
}

// ExportSession asks for a session's state. It waits for the requests that its
// pages have under way and changes nothing.
type ExportSession struct{}

// SessionExported answers [ExportSession].
type SessionExported struct{ State SessionState }

// ImportSession puts a state in place of a session's own. What its pages had
// under way is cancelled. Nothing is fetched.
type ImportSession struct{ State SessionState }

// SessionImported answers [ImportSession].
type SessionImported struct{ Pages []PageImported }

// PageImported is a page as it was taken over. Without a document URL is "".
type PageImported struct {
	ID         PageID
	URL, Title string
}

func (ExportSession) answeredBy(SessionExported) {}
func (ImportSession) answeredBy(SessionImported) {}
