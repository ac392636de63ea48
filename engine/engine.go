// Package engine says what a browser engine must be able to do. Engines know
// nothing of protocols, sessions or actors: they load documents, change their
// controls and say what they hold.
package engine

import (
	"context"
	"net/http"
	"time"

	"plasmate/som"
)

// An Engine opens pages. It is safe for concurrent use.
type Engine interface {
	Name() string
	NewPage(Profile) Page
}

// Profile is what all pages of one session share.
type Profile struct {
	Session        string // who asks, for fairness between sessions
	UserAgent      string
	AcceptLanguage string
	Jar            CookieJar
	Network        Network
}

// Network is what a session sets for its requests. It never changes.
type Network struct {
	Header  http.Header // sent with every navigation
	Offline bool        // every request fails
	Proxy   string      // URL; "" is the engine's own, "direct" none
	NoProxy []string    // hosts that Proxy is not asked for
	Blocked []string    // patterns of URLs that are not fetched; * is anything
}

// Adaptable is a Page whose further requests can be made for another profile of
// the same session.
type Adaptable interface{ Use(Profile) }

// CookieJar is the cookie store of one session, safe for concurrent use.
type CookieJar interface {
	// Header is the value of the Cookie request header for url, "" if none.
	Header(url string, now time.Time) string
	// Store takes the Set-Cookie headers of a response from url.
	Store(url string, setCookie []string, now time.Time)
}

// A Page is one tab. Its owner never calls two methods at once.
type Page interface {
	// Load navigates. A failed load leaves the page as it was.
	Load(ctx context.Context, r Request) (Loaded, error)
	// Act performs an action on a node of doc, the analysis of the last Snapshot.
	Act(ctx context.Context, doc *som.Page, a Action) (Acted, error)
	// Snapshot is the current document with the state of its controls.
	Snapshot(ctx context.Context) (som.Input, error)
	Close() error
}

// Request is a navigation.
type Request struct {
	URL string
}

// Loaded says what a navigation brought.
type Loaded struct {
	URL         string // after redirects
	Status      int
	ContentType string
	HTMLBytes   int
	Encoding    string
	Incomplete  bool // the body was cut off
	BodyHash    [32]byte
	Fetch       time.Duration
	Header      http.Header

	SameDocument bool     // only the fragment changed; nothing was fetched
	NeedsJS      NeedsJS  // whether the page is likely to be empty without scripts
	Refresh      *Refresh // a refresh that the page asks for and that was not followed
}

// NeedsJS says whether a page is likely to show what it is for only with scripts.
type NeedsJS struct {
	Likely  bool
	Reasons []string // readable, the strongest first; may be given where Likely is false
}

// Refresh is a meta refresh or a Refresh header.
type Refresh struct {
	After time.Duration
	URL   string // absolute
}

// Download describes a response that is to be saved, not shown. It is the cause
// of the error that a navigation to it ends with.
type Download struct {
	URL, Name, ContentType string
	Size                   int64
	SavedAs                string // its name in the download folder; empty if it was not saved
}

func (d *Download) Error() string { return "download of " + d.Name }

// Portable is a Page that can go on in another process: its document, the state
// of its controls and its history.
type Portable interface {
	// Export is JSON of the engine's own form; nil where no document is loaded.
	Export() ([]byte, error)
	// Import takes what Export gave, in place of what the page has. It trusts
	// none of it and fetches nothing. After an error the page is as it was.
	Import(ctx context.Context, state []byte) (Loaded, error)
}

// Sharing is a Page that can let go of its copy of the document's source for
// one that others have too.
type Sharing interface {
	// ShareSource offers bytes that never change; they are taken if they are
	// the source of the current document.
	ShareSource(source []byte)
}

// History is a Page that can go back and forth. A step that there is no entry
// for is a *NotActionable.
type History interface {
	Back(ctx context.Context) (Loaded, error)
	Forward(ctx context.Context) (Loaded, error)
	Reload(ctx context.Context) (Loaded, error)
}

// ActionKind is what to do with a node.
type ActionKind string

// The actions of AWP v0.1.
const (
	Click  ActionKind = "click"
	Type   ActionKind = "type"
	Select ActionKind = "select"
	Scroll ActionKind = "scroll"
	Clear  ActionKind = "clear"
	Toggle ActionKind = "toggle"
)

// Actions that later protocols have.
const (
	Check   ActionKind = "check"   // tick a checkbox, choose a radio button; nothing if it is so already
	Uncheck ActionKind = "uncheck" // untick a checkbox
	Press   ActionKind = "press"   // Value: the key; Enter and Space only
	Upload  ActionKind = "upload"  // Values: paths of files for a file input
	Back    ActionKind = "back"    // no node; as History.Back
	Forward ActionKind = "forward"
	Reload  ActionKind = "reload"
)

// Action is one primitive action.
type Action struct {
	Kind   ActionKind
	Node   som.NodeID // NoNode for scroll without a target
	Value  string     // Type; Select: the only element of Values
	Values []string   // Select
	Append bool       // Type: add to what is there
	Submit bool       // Type: implicit submission afterwards
}

// Acted says what an action did.
type Acted struct {
	Loaded  *Loaded // not nil if it navigated
	Changed bool    // the state of a control changed
	Note    string  // why nothing happened, for a reader; may be empty
	Value   *string // the value read back from the control, if it has one
}

// NotActionable is the error of an action that the node refuses. Nothing was
// changed or sent.
type NotActionable struct {
	Reason  string // disabled, readonly, inert, hidden, not_editable, not_selectable, not_checkable, no_such_option, invalid_value, invalid, no_history, …
	Msg     string
	Options []Option  // Select: what there is
	Invalid []Invalid // submit: fields that fail validation
}

func (e *NotActionable) Error() string { return e.Msg }

// Option is a choice of a select or radio group.
type Option struct{ Value, Text string }

// Invalid is one control that fails native validation.
type Invalid struct {
	Node   som.NodeID
	Label  string
	Reason string
}
