package dom

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func count(n *html.Node) (nodes int, text string) {
	var b strings.Builder
	for d := range n.Descendants() {
		nodes++
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return nodes, b.String()
}

// TestParseHostile: whatever the bytes, the content is there and the tree is
// bounded by a multiple of the source.
func TestParseHostile(t *testing.T) {
	fonts := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<font size=%d>", i)
		}
		return b.String()
	}
	attrs := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d", i)
		}
		return b.String()
	}
	tests := []struct {
		name, src string
		maxNodes  int
		flat      bool
		want      string
	}{
		{"600 nested divs", "<title>t</title>" + strings.Repeat("<div>", 600) + "bottom <a href=/deep>deep link</a>", 2000, true, "bottom deep link"},
		{"100,000 nested divs", strings.Repeat("<div>", 100_000) + "bottom <a href=/deep>deep link</a>", 200_100, true, "bottom deep link"},
		{"100,000 nested divs that end", strings.Repeat("<div>", 100_000) + "in" + strings.Repeat("</div>", 100_000) + "after", 200_100, true, "after"},
		{"20,000 nested spans", strings.Repeat("<span>x", 20_000) + "bottom", 100_000, true, "bottom"},
		{"10,000 nested tables", strings.Repeat("<table><tr><td>x", 10_000) + "bottom", 100_000, true, "bottom"},
		{"10,000 nested lists", strings.Repeat("<ul><li>x", 10_000) + "bottom", 100_000, true, "bottom"},
		{"mis-nested formatting", fonts(1000) + strings.Repeat("<p>x", 4000) + "bottom", 100_000, true, "bottom"},
		{"formatting ended in the wrong order", strings.Repeat("<b><i><u><p></b></i></u>x", 2000) + "bottom", 200_000, false, "bottom"},
		{"formatting tags with many attributes", strings.Repeat("<b"+attrs(20_000)+">x", 3) + "bottom", 1000, true, "bottom"},
		{"a million attributes", "<div" + attrs(1_000_000) + ">bottom</div>", 100, false, "bottom"},
		{"a 30 MiB attribute", "<div title='" + strings.Repeat("x", 30<<20) + "'>bottom</div>", 100, false, "bottom"},
		{"500,000 siblings", strings.Repeat("<p>x", 500_000) + "bottom", 1_000_100, false, "bottom"},
		{"nested svg", strings.Repeat("<svg><g>", 5000) + "</svg>bottom", 100_000, true, ""},
		{"options below the limit", strings.Repeat("<div>", 600) + "<select><option>one<option>two</select>bottom", 2000, true, "onetwobottom"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := Parse([]byte(test.src))
			nodes, text := count(tree.Root)
			if nodes > test.maxNodes {
				t.Errorf("%d nodes, want at most %d", nodes, test.maxNodes)
			}
			if tree.Flattened != test.flat {
				t.Errorf("Flattened = %v, want %v", tree.Flattened, test.flat)
			}
			if !strings.HasSuffix(text, test.want) {
				t.Errorf("text ends with %q, want %q", text[max(0, len(text)-40):], test.want)
			}
		})
	}
}

// TestParseNoscript: noscript is content only where the page has no other.
func TestParseNoscript(t *testing.T) {
	tests := []struct {
		name, src string
		want      bool
	}{
		{"a page with text", "<p>hi</p><noscript><p>no</p></noscript>", false},
		{"a script shell", "<div id=root></div><noscript><p>You need JavaScript</p></noscript>", true},
		{"a shell whose text is hidden", "<div style='display: none'>Loading</div><noscript>x</noscript>", true},
		{"no noscript", "<div></div>", false},
	}
	for _, test := range tests {
		if got := Parse([]byte(test.src)).NoScript; got != test.want {
			t.Errorf("%s: NoScript = %v, want %v", test.name, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"<b><p></b>x", strings.Repeat("<div>", 600) + "x", strings.Repeat("<table><tr><td>", 200) + "</table>x", "<svg><a><p>x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		a, b := Parse(src), Parse(src)
		na, ta := count(a.Root)
		nb, tb := count(b.Root)
		if na != nb || ta != tb {
			t.Errorf("two parses differ")
		}
		if _, err := html.Parse(strings.NewReader(string(flatten(src, 200)))); err != nil {
			t.Errorf("flattened source does not parse: %v", err)
		}
	})
}
