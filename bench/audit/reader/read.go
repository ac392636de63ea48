package reader

import (
	"context"
	_ "embed" // read.js
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed read.js
var readJS string

// Page is one document as the browser is to get it.
type Page struct {
	URL         string // http or https; need not exist
	ContentType string // the Content-Type header
	Body        []byte
}

// Seen is what a person sees and can use of a document.
type Seen struct {
	URL       string    `json:"url"`
	Base      string    `json:"base"`
	Title     string    `json:"title"`
	Lang      string    `json:"lang"`
	Charset   string    `json:"charset"`
	BodyShown bool      `json:"bodyShown"` // false: the document hides its whole body
	Text      string    `json:"text"`      // visible text (innerText, shadow trees too)
	Quiet     string    `json:"quiet"`     // the part of Text inside aria-hidden elements
	Details   string    `json:"details"`   // text of closed details elements
	Hidden    string    `json:"hidden"`    // text nodes that are not shown
	Allowed   string    `json:"allowed"`   // names, values and alternatives, which are no text nodes
	Links     []Link    `json:"links"`
	Headings  []Heading `json:"headings"`
	Fields    []Field   `json:"fields"`
	Spoken    string    `json:"spoken"` // text of the accessibility tree; closed shadow trees too
	Tree      []Node    `json:"tree"`   // the accessibility tree, ignored nodes and text left out
}

// Link is a shown a[href] or area[href].
type Link struct {
	URL   string `json:"url"`  // absolute
	Href  string `json:"href"` // as written
	Text  string `json:"text,omitempty"`
	Kind  string `json:"kind"`            // text, image, box, area, details (closed) or empty (nothing to see)
	Quiet bool   `json:"quiet,omitempty"` // aria-hidden or inert
}

// Heading is a shown heading with text.
type Heading struct {
	Level int    `json:"level"`
	Text  string `json:"text"`
	Quiet bool   `json:"quiet,omitempty"`
}

// Field is a shown control.
type Field struct {
	Tag      string   `json:"tag"`
	Type     string   `json:"type"`
	Name     string   `json:"name,omitempty"` // the name attribute
	Value    string   `json:"value,omitempty"`
	Label    string   `json:"label,omitempty"` // accessible name
	Role     string   `json:"role,omitempty"`
	Required bool     `json:"required,omitempty"`
	Disabled bool     `json:"disabled,omitempty"`
	Multiple bool     `json:"multiple,omitempty"`
	Details  bool     `json:"details,omitempty"`
	Quiet    bool     `json:"quiet,omitempty"`
	Options  []string `json:"options,omitempty"`
}

// Node is one node of the accessibility tree.
type Node struct {
	Role string `json:"r"`
	Name string `json:"n,omitempty"`
}

// Read loads one document in a tab of its own and reports what is seen of it.
func (b *Browser) Read(ctx context.Context, p Page) (*Seen, error) {
	t, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := t.load(ctx, p); err != nil {
		return nil, err
	}
	var ev struct {
		Result    struct{ Value string }
		Exception *struct {
			Text      string
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	if err := t.call(ctx, "Runtime.evaluate", map[string]any{"expression": readJS, "returnByValue": true}, &ev); err != nil {
		return nil, err
	}
	if ev.Exception != nil {
		return nil, fmt.Errorf("read %s: %s", p.URL, ev.Exception.Exception.Description)
	}
	s := new(Seen)
	if err := json.Unmarshal([]byte(ev.Result.Value), s); err != nil {
		return nil, fmt.Errorf("decode what is seen of %s: %w", p.URL, err)
	}
	if err := t.nameFields(ctx, s); err != nil {
		return nil, err
	}
	return s, t.tree(ctx, s)
}

// tab is one page of the browser.
type tab struct {
	b       *Browser
	target  string
	session string
	loaded  chan struct{}
	failed  chan error
}

// open makes a tab with scripts off whose requests are all held.
func (b *Browser) open(ctx context.Context) (*tab, error) {
	t := &tab{b: b, loaded: make(chan struct{}, 8), failed: make(chan error, 1)}
	var target struct{ TargetID string }
	if err := b.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	t.target = target.TargetID
	var session struct{ SessionID string }
	if err := b.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": t.target, "flatten": true}, &session); err != nil {
		return nil, err
	}
	t.session = session.SessionID
	for _, c := range []struct {
		method string
		params any
	}{
		{"Page.enable", struct{}{}},
		{"Emulation.setScriptExecutionDisabled", map[string]any{"value": true}},
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false}},
		{"Fetch.enable", map[string]any{"patterns": []map[string]string{{"urlPattern": "*"}}}},
	} {
		if err := t.call(ctx, c.method, c.params, nil); err != nil {
			t.close()
			return nil, err
		}
	}
	return t, nil
}

func (t *tab) call(ctx context.Context, method string, params, result any) error {
	return t.b.call(ctx, t.session, method, params, result)
}

func (t *tab) close() {
	t.b.mu.Lock()
	delete(t.b.sessions, t.session)
	t.b.mu.Unlock()
	_, _ = t.b.send("", "Target.closeTarget", map[string]any{"targetId": t.target})
}

// load navigates to p. The document's own request gets p's body; every other
// one is aborted, which also leaves the document alone if it refreshes itself.
func (t *tab) load(ctx context.Context, p Page) error {
	served := false
	t.b.mu.Lock()
	t.b.sessions[t.session] = func(m message) {
		switch m.Method {
		case "Page.loadEventFired":
			t.loaded <- struct{}{}
		case "Fetch.requestPaused":
			var r struct{ RequestID, ResourceType string }
			if json.Unmarshal(m.Params, &r) != nil {
				return
			}
			if !served && r.ResourceType == "Document" {
				served = true
				_, _ = t.b.send(t.session, "Fetch.fulfillRequest", map[string]any{
					"requestId": r.RequestID, "responseCode": 200,
					"responseHeaders": []map[string]string{{"name": "Content-Type", "value": p.ContentType}},
					"body":            base64.StdEncoding.EncodeToString(p.Body),
				})
				return
			}
			_, _ = t.b.send(t.session, "Fetch.failRequest", map[string]any{"requestId": r.RequestID, "errorReason": "Aborted"})
		}
	}
	t.b.mu.Unlock()
	var nav struct{ ErrorText string }
	if err := t.call(ctx, "Page.navigate", map[string]any{"url": p.URL}, &nav); err != nil {
		return err
	}
	if nav.ErrorText != "" {
		return fmt.Errorf("load %s: %s", p.URL, nav.ErrorText)
	}
	select {
	case <-t.loaded:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("load %s: %w", p.URL, ctx.Err())
	}
}

// axNode is a node as the Accessibility domain gives it.
type axNode struct {
	Ignored bool
	Role    struct{ Value string }
	Name    struct{ Value string }
}

// nameFields asks the accessibility tree for the name and role of each field.
func (t *tab) nameFields(ctx context.Context, s *Seen) error {
	if len(s.Fields) == 0 {
		return nil
	}
	var ev struct{ Result struct{ ObjectID string } }
	if err := t.call(ctx, "Runtime.evaluate", map[string]any{"expression": "__fields"}, &ev); err != nil {
		return err
	}
	var props struct {
		Result []struct {
			Name  string
			Value struct{ ObjectID string }
		}
	}
	if err := t.call(ctx, "Runtime.getProperties", map[string]any{"objectId": ev.Result.ObjectID, "ownProperties": true}, &props); err != nil {
		return err
	}
	for _, pr := range props.Result {
		i, err := strconv.Atoi(pr.Name)
		if err != nil || i < 0 || i >= len(s.Fields) {
			continue
		}
		var ax struct{ Nodes []axNode }
		err = t.call(ctx, "Accessibility.getPartialAXTree", map[string]any{"objectId": pr.Value.ObjectID, "fetchRelatives": false}, &ax)
		if err != nil {
			return err
		}
		if len(ax.Nodes) > 0 {
			s.Fields[i].Label = strings.Join(strings.Fields(ax.Nodes[0].Name.Value), " ")
			s.Fields[i].Role = ax.Nodes[0].Role.Value
		}
	}
	return nil
}

// tree reads the whole accessibility tree, text leaves left out.
func (t *tab) tree(ctx context.Context, s *Seen) error {
	var ax struct{ Nodes []axNode }
	if err := t.call(ctx, "Accessibility.getFullAXTree", struct{}{}, &ax); err != nil {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrClosed) {
			return err
		}
		return nil
	}
	var spoken []string
	defer func() { s.Spoken = strings.Join(spoken, "\n") }()
	for _, n := range ax.Nodes {
		if n.Role.Value == "StaticText" {
			spoken = append(spoken, n.Name.Value)
		}
		switch n.Role.Value {
		case "none", "generic", "InlineTextBox", "StaticText", "RootWebArea", "":
			continue
		}
		if !n.Ignored {
			s.Tree = append(s.Tree, Node{n.Role.Value, strings.Join(strings.Fields(n.Name.Value), " ")})
		}
	}
	return nil
}
