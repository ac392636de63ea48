package awp

import (
	"time"

	"plasmate/messages"
	"plasmate/som"
)

func decodeCreatePage(p *params) (messages.SessionID, messages.OpenPage) {
	return p.session(), messages.OpenPage{}
}

type createPageResult struct {
	PageID string `json:"page_id"`
}

func encodePageOpened(a messages.PageOpened) createPageResult {
	return createPageResult{PageID: string(a.ID)}
}

func decodeClosePage(p *params) (messages.SessionID, messages.ClosePage) {
	return p.session(), messages.ClosePage{ID: messages.PageID(p.string("page_id"))}
}

func encodePageClosed(messages.PageClosed) closeResult { return closeResult{Closed: true} }

func decodeNavigate(p *params) (messages.SessionID, messages.Navigate) {
	return p.session(), messages.Navigate{Page: p.page(), URL: p.string("url"), Timeout: p.optionalMillis("timeout_ms")}
}

type navigateResult struct {
	URL         string   `json:"url"`
	Status      int      `json:"status"`
	ContentType string   `json:"content_type"`
	Encoding    string   `json:"encoding,omitempty"`
	HTMLBytes   int      `json:"html_bytes"`
	SOMReady    bool     `json:"som_ready"`
	LoadMS      int64    `json:"load_ms"`
	Title       string   `json:"title"`
	SOMBytes    int      `json:"som_bytes"`
	FetchMS     int64    `json:"fetch_ms"`
	CompileMS   int64    `json:"compile_ms"`
	FromCache   bool     `json:"from_cache"`
	Incomplete  bool     `json:"incomplete,omitempty"`
	NeedsJS     needsJS  `json:"needs_js"`
	Refresh     *refresh `json:"refresh,omitempty"`
}

type needsJS struct {
	Likely  bool     `json:"likely"`
	Reasons []string `json:"reasons"`
}

type refresh struct {
	AfterMS int64  `json:"after_ms"`
	URL     string `json:"url"`
}

func encodeNavigated(a messages.Navigated) navigateResult {
	r := navigateResult{
		URL: a.URL, Status: a.Status, ContentType: a.ContentType, Encoding: a.Encoding, HTMLBytes: a.HTMLBytes, SOMReady: true,
		LoadMS: millis(a.Took.Total), Title: a.Title, SOMBytes: a.SOMBytes,
		FetchMS: millis(a.Took.Fetch), CompileMS: millis(a.Took.Compile), FromCache: a.FromCache, Incomplete: a.Incomplete,
		NeedsJS: needsJS{Likely: a.NeedsJS.Likely, Reasons: append([]string{}, a.NeedsJS.Reasons...)},
	}
	if a.Refresh != nil {
		r.Refresh = &refresh{AfterMS: millis(a.Refresh.After), URL: a.Refresh.URL}
	}
	return r
}

func millis(d time.Duration) int64 { return int64(d.Round(time.Millisecond) / time.Millisecond) }

func decodeObserve(p *params) (messages.SessionID, messages.Observe) {
	m := messages.Observe{Page: p.page(), Ref: p.optionalString("ref"), Budget: p.optionalInt("budget", 1, 1<<30)}
	switch p.optionalString("mode") {
	case "", "snapshot":
	case "mutations":
		m.Changes = true
	default:
		p.fault("mode", `"snapshot" or "mutations"`)
	}
	switch f := p.optionalString("format"); f {
	case "", "som":
	case "text", "markdown", "compact":
		m.Format = messages.Format(f)
	default:
		p.fault("format", `"som", "compact", "text" or "markdown"`)
	}
	return p.session(), m
}

// encodeObserved copies the SOM's bytes instead of encoding them again.
func encodeObserved(id envelopeID, a messages.Observed) []byte {
	switch {
	case a.Patch != nil:
		b := append(openResult(id, len(a.Patch)), `{"patch":`...)
		b = append(b, a.Patch...)
		return append(b, "}}"...)
	case a.SOM == nil:
		return encodeObservedText(id, a)
	}
	name := `{"som":`
	if a.Format == messages.FormatCompact {
		name = `{"compact":`
	}
	b := append(openResult(id, len(a.SOM)), name...)
	b = append(b, a.SOM...)
	return append(b, "}}"...)
}

func encodeObservedText(id envelopeID, a messages.Observed) []byte {
	if a.Format == messages.FormatMarkdown {
		return encodeResult(id, struct {
			Markdown string `json:"markdown"`
		}{a.Text})
	}
	return encodeResult(id, struct {
		Text string `json:"text"`
	}{a.Text})
}

// maxFields bounds the fields of one page.extract.
const maxFields = 1000

func decodeExtract(p *params) (messages.SessionID, messages.Extract) {
	session := p.session()
	fields := p.object("fields")
	m := messages.Extract{Page: p.page(), Names: memberNames(p.fields["fields"]), Fields: make(map[string]som.Query, len(fields.fields))}
	if len(m.Names) > maxFields {
		fields.fault("", "at most 1000 fields")
	}
	for _, name := range m.Names {
		q := fields.object(name)
		m.Fields[name] = som.Query{
			Role:      q.optionalString("role"),
			Level:     q.optionalInt("level", 1, 100),
			TextMatch: q.optionalString("text_match"),
			Ref:       q.optionalString("ref"),
			CSS:       q.optionalString("css"),
			Region:    q.optionalString("region"),
			Name:      q.optionalString("name"),
			All:       q.optionalBool("all"),
			Props:     q.optionalStrings("props"),
		}
		if q.err == nil && emptyQuery(m.Fields[name]) {
			q.err = badParam(q.path, "a query with role, text_match, ref, css, region or name")
		}
		fields.err = q.err
		if q.err != nil {
			break
		}
	}
	if p.err == nil {
		p.err = fields.err
	}
	return session, m
}

func emptyQuery(q som.Query) bool {
	return q.Role == "" && q.TextMatch == "" && q.Ref == "" && q.CSS == "" && q.Region == "" && q.Name == "" && q.Level == 0
}

func encodeExtracted(id envelopeID, a messages.Extracted) []byte {
	b := append(openResult(id, len(a.Data)+len(a.Provenance)+64), `{"data":`...)
	b = append(b, a.Data...)
	b = append(b, `,"provenance":`...)
	b = append(b, a.Provenance...)
	return append(b, "}}"...)
}
