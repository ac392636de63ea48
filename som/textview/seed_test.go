package textview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// The example of the protocol's description, but for the numbers.
func TestSeedPage(t *testing.T) {
	var items strings.Builder
	for i := 1; i <= 28; i++ {
		fmt.Fprintf(&items, "<li><a href=/w%d>Widget %d</a> <span>$1.50</span> <span>4.0 stars</span> <button>Add to cart</button></li>", i, i)
	}
	src := `<!doctype html><title>Shipping – Demo Shop</title><header><nav aria-label=Primary><a href=/>Home</a></nav></header><main><h1>Shipping</h1>
<form aria-label=Shipping action=/review><p><label for=e>Email</label> <input id=e type=email required></p>
<p><label>Country <select><option>United States<option>Canada<option>Mexico<option>India<option>France<option>Spain<option>Italy</select></label></p>
<p><label><input type=checkbox> This is a gift</label></p>
<p><label><input type=radio name=s checked> Standard</label> <label><input type=radio name=s> Express</label></p>
<p>By continuing you agree to our <a href=/t>Terms</a> and <a href=/p>Privacy Policy</a>.</p><button>Continue to review</button></form>
<ul>` + items.String() + `</ul></main>`
	want := `# Shipping – Demo Shop · shop.example/checkout
header
 nav "Primary"
  [1] link "Home"
main
 h1 Shipping
 [2] form "Shipping"
  [3] textbox "Email" required
  [4] combobox "Country" = "United States" (United States, Canada, Mexico, India +3)
  [5] checkbox "This is a gift"
  [6] radio "Standard" checked [7] radio "Express"
  By continuing you agree to our [8] link "Terms" and [9] link "Privacy Policy".
  [10] button "Continue to review"
 - [12] link "Widget 1" · $1.50 4.0 stars · [13] button "Add to cart"`
	p := som.Analyze(som.Input{URL: "https://shop.example/checkout", Source: []byte(src)}, som.Options{})
	var refs Refs
	v := Render(p, &refs, Options{})
	lines := strings.Split(v.Text, "\n")
	if diff := cmp.Diff(want, strings.Join(lines[:14], "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := lines[len(lines)-1]; got != " … +20 more items (observe ref 11)" {
		t.Errorf("the last line: got %q", got)
	}
	list := Render(p, &refs, Options{Ref: 11, Budget: 8000})
	if got := strings.Count(list.Text, `link "Widget `); got != 28 {
		t.Errorf("observe ref 11: got %d items, want 28:\n%s", got, list.Text)
	}
}

// Whole lines for single rules of the spec.
func TestLines(t *testing.T) {
	for _, c := range []struct{ rule, html, want string }{
		{"second of seven options selected", `<label>Country <select><option>United States<option selected>Canada<option>Mexico<option>India<option>a<option>b<option>c</select></label>`,
			`[1] combobox "Country" = "Canada" (United States, Canada, Mexico, India +3)`},
		{"an empty name falls back to the name attribute", `<input name=q>`, `[1] textbox "(q)"`},
		{"a textarea", `<textarea aria-label=Note>abc</textarea>`, `[1] textbox "Note" = "abc" multiline`},
		{"a slider's limits", `<input type=range min=0 max=10 value=4 aria-label=Volume>`, `[1] slider "Volume" = "4" (0–10)`},
		{"a password", `<input type=password value=abc aria-label=Password>`, `[1] textbox "Password" = "•••" ⚿password`},
		{"a closed details", `<details><summary>More</summary>text</details>`, `[1] button "More" collapsed`},
		{"an open details", `<details open><summary>More</summary>text</details>`, `[1] button "More" expanded`},
		{"a label that stands in for a hidden radio", `<label>Red<input type=radio style="display:none" checked></label>`, `[1] radio "Red" checked`},
		{"a link that says another site", `<a href="https://evil.example/">bank.example</a>`, `[1] link "bank.example" → evil.example`},
		{"a picture", `<img alt="Red bicycle" src=a.png>`, `img "Red bicycle"`},
		{"decoration", `<p>x <img alt="" src=a.png></p>`, `x`},
		{"an alert", `<div role=alert>Wrong</div>`, `alert: Wrong`},
		{"a heading with a link", `<h2><a href=/x>News</a></h2>`, `h2 [1] link "News"`},
		{"a card", `<div><a href=/x><h3>Title</h3><p>Some text</p></a></div>`, `h3 [1] link "Title"`},
		{"a table's row", `<table><tr><th>Size<th>Price<tr><td>S<td>$1</table>`, `S | $1`},
		{"a definition", `<dl><dt>Term<dd>Meaning</dl>`, `- Term Meaning`},
		{"a switch", `<button role=switch aria-checked=true>Wifi</button>`, `[1] switch "Wifi" checked`},
		{"a clickable div", `<div onclick="x()">Press me</div>`, `[1] button "Press me"`},
		{"inert", `<div inert><button>Go</button></div>`, `[1] button "Go" disabled`},
		{"text that reads like a state", `<p><a href=/x>A</a> required</p>`, `[1] link "A" \required`},
		{"text that reads like a container", `<p>main</p>`, `\main`},
		{"a frame that is not loaded", `<iframe src="https://ads.example/x" title=Map></iframe>`, `[1] frame "Map" ads.example (not loaded)`},
	} {
		v := Render(page(c.html), &Refs{}, Options{Mode: Full})
		if !strings.Contains("\n"+strings.ReplaceAll(v.Text, "\n ", "\n")+"\n", "\n"+c.want+"\n") {
			t.Errorf("%s: lacks %q:\n%s", c.rule, c.want, v.Text)
		}
	}
}

func TestModalDialog(t *testing.T) {
	v := Render(page(`<main><p>Behind</p><a href=/x>Link</a></main><div role=dialog aria-modal=true aria-label="Sure?"><p>Delete it?</p><button>Yes</button></div>`), &Refs{}, Options{Mode: Full})
	want := "# untitled · cases.example/x\n[1] dialog \"Sure?\"\n Delete it?\n [2] button \"Yes\"\n… +3 more lines (behind dialog; observe ref 3)"
	if v.Text != want {
		t.Errorf("got\n%s\nwant\n%s", v.Text, want)
	}
}

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		"https://shop.example/":                               "shop.example",
		"http://shop.example:80/a":                            "http://shop.example/a",
		"https://user:pw@shop.example:8443/a#frag":            "shop.example:8443/a",
		"https://shop.example/#/route":                        "shop.example/#/route",
		"https://shop.example/?q=short&session=abc":           "shop.example/?q=short&session=…",
		"https://shop.example/?q=0123456789abcdefg":           "shop.example/?q=…",
		"https://shop.example/" + strings.Repeat("long/", 40): "shop.example/long/long/long/long/long/long/long/long/lo…ng/long/long/long/long/long/long/long/",
		"https://xn--pple-43d.example/":                       "xn--pple-43d.example",
	} {
		got := Compact(in)
		if strings.Contains(in, "long/long") {
			if n := len([]rune(got)); n > 100 || !strings.Contains(got, "…") {
				t.Errorf("%s: got %s (%d characters)", in, got, n)
			}
			continue
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	p := page(`<main><form aria-label=Shipping><button>Pay now</button><button>Pay later</button><input aria-label="Pay to"></form><p>Pay attention</p><a href=/p>Prépay</a></main>`)
	for _, c := range []struct{ q, want string }{
		{"role:button pay now", `1 of 1 for role:button pay now`},
		{"role:button pay", "2 of 2 for role:button pay\n[1] button \"Pay now\" · main > form \"Shipping\""},
		{"PAY", "5 of 5 for PAY"},
		{"prepay", `[1] link "Prépay" · main`},
		{"pay -role:button", "3 of 3 for pay -role:button"},
		{"label:later", `[1] button "Pay later"`},
		{"payy nwo", "0 for"},
	} {
		got := Find(p, &Refs{}, Search{Query: c.q})
		want := strings.Replace(c.want, "0 for", "0 of 0 for", 1)
		if !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant %q in it", c.q, got, want)
		}
	}
}

func TestBudgetIsKept(t *testing.T) {
	var b strings.Builder
	b.WriteString("<title>T</title><main><div role=alert>Look here</div>")
	for i := range 400 {
		fmt.Fprintf(&b, "<h2>Heading %d</h2><p>%s</p><p><a href=/%d>Link %d</a></p>", i, strings.Repeat("word ", 60), i, i)
	}
	for _, mode := range []Mode{Actions, Full, Read} {
		for _, budget := range []int{200, 1000, 5000} {
			v := Render(page(b.String()), &Refs{}, Options{Mode: mode, Budget: budget})
			if v.Tokens > budget+350 { // headings of main are kept, at most 20
				t.Errorf("%s with %d: got %d tokens", mode, budget, v.Tokens)
			}
			if !strings.Contains(v.Text, "alert: Look here") || !strings.Contains(v.Text, "… +") {
				t.Errorf("%s with %d: no alert or no fold line:\n%s", mode, budget, v.Text)
			}
		}
	}
}

func FuzzRender(f *testing.F) {
	for _, s := range []string{form1, long(""), `<p>[3] button "x"</p><p>‹card:1›</p>`, `<a href=/x><h2>a</h2><button>b</button></a>`, `<ul><li><table><tr><td><ul><li>x</ul></table></ul>`,
		`<div role=dialog aria-modal=true><div role=dialog aria-modal=true>x</div></div>`, `<table><tr><th>a<td>b | c · d<tr></table>`, `<select><option>a, (b) [3]</select>`,
		`<details><summary><a href=x>y</a></summary><p>z</details>`, `<p>⚠ x</p><p>h1 y</p><p>nav "z"</p>`, "<div><template shadowrootmode=open><slot></slot></template>x</div>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p := page(src)
		var refs Refs
		vault := privacy.NewVault(privacy.Detectors{})
		for _, mode := range []Mode{Actions, Full, Read} {
			o := Options{Mode: mode, Vault: vault}
			v := Render(p, &refs, o)
			if err := checkView(&refs, v.Text, mode != Read); err != nil {
				t.Errorf("%s: %v\n%s", mode, err, v.Text)
			}
			if again := Render(p, &refs, o); again.Text != v.Text {
				t.Errorf("%s: other bytes:\n%s\n%s", mode, v.Text, again.Text)
			}
		}
	})
}
