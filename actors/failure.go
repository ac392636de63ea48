package actors

import (
	"context"
	"errors"
	"fmt"

	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/som"
)

// The causes for which a request's context ends.
var (
	errDeadline      = errors.New("deadline passed")
	errAskerGone     = errors.New("the asker has gone")
	errSessionClosed = errors.New("the session was closed")
	errPageClosed    = errors.New("the page was closed")
	errSuperseded    = errors.New("a newer navigation took its place")
)

var errNoPage = messages.Errorf(messages.NotFound, "no page is loaded in this session; navigate first")

// failure gives the error of a request as the one Error that goes up.
func failure(ctx context.Context, message any, err error) *messages.Error {
	var e *messages.Error
	switch {
	case errors.As(err, &e):
		return e
	case ctx.Err() != nil:
		e := interruption(message, context.Cause(ctx))
		return withHop(e, err)
	}
	var (
		fe *fetch.Error
		ae *engine.NotActionable
		re *som.ResolveError
		qe *som.QueryError
	)
	switch {
	case errors.As(err, &fe):
		return fetchFailure(fe)
	case errors.As(err, &ae):
		return refusal(ae)
	case errors.As(err, &re):
		return resolveFailure(re)
	case errors.As(err, &qe):
		return &messages.Error{Code: messages.Invalid, Msg: qe.Msg, Detail: messages.ParamDetail{Param: qe.Param, Expected: qe.Msg}}
	}
	return messages.AsError(err)
}

// interruption is the answer to a request whose context ended for a cause.
func interruption(message any, cause error) *messages.Error {
	m, navigation := message.(messages.Navigate)
	detail := messages.NavigationDetail{URL: m.URL}
	code, msg := messages.Canceled, cause.Error()
	switch {
	case cause == errDeadline:
		code, detail.Reason, msg = messages.Timeout, "timeout", "timed out; give it more time with timeout_ms"
	case (cause == errSessionClosed || cause == errPageClosed) && navigation:
		code, detail.Reason = messages.NavigationFailed, "session_closed"
	case cause == errSuperseded:
		code, detail.Reason = messages.NavigationFailed, "superseded"
	case cause == errSessionClosed || cause == errPageClosed:
		code = messages.NotFound
	}
	e := &messages.Error{Code: code, Msg: msg, Err: cause}
	if navigation {
		e.Msg = fmt.Sprintf("load %s: %s", m.URL, msg)
		e.Detail = detail
	} else if code == messages.Timeout {
		e.Detail = detail
	}
	return e
}

// withHop adds to an interrupted navigation where it was when it ended.
func withHop(e *messages.Error, err error) *messages.Error {
	var fe *fetch.Error
	if d, ok := e.Detail.(messages.NavigationDetail); ok && errors.As(err, &fe) {
		d.URL, d.Phase = fe.URL, fe.Phase
		e.Detail = d
	}
	return e
}

func fetchFailure(fe *fetch.Error) *messages.Error {
	code := messages.NavigationFailed
	switch fe.Reason {
	case fetch.Timeout:
		code = messages.Timeout
	case fetch.BlockedAddress, fetch.UnsupportedScheme:
		code = messages.Blocked
	}
	detail := messages.NavigationDetail{
		URL: fe.URL, Reason: string(fe.Reason), Status: fe.Status, Phase: fe.Phase, Cause: fe.Detail,
		ContentType: fe.ContentType, Size: fe.Size, MaybeProcessed: fe.MaybeProcessed,
	}
	var d *engine.Download
	if errors.As(fe.Err, &d) {
		detail.Download = &messages.Download{Name: d.Name, ContentType: d.ContentType, Size: d.Size, SavedAs: d.SavedAs}
	}
	return &messages.Error{Code: code, Msg: fe.Msg, Err: fe, Detail: detail}
}

func resolveFailure(re *som.ResolveError) *messages.Error {
	code := messages.ElementNotFound
	switch re.Kind {
	case som.Ambiguous:
		code = messages.Ambiguous
	case som.BadTarget:
		return &messages.Error{Code: messages.Invalid, Msg: re.Msg, Detail: messages.ParamDetail{Param: "intent.target", Expected: re.Msg}}
	}
	return &messages.Error{Code: code, Msg: re.Msg, Detail: messages.TargetDetail{
		Attempted: re.Attempted, Suggestions: re.Suggestions, Candidates: re.Candidates,
	}}
}

func refusal(ae *engine.NotActionable) *messages.Error {
	d := messages.ActionDetail{Reason: ae.Reason}
	for _, o := range ae.Options {
		d.Options = append(d.Options, messages.Choice{Value: o.Value, Text: o.Text})
	}
	for _, i := range ae.Invalid {
		d.Invalid = append(d.Invalid, messages.InvalidField{Label: i.Label, Reason: i.Reason})
	}
	return &messages.Error{Code: messages.NotActionable, Msg: ae.Msg, Detail: d}
}

// explain names the invalid fields of a refused submission by their element ids.
func (t *tab) explain(doc *som.Page, err error) error {
	var ae *engine.NotActionable
	if !errors.As(err, &ae) || len(ae.Invalid) == 0 {
		return err
	}
	e := refusal(ae)
	d, _ := e.Detail.(messages.ActionDetail)
	for i, field := range ae.Invalid {
		if el := doc.ElementFor(field.Node); el != nil {
			d.Invalid[i].ElementID = el.ID
		}
	}
	e.Detail = d
	return e
}
