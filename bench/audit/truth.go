package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"plasmate/som"
)

// Truth is a hand-written oracle of one page: statements that hold in any view.
type Truth struct {
	File, URL, Title string
	MainHeading      *string      `json:"main_heading"`
	HeadingKind      string       `json:"main_heading_kind"`
	Forms            []TruthForm  `json:"forms"`
	Loose            []TruthField `json:"loose_fields"`
	NavLinks         []string     `json:"nav_links"`
	Links            []struct{ Text, Href string }
	Must             []string
	MustNot          []struct{ Text, Why string } `json:"must_not"`
}

// TruthForm is a form with something visible in it.
type TruthForm struct {
	ID, Method, Action string
	OwnerRule          bool `json:"owner_rule"` // its controls are no descendants of it
	Fields             []TruthField
	Buttons            []string
}

// TruthField is one control, or a group of radios or checkboxes of one name.
type TruthField struct {
	Label, Name, Type string
	Required          bool
	Options           *int
	LabelSource       string `json:"label_source"`
	Optional          bool
}

// LoadTruths reads all truth files of a folder, in the order of their names.
func LoadTruths(dir string) ([]Truth, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list truth files: %w", err)
	}
	sort.Strings(names)
	var out []Truth
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read truth: %w", err)
		}
		var t Truth
		if err := json.Unmarshal(data, &t); err != nil {
			return nil, fmt.Errorf("decode %s: %w", filepath.Base(name), err)
		}
		out = append(out, t)
	}
	return out, nil
}

// Verdict is what came of a truth's statements.
type Verdict struct {
	Checked int
	Failed  []string // "view: statement"
}

func (v *Verdict) check(ok bool, view, format string, args ...any) {
	v.Checked++
	if !ok {
		v.Failed = append(v.Failed, view+": "+fmt.Sprintf(format, args...))
	}
}

// Check holds the statements against a page's SOM, text and markdown.
func (t *Truth) Check(p *som.Page) Verdict {
	var out Verdict
	v, err := SOMView(p)
	if err != nil {
		out.check(false, "som", "JSON: %v", err)
		return out
	}
	out.check(flat(p.Title) == flat(t.Title), "som", "title %q, want %q", p.Title, t.Title)
	text, md := TextView(p), MarkdownView(p)
	t.checkForms(&out, p, v)
	for _, view := range []*View{v, text, md} {
		t.checkSnippets(&out, view)
	}
	t.checkLinks(&out, v)
	t.checkLinks(&out, md)
	raw := []struct{ name, text string }{{"som", plainJSON(p.JSON())}, {"text", flat(p.Text())}, {"markdown", flat(p.Markdown())}}
	for _, m := range t.MustNot {
		for _, r := range raw {
			out.check(!strings.Contains(r.text, flat(m.Text)), r.name, "must not have %q (%s)", m.Text, m.Why)
		}
	}
	return out
}

// checkSnippets wants the heading, the snippets and the labels of fields in one block each.
func (t *Truth) checkSnippets(out *Verdict, v *View) {
	blocks := make([]string, len(v.Blocks))
	for i, b := range v.Blocks {
		blocks[i] = key(b)
	}
	has := func(s string) bool {
		k := key(s)
		for _, b := range blocks {
			if strings.Contains(b, k) {
				return true
			}
		}
		return false
	}
	if t.MainHeading != nil {
		out.check(has(*t.MainHeading), v.Name, "main heading %q", *t.MainHeading)
		if v.HasHeadings && t.HeadingKind == "element" {
			found := false
			for _, h := range v.Headings {
				found = found || strings.Contains(key(h.Text), key(*t.MainHeading))
			}
			out.check(found, v.Name, "main heading %q as a heading", *t.MainHeading)
		}
	}
	for _, m := range t.Must {
		out.check(has(m), v.Name, "must have %q", m)
	}
	for _, l := range t.NavLinks {
		out.check(has(l), v.Name, "navigation text %q", l)
	}
	for _, f := range t.Forms {
		for _, x := range f.Fields {
			if !x.Optional && x.Label != "" && x.LabelSource != "noscript" {
				out.check(has(x.Label), v.Name, "label %q", x.Label)
			}
		}
		for _, b := range f.Buttons {
			if b != "" {
				out.check(has(b), v.Name, "button %q", b)
			}
		}
	}
}

// checkLinks wants the pairs of text and address, and the navigation's texts in order.
func (t *Truth) checkLinks(out *Verdict, v *View) {
	for _, want := range t.Links {
		found := false
		for _, l := range v.Links {
			url := l.URL
			if url == "" {
				url = l.Href
			}
			if linkKey(url) == linkKey(want.Href) && (strings.Contains(key(plainMarkdown(l.Text)), key(want.Text)) || l.Text == "") {
				found = true
				break
			}
		}
		out.check(found, v.Name, "link %q to %s", want.Text, want.Href)
	}
	at := 0
	for _, want := range t.NavLinks {
		next := -1
		for i := at; i < len(v.Links); i++ {
			if key(plainMarkdown(v.Links[i].Text)) == key(want) {
				next = i
				break
			}
		}
		out.check(next >= 0, v.Name, "navigation link %q in order", want)
		if next >= 0 {
			at = next + 1
		}
	}
}

// checkForms wants each form's controls with label, type, required and options.
func (t *Truth) checkForms(out *Verdict, p *som.Page, v *View) {
	used := make([]bool, len(v.Fields))
	for _, f := range append(t.Forms, TruthForm{Fields: t.Loose}) {
		if (f.Action != "" || f.Method != "") && !f.OwnerRule {
			found := len(f.Fields) == 0
			for _, r := range p.Regions {
				found = found || r.Role == "form" && strings.EqualFold(r.Method, f.Method)
			}
			out.check(found, "som", "form %s %s", f.Method, f.Action)
		}
		for _, want := range f.Fields {
			checkField(out, want, v, used)
		}
		for _, b := range f.Buttons {
			found := false
			for i, g := range v.Fields {
				if !used[i] && g.Role == "button" && strings.Contains(key(g.Label), key(b)) {
					used[i], found = true, true
					break
				}
			}
			out.check(found || b == "", "som", "button %q", b)
		}
	}
}

func checkField(out *Verdict, want TruthField, v *View, used []bool) {
	best, n := -1, 0
	for i, g := range v.Fields {
		if !truthKind(want.Type, g) {
			continue
		}
		name := want.Name != "" && g.Name == want.Name
		label := want.Label != "" && key(g.Label) == key(want.Label)
		if name {
			n++
		}
		if !used[i] && (name || want.Name == "" && label || g.Name == "" && label) && best < 0 {
			best = i
		}
	}
	if best < 0 {
		out.check(want.Optional, "som", "field %s %q name=%s", want.Type, want.Label, want.Name)
		return
	}
	used[best] = true
	g := v.Fields[best]
	switch want.LabelSource {
	case "label", "aria-label", "title", "placeholder":
		if want.Type != "radio" && want.Type != "checkbox" || want.Options == nil {
			out.check(key(g.Label) == key(want.Label), "som", "field name=%s label %q, want %q", want.Name, g.Label, want.Label)
		}
	}
	out.check(g.Required == want.Required, "som", "field %q required %v, want %v", want.Label, g.Required, want.Required)
	if want.Options != nil {
		got := len(g.Options)
		if want.Type != "select" {
			got = n
		}
		out.check(got == *want.Options, "som", "field %q has %d options, want %d", want.Label, got, *want.Options)
	}
}

func truthKind(typ string, g Field) bool {
	switch typ {
	case "select", "textarea", "checkbox", "radio":
		return g.Role == typ
	}
	return g.Type == typ || g.Type == "" && typ == "text" && g.Role == "text_input"
}

// plainJSON is every string of a JSON document, unescaped, in order.
func plainJSON(raw []byte) string {
	var b strings.Builder
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	for {
		tok, err := dec.Token()
		if err != nil {
			return flat(b.String())
		}
		if s, ok := tok.(string); ok {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
}
