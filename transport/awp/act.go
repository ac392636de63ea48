package awp

import (
	"bytes"
	"encoding/json"

	"plasmate/messages"
	"plasmate/som"
)

// maxFallback is how deep a target's fallbacks may go (AWP §3).
const maxFallback = 8

// decodeAnyAct tells the moves in history from the actions on elements.
func decodeAnyAct(p *params) (request, *messages.Error) {
	if action, ok := text(p.object("intent").fields["action"]); ok {
		if delta, ok := traversals[action]; ok {
			return row(func(p *params) (messages.SessionID, messages.Traverse) {
				return p.session(), messages.Traverse{Page: p.page(), Delta: delta, Timeout: p.optionalMillis("timeout_ms")}
			}, encodeTraversed).decode(p)
		}
	}
	return row(decodeAct, encodeActed).decode(p)
}

// traversals are the actions that move in history.
var traversals = map[string]int{"back": -1, "forward": 1, "reload": 0}

func decodeAct(p *params) (messages.SessionID, messages.Act) {
	session := p.session()
	intent := p.object("intent")
	m := messages.Act{
		Page:    p.page(),
		Action:  intent.string("action"),
		Append:  intent.optionalBool("append"),
		Submit:  intent.optionalBool("submit"),
		Timeout: p.optionalMillis("timeout_ms"),
	}
	if intent.has("target") {
		m.Target = decodeTarget(intent.object("target"), intent, 0)
	}
	switch m.Action {
	case "type", "press":
		m.Value = intent.string("value")
	case "upload":
		decodeChoice(intent, &m)
	case "select":
		decodeChoice(intent, &m)
	case "scroll":
		decodeScroll(intent, &m)
	case "click", "clear", "toggle", "check", "uncheck", "": // the empty one is a fault already
	default:
		intent.fault("action", "click, type, select, scroll, clear, toggle, check, uncheck, press, upload, back, forward or reload")
	}
	if m.Target == nil && m.Action != "scroll" {
		intent.fault("target", "object")
	}
	if p.err == nil {
		p.err = intent.err
	}
	return session, m
}

// decodeTarget reads a target; its faults go to the intent.
func decodeTarget(t, intent *params, depth int) *som.Target {
	target := &som.Target{
		Ref: t.optionalString("ref"), Text: t.optionalString("text"), Role: t.optionalString("role"),
		CSS: t.optionalString("css"), Strict: t.optionalBool("strict"),
	}
	if t.has("fallback") {
		if depth >= maxFallback {
			t.fault("fallback", "at most 8 fallbacks")
		} else {
			target.Fallback = decodeTarget(t.object("fallback"), t, depth+1)
		}
	}
	if target.Ref == "" && target.Text == "" && target.Role == "" && target.CSS == "" && target.Fallback == nil && t.err == nil {
		t.err = badParam(t.path, "ref, text, role, css or fallback")
	}
	if intent.err == nil {
		intent.err = t.err
	}
	return target
}

// decodeChoice reads one value, or an array of them for select multiple.
func decodeChoice(intent *params, m *messages.Act) {
	raw := bytes.TrimSpace(intent.fields["value"])
	if len(raw) > 0 && raw[0] == '[' {
		if json.Unmarshal(raw, &m.Values) != nil {
			intent.fault("value", "string or array of strings")
		}
		if m.Values == nil {
			m.Values = []string{}
		}
		return
	}
	m.Value = intent.string("value")
	m.Values = []string{m.Value}
}

// decodeScroll accepts the direction in value too, as existing clients send it.
func decodeScroll(intent *params, m *messages.Act) {
	m.Direction = intent.optionalString("direction")
	if m.Direction == "" {
		m.Direction = intent.optionalString("value")
	}
	switch m.Direction {
	case "":
		m.Direction = "down"
	case "up", "down":
	default:
		intent.fault("direction", `"down" or "up"`)
	}
	m.Amount = intent.optionalNumber("amount")
	if m.Amount == 0 {
		m.Amount = 1
	}
}

type actResult struct {
	Status   string          `json:"status"`
	Resolved *resolvedResult `json:"resolved"`
	Effects  effectsResult   `json:"effects"`
	Value    *string         `json:"value,omitempty"`
}

type resolvedResult struct {
	ElementID string `json:"element_id"`
	Role      string `json:"role"`
	Text      string `json:"text"`
	Ambiguous int    `json:"ambiguous,omitempty"`
}

type effectsResult struct {
	Navigated  bool   `json:"navigated"`
	SOMChanged bool   `json:"som_changed"`
	URL        string `json:"url,omitempty"` // where a navigation led
	Note       string `json:"note,omitempty"`
}

func encodeTraversed(a messages.Navigated) actResult {
	return actResult{Status: "ok", Effects: effectsResult{Navigated: true, SOMChanged: true, URL: a.URL}}
}

func encodeActed(a messages.Acted) actResult {
	r := actResult{
		Status:  "ok",
		Effects: effectsResult{Navigated: a.Navigated, SOMChanged: a.SOMChanged, Note: a.Note},
		Value:   a.Value,
	}
	if a.Navigated {
		r.Effects.URL = a.URL
	}
	if a.Resolved != nil {
		r.Resolved = &resolvedResult{
			ElementID: a.Resolved.ElementID, Role: a.Resolved.Role, Text: a.Resolved.Text, Ambiguous: a.Ambiguous,
		}
	}
	return r
}
