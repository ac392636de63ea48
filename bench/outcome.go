package bench

import (
	"errors"
	"mime"
	"strings"

	"plasmate/fetch"
	"plasmate/messages"
)

// Outcome is what became of a URL.
type Outcome string

// The outcomes. Every row has exactly one.
const (
	OK        Outcome = "ok"
	HTTPError Outcome = "http error" // status 400 or higher, with or without a page
	Blocked   Outcome = "blocked"    // an address or scheme that plasmate refuses
	Timeout   Outcome = "timeout"
	Failed    Outcome = "failed"   // no answer: name, connection, TLS, redirects, size
	NotHTML   Outcome = "not html" // an answer that is no HTML document
)

// Outcomes lists every outcome in the order of the report.
var Outcomes = [...]Outcome{OK, HTTPError, Blocked, Timeout, Failed, NotHTML}

func outcomeOf(nav messages.Navigated) Outcome {
	switch {
	case nav.Status >= 400:
		return HTTPError
	case !isHTML(nav.ContentType):
		return NotHTML
	}
	return OK
}

// isHTML says whether a Content-Type is HTML; without one, browsers take it for HTML.
func isHTML(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t, _, _ = strings.Cut(contentType, ";")
	}
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "" || t == "text/html" || t == "application/xhtml+xml"
}

// fail gives the row of a URL without a page.
func (r Row) fail(err error) Row {
	r.Outcome, r.Error = Failed, err.Error()
	var e *messages.Error
	if !errors.As(err, &e) {
		return r
	}
	r.Reason = string(e.Code)
	if d, ok := e.Detail.(messages.NavigationDetail); ok {
		r.Reason, r.Status, r.ContentType = d.Reason, d.Status, d.ContentType
	}
	switch fetch.Reason(r.Reason) {
	case fetch.HTTPStatus:
		r.Outcome = HTTPError
	case fetch.BlockedAddress, fetch.UnsupportedScheme:
		r.Outcome = Blocked
	case fetch.ContentType:
		r.Outcome = NotHTML
	case fetch.Timeout:
		r.Outcome = Timeout
	}
	switch e.Code {
	case messages.Timeout:
		r.Outcome = Timeout
	case messages.Blocked:
		r.Outcome = Blocked
	}
	return r
}
