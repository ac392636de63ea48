package awp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"plasmate/actors"
	client "plasmate/clients/awp"
	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/transport/awp"
	"plasmate/transport/wire"
)

// agent is a client with a session on a server.
type agent struct {
	t       testing.TB
	conn    *client.Client
	session string
}

// newAgent starts a server whose *.test is the site, and opens a session.
func newAgent(t testing.TB, site *caseSite, args ...string) *agent {
	t.Helper()
	return connect(t, startServer(t, append(args, "--resolve", "*.test="+site.addr)...))
}

func connect(t testing.TB, url string) *agent {
	t.Helper()
	c, err := client.Dial(t.Context(), url, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	session, err := hello(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return &agent{t: t, conn: c, session: session}
}

// call asks for method with the session's id among params.
func (a *agent) call(method string, params map[string]any, result any) *client.Error {
	a.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	if _, ok := params["session_id"]; !ok {
		params["session_id"] = a.session
	}
	err := a.conn.Call(a.t.Context(), method, params, result)
	var failed *client.Error
	if err != nil && !errors.As(err, &failed) {
		a.t.Fatalf("%s: %v", method, err)
	}
	return failed
}

// must is call where no error is expected.
func (a *agent) must(method string, params map[string]any, result any) {
	a.t.Helper()
	if err := a.call(method, params, result); err != nil {
		a.t.Fatalf("%s %v: %v %s", method, params, err, err.Details)
	}
}

// loadedPage is the answer to page.navigate.
type loadedPage struct {
	URL         string
	Status      int
	Title       string
	ContentType string `json:"content_type"`
	Encoding    string
	Incomplete  bool
}

func (a *agent) load(url string) (loadedPage, *client.Error) {
	a.t.Helper()
	var p loadedPage
	err := a.call("page.navigate", map[string]any{"url": url}, &p)
	return p, err
}

func (a *agent) mustLoad(url string) loadedPage {
	a.t.Helper()
	p, err := a.load(url)
	if err != nil {
		a.t.Fatalf("load %s: %v %s", url, err, err.Details)
	}
	return p
}

// actedOn is the answer to page.act.
type actedOn struct {
	Resolved struct {
		ElementID string `json:"element_id"`
		Role      string
		Text      string
		Ambiguous int
	}
	Effects struct {
		Navigated  bool
		SOMChanged bool `json:"som_changed"`
		URL        string
		Note       string
	}
	Value *string
}

func (a *agent) act(intent map[string]any) (actedOn, *client.Error) {
	a.t.Helper()
	var r actedOn
	err := a.call("page.act", map[string]any{"intent": intent}, &r)
	return r, err
}

// somPage is a SOM as a client reads it.
type somPage struct {
	URL, Title, Lang string
	Regions          []struct {
		ID, Role, Label string
		Elements        []*somElement
	}
}

type somElement struct {
	ID       string
	HTMLID   string `json:"html_id"`
	Role     string
	Text     string
	Label    string
	Actions  []string
	Attrs    map[string]any
	Children []*somElement
}

func (e *somElement) name() string {
	if e.Label != "" {
		return e.Label
	}
	return e.Text
}

func (e *somElement) attr(name string) string {
	s, _ := e.Attrs[name].(string)
	return s
}

// link is where a link leads.
func (e *somElement) link() string {
	if url := e.attr("url"); url != "" {
		return url
	}
	return e.attr("href")
}

func (a *agent) observe() somPage {
	a.t.Helper()
	var o struct{ SOM somPage }
	a.must("page.observe", nil, &o)
	return o.SOM
}

func (a *agent) rawSOM() json.RawMessage {
	a.t.Helper()
	var o struct{ SOM json.RawMessage }
	a.must("page.observe", nil, &o)
	return o.SOM
}

func (a *agent) text(format string) string {
	a.t.Helper()
	var o struct{ Text, Markdown string }
	a.must("page.observe", map[string]any{"format": format}, &o)
	return o.Text + o.Markdown
}

// elements are all elements of a role in document order; "" is any.
func (p somPage) elements(role string) []*somElement {
	var out []*somElement
	var walk func([]*somElement)
	walk = func(es []*somElement) {
		for _, e := range es {
			if role == "" || e.Role == role {
				out = append(out, e)
			}
			walk(e.Children)
		}
	}
	for _, r := range p.Regions {
		walk(r.Elements)
	}
	return out
}

func (p somPage) links() []string {
	out := []string{}
	for _, e := range p.elements("link") {
		out = append(out, e.link())
	}
	return out
}

func (p somPage) byHTMLID(id string) *somElement {
	all := p.elements("")
	if i := slices.IndexFunc(all, func(e *somElement) bool { return e.HTMLID == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// errorShape is what an error of a class looks like in AWP.
type errorShape struct{ code, reason, phase string }

// errorClasses maps the meanings that cases name to our errors; "" is any.
var errorClasses = map[string]errorShape{
	"connection_reset":  {code: "NAVIGATION_FAILED", reason: "reset"},
	"connection_closed": {code: "NAVIGATION_FAILED", reason: "reset"},
	"content_decoding":  {code: "NAVIGATION_FAILED", phase: "content_decoding"},
	"blocked_address":   {code: "NAVIGATION_FAILED", reason: "blocked_address"},
	"blocked_scheme":    {code: "NAVIGATION_FAILED", reason: "unsupported_scheme"},

	"stale_ref": {code: "NOT_FOUND", reason: "stale_ref"},
	"not_found": {code: "NOT_FOUND"},

	"readonly":                            {code: "INVALID_REQUEST", reason: "readonly"},
	"disabled":                            {code: "INVALID_REQUEST", reason: "disabled"},
	"not editable":                        {code: "INVALID_REQUEST", reason: "not_editable"},
	"not checkable":                       {code: "INVALID_REQUEST", reason: "not_checkable"},
	"a checked radio cannot be unchecked": {code: "INVALID_REQUEST", reason: "radio"},
}

// errorFacts are the members of details that tell errors apart.
type errorFacts struct {
	URL     string
	Reason  string
	Phase   string
	Cause   string
	Message string
	Size    int64

	ContentType    string `json:"content_type"`
	MaybeProcessed bool   `json:"may_have_been_processed"`
	Suggestions    []struct {
		Role, Text string
	}
	Download *struct {
		Name, Type string
		Size       int64
		SavedAs    string `json:"saved_as"`
	}
}

func factsOf(t testing.TB, err *client.Error) errorFacts {
	t.Helper()
	var f errorFacts
	if err.Details != nil {
		if e := json.Unmarshal(err.Details, &f); e != nil {
			t.Fatalf("details %s: %v", err.Details, e)
		}
	}
	return f
}

// wantClass checks that err is of one of the classes.
func wantClass(t testing.TB, what string, err *client.Error, classes ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one of class %q", what, classes)
		return
	}
	f := factsOf(t, err)
	for _, class := range classes {
		shape, ok := errorClasses[class]
		if !ok {
			t.Fatalf("class %q is not in errorClasses", class)
		}
		if err.Code == shape.code && (shape.reason == "" || shape.reason == f.Reason) && (shape.phase == "" || shape.phase == f.Phase) {
			return
		}
	}
	t.Errorf("%s: %v %s, want class %q", what, err, err.Details, classes)
}

// startGuarded is a server in this process whose dialler opens nothing but the
// site; dials are the other addresses that it was asked for, names too.
func startGuarded(t *testing.T, site *caseSite) (url string, dials func() []string) {
	t.Helper()
	rule, err := fetch.ParseHostRule("*.test=" + site.addr)
	if err != nil {
		t.Fatal(err)
	}
	guard := &stubDialler{allowed: site.addr}
	c, err := fetch.New(fetch.Config{Resolve: []fetch.HostRule{rule}, Resolver: guard, Dial: guard.dial})
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := actors.New(actors.Config{Client: c, NewEngine: func(x fetch.Exchanger) engine.Engine {
		return static.New(static.Config{Exchanger: x})
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := wire.NewServer(wire.Config{Runtime: runtime, Protocols: []wire.Protocol{{
		Path: "/awp", Speaks: awp.Speaks, New: func() messages.Codec { return awp.NewConn(awp.Config{}) },
	}}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
		defer stop()
		if err := errors.Join(runtime.Shutdown(ctx), s.Shutdown(ctx)); err != nil {
			t.Errorf("shut down: %v", err)
		}
		c.Close()
	})
	return "ws://" + l.Addr().String() + "/", guard.asked
}

// stubDialler opens connections to one address and knows no names.
type stubDialler struct {
	allowed string
	mu      sync.Mutex
	others  []string
}

func (d *stubDialler) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if addr == d.allowed {
		var plain net.Dialer
		return plain.DialContext(ctx, network, addr)
	}
	d.note(addr)
	return nil, errors.New("the stub dials nothing")
}

// LookupNetIP implements fetch.Resolver.
func (d *stubDialler) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	d.note("name " + host)
	return nil, errors.New("the stub knows no names")
}

func (d *stubDialler) note(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.others = append(d.others, what)
}

func (d *stubDialler) asked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.others)
}
