package textview

import (
	"sort"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/policy/hygiene"
)

// sheets are the rules of a page's own style sheets that decide whether text
// can be told from what is behind it. What moves, clips or removes boxes is
// package style's; this is about colour, size of letters and scaling.
type sheets struct {
	rules []sheetRule
	white bool // the page's background is white where nothing says otherwise
}

type sheetRule struct {
	sel   cascadia.Sel
	decl  string
	order int
}

// maxMatches bounds the work: rules times elements.
const maxMatches = 2_000_000

// readSheets keeps the rules that may hide text and those that set what is
// behind it. If none may hide, or the page has sheets that were not read, none
// is kept: the background is not known then.
func (d *doc) readSheets(styles []*html.Node, elements int) {
	if d.unread {
		return
	}
	var rules []sheetRule
	hides := false
	for _, n := range styles {
		if m := strings.ToLower(attr(n, "media")); m != "" && m != "all" && m != "screen" {
			continue
		}
		eachRule(stripComments(readStyle(n)), func(prelude, decl string) {
			may := hygiene.MayHide(decl)
			if !may && !strings.Contains(strings.ToLower(decl), "background") && !strings.Contains(strings.ToLower(decl), "color") {
				return
			}
			group, err := cascadia.ParseGroup(prelude)
			if err != nil {
				return
			}
			hides = hides || may
			for _, sel := range group {
				if sel.PseudoElement() == "" {
					rules = append(rules, sheetRule{sel, decl, len(rules)})
				}
			}
		})
	}
	d.sheet.white = true
	if !hides || len(rules)*elements > maxMatches {
		d.sheet.white = len(rules) == 0
		return
	}
	sort.SliceStable(rules, func(i, j int) bool {
		a, b := rules[i].sel.Specificity(), rules[j].sel.Specificity()
		return a.Less(b)
	})
	d.sheet.rules = rules
}

func readStyle(n *html.Node) string {
	var b strings.Builder
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		b.WriteString(k.Data)
	}
	return b.String()
}

func stripComments(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		j := strings.Index(s[i+2:], "*/")
		if j < 0 {
			return b.String()
		}
		s = s[i+2+j+2:]
	}
}

// eachRule calls f for the style rules of a sheet. Rules under conditions are left out.
func eachRule(css string, f func(prelude, decl string)) {
	for {
		i := strings.IndexByte(css, '{')
		if i < 0 {
			return
		}
		prelude := strings.TrimSpace(css[:i])
		end := blockEnd(css, i)
		if k := strings.LastIndexByte(prelude, ';'); k >= 0 { // @import and the like before it
			prelude = strings.TrimSpace(prelude[k+1:])
		}
		if prelude != "" && prelude[0] != '@' {
			f(prelude, css[i+1:max(i+1, end-1)])
		}
		css = css[end:]
	}
}

// blockEnd is the index behind the brace that closes the one at i.
func blockEnd(css string, i int) int {
	depth := 0
	for k := i; k < len(css); k++ {
		switch css[k] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return len(css)
}

// styleOf is all that is declared of an element's looks, the strongest last.
func (d *doc) styleOf(n *html.Node) string {
	inline := attr(n, "style")
	if !d.sheet.white && len(d.sheet.rules) == 0 {
		return inline
	}
	var b strings.Builder
	if v := attr(n, "bgcolor"); v != "" {
		b.WriteString("background:" + v + ";")
	}
	if has(n, "background") {
		b.WriteString("background-image:url(x);")
	}
	if n.DataAtom == atom.Font && has(n, "color") {
		b.WriteString("color:" + attr(n, "color") + ";")
	}
	for i := range d.sheet.rules {
		if r := &d.sheet.rules[i]; r.sel.Match(n) {
			b.WriteString(r.decl + ";")
		}
	}
	b.WriteString(inline)
	return b.String()
}
