package style

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// boxes computes the boxes of all elements with an id.
func boxes(t testing.TB, src string) map[string]Box {
	t.Helper()
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	c := Compute(root)
	got := map[string]Box{}
	var walk func(n *html.Node, parent Box)
	walk = func(n *html.Node, parent Box) {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type != html.ElementNode {
				continue
			}
			b := c.Of(k, parent)
			if id := attr(k, "id"); id != "" {
				got[id] = b
			}
			walk(k, b)
		}
	}
	walk(root, Box{})
	return got
}

func TestSmoke(t *testing.T) {
	b := boxes(t, `<!doctype html><style>
	.a{display:none} #c{display:grid!important} @media print{#d{display:none}} @media (min-width:600px){#e{display:none}}
	.p{ visibility:hidden; & .q{visibility:visible} }
	:root{--x:none} #f{display:var(--x)} #g{display:var(--y, flex)}
	li:nth-child(2 of .k){display:none}
	</style><p id=a class=a>x<p id=b hidden>x<p id=c class=a style="display:none">x<p id=d>x<p id=e>x
	<div class=p id=p><i class=q id=q></i></div><p id=f><p id=g><span id=h></span></p>
	<ul><li class=k><li id=l class=k><li id=m class=k></ul>`)
	for id, want := range map[string]Display{"a": None, "b": None, "c": Grid, "d": Block, "e": None, "f": None, "g": Flex, "h": Block, "l": None, "m": ListItem} {
		if got := b[id].Display; got != want {
			t.Errorf("%s: display %v, want %v", id, got, want)
		}
	}
	if b["p"].Visible || !b["q"].Visible {
		t.Errorf("visibility: p %v, q %v, want false, true", b["p"].Visible, b["q"].Visible)
	}
}
