package audit

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode"

	"plasmate/som"
)

// Page is one page to be audited and the oracle that says what is on it.
type Page struct {
	Name        string // as it stands in the report
	URL         string
	ContentType string
	Source      []byte // UTF-8
	Bytes       int    // of the body as served
	Oracle      *Oracle
}

// Form is how one form of a page (som, text, markdown) did.
type Form struct {
	Name     string     `json:"name"`
	Bytes    int        `json:"bytes"`
	Words    WordScore  `json:"words"`
	Pairs    Count      `json:"pairs"` // neighbouring words that are neighbours in the form too
	Links    Count      `json:"links"`
	Headings Count      `json:"headings"`
	Fields   FieldScore `json:"fields"`

	// InSnapshot is the word recall of a SOM's JSON as it is: long texts and
	// tables are cut there, the rest is for extract. 0 for other forms.
	InSnapshot float64 `json:"in_snapshot,omitempty"`

	MissingLinks    []string `json:"missing_links,omitempty"`
	MissingHeadings []string `json:"missing_headings,omitempty"`
	MissingFields   []string `json:"missing_fields,omitempty"`
	// carries says which of links, headings and fields the form has at all.
	HasLinks, HasHeadings, HasFields bool `json:"-"`
}

// PageReport is the audit of one page.
type PageReport struct {
	Name      string        `json:"name"`
	Oracle    string        `json:"oracle"`
	HTMLBytes int           `json:"html_bytes"`
	Elements  int           `json:"elements"`
	Took      time.Duration `json:"took_ns"`
	Empty     bool          `json:"empty,omitempty"` // visible text, but no element
	Title     bool          `json:"title"`           // the document's title is right
	Lang      bool          `json:"lang"`            // its language is, or it has none
	Forms     []Form        `json:"forms"`
}

// Report is the audit of a set of pages.
type Report struct {
	Pages   []PageReport `json:"pages"`
	Summary []Summary    `json:"summary"`
}

// Summary is the whole set in one form. Rates are of 1.
type Summary struct {
	Form            string  `json:"form"`
	Pages           int     `json:"pages"`
	RecallMedian    float64 `json:"recall_median"`
	RecallP5        float64 `json:"recall_p5"`
	RecallMin       float64 `json:"recall_min"`
	Recall98        float64 `json:"recall_98"` // share of pages with at least 98 % of the words
	RecallAll       float64 `json:"recall_all"`
	Precision       float64 `json:"precision"`
	Pairs           float64 `json:"pairs"` // of pages whose text is kept: neighbouring words that are neighbours
	Split           float64 `json:"split"`
	Hidden          float64 `json:"hidden"`    // words of hidden text shown, at least
	HiddenUp        float64 `json:"hidden_up"` // at most
	Links           float64 `json:"links"`
	Headings        float64 `json:"headings"`
	Fields          float64 `json:"fields"`
	FieldLabel      float64 `json:"field_label"`
	FieldType       float64 `json:"field_type"`
	FieldRequired   float64 `json:"field_required"`
	FieldOptions    float64 `json:"field_options"`
	SizeMedian      float64 `json:"size_median"` // form bytes over HTML bytes, pages above 1 KiB
	Empty           int     `json:"empty"`
	HasLinks        bool    `json:"has_links"`
	HasHeadings     bool    `json:"has_headings"`
	HasFields       bool    `json:"has_fields"`
	HasPairs        bool    `json:"has_pairs"`
	SnapshotMedian  float64 `json:"snapshot_median,omitempty"`  // InSnapshot of the median page
	PlaywrightRatio float64 `json:"playwright_ratio,omitempty"` // median of form bytes over a Playwright snapshot's
}

// Run compiles and audits each page, as SOM, text, markdown, and what further
// forms are given.
func Run(pages []Page, forms ...func(*som.Page) *View) Report {
	var r Report
	for i := range pages {
		r.Pages = append(r.Pages, runPage(&pages[i], forms))
	}
	if len(r.Pages) == 0 {
		return r
	}
	for _, f := range r.Pages[0].Forms {
		r.Summary = append(r.Summary, r.summarise(f.Name, pages))
	}
	return r
}

func runPage(p *Page, forms []func(*som.Page) *View) PageReport {
	begin := time.Now()
	page := som.Analyze(som.Input{URL: p.URL, ContentType: p.ContentType, Source: p.Source, HTMLBytes: p.Bytes}, som.Options{})
	pr := PageReport{Name: p.Name, Oracle: p.Oracle.Source, HTMLBytes: p.Bytes, Elements: page.Meta.ElementCount, Took: time.Since(begin)}
	v, err := SOMView(page)
	if err != nil {
		v = &View{Name: "som", HasLinks: true, HasHeadings: true, HasFields: true}
	}
	md := MarkdownView(page)
	md.spell(v)
	for _, v := range []*View{v, TextView(page), md} {
		pr.Forms = append(pr.Forms, score(p.Oracle, v))
	}
	for _, f := range forms {
		pr.Forms = append(pr.Forms, score(p.Oracle, f(page)))
	}
	pr.Title = titleKey(page.Title) == titleKey(p.Oracle.Title)
	pr.Lang = p.Oracle.Lang == "" || strings.EqualFold(page.Lang, strings.TrimSpace(p.Oracle.Lang))
	pr.Empty = p.Oracle.Visible.Minus(p.Oracle.Quiet).Size() > 0 && len(v.Blocks) == 0
	return pr
}

// titleKey is a title as two are compared. Chromium shows control characters as spaces.
func titleKey(s string) string {
	return flat(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}

func score(o *Oracle, v *View) Form {
	f := Form{Name: v.Name, Bytes: v.Bytes, Words: scoreWords(o, v.Bag()), HasLinks: v.HasLinks, HasHeadings: v.HasHeadings, HasFields: v.HasFields}
	if o.Text != "" {
		want := pairs(o.Text)
		f.Pairs = Count{Required: want.Size(), Found: want.Size() - want.Minus(pairs(v.Blocks...)).Size()}
	}
	if v.Snapshot != nil {
		f.InSnapshot = scoreWords(o, v.Snapshot).Recall()
	}
	if v.HasLinks {
		f.Links, f.MissingLinks = scoreLinks(o, v)
	}
	if v.HasHeadings {
		f.Headings, f.MissingHeadings = scoreHeadings(o, v)
	}
	if v.HasFields {
		f.Fields, f.MissingFields = scoreFields(o, v)
	}
	return f
}

func (r *Report) summarise(form string, pages []Page) Summary {
	s := Summary{Form: form, Pages: len(r.Pages)}
	var recalls, sizes, cut, snapshots []float64
	var w WordScore
	var f FieldScore
	var order, links, headings Count
	for i := range r.Pages {
		p := &r.Pages[i]
		for j := range p.Forms {
			x := &p.Forms[j]
			if x.Name != form {
				continue
			}
			s.HasLinks, s.HasHeadings, s.HasFields = x.HasLinks, x.HasHeadings, x.HasFields
			recalls = append(recalls, x.Words.Recall())
			if p.HTMLBytes > 1024 {
				sizes = append(sizes, float64(x.Bytes)/float64(p.HTMLBytes))
			}
			if n := pages[i].Oracle.PlaywrightBytes; n > 0 {
				snapshots = append(snapshots, float64(x.Bytes)/float64(n))
			}
			if x.InSnapshot > 0 {
				cut = append(cut, x.InSnapshot)
			}
			w.add(x.Words)
			order.plus(x.Pairs)
			links.plus(x.Links)
			headings.plus(x.Headings)
			f.add(x.Fields)
			if p.Empty {
				s.Empty++
			}
		}
	}
	s.RecallMedian, s.RecallP5, s.RecallMin = quantile(recalls, .5), quantile(recalls, .05), quantile(recalls, 0)
	good := 0
	for _, x := range recalls {
		if x >= .98 {
			good++
		}
	}
	s.Recall98, s.RecallAll = share(good, len(recalls)), w.Recall()
	s.Precision, s.Hidden = w.Precision(), w.HiddenShare()
	if w.Got > 0 {
		s.HiddenUp, s.Split = float64(w.HiddenUp)/float64(w.Got), float64(w.Split)/float64(max(w.Required, 1))
	}
	s.Pairs = order.Share()
	s.Links, s.Headings, s.Fields = links.Share(), headings.Share(), f.Fields.Share()
	s.FieldLabel, s.FieldType, s.FieldRequired, s.FieldOptions = f.Label.Share(), f.Type.Share(), f.Required.Share(), f.Options.Share()
	// Nothing to find is no finding.
	s.HasLinks, s.HasHeadings, s.HasFields = s.HasLinks && links.Required > 0, s.HasHeadings && headings.Required > 0, s.HasFields && f.Fields.Required > 0
	s.HasPairs = order.Required > 0
	if len(sizes) > 0 {
		s.SizeMedian = quantile(sizes, .5)
	}
	if len(cut) > 0 {
		s.SnapshotMedian = quantile(cut, .5)
	}
	if len(snapshots) > 0 {
		s.PlaywrightRatio = quantile(snapshots, .5)
	}
	return s
}

func (s *WordScore) add(t WordScore) {
	s.Required += t.Required
	s.Found += t.Found
	s.Split += t.Split
	s.Got += t.Got
	s.Known += t.Known
	s.Hidden += t.Hidden
	s.HiddenUp += t.HiddenUp
	s.Repeats += t.Repeats
}

func (s *FieldScore) add(t FieldScore) {
	s.Fields.plus(t.Fields)
	s.Label.plus(t.Label)
	s.Type.plus(t.Type)
	s.Required.plus(t.Required)
	s.Options.plus(t.Options)
}

// JSON is the report as indented JSON.
func (r Report) JSON() []byte {
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return []byte("{}")
	}
	return append(out, '\n')
}

// Markdown is the report for people: the summary, then every page, worst first.
func (r Report) Markdown() string {
	var b strings.Builder
	oracles := map[string]int{}
	for _, p := range r.Pages {
		oracles[p.Oracle]++
	}
	b.WriteString("# Audit\n\n")
	for o, n := range oracles {
		fmt.Fprintf(&b, "%d pages measured against: %s\n", n, o)
	}
	b.WriteString("\n" + r.Table())
	b.WriteString("\n## Pages, lowest recall first\n\n| page | form | words | found | hidden shown | links | headings | fields | labels | bytes/html |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range r.Worst() {
		for _, f := range p.Forms {
			fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %s | %s | %.2f |\n", p.Name, f.Name, f.Words.Required, pct(f.Words.Recall()), pct(f.Words.HiddenShare()),
				of(f.HasLinks, f.Links), of(f.HasHeadings, f.Headings), of(f.HasFields, f.Fields.Fields), of(f.HasFields, f.Fields.Label), float64(f.Bytes)/float64(max(p.HTMLBytes, 1)))
		}
	}
	return b.String()
}

// Table is the summary as a Markdown table, a column a form.
func (r Report) Table() string {
	var b strings.Builder
	b.WriteString("| measure |")
	for _, s := range r.Summary {
		b.WriteString(" " + s.Form + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(r.Summary)) + "\n")
	row := func(name string, f func(s Summary) string) {
		b.WriteString("| " + name + " |")
		for _, s := range r.Summary {
			b.WriteString(" " + f(s) + " |")
		}
		b.WriteString("\n")
	}
	when := func(ok bool, x float64) string {
		if !ok {
			return "–"
		}
		return pct(x)
	}
	row("pages (with text but empty)", func(s Summary) string { return fmt.Sprintf("%d (%d)", s.Pages, s.Empty) })
	titles, langs := Count{}, Count{}
	for _, p := range r.Pages {
		titles.add(p.Title)
		langs.add(p.Lang)
	}
	fmt.Fprintf(&b, "| titles, languages right | %d, %d |%s\n", titles.Found, langs.Found, strings.Repeat(" – |", max(0, len(r.Summary)-1)))
	row("word recall, median page", func(s Summary) string { return pct(s.RecallMedian) })
	row("word recall, 5th percentile", func(s Summary) string { return pct(s.RecallP5) })
	row("word recall, worst page", func(s Summary) string { return pct(s.RecallMin) })
	row("pages with ≥ 98 % of the words", func(s Summary) string { return pct(s.Recall98) })
	row("word recall, all words", func(s Summary) string { return pct(s.RecallAll) })
	row("words cut by an element's end", func(s Summary) string { return pct(s.Split) })
	row("word precision", func(s Summary) string { return pct(s.Precision) })
	row("neighbouring words that are neighbours", func(s Summary) string { return when(s.HasPairs, s.Pairs) })
	row("hidden words shown, at least", func(s Summary) string { return pct(s.Hidden) })
	row("hidden words shown, at most", func(s Summary) string { return pct(s.HiddenUp) })
	row("words in the JSON itself, median page", func(s Summary) string { return when(s.SnapshotMedian > 0, s.SnapshotMedian) })
	row("distinct links", func(s Summary) string { return when(s.HasLinks, s.Links) })
	row("headings (level and text)", func(s Summary) string { return when(s.HasHeadings, s.Headings) })
	row("form fields", func(s Summary) string { return when(s.HasFields, s.Fields) })
	row("… with label", func(s Summary) string { return when(s.HasFields, s.FieldLabel) })
	row("… with type", func(s Summary) string { return when(s.HasFields, s.FieldType) })
	row("… with required", func(s Summary) string { return when(s.HasFields, s.FieldRequired) })
	row("… with options", func(s Summary) string { return when(s.HasFields, s.FieldOptions) })
	row("bytes / HTML bytes, median (pages > 1 KiB)", func(s Summary) string { return ratio(s.SizeMedian) })
	row("bytes / Playwright snapshot bytes, median", func(s Summary) string { return ratio(s.PlaywrightRatio) })
	return b.String()
}

// Worst lists the pages by the word recall of their SOM, the lowest first.
func (r Report) Worst() []PageReport { return r.WorstIn(0) }

// WorstIn does the same for the i-th form.
func (r Report) WorstIn(i int) []PageReport {
	out := append([]PageReport(nil), r.Pages...)
	sort.SliceStable(out, func(a, b int) bool { return out[a].recall(i) < out[b].recall(i) })
	return out
}

func (p *PageReport) recall(form int) float64 {
	if form >= len(p.Forms) {
		return 0
	}
	return p.Forms[form].Words.Recall()
}

// ratio is a ratio of sizes; 0 is one that was not measured.
func ratio(x float64) string {
	if x == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", x)
}

func pct(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }

func of(has bool, c Count) string {
	if !has {
		return "–"
	}
	return fmt.Sprintf("%d/%d", c.Found, c.Required)
}
