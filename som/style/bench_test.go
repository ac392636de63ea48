package style

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// tree parses src and counts its elements.
func tree(tb testing.TB, src string) (*html.Node, int) {
	tb.Helper()
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		tb.Fatal(err)
	}
	n := 0
	for x := root; x != nil; x = nextNode(x, root) {
		if x.Type == html.ElementNode {
			n++
		}
	}
	return root, n
}

// askAll computes every element's box in tree order.
func askAll(root *html.Node) *Computed {
	c := Compute(root)
	var walk func(n *html.Node, b Box)
	walk = func(n *html.Node, b Box) {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type == html.ElementNode {
				walk(k, c.Of(k, b))
			}
		}
	}
	walk(root, Box{})
	return c
}

// sheet is a sheet of n rules like those of real pages, a third of which have to
// do with visibility.
func sheet(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 6 {
		case 0:
			fmt.Fprintf(&b, ".c%d{color:red;margin:0 0 1px;background:url(x.png)}", i)
		case 1:
			fmt.Fprintf(&b, ".c%d .d%d > a{display:none}", i%50, i)
		case 2:
			fmt.Fprintf(&b, "@media (max-width:600px){.c%d{display:block;padding:1em}}", i%50)
		case 3:
			fmt.Fprintf(&b, "#i%d,div.e%d:not(.x):first-child{font:12px/1.5 sans-serif;position:relative}", i, i%20)
		case 4:
			fmt.Fprintf(&b, "ul.c%d li:nth-child(2n+1){visibility:visible;border:1px solid #ccc}", i%50)
		case 5:
			fmt.Fprintf(&b, ".k%d:hover{text-decoration:underline}", i)
		}
	}
	return b.String()
}

func page(css string, rows int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><style>" + css + "</style><body>")
	for i := range rows {
		fmt.Fprintf(&b, `<div class="c%d e%d w" id=i%d><ul class=c%d><li><a href=#>x</a><li><b>y</b></ul><p class="d%d">t</p></div>`, i%50, i%20, i, i%50, i%300)
	}
	return b.String()
}

func BenchmarkStyle(b *testing.B) {
	for _, c := range []struct {
		name        string
		rules, rows int
	}{
		{"NoSheet", 0, 1250}, {"Rules500", 500, 1250}, {"Rules500Rows7150", 500, 7150}, {"Rules5000", 5000, 1250},
	} {
		root, n := tree(b, page(sheet(c.rules), c.rows))
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				askAll(root)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
		})
	}
}

func BenchmarkCompute(b *testing.B) {
	css := sheet(5000)
	root, _ := tree(b, page(css, 1))
	b.SetBytes(int64(len(css)))
	b.ReportAllocs()
	for b.Loop() {
		Compute(root)
	}
}
