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

// Flags tell text that is out of sight from text that is not rendered.
func TestFlags(t *testing.T) {
	got := boxes(t, `<!doctype html><style>
	.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0) }
	.sr2 { position: absolute !important; clip-path: inset(50%) }
	.sr3 { clip: rect(1px 1px 1px 1px); position: fixed }
	.shown { clip: auto; clip-path: none; position: static; left: auto }
	.off { position: absolute; left: -9999px } .off2 { left: -999em; position: fixed } .rel { position: relative; left: -9999px }
	.far { position: absolute; top: -20px } .indent { text-indent: -9999px } .indent2 { text-indent: -100em }
	.o { opacity: 0 } .o2 { opacity: 0% } .o3 { opacity: 0 } .o3 { opacity: .5 } .tiny { font-size: 0 } .small { font-size: 12px } .none { left: -9999px }
	.cut { clip: rect(0, 100px, 100px, 0) } .edge { clip-path: inset(10%) } .ring { clip-path: circle(0) }
	</style>
	<p id=sr class=sr>x<p id=sr2 class=sr2>x<p id=sr3 class=sr3>x<p id=shown class="sr sr2 shown">x
	<p id=off class=off>x<p id=off2 class=off2>x<p id=rel class=rel>x<p id=far class=far>x<p id=indent class=indent>x<p id=indent2 class=indent2>x
	<p id=o class=o>x<p id=o2 class=o2>x<p id=o3 class=o3>x<p id=tiny class=tiny>x<p id=small class=small>x<p id=none class=none>x
	<p id=cut class=cut>x<p id=edge class=edge>x<p id=ring class=ring>x
	<p id=inline style="position:absolute;top:-1000px;opacity:0">x`)
	for id, want := range map[string]Flags{
		"sr": Clipped, "sr2": Clipped, "sr3": Clipped, "shown": 0,
		"off": Offscreen, "off2": Offscreen, "rel": 0, "far": 0, "indent": Offscreen, "indent2": Offscreen,
		"o": Transparent, "o2": Transparent, "o3": 0, "tiny": Tiny, "small": 0, "none": 0,
		"cut": 0, "edge": 0, "ring": Clipped, "inline": Offscreen | Transparent,
	} {
		if b := got[id]; b.Flags != want || b.Display == None || !b.Visible {
			t.Errorf("%s: got flags %b, display %v, visible %v, want %b and rendered", id, b.Flags, b.Display, b.Visible, want)
		}
	}
}

// Sheets that a caller has loaded take their link's place in the cascade.
func TestExternalSheets(t *testing.T) {
	root, _ := tree(t, `<!doctype html><style>p { display: grid }</style><link rel=stylesheet href=a.css><link rel=stylesheet href=b.css media=print><link rel=stylesheet href=c.css><style>b { display: block }</style><p>x<b>y</b>`)
	var styles []*html.Node
	external := map[*html.Node]string{}
	var p, b *html.Node
	for n := root; n != nil; n = nextNode(n, root) {
		switch n.Data {
		case "style", "link":
			styles = append(styles, n)
			switch attr(n, "href") {
			case "a.css":
				external[n] = "p { display: flex } b { display: none }"
			case "b.css":
				external[n] = "p { display: none }"
			}
		case "p":
			p = n
		case "b":
			b = n
		}
	}
	c := ComputeStyles(root, styles, external)
	box := c.Of(p, Box{})
	if got := box.Display; got != Flex {
		t.Errorf("p: got %v, want flex", got)
	}
	if got := c.Of(b, box).Display; got != Block {
		t.Errorf("b: got %v, want block", got)
	}
}
