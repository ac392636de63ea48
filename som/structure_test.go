package som

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTablesByRole(t *testing.T) {
	p := compile(t, "https://example.test/", `<div role=grid aria-label=Seats><div role=row><span role=columnheader>Row</span><span role=columnheader>A</span></div><div role=rowgroup><div role=row><span role=gridcell>1</span><span role=gridcell><button>free</button></span></div></div></div>`)
	e := elements(p, "table")[0]
	if d := cmp.Diff([]any{e.Name(), e.Table.Headers, e.Table.Rows, len(e.Children)}, []any{"Seats", []string{"Row", "A"}, [][]string{{"1", "free"}}, 1}); d != "" {
		t.Error(d)
	}
}

// Data tables and layout tables are told apart by content.
func TestLayoutTables(t *testing.T) {
	tests := []struct {
		name, src string
		data      bool
	}{
		{"headers", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", true},
		{"a caption", "<table><caption>c</caption><tr><td>1<td>2</table>", true},
		{"an even grid", "<table cellpadding=4><tr><td>a<td>b<tr><td>1<td>2<tr><td>3<td>4</table>", true},
		{"role=presentation", "<table role=presentation><tr><th>a<th>b<tr><td>1<td>2</table>", false},
		{"a single cell", "<table><tr><td>text</table>", false},
		{"a single row", "<table><tr><td>left<td>right</table>", false},
		{"a nested table", "<table><tr><td>a<td><table><tr><td>x</table><tr><td>b<td>c</table>", false},
		{"a form in a cell", "<table><tr><td>a<td><form><input></form><tr><td>b<td>c</table>", false},
		{"rows of unlike shape", "<table><tr><td>1.<td>^<td>Title<tr><td colspan=2><td>points<tr><td colspan=3><tr><td>2.<td>^<td>Title<tr><td colspan=2><td>points</table>", false},
		{"columns of running text", "<table><tr><td>" + strings.Repeat("word ", 100) + "<td>x<tr><td>y<td>z</table>", false},
	}
	for _, test := range tests {
		p := compile(t, "https://example.test/", test.src)
		if got := len(elements(p, "table")) > 0; got != test.data {
			t.Errorf("%s: data table %v, want %v", test.name, got, test.data)
		}
	}
}

// The text of a label is its control's name; if the control is not shown, or
// has another name, the label is text like any other.
func TestLabels(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // role and name of all elements
	}{
		{"for", "<label for=a>Name</label> <input id=a>", []string{"text_input Name"}},
		{"wrapped", "<label>Name <input></label>", []string{"text_input Name"}},
		{"in another block", "<div><label for=a>Name</label></div><div><input id=a></div>", []string{"text_input Name"}},
		{"with a link", "<label><input type=checkbox> I take the <a href=t>terms</a></label>", []string{"checkbox I take the terms", "link terms"}},
		{"with more text beside it", "Please: <label for=a>Name</label> <input id=a>", []string{"paragraph Please: Name", "text_input Name"}},
		{"of a hidden control", "<label for=a>Name</label><div hidden><input id=a></div>", []string{"paragraph Name"}},
		{"of a control with another name", "<label for=a>Name</label><input id=a aria-label=Other>", []string{"paragraph Name", "text_input Other"}},
		{"of nothing", "<label for=x>Name</label>", []string{"paragraph Name"}},
	}
	for _, test := range tests {
		var got []string
		compile(t, "https://example.test/", test.src).Walk(func(e *Element, _ *Region) bool {
			got = append(got, e.Role+" "+e.Name())
			return true
		})
		if d := cmp.Diff(got, test.want); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

func TestRegions(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // id and number of elements
	}{
		{"no landmark", "<p>a<p>b", []string{"r_content 2"}},
		{"content between landmarks", "<p>a<nav><a href=x>n</a></nav><p>b<main><p>c</main><p>d", []string{"r_content 1", "r_navigation 1", "r_content_1 1", "r_main 1", "r_content_2 1"}},
		{"header of the page", "<header><h1>t</h1></header><main><article><header><h2>u</h2></header></article></main>", []string{"r_header 1", "r_main 1"}},
		{"footer in a section is none", "<section><footer>f</footer></section>", []string{"r_content 1"}},
		{"a list of links in a header", "<header><h1>t</h1><ul><li><a href=1>a</a><li><a href=2>b</a><li><a href=3>c</a></ul></header>", []string{"r_header 1", "r_navigation 1"}},
		{"a form with controls", "<main><h1>t</h1><form action=/s><input></form></main>", []string{"r_main 1", "r_form 1"}},
		{"a form without controls", "<form><p>t</form>", []string{"r_content 1"}},
		{"a landmark in a form", "<form><main><input></main></form>", []string{"r_main 1"}},
		{"no substring of class names", "<div class='trailer'>t</div><div class='headerless'>h</div>", []string{"r_content 2"}},
		{"an open dialog", "<dialog open>hi</dialog><div role=alertdialog aria-label=l>x</div>", []string{"r_dialog 1", "r_dialog_1 1"}},
		{"regions without elements are omitted", "<nav></nav><aside> </aside><p>x", []string{"r_content 1"}},
	}
	for _, test := range tests {
		var got []string
		for _, r := range compile(t, "https://example.test/", test.src).Regions {
			got = append(got, r.ID+" "+string(rune('0'+len(r.Elements))))
		}
		if d := cmp.Diff(got, test.want); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

// A closed details is read by asking for it.
func TestClosedDetailsByID(t *testing.T) {
	p := compile(t, "https://example.test/", "<details><summary>Q</summary><p>Answer</p></details>")
	part, ok := p.Part(elements(p, "details")[0].ID)
	if !ok || !strings.Contains(part.Text(), "Answer") || strings.Contains(p.Text(), "Answer") {
		t.Errorf("page %q, part %q", p.Text(), part.Text())
	}
}

// What CSS or ARIA do inside of a line loses no text and glues no words.
func TestLinesKeepTheirText(t *testing.T) {
	tests := []struct{ src, want string }{
		{`before <button><cite style="display:table-cell">in</cite></button> after`, "before [in] after"},
		{`before <a href=x><em style="display:flex">in</em></a> after`, "before in after"},
		{`before <a href=x><iframe src=y></iframe>in</a> after`, "before in after"},
		{`one<div aria-hidden="true"></div>two`, "one\ntwo"},
		{`one<span aria-hidden="true"> | </span>two`, "one two"},
		{`one<i aria-hidden="true"></i>two`, "onetwo"},
		{`one<i style="display:none">x</i>two`, "onetwo"},
		{`<svg><text>drawn</text><text>words</text></svg>`, "drawn words"},
		{`<fieldset><legend style="display:none">no</legend>yes</fieldset>`, "yes"},
		{`<a href=x>link<i style="visibility:hidden"><select><option>no</select></i></a>`, "link"},
	}
	for _, test := range tests {
		if got := strings.TrimSpace(compile(t, "https://example.test/", test.src).Text()); got != test.want {
			t.Errorf("%s: %q, want %q", test.src, got, test.want)
		}
	}
}

// External sheets count like the page's own.
func TestExternalSheets(t *testing.T) {
	src := []byte(`<link rel=stylesheet href=a.css><p class=x>hidden</p><p>shown</p>`)
	p := Analyze(Input{URL: "https://example.test/", Source: src}, Options{})
	var link NodeID
	for i, n := range p.index().nodes {
		if n.Data == "link" {
			link = NodeID(i)
		}
	}
	q := Analyze(Input{URL: "https://example.test/", Source: src, Sheets: map[NodeID]string{link: ".x{display:none}"}}, Options{})
	if len(elements(p, "paragraph")) != 2 || len(elements(q, "paragraph")) != 1 {
		t.Errorf("without %s with %s", p.JSON(), q.JSON())
	}
}
