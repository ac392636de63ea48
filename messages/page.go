package messages

import (
	"time"

	"plasmate/som"
)

// PageID names a page (tab) of a session: "p_" and a number. The empty id is
// the session's first open page; a session without one gets a new one.
type PageID string

// OpenPage asks a session for one more page. Requests to one page run in
// order; pages do not wait for each other.
type OpenPage struct{}

// PageOpened answers [OpenPage].
type PageOpened struct{ ID PageID }

// ClosePage ends a page at once: what it is doing is cancelled and answered.
type ClosePage struct{ ID PageID }

// PageClosed answers [ClosePage].
type PageClosed struct{}

// Navigate asks a session to load URL with GET. A failed navigation leaves the
// page as it was. If the request right behind it in its session is a Navigate
// too, it is cancelled: nobody could see its page.
type Navigate struct {
	Page    PageID
	URL     string        // absolute; http, https, data or about:blank
	Timeout time.Duration // covers everything; 0: the session's
}

// Navigated answers [Navigate] when the document is compiled, 4xx and 5xx included.
type Navigated struct {
	URL         string // after redirects
	Status      int
	ContentType string
	Encoding    string // of the body, by its name in the Encoding Standard
	HTMLBytes   int    // as received after content-coding
	Title       string
	SOMBytes    int
	Incomplete  bool // the body was cut off
	FromCache   bool // compiled before, for this URL and these bytes
	NeedsJS     NeedsJS
	Refresh     *Refresh // a refresh that the page asks for and that was not followed
	Took        Timing
}

// NeedsJS says whether a page is likely to show what it is for only with scripts.
type NeedsJS struct {
	Likely  bool
	Reasons []string // readable, the strongest first; may be given where Likely is false
}

// Refresh is a refresh that a page asks for by meta element or header.
type Refresh struct {
	After time.Duration
	URL   string
}

// Traverse asks for a move in the page's history: -1 goes back, +1 forward,
// 0 loads the page again. Where there is no entry it is NotActionable.
type Traverse struct {
	Page    PageID
	Delta   int
	Timeout time.Duration
}

// Timing is where the time of a navigation went.
type Timing struct{ Fetch, Compile, Total time.Duration }

// Observe asks for the current page.
type Observe struct {
	Page   PageID
	Format Format
	Ref    string // id of an element or region to restrict to; "": all
	Budget int    // FormatCompact: bytes; 0: a ninth of the document's
	// Changes asks for the changes since the page was last observed as a whole
	// in FormatSOM, if that is less than the SOM.
	Changes bool
}

// Format is a printed form of a page.
type Format string

// The formats of [Observe].
const (
	FormatSOM      Format = "" // compact JSON, AWP §4
	FormatText     Format = "text"
	FormatMarkdown Format = "markdown"
	FormatLinks    Format = "links"
	FormatCompact  Format = "compact" // JSON with short keys, within a budget
)

// Observed answers [Observe].
type Observed struct {
	Format Format
	SOM    []byte // FormatSOM, FormatCompact; shared, read only; nil if Patch is there
	Patch  []byte // RFC 6902 JSON Patch from the SOM observed before, if asked for
	Text   string // FormatText, FormatMarkdown
	Links  []som.Link
}

// Act asks for one action on the current page (AWP §3 page.act).
type Act struct {
	Page      PageID
	Action    string      // click, type, select, scroll, clear, toggle, check, uncheck, press, upload
	Target    *som.Target // may be nil for scroll
	Value     string      // type, select; press: the key
	Values    []string    // select multiple; upload: paths
	Append    bool        // type: add to the value instead of replacing it
	Submit    bool        // type: submit the form afterwards (HTML implicit submission)
	Direction string      // scroll: down or up
	Amount    float64     // scroll: screens
	Timeout   time.Duration
}

// Acted answers [Act]. It is only sent if the action was done.
type Acted struct {
	Resolved   *som.Candidate // nil without a target
	Ambiguous  int            // how many elements fitted the target equally well, if several
	Navigated  bool
	SOMChanged bool
	URL        string // where the page is now
	Value      *string
	Note       string // what a reader should know, e.g. why nothing happened
}

// Extract asks for structured data of the current page.
type Extract struct {
	Page   PageID
	Names  []string // order of the answer's fields
	Fields map[string]som.Query
}

// Extracted answers [Extract]; both are compact JSON objects in the order asked.
type Extracted struct{ Data, Provenance []byte }

func (OpenPage) answeredBy(PageOpened)  {}
func (ClosePage) answeredBy(PageClosed) {}
func (Navigate) answeredBy(Navigated)   {}
func (Traverse) answeredBy(Navigated)   {}
func (Observe) answeredBy(Observed)     {}
func (Act) answeredBy(Acted)            {}
func (Extract) answeredBy(Extracted)    {}

// PageOf is the page that a request is for.
func PageOf(request any) PageID {
	switch m := request.(type) {
	case Navigate:
		return m.Page
	case Traverse:
		return m.Page
	case Observe:
		return m.Page
	case Act:
		return m.Page
	case Extract:
		return m.Page
	case View:
		return m.Page
	case Visit:
		return m.Page
	case Find:
		return m.Page
	case Pick:
		return m.Page
	case Perform:
		return m.Page
	case Await:
		return m.Page
	}
	return ""
}
