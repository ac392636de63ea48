package audit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plasmate/bench/audit/reader"
	"plasmate/som"
)

// View is one of the forms in which an agent gets a page, taken apart.
type View struct {
	Name     string
	Blocks   []string // texts that a reader gets, each one block
	Links    []som.Link
	Headings []reader.Heading
	Fields   []Field
	Bytes    int
	// Snapshot are the words of a SOM's JSON as it is, with its cuts.
	Snapshot Bag
	// What the form does not carry is not measured.
	HasLinks, HasHeadings, HasFields bool
}

// Bag counts the words of the view.
func (v *View) Bag() Bag { return BagOf(v.Blocks...) }

// Field is a control as a SOM has it.
type Field struct {
	Role, Type, Name, Label string
	Required, Disabled      bool
	Options                 []string
}

// SOMView takes a SOM apart. It reads the elements that the JSON was written
// from, as the JSON holds only the beginning of long texts and tables (the rest
// is for extract); that the JSON has each of them is checked.
func SOMView(p *som.Page) (*View, error) {
	raw := p.JSON()
	v := &View{Name: "som", HasLinks: true, HasHeadings: true, HasFields: true, Bytes: len(raw)}
	ids := map[string]bool{}
	v.Snapshot = Bag{}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("decode SOM: %w", err)
	}
	v.snapshot("", doc, ids)
	var err error
	for _, r := range p.Regions {
		for _, e := range r.Elements {
			v.element(e, false)
		}
	}
	p.Walk(func(e *som.Element, _ *som.Region) bool {
		if !ids[e.ID] && err == nil {
			err = fmt.Errorf("the JSON lacks element %s", e.ID)
		}
		return true
	})
	return v, err
}

// snapshot counts the words of a JSON value and notes the ids in it.
func (v *View) snapshot(name string, x any, ids map[string]bool) {
	switch x := x.(type) {
	case map[string]any:
		for k, y := range x {
			v.snapshot(k, y, ids)
		}
	case []any:
		for _, y := range x {
			v.snapshot(name, y, ids)
		}
	case string:
		switch name {
		case "id":
			ids[x] = true
		case "text", "label", "headers", "rows", "value", "caption", "summary", "legend", "section_label", "alt", "title", "placeholder":
			v.Snapshot.Add(Words(x))
		}
	}
}

// element adds e and what is in it. counted says that e's own text is part of
// a text that is in the view already.
func (v *View) element(e *som.Element, counted bool) {
	own := e.Text
	if !counted {
		v.add(own)
	}
	if key(e.Label) != key(own) {
		v.add(e.Label)
	}
	v.heading(e)
	v.link(e)
	v.field(e)
	for _, k := range []string{"alt", "placeholder", "value", "caption", "summary", "legend", "title", "description", "alttext"} {
		if s, _ := e.Attr(k); s != "" && key(s) != key(own) && key(s) != key(e.Label) {
			v.add(s)
		}
	}
	for _, o := range e.Options {
		v.add(o.Text)
		v.add(o.Group)
	}
	switch {
	case e.Table != nil:
		v.table(e.Table)
		for _, k := range e.Children {
			v.element(k, k.Start < k.End)
		}
	case e.List != nil:
		v.list(e, counted)
	default:
		for _, k := range e.Children {
			v.element(k, e.Start <= k.Start && k.End <= e.End && k.Start < k.End || counted && own == "")
		}
	}
}

// list adds the items of a list, each with the elements in it: those that stand
// in the item's own line are part of its text.
func (v *View) list(e *som.Element, counted bool) {
	kids, at := e.Children, 0
	for _, it := range e.List.Items {
		from := min(max(int(it.From), at), len(kids))
		to := max(from, min(int(it.To), len(kids)))
		for _, k := range kids[at:from] {
			v.element(k, counted)
		}
		at = to
		if !counted {
			v.add(it.Text)
		}
		line := it.Text
		for _, k := range kids[from:to] {
			_, after, found := strings.Cut(line, k.Text)
			inside := found && k.Text != "" && k.Start < k.End && (k.Role == "link" || k.Role == "button")
			if inside {
				line = after
			}
			v.element(k, inside || counted)
		}
	}
	for _, k := range kids[at:] {
		v.element(k, counted)
	}
}

// add counts a text.
func (v *View) add(s string) {
	if s != "" {
		v.Blocks = append(v.Blocks, s)
	}
}

// table adds all cells; a cell that spans several places counts in each.
func (v *View) table(t *som.Table) {
	for _, s := range t.Headers {
		v.add(s)
	}
	for _, r := range t.Rows {
		for _, s := range r {
			v.add(s)
		}
	}
}

func (v *View) heading(e *som.Element) {
	if e.Role != "heading" {
		return
	}
	level, _ := e.Attr("level")
	n, _ := strconv.Atoi(level)
	text := e.Text
	if text == "" {
		text = e.Label
	}
	v.Headings = append(v.Headings, reader.Heading{Level: n, Text: text})
}

func (v *View) link(e *som.Element) {
	href, ok := e.Attr("href")
	if !ok {
		return
	}
	url, ok := e.Attr("url")
	if !ok {
		url = href
	}
	text := e.Text
	if text == "" {
		text = e.Label
	}
	v.Links = append(v.Links, som.Link{Text: text, Href: href, URL: url})
}

// fieldRoles are the roles of form controls.
var fieldRoles = map[string]bool{
	"text_input": true, "textarea": true, "select": true, "checkbox": true, "radio": true, "button": true,
	"slider": true, "spinbutton": true, "switch": true, "combobox": true, "searchbox": true,
}

func (v *View) field(e *som.Element) {
	if !fieldRoles[e.Role] {
		return
	}
	f := Field{Role: e.Role, Label: e.Label}
	if f.Label == "" {
		f.Label = e.Text
	}
	f.Type, _ = e.Attr("input_type")
	f.Name, _ = e.Attr("name")
	required, _ := e.Attr("required")
	disabled, _ := e.Attr("disabled")
	f.Required, f.Disabled = required == "true", disabled == "true"
	if f.Label == "" {
		f.Label, _ = e.Attr("placeholder")
	}
	for _, o := range e.Options {
		f.Options = append(f.Options, o.Text)
	}
	v.Fields = append(v.Fields, f)
}

// JSONView takes any JSON form of a page for the words in its strings, but for
// those under the keys named, which are no words of the page.
func JSONView(name string, raw []byte, skip ...string) *View {
	v := &View{Name: name, Bytes: len(raw)}
	var doc any
	if json.Unmarshal(raw, &doc) == nil {
		v.strings("", doc, skip)
	}
	return v
}

func (v *View) strings(name string, x any, skip []string) {
	switch x := x.(type) {
	case map[string]any:
		for k, y := range x {
			v.strings(k, y, skip)
		}
	case []any:
		for _, y := range x {
			v.strings(name, y, skip)
		}
	case string:
		if !slices.Contains(skip, name) {
			v.add(x)
		}
	}
}

// TextView is the page's plain text.
func TextView(p *som.Page) *View {
	s := p.Text()
	return &View{Name: "text", Blocks: strings.Split(s, "\n"), Bytes: len(s)}
}

var (
	mdLink    = regexp.MustCompile(`!?\[((?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\]\([^()\s]*\))*)\]\((<[^<>]*>|[^()\s]*)(?:\s+"(?:[^"\\]|\\.)*")?\)`)
	mdImage   = regexp.MustCompile(`!\[((?:[^\[\]\\]|\\.)*)\]\((<[^<>]*>|[^()\s]*)\)`)
	mdHeading = regexp.MustCompile(`^[ >\-*0-9.]*?(#{1,6})\s+(.*?)(?:\s+#+)?$`)
	mdEscape  = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)
	mdAuto    = regexp.MustCompile(`<((?:[a-zA-Z][a-zA-Z0-9+.\-]*):[^<>\s]*)>`)
)

// MarkdownView takes the page's markdown apart: link targets are no words.
func MarkdownView(p *som.Page) *View {
	s := p.Markdown()
	v := &View{Name: "markdown", HasLinks: true, HasHeadings: true, Bytes: len(s)}
	for _, source := range strings.Split(s, "\n") {
		line := source
		for range 2 { // an image inside a link
			line = mdLink.ReplaceAllStringFunc(line, func(m string) string {
				g := mdLink.FindStringSubmatch(m)
				if !strings.HasPrefix(m, "!") {
					text := mdImage.ReplaceAllString(g[1], "")
					if flat(text) == "" {
						text = mdImage.ReplaceAllString(g[1], "$1")
					}
					v.Links = append(v.Links, som.Link{Text: text, URL: mdEscape.ReplaceAllString(strings.Trim(g[2], "<>"), "$1")})
				}
				return g[1]
			})
		}
		line = mdAuto.ReplaceAllStringFunc(line, func(m string) string {
			v.Links = append(v.Links, som.Link{URL: m[1 : len(m)-1]})
			return " "
		})
		if g := mdHeading.FindStringSubmatch(mdLink.ReplaceAllString(mdImage.ReplaceAllString(source, ""), "$1")); g != nil {
			v.Headings = append(v.Headings, reader.Heading{Level: len(g[1]), Text: plainMarkdown(g[2])})
		}
		v.Blocks = append(v.Blocks, plainMarkdown(line))
	}
	return v
}

// spell gives the links of a view that has resolved addresses only the page's
// own spelling of them, as the SOM has it.
func (v *View) spell(sv *View) {
	href := map[string]string{}
	for _, l := range sv.Links {
		href[l.URL] = l.Href
		href[linkKey(strings.NewReplacer("<", "%3C", ">", "%3E").Replace(l.URL))] = l.Href
	}
	for i := range v.Links {
		v.Links[i].Href = href[v.Links[i].URL]
	}
}

// markup are the characters of a line that Markdown does not show.
var markup = strings.NewReplacer("**", "", "*", "", "`", "", "|", " ", "~~", "")

// plainMarkdown takes emphasis, table bars and escapes out of a line.
func plainMarkdown(s string) string {
	var b strings.Builder
	for {
		at := mdEscape.FindStringIndex(s)
		if at == nil {
			b.WriteString(markup.Replace(s))
			return flat(b.String())
		}
		b.WriteString(markup.Replace(s[:at[0]]))
		b.WriteString(s[at[0]+1 : at[1]])
		s = s[at[1]:]
	}
}
