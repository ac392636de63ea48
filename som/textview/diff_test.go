package textview

import (
	"fmt"
	"strings"
	"testing"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// diffOf renders two states of one document and compares them.
func diffOf(before, after string, mode Mode) string {
	var refs Refs
	a := Render(page(before), &refs, Options{Mode: mode, At: At{Load: 1, Tree: "a"}})
	b := Render(page(after), &refs, Options{Mode: mode, At: At{Load: 1, Tree: "b"}})
	return b.Diff(&a)
}

// long makes a page long enough for a diff to be worth it.
func long(s string) string {
	var b strings.Builder
	b.WriteString("<title>T</title><main>" + s)
	for i := range 12 {
		fmt.Fprintf(&b, "<p>Paragraph %c of ordinary text with a <a href=/l%d>link %c</a> in it.</p>", 'a'+i, i, 'a'+i)
	}
	return b.String()
}

const shipping = `<form aria-label=Shipping><p><label>Email <input%s required></label><p><label>Phone <input></label><p><button>Go</button>%s</form>`

func TestDiff(t *testing.T) {
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("<li><a href=/%d>Row %c%c</a> text %c", i, 'a'+i/26, 'a'+i%26, 'a'+i%26))
	}
	list := "<ul>" + strings.Join(many, "") + "</ul>"
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing happens", long(""), long(""), "Δ none"},
		{"a value and an alert", long(fmt.Sprintf(shipping, "", "")), long(fmt.Sprintf(shipping, ` value=jane@example.com`, `<div role=alert>Please enter a valid postcode</div>`)),
			"Δ +1 −0 ~1\n @ [1] form \"Shipping\"\n ~ [2] textbox \"Email\" = \"jane@example.com\" required\n + alert: Please enter a valid postcode"},
		{"a line that went", long("<p>Old news</p>"), long(""), "Δ +0 −1 ~0\n @ main\n − Old news"},
		{"a text that changed", long("<p>Status: open</p>"), long("<p>Status: shut</p>"), "Δ +0 −0 ~1\n @ main\n ~ Status: shut"},
		{"ticking text is left out", long("<p>12:01 now</p>"), long("<p>12:02 now</p>"), "Δ none"},
		{"ticking text in an alert is not", long("<p role=alert>1 error</p>"), long("<p role=alert>2 errors found</p>"), "Δ +0 −0 ~1\n @ main\n ~ alert: 2 errors found"},
		{"the count of a fold", long("<div>" + list + "</div>"), long("<div>" + strings.Replace(list, "</ul>", "<li>x one<li>x two<li>x three</ul>", 1) + "</div>"), "none"},
	} {
		got := diffOf(c.before, c.after, Full)
		if c.want == "none" {
			got = diffOf(c.before, c.after, Actions)
			if !strings.Contains(got, "list … +25 more items") || strings.Contains(got, "(observe") {
				t.Errorf("%s: got\n%s", c.name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestDiffOrWhole(t *testing.T) {
	var refs Refs
	a := Render(page(long("")), &refs, Options{Mode: Full, At: At{Load: 1, Tree: "a"}})
	b := Render(page("<title>T</title><main><h1>All new</h1><p>Other text</p><a href=/z>Other link</a></main>"), &refs, Options{Mode: Full, At: At{Load: 1, Tree: "b"}})
	if got := b.Diff(&a); got != b.Text {
		t.Errorf("most lines changed: got\n%s\nwant the whole observation", got)
	}
	c := Render(page(long("")), &refs, Options{Mode: Full, At: At{Load: 2}})
	if got := c.Diff(&a); got != c.Text {
		t.Error("a new document: want the whole observation")
	}
	d := Render(page(long("")), &refs, Options{At: At{Load: 1, Tree: "a"}})
	if got := d.Diff(&a); got != d.Text {
		t.Error("another mode: want the whole observation")
	}
	if got := a.Diff(nil); got != a.Text {
		t.Error("no base: want the whole observation")
	}
}

func TestReorderedRows(t *testing.T) {
	before := long("<p><a href=/1>One</a></p><p><a href=/2>Two</a></p><p><a href=/3>Three</a></p>")
	after := long("<p><a href=/3>Three</a></p><p><a href=/1>One</a></p><p><a href=/2>Two</a></p>")
	if got, want := diffOf(before, after, Full), "Δ +0 −0 ~1\n ~ main reordered"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAddedSubtree(t *testing.T) {
	var b strings.Builder
	b.WriteString("<form aria-label=More>")
	for i := range 20 {
		fmt.Fprintf(&b, "<p><label>Field %c <input></label></p>", 'a'+i)
	}
	b.WriteString("</form>")
	base := long("") + strings.Repeat("<p>More and more ordinary text that is long enough to matter for the estimate of a whole view of it.</p>", 30)
	got := diffOf(base, base+b.String(), Full)
	if n := strings.Count(got, "\n + "); n != subtree {
		t.Errorf("got %d added lines, want %d:\n%s", n, subtree, got)
	}
	if !strings.Contains(got, "more lines (observe ref ") {
		t.Errorf("no fold line:\n%s", got)
	}
}

func TestActResult(t *testing.T) {
	str := func(s string) *string { return &s }
	v := privacy.NewVault(privacy.Detectors{})
	v.Redact("4111 1111 1111 1111", "https://shop.example")
	r := Result{
		Steps: []Step{
			{Do: "type", Target: Target{Ref: 9, Role: "textbox", Name: "Email"}, Typed: str("jane@example.com")},
			{Do: "type", Target: Target{Ref: 10, Role: "textbox", Name: "Card"}, Typed: str("4111111111111111")},
			{Do: "select", Target: Target{Ref: 11, Role: "combobox", Name: "Country"}, Value: str("Canada")},
			{Do: "click", Target: Target{Ref: 17, Role: "button", Name: "Continue to review"}},
			{Do: "click", Code: "stale", Reason: `[18] was button "Pay" (gone)`},
		},
		NotRun: 2,
		From:   "https://shop.example/checkout", To: "https://shop.example/review", Title: "Review – Demo Shop",
		Dialogs: []Dialog{{Kind: "confirm", Text: "Delete the order?"}},
		Tabs:    []TabChange{{Index: 2, Active: true}},
		Files:   []Download{{Name: "statement.pdf", Path: "~/Downloads/statement.pdf"}},
	}
	want := `✓ type [9] textbox "Email" "jane@example.com"
✓ type [10] textbox "Card" "‹card:1›"
✓ select [11] combobox "Country" = Canada
✓ click [17] button "Continue to review"
✗ click: stale [18] was button "Pay" (gone)
… 2 steps not run
→ shop.example/checkout → shop.example/review · "Review – Demo Shop"
! confirm "Delete the order?" dismissed (repeat the action with confirm:true to accept)
⧉ new tab 2 opened (now active)
↧ downloaded statement.pdf → ~/Downloads/statement.pdf`
	if got := r.Text(v); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A page with secrets shows none of them, wherever they stand.
func TestSecretsAreNotPrinted(t *testing.T) {
	const card = "4111 1111 1111 1111"
	src := `<title>Card ` + card + `</title><main><h1>` + card + `</h1><p>Your card <b>4111 1111</b> 1111 1111.</p><img alt="` + card + `">
	<a href="/x?c=4111111111111111" aria-label="Pay with ` + card + `">x</a><input value="` + card + `" aria-label=Note><input type=password value=hunter22 aria-label=Pass>
	<select><option>` + card + `</select><table><caption>Cards</caption><tr><th>No<tr><td>` + card + `</table><label>` + card + ` <input type=checkbox></label></main>`
	p := som.Analyze(som.Input{URL: "https://shop.example/?n=4111111111111111", Source: []byte(src)}, som.Options{})
	var refs Refs
	v := privacy.NewVault(privacy.Detectors{})
	for _, mode := range []Mode{Actions, Full, Read} {
		got := Render(p, &refs, Options{Mode: mode, Vault: v, Links: true})
		if strings.Contains(got.Text, "1111 1111") || strings.Contains(got.Text, "11111111") || strings.Contains(got.Text, "hunter22") {
			t.Errorf("%s: a secret is printed:\n%s", mode, got.Text)
		}
		if mode != Read && !strings.Contains(got.Text, `"•••" ⚿password`) {
			t.Errorf("%s: the password field is not masked:\n%s", mode, got.Text)
		}
	}
	if got := Find(p, &refs, Search{Query: "card", Vault: v, Links: true}); strings.Contains(got, "1111 1111") {
		t.Errorf("find prints a secret:\n%s", got)
	}
	for _, kind := range []string{"text", "table", "meta"} {
		got, _ := Extract(p, &refs, Extraction{Kind: kind, Vault: v})
		if strings.Contains(got, "1111 1111") {
			t.Errorf("extract %s prints a secret:\n%s", kind, got)
		}
	}
}
