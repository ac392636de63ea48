package messages

import "time"

// OpenSession asks a connection for a new session: an empty cookie jar and no page.
type OpenSession struct {
	UserAgent string        // "": DefaultUserAgent
	Locale    string        // BCP 47 tag; "": en-US
	Timeout   time.Duration // of a navigation that names none; 0: 30 s
}

// Defaults of OpenSession (AWP §3 session.create).
const (
	DefaultUserAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36"
	DefaultLocale    = "en-US"
	DefaultTimeout   = 30 * time.Second
)

// SessionOpened answers [OpenSession].
type SessionOpened struct{ ID SessionID }

// CloseSession asks a connection to end a session at once: what it is doing is
// cancelled and answered, what waits is refused.
type CloseSession struct{ ID SessionID }

// SessionClosed answers [CloseSession].
type SessionClosed struct{}

func (OpenSession) answeredBy(SessionOpened)  {}
func (CloseSession) answeredBy(SessionClosed) {}
