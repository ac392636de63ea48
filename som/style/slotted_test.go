package style

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Rules of a shadow tree for what its slots take: CSS Scoping, ::slotted().
func TestSlottedRules(t *testing.T) {
	for _, tc := range []struct {
		name, css string
		want      Display
	}{
		{"any", "::slotted(*) { display: none }", None},
		{"compound argument", "::slotted(p.x) { display: none }", None},
		{"other argument", "::slotted(b) { display: none }", Block},
		{"of a named slot", "slot[name=a]::slotted(p) { display: none }", None},
		{"of another slot", "slot[name=b]::slotted(p) { display: none }", Block},
		{"below a class", ".w ::slotted(p) { display: none }", None},
		{"complex argument is invalid", "::slotted(div p) { display: none }", Block},
		{"the page's own rules are stronger", "::slotted(p) { display: grid }", Block},
		{"but not than important ones", "::slotted(p) { display: grid !important }", Grid},
	} {
		outer := ""
		if strings.Contains(tc.css, "grid") {
			outer = "<style>p { display: block }</style>"
		}
		src := "<!doctype html>" + outer + "<div><template shadowrootmode=open><style>" + tc.css +
			"</style><b class=w><slot name=a></slot></b><slot name=b></slot></template><p id=p class=x slot=a>x</p></div>"
		root, err := html.Parse(strings.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		c := Compute(root)
		for n := root; n != nil; n = nextNode(n, root) {
			if attr(n, "id") == "p" {
				if got := c.Of(n, Box{}).Display; got != tc.want {
					t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
				}
			}
		}
	}
}
