package static

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
	"plasmate/fetch"
	"plasmate/som"
)

// Config is what an engine needs. Only Exchanger is required.
type Config struct {
	Exchanger    fetch.Exchanger
	MaxBodyBytes int64  // 0: the exchanger's own limit
	MaxRedirects int    // 0: 10
	UploadDir    string // files may be uploaded from below it only; empty: none
	DownloadDir  string // where downloads are saved; empty: nowhere
	Styles       bool   // fetch external style sheets, which say what is hidden
	// MaxHistory is how many documents a page can go back to; 0: 50. KeptBytes
	// bounds what their sources take; 0: 256 KiB. Older ones are fetched again.
	MaxHistory, KeptBytes int
	// Boundary makes multipart boundaries; nil: random ones, as Chromium writes them.
	Boundary func() string
	Now      func() time.Time
}

// New is a static engine.
func New(c Config) engine.Engine {
	if c.MaxHistory == 0 {
		c.MaxHistory = 50
	}
	if c.KeptBytes == 0 {
		c.KeptBytes = 256 << 10
	}
	if c.Boundary == nil {
		c.Boundary = randomBoundary
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &static{config: c}
}

func randomBoundary() string { return "----WebKitFormBoundary" + rand.Text()[:16] }

type static struct{ config Config }

func (e *static) Name() string { return "static" }

func (e *static) NewPage(p engine.Profile) engine.Page {
	return &page{engine: e, profile: p}
}

// page is one tab. It keeps source and state, no tree.
type page struct {
	engine  *static
	profile engine.Profile
	doc     *document // nil before the first load
	history history
}

// document is what a navigation brought, and what was done to it since.
type document struct {
	loading     *loading
	url         string // final, with its fragment
	status      int
	header      http.Header
	contentType string
	source      []byte // UTF-8
	encoding    string
	received    int // length of the body before decoding to UTF-8
	hash        [32]byte
	incomplete  bool
	took        time.Duration
	policy      string // referrer policy
	refresh     *engine.Refresh
	needsJS     engine.NeedsJS
	posted      bool                  // came of a POST
	sheets      map[som.NodeID]string // external ones, by their link element
	state       som.State
}

// loading is one act of loading: the documents that a page makes of it, by
// moving within the document and by changing its controls, have it in common.
type loading struct{ _ byte } // not empty, so that each has an address of its own

func (d *document) loaded() engine.Loaded {
	return engine.Loaded{
		URL: d.url, Status: d.status, ContentType: d.contentType, HTMLBytes: d.received,
		Encoding: d.encoding, Incomplete: d.incomplete, BodyHash: d.hash, Fetch: d.took,
		Header: d.header, Refresh: d.refresh, NeedsJS: d.needsJS,
	}
}

// Load navigates as a user does who types an address.
func (p *page) Load(ctx context.Context, r engine.Request) (engine.Loaded, error) {
	return p.navigate(ctx, navigation{url: r.URL})
}

// Snapshot shares the source and state, which do not change.
func (p *page) Snapshot(context.Context) (som.Input, error) {
	if p.doc == nil {
		return som.Input{}, refuse("no_page", "no page is loaded; navigate first")
	}
	return som.Input{
		URL: p.doc.url, ContentType: p.doc.contentType, Source: p.doc.source,
		HTMLBytes: p.doc.received, State: p.doc.state, Sheets: p.doc.sheets, LinkHeader: p.doc.header.Values("Link"),
	}, nil
}

// ShareSource implements engine.Sharing.
func (p *page) ShareSource(source []byte) {
	if p.doc != nil && bytes.Equal(p.doc.source, source) {
		p.doc.source = source
	}
}

func (p *page) Close() error {
	p.doc, p.history = nil, history{}
	return nil
}

// apply carries an effect out: it sends first, and keeps state only if that went well.
func (p *page) apply(ctx context.Context, d *forms.Document, e effect) (engine.Acted, error) {
	acted := engine.Acted{Changed: e.changed, Note: e.note, Value: e.value}
	state := e.next(p.doc.state)
	var nav navigation
	switch {
	case e.follow != nil:
		nav = navigation{url: e.follow.href, policy: e.follow.policy, target: e.follow.target, download: e.follow.download}
	case e.submit != nil:
		s, err := p.submit(d.WithState(state), *e.submit)
		if err != nil {
			return engine.Acted{}, err
		}
		if s.Dialog != nil {
			return p.closeDialog(d, s.Dialog, e, acted), nil
		}
		if s.Nothing != "" {
			acted.Note = join(acted.Note, s.Nothing)
			break
		}
		nav = navigation{
			url: s.URL, method: s.Method, body: s.Body, contentType: s.ContentType,
			target: s.Target, policy: formPolicy(e.submit.form),
		}
	}
	if nav.url == "" {
		p.doc = p.doc.with(state)
		return acted, nil
	}
	nav.policy = cmp.Or(nav.policy, metaPolicy(d), p.doc.policy)
	return p.leave(ctx, nav, state, acted)
}

// leave navigates on behalf of the document.
func (p *page) leave(ctx context.Context, nav navigation, state som.State, acted engine.Acted) (engine.Acted, error) {
	nav.from = p.doc
	acted.Note = join(acted.Note, targetNote(nav.target))
	before := p.doc
	p.doc = before.with(state)
	loaded, err := p.navigate(ctx, nav)
	switch {
	case isNoContent(err):
		acted.Note = join(acted.Note, "the server answered that there is nothing to show; the page stays")
		return acted, nil
	case err != nil:
		p.doc = before
		return engine.Acted{}, err
	}
	acted.Loaded = &loaded
	return acted, nil
}

// with is the document in another state.
func (d *document) with(state som.State) *document {
	other := *d
	other.state = state
	return &other
}

func (p *page) closeDialog(d *forms.Document, dialog *html.Node, e effect, acted engine.Acted) engine.Acted {
	e.open(d, dialog, false)
	p.doc = p.doc.with(e.next(p.doc.state))
	acted.Changed = true
	acted.Note = join(acted.Note, "the dialog was closed")
	return acted
}

// submit validates a form and works out what to send.
func (p *page) submit(d *forms.Document, s submission) (forms.Submission, error) {
	if !forms.NoValidate(s.form, s.submitter) {
		if bad := d.Invalid(s.form); len(bad) > 0 {
			return forms.Submission{}, invalid(d, bad)
		}
	}
	files := uploads{dir: p.engine.config.UploadDir}
	sub, err := d.Submit(s.form, s.submitter, p.engine.config.Boundary(), files.open)
	if err != nil {
		return sub, refuse("cannot_submit", "submit form: %v", err)
	}
	return sub, nil
}

func invalid(d *forms.Document, bad []forms.Invalid) error {
	e := refuse("invalid", "the form was not sent: %d of its fields are not valid", len(bad))
	if len(bad) == 1 {
		e.Msg = "the form was not sent: a field is not valid"
	}
	var names []string
	for _, b := range bad[:min(len(bad), maxListed)] {
		label := d.Label(b.Node)
		e.Invalid = append(e.Invalid, engine.Invalid{Node: d.ID(b.Node), Label: label, Reason: b.Reason})
		if len(names) < 5 {
			names = append(names, fmt.Sprintf("%q %s", clip(label), b.Reason))
		}
	}
	e.Msg += " (" + strings.Join(names, ", ") + ")"
	return e
}

// metaPolicy is the referrer policy that the page sets for itself: its last meta
// element of that name (HTML, 4.2.5.1).
func metaPolicy(d *forms.Document) string {
	policy := ""
	for _, m := range d.Elements("meta") {
		if strings.EqualFold(forms.Attr(m, "name"), "referrer") {
			policy = cmp.Or(metaToken(forms.Attr(m, "content")), policy)
		}
	}
	return policy
}

// metaToken takes the old names of policies too (HTML, 4.2.5.1).
func metaToken(v string) string {
	switch t := strings.ToLower(strings.TrimSpace(v)); t {
	case "never":
		return "no-referrer"
	case "default":
		return "strict-origin-when-cross-origin"
	case "always":
		return "unsafe-url"
	case "origin-when-crossorigin":
		return "origin-when-cross-origin"
	default:
		return validPolicy(t)
	}
}

// targetNote says that another tab or frame was asked for.
func targetNote(target string) string {
	switch strings.ToLower(target) {
	case "", "_self", "_top", "_parent":
		return ""
	}
	return "opened in place: it asked for another tab or frame (" + clip(target) + ")"
}
