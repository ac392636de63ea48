package awp

import "plasmate/messages"

// eventFrame is an event (AWP §2): it has no id.
type eventFrame struct {
	Type   string `json:"type"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

type loadCompleteParams struct {
	SessionID string `json:"session_id"`
	PageID    string `json:"page_id"`
	navigateResult
}

type changedParams struct {
	SessionID string `json:"session_id"`
	PageID    string `json:"page_id"`
	URL       string `json:"url"`
	SOMBytes  int    `json:"som_bytes"`
}

// Event implements messages.Codec. Only clients that asked for the feature
// "events" in awp.hello get any.
func (c *Conn) Event(from messages.SessionID, e messages.Event) messages.Step {
	if !c.events {
		return messages.Step{}
	}
	frame := eventFrame{Type: "event"}
	switch e := e.(type) {
	case messages.PageLoaded:
		frame.Method = "page.load_complete"
		frame.Params = loadCompleteParams{string(from), string(e.Page), encodeNavigated(e.Navigated)}
	case messages.PageChanged:
		frame.Method = "page.changed"
		frame.Params = changedParams{string(from), string(e.Page), e.URL, e.SOMBytes}
	default:
		return messages.Step{}
	}
	return messages.Step{Frames: [][]byte{appendJSON(nil, frame)}}
}
