package actors

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"plasmate/cache"
	"plasmate/engine"
	"plasmate/messages"
	"plasmate/som"
	"plasmate/som/compact"
	"plasmate/som/mutation"
	"plasmate/som/textview"
	"plasmate/som/weburl"
)

// tab is what the worker of a page actor works on: the engine's page and its
// analysis. It belongs to the worker while that runs, else to the actor.
type tab struct {
	engine  engine.Page
	profile *engine.Profile // that the engine's page has
	pages   *cache.Pages

	loaded engine.Loaded
	doc    *som.Page // nil: no page yet, or forgotten
	som    []byte    // nil: no page yet

	past    pastRefs // ids of earlier documents that the asker was told
	told    bool     // the asker has seen ids of the current document
	strayed bool     // an action led here from another path

	loads        int                 // documents loaded so far
	sent         *textview.View      // what a model was last sent of this page
	typedSecrets map[som.NodeID]bool // fields of the document that received a secret

	// Of the request under way:
	base    []byte              // the SOM that changes are asked from
	arrival *messages.Navigated // the document it loaded; nil: none
}

func newTab(p engine.Page, profile *engine.Profile, pages *cache.Pages) *tab {
	return &tab{engine: p, profile: profile, pages: pages}
}

func (t *tab) analysed() bool  { return t.doc != nil }
func (t *tab) forgetAnalysis() { t.doc = nil }
func (t *tab) close()          { _ = t.engine.Close() } // nobody is left to tell

// do carries out one request.
func (t *tab) do(ctx context.Context, w work) worked {
	before := t.som
	t.arrival, t.base = nil, w.base
	t.told = t.told || w.seen
	if a, ok := t.engine.(engine.Adaptable); ok && w.profile != t.profile {
		a.Use(*w.profile)
		t.profile = w.profile
	}
	report := worked{n: w.n}
	switch m := w.message.(type) {
	case messages.View, messages.Visit, messages.Find, messages.Pick, messages.Perform, messages.Await:
		report = t.read(ctx, w)
	case messages.Navigate:
		report.value, report.err = within(ctx, m.Timeout, w.timeout, m, t.navigate)
	case messages.Traverse:
		report.value, report.err = within(ctx, m.Timeout, w.timeout, m, t.traverse)
	case messages.Observe:
		report.value, report.err = within(ctx, 0, w.timeout, m, t.observe)
	case messages.Act:
		report.value, report.err = within(ctx, m.Timeout, w.timeout, m, t.act)
	case messages.Extract:
		report.value, report.err = within(ctx, 0, w.timeout, m, t.extract)
	case exportPage:
		report.value, report.err = within(ctx, 0, w.timeout, m, t.export)
	case importPage:
		report.value, report.err = within(ctx, 0, w.timeout, m, t.take)
	default:
		report.err = messages.Errorf(messages.Unsupported, "%T is not something a page can do", m)
	}
	if !sameBytes(before, t.som) {
		report.som = t.som
	}
	report.event = t.happened(before)
	if t.som != nil && t.doc != nil {
		report.place = t.place(w.reader)
	}
	return report
}

// happened is the event to tell after a request, before which the SOM was before.
func (t *tab) happened(before []byte) func(messages.PageID) messages.Event {
	if t.arrival != nil {
		loaded := *t.arrival
		return func(id messages.PageID) messages.Event { return messages.PageLoaded{Page: id, Navigated: loaded} }
	}
	if sameBytes(before, t.som) || bytes.Equal(before, t.som) {
		return nil
	}
	url, size := t.loaded.URL, len(t.som)
	return func(id messages.PageID) messages.Event {
		return messages.PageChanged{Page: id, URL: url, SOMBytes: size}
	}
}

// within runs a request under its deadline and gives its failure as an Error.
func within[M, R any](ctx context.Context, own, fallback time.Duration, m M, run func(context.Context, M) (R, error)) (any, *messages.Error) {
	limit := fallback
	if own > 0 {
		limit = own
	}
	ctx, stop := context.WithTimeoutCause(ctx, limit, errDeadline)
	defer stop()
	r, err := run(ctx, m)
	if err != nil {
		return nil, failure(ctx, m, err)
	}
	return r, nil
}

func (t *tab) navigate(ctx context.Context, m messages.Navigate) (messages.Navigated, error) {
	start := time.Now()
	if _, err := weburl.Parse(m.URL); err != nil {
		return messages.Navigated{}, &messages.Error{
			Code: messages.Invalid, Msg: fmt.Sprintf("%q is not an absolute URL", m.URL), Err: err,
			Detail: messages.ParamDetail{Param: "url", Expected: "absolute http or https URL"},
		}
	}
	loaded, err := t.engine.Load(ctx, engine.Request{URL: m.URL})
	if err != nil {
		return messages.Navigated{}, err
	}
	return t.arrived(ctx, start, loaded)
}

func (t *tab) traverse(ctx context.Context, m messages.Traverse) (messages.Navigated, error) {
	history, ok := t.engine.(engine.History)
	if !ok {
		return messages.Navigated{}, messages.Errorf(messages.Unsupported, "this engine keeps no history")
	}
	start := time.Now()
	step := history.Reload
	switch {
	case m.Delta < 0:
		step = history.Back
	case m.Delta > 0:
		step = history.Forward
	}
	loaded, err := step(ctx)
	if err != nil {
		return messages.Navigated{}, err
	}
	return t.arrived(ctx, start, loaded)
}

// arrived compiles a document that the engine has just loaded. The engine has
// moved on already, so this is not cut short: page and SOM must agree.
func (t *tab) arrived(ctx context.Context, start time.Time, loaded engine.Loaded) (messages.Navigated, error) {
	compileStart := time.Now()
	if !loaded.SameDocument {
		t.depart()
	}
	t.loaded = loaded
	hit, err := t.compile(context.WithoutCancel(ctx))
	if err != nil {
		return messages.Navigated{}, err
	}
	arrival := messages.Navigated{
		URL:         loaded.URL,
		Status:      loaded.Status,
		ContentType: loaded.ContentType,
		Encoding:    loaded.Encoding,
		HTMLBytes:   loaded.HTMLBytes,
		Title:       t.doc.Title,
		SOMBytes:    len(t.som),
		Incomplete:  loaded.Incomplete,
		FromCache:   hit,
		NeedsJS:     messages.NeedsJS(loaded.NeedsJS),
		Refresh:     (*messages.Refresh)(loaded.Refresh),
		Took:        messages.Timing{Fetch: loaded.Fetch, Compile: time.Since(compileStart), Total: time.Since(start)},
	}
	if !loaded.SameDocument {
		t.loads++
		t.typedSecrets = nil
		t.arrival = &arrival
	}
	return arrival, nil
}

// depart remembers the ids of the document that is left.
func (t *tab) depart() {
	if t.told {
		t.past.add(t.som)
	}
	t.told, t.strayed = false, false
}

// compile analyses the engine's current document.
func (t *tab) compile(ctx context.Context) (hit bool, err error) {
	in, err := t.engine.Snapshot(ctx)
	if err != nil {
		return false, err
	}
	var doc *som.Page
	if len(in.State) == 0 {
		key := cache.Key{URL: in.URL, Body: t.loaded.BodyHash, ContentType: in.ContentType}
		doc, hit, err = t.pages.Compiled(ctx, key, in)
	} else {
		doc, err = t.pages.Compile(ctx, in, som.Options{})
	}
	if err != nil {
		return false, err
	}
	if s, ok := t.engine.(engine.Sharing); ok && hit {
		s.ShareSource(doc.Source())
	}
	t.doc, t.som = doc, doc.JSON()
	return hit, nil
}

// analysis is the current page's, rebuilt if it was forgotten.
func (t *tab) analysis(ctx context.Context) (*som.Page, error) {
	if t.som == nil {
		return nil, errNoPage
	}
	if t.doc == nil {
		if _, err := t.compile(ctx); err != nil {
			return nil, err
		}
	}
	return t.doc, nil
}

func (t *tab) observe(ctx context.Context, m messages.Observe) (messages.Observed, error) {
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Observed{}, err
	}
	t.told = true
	if m.Ref != "" {
		part, ok := doc.Part(m.Ref)
		if !ok && t.past.has(m.Ref) {
			return messages.Observed{}, t.staleRef(m.Ref)
		}
		if !ok {
			return messages.Observed{}, messages.Errorf(messages.NotFound, "no element or region %q on this page; observe again for its current ids", m.Ref)
		}
		doc = part
	}
	switch m.Format {
	case messages.FormatSOM:
		if m.Changes && m.Ref == "" && t.base != nil {
			if patch, ok := mutation.Patch(t.base, t.som); ok {
				return messages.Observed{Patch: patch}, nil
			}
		}
		return messages.Observed{SOM: doc.JSON()}, nil
	case messages.FormatCompact:
		return messages.Observed{Format: m.Format, SOM: compact.Encode(doc, compact.Options{Budget: m.Budget})}, nil
	case messages.FormatText:
		return messages.Observed{Format: m.Format, Text: doc.Text()}, nil
	case messages.FormatMarkdown:
		return messages.Observed{Format: m.Format, Text: doc.Markdown()}, nil
	case messages.FormatLinks:
		return messages.Observed{Format: m.Format, Links: doc.Links()}, nil
	}
	return messages.Observed{}, &messages.Error{
		Code: messages.Invalid, Msg: "unknown format",
		Detail: messages.ParamDetail{Param: "format", Expected: "som, compact, text, markdown or links"},
	}
}

func (t *tab) act(ctx context.Context, m messages.Act) (messages.Acted, error) {
	start := time.Now()
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Acted{}, err
	}
	action := engine.Action{
		Kind: engine.ActionKind(m.Action), Node: som.NoNode,
		Value: m.Value, Values: m.Values, Append: m.Append, Submit: m.Submit,
	}
	var answer messages.Acted
	if m.Target != nil {
		match, err := t.resolve(doc, m.Target)
		if err != nil {
			return messages.Acted{}, err
		}
		action.Node = match.Node
		candidate := match.Candidate()
		answer.Resolved, answer.Ambiguous = &candidate, match.Ambiguous
	}
	acted, err := t.engine.Act(ctx, doc, action)
	if err != nil {
		return messages.Acted{}, t.explain(doc, err)
	}
	answer.Note, answer.Value = acted.Note, acted.Value
	before, left := t.som, t.loaded.URL
	switch {
	case acted.Loaded != nil:
		answer.Navigated = !acted.Loaded.SameDocument
		_, err = t.arrived(ctx, start, *acted.Loaded)
		t.strayed = !samePath(left, t.loaded.URL)
	case acted.Changed:
		_, err = t.compile(context.WithoutCancel(ctx))
	}
	if err != nil {
		return messages.Acted{}, err
	}
	answer.SOMChanged = !bytes.Equal(before, t.som)
	answer.URL = t.loaded.URL
	return answer, nil
}

func (t *tab) extract(ctx context.Context, m messages.Extract) (messages.Extracted, error) {
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Extracted{}, err
	}
	t.told = true
	data, provenance, qerr := doc.Extract(m.Names, m.Fields)
	if qerr != nil {
		return messages.Extracted{}, qerr
	}
	return messages.Extracted{Data: data, Provenance: provenance}, nil
}

// sameBytes says whether a and b are the same memory: a compiled page's bytes never change.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
