package style

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Hostile sheets end, and quickly: each of these would take minutes or a stack
// without the limits.
func TestHostileSheets(t *testing.T) {
	const many = 200_000
	deep := strings.Repeat("<div class=a>", 400)
	for _, c := range []struct{ name, css, body string }{
		{"brackets without end", strings.Repeat("(", many), ""},
		{"blocks without end", strings.Repeat("a{", many), ""},
		{"at-rules without end", strings.Repeat("@media screen{", many), ""},
		{"deep :is()", strings.Repeat(":is(", many) + "{display:none}", ""},
		{"deep :not()", strings.Repeat(":not(", 30_000) + ".a" + strings.Repeat(")", 30_000) + "{display:none}", ""},
		{"a long selector", strings.Repeat(".a ", many) + "{display:none}", deep},
		{"a wide list", strings.Repeat(".a,", many) + ".a{display:none}", "<p class=a>"},
		{"backtracking", strings.Repeat(".a ", 40) + "> .b{display:none}", deep + strings.Repeat("<b class=b></b>", 500)},
		{"many :has()", strings.Repeat("div:has(.x .y){display:none}", 500), deep + strings.Repeat("<i class=x></i>", 500)},
		{"many siblings", strings.Repeat("b:nth-last-child(3 of .x) ~ b{display:none}", 100), strings.Repeat("<b class=x></b>", 20_000)},
		{"many rules for every element", strings.Repeat("*{display:block}", 5_000), strings.Repeat("<b></b>", 5_000)},
		{"nested lists", strings.Repeat(".a,.b,.c,.d{", 30) + "display:none", deep},
		{"a loop of custom properties", ":root{--a:var(--b) var(--b);--b:var(--a) var(--a)}p{display:var(--a)}", "<p>"},
		{"growing custom properties", vars(40) + "p{display:var(--v0)}", "<p>"},
		{"nested conditions", "@media " + strings.Repeat("(not ", many) + "{p{display:none}}", "<p>"},
		{"layers without end", strings.Repeat("@layer a{", 10_000), ""},
		{"a layer of many names", "@layer " + strings.Repeat("a.", many) + "b;", ""},
		{"many layers", manyLayers(20_000), "<p class=a>"},
		{"a long class attribute", ".x{display:none}", "<p class='" + strings.Repeat("y ", many) + "'>"},
		{"many style attributes", "", strings.Repeat("<b style='display:none;display:var(--x)'></b>", 20_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := html.Parse(strings.NewReader("<!doctype html><style>" + c.css + "</style><body>" + c.body))
			if err != nil {
				t.Fatal(err)
			}
			askAll(root)
		})
	}
}

// vars makes each of n properties twice the next.
func vars(n int) string {
	var b strings.Builder
	b.WriteString(":root{")
	for i := range n {
		fmt.Fprintf(&b, "--v%d:var(--v%d) var(--v%d);", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "--v%d:x}", n)
	return b.String()
}

func manyLayers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "@layer l%d{.a{display:none}}", i)
	}
	return b.String()
}

func FuzzStyle(f *testing.F) {
	for _, seed := range []string{
		".a{display:none}", "@media (min-width:1px){p{visibility:hidden}}", "@supports not (display:grid){p{}}",
		":is(.a,:not(b)):nth-child(2n+1 of .k)>a{display:inline flex!important}", "@layer a.b{p{all:revert-layer}}",
		":root{--a:var(--b,none)}p{display:var(--a)}", ".a{&:has(+ b){display:grid;@media screen{float:left}}}",
		"a\\31 {d\\69splay:none}", "<!-- p{x:url( --> )", "p{content:\"\\", ".x{left:-9999px;position:absolute;clip:rect(0,0,0,0)}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, css string) {
		if len(css) > 1<<14 {
			return
		}
		src := `<!doctype html><style>` + css + `</style><div class=a id=i><p style="` + strings.ReplaceAll(css, `"`, `&quot;`) + `"><b class=k>x</b><a href=x>y</a></div>`
		root, err := html.Parse(strings.NewReader(src))
		if err != nil {
			return
		}
		one, two := boxesOf(Compute(root), root), boxesOf(Compute(root), root)
		for n, b := range one {
			if two[n] != b {
				t.Fatalf("%s: %+v, then %+v", n.Data, b, two[n])
			}
		}
	})
}

func boxesOf(c *Computed, root *html.Node) map[*html.Node]Box {
	got := map[*html.Node]Box{}
	for n := nextNode(root, root); n != nil; n = nextNode(n, root) {
		got[n] = c.Of(n, got[n.Parent])
	}
	return got
}
