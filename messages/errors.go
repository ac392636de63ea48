package messages

import (
	"errors"
	"fmt"
	"time"

	"plasmate/som"
)

// Code is the kind of an [Error]; the set is closed and listed in [Codes].
type Code string

// The codes. A codec maps each to its protocol's own.
const (
	Invalid          Code = "invalid"           // the request itself is wrong
	NotFound         Code = "not_found"         // no such session, or no page yet
	Timeout          Code = "timeout"           // the deadline passed
	Canceled         Code = "canceled"          // the asker or the session went away
	Blocked          Code = "blocked"           // policy forbids the address or scheme
	NavigationFailed Code = "navigation_failed" // the document could not be had
	ElementNotFound  Code = "element_not_found" // the target fits nothing
	NotActionable    Code = "not_actionable"    // the element refuses the action
	Ambiguous        Code = "ambiguous"         // a strict target fits several elements
	NeedsConfirm     Code = "needs_confirm"     // a consequential action without confirmation
	Limit            Code = "limit"             // a limit of the server is reached
	Unsupported      Code = "unsupported"       // known, but not by this engine
	Internal         Code = "internal"          // a fault of ours
)

// Codes lists every code, for tables that must be complete.
var Codes = [...]Code{
	Invalid, NotFound, Timeout, Canceled, Blocked, NavigationFailed, ElementNotFound,
	NotActionable, Ambiguous, NeedsConfirm, Limit, Unsupported, Internal,
}

// Error is the answer to a request that could not be carried out. Nothing was
// changed by the request unless Msg says so.
type Error struct {
	Code   Code
	Msg    string // for the caller: what failed, on what, what to do
	Detail Detail // nil, or facts to decide by without reading prose
	Err    error  // cause; logged, never sent out for Internal
}

func (e *Error) Error() string { return e.Msg }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error without details.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// AsError gives err as an *Error; what is none becomes Internal with a message
// that tells nothing of the inside.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: Internal, Msg: "internal error", Err: err}
}

// Detail is one of the types below.
type Detail interface{ detail() }

// NavigationDetail goes with NavigationFailed, Blocked and a navigation's Timeout (AWP §2).
type NavigationDetail struct {
	URL         string // the hop that failed
	Reason      string // dns connect tls http_status redirect_limit redirect_loop blocked_address unsupported_scheme too_large content_type reset timeout session_closed robots superseded
	Status      int    // 0: none
	Phase       string // "": not known
	Cause       string // tells causes of one reason apart, for tls: expired wrong_host unknown_authority …
	ContentType string // of a body that is no document
	Size        int64  // of that body, in bytes; 0: not known
	// MaybeProcessed says that the server may have acted on the request, so
	// that it should not be made again without a look.
	MaybeProcessed bool
	Download       *Download // nil: the body is none
}

// Download is a file that a navigation led to instead of a document.
type Download struct {
	Name, ContentType string
	Size              int64  // bytes
	SavedAs           string // its name in the download folder; "": it was not saved
}

// ParamDetail goes with Invalid: the parameter and what it should have been.
type ParamDetail struct{ Param, Expected string }

// TargetDetail goes with ElementNotFound and Ambiguous.
type TargetDetail struct {
	Reason      string // stale_ref: the element belongs to an earlier document; "": none
	Attempted   []som.Attempt
	Suggestions []som.Candidate
	Candidates  []som.Candidate
}

// ActionDetail goes with NotActionable.
type ActionDetail struct {
	Reason  string // disabled, readonly, inert, hidden, not_editable, no_such_option, invalid, …
	Options []Choice
	Invalid []InvalidField
}

// Choice is an option of a select or of a group of radio buttons.
type Choice struct{ Value, Text string }

// InvalidField is a control that fails validation, so that its form was not sent.
type InvalidField struct{ ElementID, Label, Reason string }

// LimitDetail goes with Limit.
type LimitDetail struct {
	Limit      string // the limit's flag name
	Value      int
	RetryAfter time.Duration // 0: no hint
}

// VersionDetail goes with Invalid: the protocol versions there are.
type VersionDetail struct{ Supported []string }

func (VersionDetail) detail()    {}
func (NavigationDetail) detail() {}
func (ParamDetail) detail()      {}
func (TargetDetail) detail()     {}
func (ActionDetail) detail()     {}
func (LimitDetail) detail()      {}
