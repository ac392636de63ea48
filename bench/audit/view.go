package audit

import (
	"encoding/json"
	"regexp"
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

// element is a SOM element or region as the JSON has it.
type element struct {
	ID       string         `json:"id"`
	Role     string         `json:"role"`
	Text     string         `json:"text"`
	Label    string         `json:"label"`
	Attrs    map[string]any `json:"attrs"`
	Children []element      `json:"children"`
	Elements []element      `json:"elements"`
	Action   string         `json:"action"`
}

// SOMView takes the SOM JSON apart. Where the JSON holds only the beginning of
// a text or table, the rest is read through Extract, as an agent would.
func SOMView(p *som.Page) (*View, error) {
	raw := p.JSON()
	v := &View{Name: "som", HasLinks: true, HasHeadings: true, HasFields: true, Bytes: len(raw)}
	var doc struct {
		Title   string    `json:"title"`
		Regions []element `json:"regions"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	for i := range doc.Regions {
		v.element(p, &doc.Regions[i])
	}
	return v, nil
}

// element adds e and what is in it.
func (v *View) element(p *som.Page, e *element) {
	own := v.fullText(p, e)
	if e.Role == "heading" {
		level, _ := e.Attrs["level"].(float64)
		text := own
		if text == "" {
			text = e.Label
		}
		v.Headings = append(v.Headings, reader.Heading{Level: int(level), Text: text})
	}
	if own != "" {
		v.Blocks = append(v.Blocks, own)
	}
	if e.Label != "" && key(e.Label) != key(own) {
		v.Blocks = append(v.Blocks, e.Label)
	}
	v.link(e, own)
	v.field(e, own)
	if e.Role == "table" {
		v.table(p, e)
	} else {
		v.Blocks = append(v.Blocks, strs(e.Attrs["headers"])...)
	}
	for _, k := range []string{"alt", "placeholder", "value", "caption", "summary", "legend", "section_label", "title", "description", "alttext"} {
		if s, ok := e.Attrs[k].(string); ok && s != "" && key(s) != key(own) && key(s) != key(e.Label) {
			v.Blocks = append(v.Blocks, s)
		}
	}
	v.items(e.Attrs["items"])
	v.items(e.Attrs["options"])
	for _, list := range [][]element{e.Elements, e.Children} {
		for i := range list {
			v.element(p, &list[i])
		}
	}
}

// items adds the texts of list items or options, nested ones too.
func (v *View) items(x any) {
	list, _ := x.([]any)
	for _, it := range list {
		m, _ := it.(map[string]any)
		if s, _ := m["text"].(string); s != "" {
			v.Blocks = append(v.Blocks, s)
		}
		v.items(m["items"])
		v.items(m["options"])
	}
}

// fullText is the element's text without the snapshot's cut.
func (v *View) fullText(p *som.Page, e *element) string {
	if !strings.HasSuffix(e.Text, "...") {
		return e.Text
	}
	if el := p.ElementByID(e.ID); el != nil && len(el.Text) >= len(e.Text) {
		return el.Text
	}
	var got struct{ T string }
	data, _, err := p.Extract([]string{"T"}, map[string]som.Query{"T": {Ref: e.ID}})
	if err == nil && json.Unmarshal(data, &got) == nil && len(got.T) >= len(e.Text) {
		return got.T
	}
	return e.Text
}

// table adds all cells.
func (v *View) table(p *som.Page, e *element) {
	headers, rows := strs(e.Attrs["headers"]), e.Attrs["rows"]
	if _, more := e.Attrs["row_count"]; more {
		var got struct {
			T struct {
				Headers []string
				Rows    any
			}
		}
		data, _, err := p.Extract([]string{"T"}, map[string]som.Query{"T": {Ref: e.ID, Props: []string{"headers", "rows"}}})
		if err == nil && json.Unmarshal(data, &got) == nil && got.T.Rows != nil {
			headers, rows = got.T.Headers, got.T.Rows
		}
	}
	v.Blocks = append(v.Blocks, headers...)
	list, _ := rows.([]any)
	for _, r := range list {
		v.Blocks = append(v.Blocks, strs(r)...)
	}
}

func (v *View) link(e *element, own string) {
	href, ok := e.Attrs["href"].(string)
	if !ok {
		return
	}
	url, _ := e.Attrs["url"].(string)
	v.Links = append(v.Links, som.Link{Text: own, Href: href, URL: url})
}

// fieldRoles are the roles of form controls.
var fieldRoles = map[string]bool{
	"text_input": true, "textarea": true, "select": true, "checkbox": true, "radio": true, "button": true,
	"slider": true, "spinbutton": true, "switch": true, "combobox": true, "searchbox": true, "file": true, "color": true,
}

func (v *View) field(e *element, own string) {
	if !fieldRoles[e.Role] {
		return
	}
	f := Field{Role: e.Role, Label: e.Label}
	if f.Label == "" {
		f.Label = own
	}
	f.Type, _ = e.Attrs["input_type"].(string)
	f.Name, _ = e.Attrs["name"].(string)
	if f.Name == "" {
		f.Name, _ = e.Attrs["group"].(string)
	}
	f.Required, _ = e.Attrs["required"].(bool)
	f.Disabled, _ = e.Attrs["disabled"].(bool)
	if f.Label == "" {
		f.Label, _ = e.Attrs["placeholder"].(string)
	}
	list, _ := e.Attrs["options"].([]any)
	for _, o := range list {
		m, _ := o.(map[string]any)
		s, _ := m["text"].(string)
		f.Options = append(f.Options, s)
	}
	v.Fields = append(v.Fields, f)
}

func strs(x any) []string {
	list, _ := x.([]any)
	var out []string
	for _, s := range list {
		switch c := s.(type) {
		case string:
			out = append(out, c)
		case map[string]any:
			t, _ := c["text"].(string)
			out = append(out, t)
		}
	}
	return out
}

// TextView is the page's plain text.
func TextView(p *som.Page) *View {
	s := p.Text()
	return &View{Name: "text", Blocks: strings.Split(s, "\n"), Bytes: len(s)}
}

var (
	mdLink    = regexp.MustCompile(`!?\[((?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\]\([^()\s]*\))*)\]\((<[^<>]*>|[^()\s]*)(?:\s+"(?:[^"\\]|\\.)*")?\)`)
	mdHeading = regexp.MustCompile(`^[ >\-*0-9.]*?(#{1,6})\s+(.*?)(?:\s+#+)?$`)
	mdEscape  = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)
	mdAuto    = regexp.MustCompile(`<((?:[a-zA-Z][a-zA-Z0-9+.\-]*):[^<>\s]*)>`)
)

// MarkdownView takes the page's markdown apart: link targets are no words.
func MarkdownView(p *som.Page) *View {
	s := p.Markdown()
	v := &View{Name: "markdown", HasLinks: true, HasHeadings: true, Bytes: len(s)}
	for _, line := range strings.Split(s, "\n") {
		line = mdAuto.ReplaceAllStringFunc(line, func(m string) string {
			v.Links = append(v.Links, som.Link{URL: m[1 : len(m)-1]})
			return m
		})
		for range 2 { // an image inside a link
			line = mdLink.ReplaceAllStringFunc(line, func(m string) string {
				g := mdLink.FindStringSubmatch(m)
				if !strings.HasPrefix(m, "!") {
					v.Links = append(v.Links, som.Link{Text: g[1], URL: strings.Trim(g[2], "<>")})
				}
				return g[1]
			})
		}
		if g := mdHeading.FindStringSubmatch(line); g != nil {
			v.Headings = append(v.Headings, reader.Heading{Level: len(g[1]), Text: plainMarkdown(g[2])})
		}
		v.Blocks = append(v.Blocks, plainMarkdown(line))
	}
	return v
}

// plainMarkdown takes emphasis, table bars and escapes out of a line.
func plainMarkdown(s string) string {
	s = mdEscape.ReplaceAllString(s, "\x00$1")
	s = strings.NewReplacer("**", "", "*", "", "`", "", "|", " ", "~~", "", "<br>", " ").Replace(s)
	return flat(strings.ReplaceAll(s, "\x00", ""))
}
