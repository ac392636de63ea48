package awp

import (
	"bytes"
	"encoding/json"

	"plasmate/messages"
	"plasmate/som"
)

// The protocol's error codes (AWP §2).
const (
	invalidRequest   = "INVALID_REQUEST"
	notFound         = "NOT_FOUND"
	timeout          = "TIMEOUT"
	navigationFailed = "NAVIGATION_FAILED"
	internal         = "INTERNAL"
)

// codes maps every messages.Code to the protocol's.
var codes = map[messages.Code]string{
	messages.Invalid:          invalidRequest,
	messages.NotFound:         notFound,
	messages.Timeout:          timeout,
	messages.Canceled:         navigationFailed,
	messages.Blocked:          navigationFailed,
	messages.NavigationFailed: navigationFailed,
	messages.ElementNotFound:  notFound,
	messages.NotActionable:    invalidRequest,
	messages.Ambiguous:        invalidRequest,
	messages.NeedsConfirm:     invalidRequest,
	messages.Limit:            invalidRequest,
	messages.Unsupported:      invalidRequest,
	messages.Internal:         internal,
}

func invalid(format string, args ...any) *messages.Error {
	return messages.Errorf(messages.Invalid, format, args...)
}

func badParam(param, expected string) *messages.Error {
	return &messages.Error{
		Code: messages.Invalid, Msg: param + " is missing or wrong: expected " + expected,
		Detail: messages.ParamDetail{Param: param, Expected: expected},
	}
}

// errorResult is the error object of a response.
type errorResult struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

func encodeError(id envelopeID, err *messages.Error) []byte {
	b := bytes.TrimSuffix(openResult(id, 256), []byte(`"result":`))
	b = append(b, `"error":`...)
	r := errorResult{Code: codes[err.Code], Message: err.Msg, Details: details(err.Detail)}
	if err.Code == messages.Internal {
		r.Details = nil
	}
	return append(appendJSON(b, r), '}')
}

type navigationDetails struct {
	URL         string `json:"url"`
	Reason      string `json:"reason"`
	Status      int    `json:"status,omitempty"`
	Phase       string `json:"phase,omitempty"`
	Cause       string `json:"cause,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	Size        int64  `json:"size,omitempty"`

	MaybeProcessed bool      `json:"may_have_been_processed,omitempty"`
	Download       *download `json:"download,omitempty"`
}

type download struct {
	Name        string `json:"name"`
	ContentType string `json:"type"`
	Size        int64  `json:"size"`
	SavedAs     string `json:"saved_as,omitempty"`
}

type paramDetails struct {
	Param    string `json:"param"`
	Expected string `json:"expected"`
}

type targetDetails struct {
	Reason      string      `json:"reason,omitempty"`
	Attempted   []attempt   `json:"attempted,omitempty"`
	Suggestions []candidate `json:"suggestions,omitempty"`
	Candidates  []candidate `json:"candidates,omitempty"`
}

type attempt struct {
	Strategy string `json:"strategy"`
	Query    string `json:"query"`
	Reason   string `json:"reason"`
}

type candidate struct {
	ElementID string `json:"element_id"`
	Role      string `json:"role"`
	Text      string `json:"text"`
	Nearby    string `json:"nearby,omitempty"` // what stands around it
}

type actionDetails struct {
	Reason  string         `json:"reason"`
	Options []choice       `json:"options,omitempty"`
	Invalid []invalidField `json:"invalid,omitempty"`
}

type choice struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

type invalidField struct {
	ElementID string `json:"element_id"`
	Label     string `json:"label"`
	Reason    string `json:"reason"`
}

type limitDetails struct {
	Limit        string `json:"limit"`
	Value        int    `json:"value"`
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
}

type versionDetails struct {
	Supported []string `json:"supported"`
}

// details gives an error's facts their wire form; nil if there are none.
func details(d messages.Detail) any {
	switch d := d.(type) {
	case messages.NavigationDetail:
		return navigationDetails{
			URL: d.URL, Reason: d.Reason, Status: d.Status, Phase: d.Phase, Cause: d.Cause,
			ContentType: d.ContentType, Size: d.Size, MaybeProcessed: d.MaybeProcessed, Download: (*download)(d.Download),
		}
	case messages.ParamDetail:
		return paramDetails(d)
	case messages.TargetDetail:
		return targetDetails{
			Reason:      d.Reason,
			Attempted:   attempts(d.Attempted),
			Suggestions: candidates(d.Suggestions),
			Candidates:  candidates(d.Candidates),
		}
	case messages.ActionDetail:
		return encodeActionDetail(d)
	case messages.LimitDetail:
		return limitDetails{Limit: d.Limit, Value: d.Value, RetryAfterMS: millis(d.RetryAfter)}
	case messages.VersionDetail:
		return versionDetails(d)
	}
	return nil
}

func attempts(list []som.Attempt) []attempt {
	out := make([]attempt, len(list))
	for i, a := range list {
		out[i] = attempt(a)
	}
	return out
}

func candidates(list []som.Candidate) []candidate {
	out := make([]candidate, len(list))
	for i, c := range list {
		out[i] = candidate{ElementID: c.ElementID, Role: c.Role, Text: c.Text, Nearby: c.Nearby}
	}
	return out
}

func encodeActionDetail(d messages.ActionDetail) actionDetails {
	out := actionDetails{Reason: d.Reason}
	for _, o := range d.Options {
		out.Options = append(out.Options, choice(o))
	}
	for _, i := range d.Invalid {
		out.Invalid = append(out.Invalid, invalidField(i))
	}
	return out
}

// memberNames lists an object's member names in the order they stand.
func memberNames(raw json.RawMessage) []string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var names []string
	seen := make(map[string]bool)
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			break
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			break
		}
	}
	return names
}
