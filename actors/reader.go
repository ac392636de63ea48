package actors

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"plasmate/messages"
	"plasmate/policy"
	"plasmate/policy/privacy"
	"plasmate/som/textview"
)

// reader is what a session knows of the model that reads it as text: the refs
// it was given, the secrets it may not see, what it was last sent. The session
// owns it and lends it to one page at a time, with the work it is needed for.
type reader struct {
	refs  textview.Refs
	vault *privacy.Vault
}

func newReader(secrets []Secret) *reader {
	v := privacy.NewVault(privacy.Detectors{})
	for _, s := range secrets {
		_ = v.SetSecret(s.Name, s.Value, s.Hosts) // checked where they were given
	}
	return &reader{vault: v}
}

// Secret is a value that sessions may type by its name, and only on its hosts.
type Secret struct {
	Name, Value string
	Hosts       []string // empty: any
}

// textRequest says whether a request needs the session's reader.
func textRequest(message any) bool {
	switch message.(type) {
	case messages.View, messages.Visit, messages.Find, messages.Pick, messages.Perform, messages.Await:
		return true
	}
	return false
}

// read carries out a request of the text protocol. Failures are lines to read,
// so that a model can act on them.
func (t *tab) read(ctx context.Context, w work) worked {
	report := worked{n: w.n}
	switch m := w.message.(type) {
	case messages.View:
		report.value = told("observe")(within(ctx, 0, w.timeout, m, func(ctx context.Context, m messages.View) (messages.Told, error) {
			return t.view(ctx, w.reader, m)
		}))
	case messages.Visit:
		report.value = told("navigate")(within(ctx, m.Timeout, w.timeout, m, func(ctx context.Context, m messages.Visit) (messages.Told, error) {
			return t.visit(ctx, w.reader, m)
		}))
	case messages.Find:
		report.value = told("find")(within(ctx, 0, w.timeout, m, func(ctx context.Context, m messages.Find) (messages.Told, error) {
			return t.find(ctx, w.reader, m)
		}))
	case messages.Pick:
		report.value = told("extract")(within(ctx, 0, w.timeout, m, func(ctx context.Context, m messages.Pick) (messages.Told, error) {
			return t.pick(ctx, w.reader, m)
		}))
	case messages.Await:
		report.value = told("wait")(within(ctx, 40*time.Second, w.timeout, m, func(ctx context.Context, m messages.Await) (messages.Told, error) {
			return t.await(ctx, w.reader, m)
		}))
	case messages.Perform:
		report.value = told("act")(within(ctx, m.Timeout, w.timeout, m, func(ctx context.Context, m messages.Perform) (messages.Told, error) {
			return t.perform(ctx, w.reader, m)
		}))
	}
	if t, ok := report.value.(messages.Told); ok {
		report.value = w.reader.masked(t)
	}
	return report
}

// told gives the outcome of a request as what is to be read.
func told(tool string) func(value any, err *messages.Error) any {
	return func(value any, err *messages.Error) any {
		if err == nil {
			return value
		}
		return failed(tool, lineCode(err), err.Msg)
	}
}

// masked hides secrets in an answer that a page's text or a caller's may have got into.
func (r *reader) masked(t messages.Told) messages.Told {
	if t.Failed {
		t.Text = r.vault.Mask(t.Text)
	}
	return t
}

// failed is an error line (text-protocol.md §4).
func failed(tool, code, text string) messages.Told {
	return messages.Told{Text: "✗ " + tool + ": " + code + " " + oneLine(text), Failed: true}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// lineCodes are the codes of error lines for those of messages.
var lineCodes = map[messages.Code]string{
	messages.Invalid:          "invalid-args",
	messages.NotFound:         "not-found",
	messages.Timeout:          "timeout",
	messages.Canceled:         "timeout",
	messages.Blocked:          "blocked",
	messages.NavigationFailed: "navigation-failed",
	messages.ElementNotFound:  "not-found",
	messages.NotActionable:    "invalid-args",
	messages.Ambiguous:        "invalid-args",
	messages.NeedsConfirm:     "needs-confirm",
	messages.Limit:            "blocked",
	messages.Unsupported:      "unsupported",
	messages.Internal:         "unsupported",
}

func lineCode(err *messages.Error) string {
	if d, ok := err.Detail.(messages.ActionDetail); ok {
		switch d.Reason {
		case "hidden", "disabled", "readonly":
			return d.Reason
		case "inert":
			return "disabled"
		}
	}
	return lineCodes[err.Code]
}

func (t *tab) at(page messages.PageID) textview.At {
	n := 1
	_, _ = fmt.Sscanf(string(page), "p_%d", &n) // "" is the first
	return textview.At{Tab: n, Load: t.loads}
}

func (t *tab) view(ctx context.Context, r *reader, m messages.View) (messages.Told, error) {
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Told{}, err
	}
	o := textview.Options{
		Mode: textview.Mode(m.Mode), Ref: m.Ref, Budget: m.Budget, Offset: m.Offset, Links: m.Links,
		At: t.at(m.Page), Vault: r.vault, Secrets: t.typedSecrets,
	}
	if m.Boundaries {
		o.Nonce = nonce()
	}
	v := textview.Render(doc, &r.refs, o)
	if v.Err != nil {
		return failed("observe", v.Err.Code, v.Err.Text), nil
	}
	t.sent = &v
	return messages.Told{Text: v.Text}, nil
}

func nonce() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

func (t *tab) visit(ctx context.Context, r *reader, m messages.Visit) (messages.Told, error) {
	need := policy.NavigationConfirmation(r.vault.Holds(m.URL), false, downgrade(t.loaded.URL, m.URL))
	if ok, reason := policy.ConfirmByModel.Allows(need, m.Confirm, false); !ok {
		return messages.Told{Text: "! needs confirm: " + string(reason) + " (repeat the action with confirm:true)", Failed: true}, nil
	}
	if err := t.arrive(ctx, m); err != nil {
		return messages.Told{}, err
	}
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Told{}, err
	}
	o := textview.Options{At: t.at(m.Page), Vault: r.vault, Secrets: t.typedSecrets}
	if m.View != nil {
		o.Mode, o.Budget, o.Links = textview.Mode(m.View.Mode), m.View.Budget, m.View.Links
		if m.View.Boundaries {
			o.Nonce = nonce()
		}
	}
	v := textview.Render(doc, &r.refs, o)
	if m.View == nil {
		return messages.Told{Text: v.Orientation()}, nil
	}
	t.sent = &v
	return messages.Told{Text: v.Text}, nil
}

// downgrade says whether a navigation leaves https on the same host.
func downgrade(from, to string) bool {
	host, secure := strings.CutPrefix(hostKey(from), "https://")
	return secure && hostKey(to) == "http://"+host
}

// arrive goes where a visit wants to.
func (t *tab) arrive(ctx context.Context, m messages.Visit) error {
	switch m.URL {
	case "back", "forward", "reload":
		delta := map[string]int{"back": -1, "forward": 1}[m.URL]
		if t.som == nil {
			return errNoPage
		}
		_, err := t.traverse(ctx, messages.Traverse{Page: m.Page, Delta: delta})
		return err
	}
	_, err := t.navigate(ctx, messages.Navigate{Page: m.Page, URL: completed(m.URL)})
	return err
}

// completed adds https to a host name, as an address bar does.
func completed(url string) string {
	if strings.Contains(url, ":") || !strings.Contains(url, ".") {
		return url
	}
	return "https://" + url
}

func (t *tab) find(ctx context.Context, r *reader, m messages.Find) (messages.Told, error) {
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Told{}, err
	}
	s := textview.Search{Query: m.Query, Limit: m.Limit, Links: m.Links, At: t.at(m.Page), Vault: r.vault}
	if css, ok := strings.CutPrefix(m.Query, "css:"); ok {
		nodes, err := doc.Select(strings.TrimSpace(css))
		if err != nil {
			return failed("find", "invalid-args", err.Error()), nil
		}
		s.Nodes = nodes
	}
	return messages.Told{Text: textview.Find(doc, &r.refs, s)}, nil
}

func (t *tab) pick(ctx context.Context, r *reader, m messages.Pick) (messages.Told, error) {
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Told{}, err
	}
	text, rerr := textview.Extract(doc, &r.refs, textview.Extraction{
		Kind: m.Kind, Ref: m.Ref, Offset: m.Offset, Limit: m.Limit, Links: m.Links, JSON: m.JSON,
		At: t.at(m.Page), Vault: r.vault,
	})
	if rerr != nil {
		return failed("extract", rerr.Code, rerr.Text), nil
	}
	return messages.Told{Text: text}, nil
}

// await looks at what is there: without scripts a page changes by acts only, so
// what is not there will not come and only time can pass.
func (t *tab) await(ctx context.Context, r *reader, m messages.Await) (messages.Told, error) {
	limit := 10 * time.Second
	if m.For > 0 {
		limit = min(m.For, 30*time.Second)
	}
	if m.Text == "" && m.Gone == "" {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-timer.C:
			return messages.Told{Text: fmt.Sprintf("✓ wait %d ms\nΔ none", limit.Milliseconds())}, nil
		case <-ctx.Done():
			return messages.Told{}, ctx.Err()
		}
	}
	doc, err := t.analysis(ctx)
	if err != nil {
		return messages.Told{}, err
	}
	text := doc.Text()
	switch {
	case m.Text != "" && !strings.Contains(text, m.Text):
		return failed("wait", "timeout", "the text is not there, and without scripts it will not come; act, reload or use another engine"), nil
	case m.Gone != "" && strings.Contains(text, m.Gone):
		return failed("wait", "timeout", "the text is still there, and without scripts it will not go; act or reload"), nil
	}
	return messages.Told{Text: "✓ wait\nΔ none"}, nil
}

// place is where the page is, as the session's reader may see it.
func (t *tab) place(r *reader) *messages.PageInfo {
	info := messages.PageInfo{URL: t.loaded.URL, Title: t.doc.Title}
	if r != nil {
		origin := hostKey(info.URL)
		info.URL, info.Title = r.vault.Redact(info.URL, origin), r.vault.Redact(info.Title, origin)
	}
	return &info
}
