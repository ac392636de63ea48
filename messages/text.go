package messages

import "time"

// The requests below are those of the text protocol (text-protocol.md §11): a
// model asks them and reads the answer, which is lines of text with refs [n].
// Refs count over all pages of a session.

// Told answers a request of the text protocol.
type Told struct {
	Text   string // LF-separated lines, no LF at the end
	Failed bool   // Text is "✗ tool: code explanation" or "! needs confirm: …"
}

// View asks for an observation of a page.
type View struct {
	Page       PageID
	Mode       string // actions, full or read; "" is actions
	Ref        int    // show only this; 0: all
	Budget     int    // tokens; 0: the mode's
	Offset     int
	Links      bool // print where links lead
	Boundaries bool // put the page's part between marks that no page can know
}

// Visit asks a page to go somewhere and for an orientation or a view of what is there.
type Visit struct {
	Page    PageID
	URL     string // absolute URL, host name, or back, forward, reload
	Confirm bool
	View    *View // nil: a short orientation
	Timeout time.Duration
}

// Find asks where words, roles or a selector occur in a page.
type Find struct {
	Page  PageID
	Query string
	Limit int // 0: 10
	Links bool
}

// Pick asks for a table, a list, the text or the metadata of a page.
type Pick struct {
	Page   PageID
	Kind   string // table, list, text or meta
	Ref    int    // 0: the largest in main
	Offset int
	Limit  int // rows; 0: 100
	Links  bool
	JSON   bool
}

// Perform asks for actions on a page, one after the other until one fails, and
// for what changed.
type Perform struct {
	Page    PageID
	Steps   []ActStep
	Confirm bool // of a consequential action that was refused before
	Timeout time.Duration
}

// ActStep is one action (text-protocol.md §7.1).
type ActStep struct {
	Do     string // click, type, append, clear, select, check, uncheck, toggle, press, scroll, upload, submit, …
	Ref    int    // 0: none
	Text   string // may hold privacy tokens
	Values []string
	Key    string
	DY     float64
	Files  []string
}

// Await asks to wait until a text is there, a text is gone, or a time has passed.
type Await struct {
	Page PageID
	Text string
	Gone string
	For  time.Duration // 0: 10 s; at most 30 s
}

// ListPages asks for a session's pages.
type ListPages struct{}

// PagesListed answers [ListPages], in the order they were opened.
type PagesListed struct{ Pages []PageInfo }

// PageInfo is a page in a list.
type PageInfo struct {
	ID         PageID
	URL, Title string // "" before the first navigation
}

func (View) answeredBy(Told)             {}
func (Visit) answeredBy(Told)            {}
func (Find) answeredBy(Told)             {}
func (Pick) answeredBy(Told)             {}
func (Perform) answeredBy(Told)          {}
func (Await) answeredBy(Told)            {}
func (ListPages) answeredBy(PagesListed) {}
