package awp

import (
	"plasmate/messages"
	"plasmate/policy"
)

func decodeCreate(p *params) (messages.SessionID, messages.OpenSession) {
	m := messages.OpenSession{
		UserAgent: p.optionalString("user_agent"),
		Locale:    p.optionalString("locale"),
		Timeout:   p.optionalMillis("timeout_ms"),
	}
	if !policy.ValidHeaderValue(m.UserAgent) {
		p.fault("user_agent", "string without control characters")
	}
	if m.Locale != "" && !policy.ValidLocale(m.Locale) {
		p.fault("locale", "language tag such as en-US")
	}
	return "", m
}

type createResult struct {
	SessionID string `json:"session_id"`
}

func encodeCreated(a messages.SessionOpened) createResult {
	return createResult{SessionID: string(a.ID)}
}

func decodeClose(p *params) (messages.SessionID, messages.CloseSession) {
	return "", messages.CloseSession{ID: p.session()}
}

type closeResult struct {
	Closed bool `json:"closed"`
}

func encodeClosed(messages.SessionClosed) closeResult { return closeResult{Closed: true} }
