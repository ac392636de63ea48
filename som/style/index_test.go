package style

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// allEntries is every entry of an index, each once.
func allEntries(x *ruleIndex) map[*selector]entry {
	all := map[*selector]entry{}
	add := func(list []entry) {
		for _, e := range list {
			all[e.sel] = e
		}
	}
	for _, m := range []map[string][]entry{x.byID, x.byClass, x.byTag, x.byAttr} {
		for _, list := range m {
			add(list)
		}
	}
	for _, b := range x.byAncestor {
		add(b.rest)
		for _, list := range b.byTag {
			add(list)
		}
	}
	add(x.rest)
	return all
}

// randomSelector is a selector over few names, so that some match.
func randomSelector(r *rand.Rand, depth int) string {
	var b strings.Builder
	simple := func() {
		any := false
		if r.IntN(2) == 0 {
			b.WriteString([]string{"div", "p", "b", "*"}[r.IntN(4)])
			any = true
		}
		for r.IntN(2) == 0 || !any {
			any = true
			switch r.IntN(9) {
			case 0, 1, 2:
				fmt.Fprintf(&b, ".c%d", r.IntN(4))
			case 3:
				fmt.Fprintf(&b, "#i%d", r.IntN(6))
			case 4:
				b.WriteString("[title]")
			case 5:
				fmt.Fprintf(&b, ":nth-child(%dn+%d)", r.IntN(3), r.IntN(3))
			case 6:
				b.WriteString([]string{":first-child", ":last-of-type", ":only-child", ":empty", ":nth-last-child(2)"}[r.IntN(5)])
			default:
				if depth > 1 {
					continue
				}
				fn := []string{":is", ":where", ":not", ":has"}[r.IntN(4)]
				if depth > 0 && fn == ":has" {
					fn = ":is"
				}
				b.WriteString(fn + "(" + randomSelector(r, depth+1) + "," + randomSelector(r, depth+1) + ")")
			}
		}
	}
	simple()
	for r.IntN(2) == 0 {
		b.WriteString([]string{" ", ">", "+", "~"}[r.IntN(4)])
		simple()
	}
	return b.String()
}

func randomTree(r *rand.Rand, b *strings.Builder, depth int) {
	for range r.IntN(5) {
		tag := []string{"div", "b", "div"}[r.IntN(3)]
		fmt.Fprintf(b, "<%s class='c%d c%d' id=i%d", tag, r.IntN(4), r.IntN(4), r.IntN(6))
		if r.IntN(4) == 0 {
			b.WriteString(" title=x")
		}
		b.WriteString(">")
		if depth < 5 {
			randomTree(r, b, depth+1)
		}
		fmt.Fprintf(b, "</%s>", tag)
	}
}

// The index and the filter of ancestors never lose a rule that matches, in
// whatever order elements are asked for.
func TestIndexFindsWhatMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		var src strings.Builder
		src.WriteString("<!doctype html><style>")
		for range 40 {
			s := randomSelector(r, 0)
			if r.IntN(4) == 0 {
				fmt.Fprintf(&src, "%s{%s{display:none}}", s, randomSelector(r, 0))
			} else {
				fmt.Fprintf(&src, "%s{display:none}", s)
			}
		}
		src.WriteString("</style><body>")
		randomTree(r, &src, 0)
		root, _ := tree(t, src.String())
		c := Compute(root)
		c.m.steps = 1 << 30
		all := allEntries(c.doc.index)
		var elements []*html.Node
		for n := root; n != nil; n = nextNode(n, root) {
			if n.Type == html.ElementNode {
				elements = append(elements, n)
			}
		}
		if r.IntN(2) == 0 {
			r.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
		}
		fresh := matcher{steps: 1 << 30}
		for _, n := range elements {
			c.collect(n, c.doc)
			found := map[*declaration]bool{}
			for _, f := range c.found {
				found[f.decl] = true
			}
			for _, e := range all {
				if want := fresh.matches(n, e.sel); want && !found[&e.rule.decls[0]] {
					t.Fatalf("a rule that matches %s .%s is not found in:\n%s", n.Data, attr(n, "class"), src.String())
				}
			}
		}
	}
}

// The shortcut for simple selectors and the parser from tokens agree.
func TestSimpleSelectors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "div", ".c", "#i", "*", " ", ">", "+", "~", ",", "-x", "_y", "--z", "1", ".1", "#1", "\t", "\n", "A", ":", "é", "\\", "/**/", "u", "|", "&", ".", "#", ":hover", "::before", ":after", "::focus"}
	simple := 0
	for range 50_000 {
		s := ""
		for range 1 + r.IntN(8) {
			s += pieces[r.IntN(len(pieces))]
		}
		p := selectorParser{}
		got, ok := p.parseSimple(s)
		if !ok {
			continue
		}
		simple++
		want, _, _ := p.parseList(tokenize(spreadRange(s)), plain)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(selector{}, compound{}, attrTest{}, pseudo{})); diff != "" {
			t.Fatalf("%q (-tokens +simple):\n%s", s, diff)
		}
	}
	if simple < 2_000 {
		t.Errorf("only %d selectors were simple", simple)
	}
}
