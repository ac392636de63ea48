package som

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// perturb changes a tree without changing what the page says.
type perturbation struct {
	name   string
	change func(root *html.Node)
	min    float64 // share of ids that must survive
}

func eachElement(root *html.Node, f func(*html.Node)) {
	var all []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	for _, n := range all {
		f(n)
	}
}

func preserved(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		switch n.Data {
		case "pre", "textarea", "script", "style", "title", "option", "listing", "xmp", "plaintext", "noscript", "iframe":
			return true
		}
	}
	return false
}

func perturbations() []perturbation {
	return []perturbation{
		{"white space doubled", func(root *html.Node) {
			for n := range root.Descendants() {
				if n.Type == html.TextNode && !preserved(n.Parent) {
					n.Data = strings.ReplaceAll(n.Data, " ", " \n ")
				}
			}
		}, 1},
		{"comments in every element", func(root *html.Node) {
			eachElement(root, func(n *html.Node) {
				if !preserved(n) {
					n.InsertBefore(&html.Node{Type: html.CommentNode, Data: " x "}, n.FirstChild)
				}
			})
		}, 1},
		{"attributes in reverse order", func(root *html.Node) {
			eachElement(root, func(n *html.Node) {
				for i, j := 0, len(n.Attr)-1; i < j; i, j = i+1, j-1 {
					n.Attr[i], n.Attr[j] = n.Attr[j], n.Attr[i]
				}
			})
		}, 1},
		{"data attributes added", func(root *html.Node) {
			eachElement(root, func(n *html.Node) { n.Attr = append(n.Attr, html.Attribute{Key: "data-v", Val: "1"}) })
		}, 1},
		{"a banner as last child of body", func(root *html.Node) { banner(root, false) }, 0.99},
		{"a banner as first child of body", func(root *html.Node) { banner(root, true) }, 0},
	}
}

func banner(root *html.Node, first bool) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "body" {
			continue
		}
		p := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
		p.AppendChild(&html.Node{Type: html.TextNode, Data: "We use cookies"})
		if first {
			n.InsertBefore(p, n.FirstChild)
		} else {
			n.AppendChild(p)
		}
		return
	}
}

// TestIDSurvival perturbs pages and reports the share of ids that are still there.
func TestIDSurvival(t *testing.T) {
	pages := loadCorpus(t)
	for _, change := range perturbations() {
		kept, total := 0, 0
		for i := 0; i < len(pages) && i < 300; i += max(len(pages)/100, 1) {
			if len(pages[i].Source) > 500_000 {
				continue
			}
			before := Analyze(Input{URL: pages[i].URL, Source: pages[i].Source}, Options{})
			root, err := html.Parse(bytes.NewReader(pages[i].Source))
			if err != nil {
				continue
			}
			change.change(root)
			after := Analyze(Input{URL: pages[i].URL, Root: root}, Options{})
			before.Walk(func(e *Element, _ *Region) bool {
				total++
				if after.ElementByID(e.ID) != nil {
					kept++
				}
				return true
			})
		}
		share := float64(kept) / float64(total)
		t.Logf("%s: %.2f %% of %d ids survive", change.name, 100*share, total)
		if share < change.min {
			t.Errorf("%s: %.4f of the ids survive, want %.2f", change.name, share, change.min)
		}
	}
}
