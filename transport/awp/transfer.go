package awp

import (
	"bytes"
	"encoding/json"
	"time"

	"plasmate/messages"
)

// The name and version of the document that session.export gives.
const (
	stateFormat  = "plasmate.session"
	stateVersion = 1
)

// wireState is a session as one JSON document. It holds secrets.
type wireState struct {
	Format    string            `json:"format"`
	Version   int               `json:"version"`
	UserAgent string            `json:"user_agent"`
	Locale    string            `json:"locale"`
	TimeoutMS int64             `json:"timeout_ms"`
	Headers   map[string]string `json:"headers,omitempty"`
	Offline   bool              `json:"offline,omitempty"`
	Proxy     string            `json:"proxy,omitempty"`
	NoProxy   []string          `json:"proxy_bypass,omitempty"`
	Blocked   []string          `json:"blocked_urls,omitempty"`
	Cookies   []createdCookie   `json:"cookies"`
	Pages     []wirePage        `json:"pages"`
}

type createdCookie struct {
	wireCookie
	Created time.Time `json:"created"`
}

type wirePage struct {
	PageID string          `json:"page_id"`
	Engine string          `json:"engine"`
	State  json.RawMessage `json:"state"` // null: no document yet
}

func decodeExport(p *params) (messages.SessionID, messages.ExportSession) {
	return p.session(), messages.ExportSession{}
}

type exportResult struct {
	State wireState `json:"state"`
}

func encodeExported(a messages.SessionExported) exportResult {
	n := a.State.Network
	w := wireState{
		Format: stateFormat, Version: stateVersion, UserAgent: n.UserAgent, Locale: n.Locale, TimeoutMS: millis(a.State.Timeout),
		Offline: n.Offline, Proxy: n.Proxy, NoProxy: n.NoProxy, Blocked: n.Blocked,
		Cookies: []createdCookie{}, Pages: []wirePage{},
	}
	for _, h := range n.Headers {
		if w.Headers == nil {
			w.Headers = make(map[string]string)
		}
		w.Headers[h.Name] = h.Value
	}
	for i, c := range encodeCookiesGot(messages.CookiesGot{Cookies: a.State.Cookies}).Cookies {
		w.Cookies = append(w.Cookies, createdCookie{c, a.State.Cookies[i].Created})
	}
	for _, p := range a.State.Pages {
		w.Pages = append(w.Pages, wirePage{PageID: string(p.ID), Engine: p.Engine, State: p.State})
	}
	return exportResult{w}
}

// decodeImport reads what session.export gave.
func decodeImport(p *params) (messages.SessionID, messages.ImportSession) {
	session := p.session()
	state := p.object("state")
	m := messages.ImportSession{State: decodeState(state)}
	if p.err == nil {
		p.err = state.err
	}
	return session, m
}

func decodeState(p *params) messages.SessionState {
	if p.err == nil && (p.string("format") != stateFormat || p.optionalInt("version", 1, 1<<30) != stateVersion) {
		p.fault("version", "a document of format plasmate.session, version 1")
	}
	state := messages.SessionState{
		Network: messages.Network{
			UserAgent: p.string("user_agent"), Locale: p.string("locale"), Offline: p.optionalBool("offline"),
			Proxy: p.optionalString("proxy"), NoProxy: p.optionalStrings("proxy_bypass"), Blocked: p.optionalStrings("blocked_urls"),
		},
		Timeout: p.optionalMillis("timeout_ms"),
	}
	if p.has("headers") {
		state.Network.Headers = decodeHeaders(p, "headers")
	}
	for _, c := range p.objects("cookies") {
		cookie := decodeCookie(c)
		if c.has("created") && json.Unmarshal(c.fields["created"], &cookie.Created) != nil {
			c.fault("created", "time (RFC 3339)")
		}
		state.Cookies = append(state.Cookies, cookie)
		p.adopt(c)
	}
	for _, c := range p.objects("pages") {
		page := messages.PageState{ID: messages.PageID(c.string("page_id")), Engine: c.optionalString("engine")}
		if c.has("state") {
			page.State = bytes.Clone(c.fields["state"])
		}
		state.Pages = append(state.Pages, page)
		p.adopt(c)
	}
	return state
}

type importResult struct {
	Pages []importedPage `json:"pages"`
}

type importedPage struct {
	PageID string `json:"page_id"`
	URL    string `json:"url,omitempty"`
	Title  string `json:"title,omitempty"`
}

func encodeImported(a messages.SessionImported) importResult {
	r := importResult{Pages: []importedPage{}}
	for _, p := range a.Pages {
		r.Pages = append(r.Pages, importedPage{PageID: string(p.ID), URL: p.URL, Title: p.Title})
	}
	return r
}
