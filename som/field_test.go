package som

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func compile(t *testing.T, url, src string) *Page {
	t.Helper()
	return Analyze(Input{URL: url, Source: []byte(src), HTMLBytes: len(src)}, Options{})
}

func urls(p *Page) []string {
	var out []string
	for _, l := range p.Links() {
		out = append(out, l.URL)
	}
	return out
}

func elements(p *Page, role string) []*Element {
	var out []*Element
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Role == role {
			out = append(out, e)
		}
		return true
	})
	return out
}

// UD-009: hrefs as browsers resolve them.
func TestLinksResolveAsInBrowsers(t *testing.T) {
	src := "<a href=\"  /a b\n/c  \">1</a><a href=\"/Käse?q=ü#ß\">2</a><a href=\"\\x\\y\">3</a><a href=\"/%u0041\">4</a><a href=\"?x=1|2\">5</a>" +
		"<a href=\"//b.test/x\">6</a><a href=\"http:rel\">7</a><a href=\"\">8</a><a href=\"mailto:x@y.test\">10</a><a href=\"#frag\">15</a>"
	want := []string{
		"http://a.test/a%20b/c", "http://a.test/K%C3%A4se?q=%C3%BC#%C3%9F", "http://a.test/x/y", "http://a.test/%u0041", "http://a.test/d/p?x=1|2",
		"http://b.test/x", "http://a.test/d/rel", "http://a.test/d/p?k=1", "mailto:x@y.test", "http://a.test/d/p?k=1#frag",
	}
	if d := cmp.Diff(urls(compile(t, "http://a.test/d/p?k=1#z", src)), want); d != "" {
		t.Error(d)
	}
}

// UD-011: the first base with an href counts, for links before it too; bad
// schemes fall back.
func TestBase(t *testing.T) {
	tests := []struct {
		src  string
		want []string
	}{
		{`<a href=early>e</a><base href="/app/"><base href="/other/"><a href="p">p</a>`, []string{"http://a.test/app/early", "http://a.test/app/p"}},
		{`<base target=_top><base href="javascript:void(0)"><base href="/ok/"><a href="p">p</a>`, []string{"http://a.test/a/p"}},
		{`<base href="data:text/plain,x"><base href="/ok/"><a href="p">p</a>`, []string{"http://a.test/a/p"}},
	}
	for _, test := range tests {
		if d := cmp.Diff(urls(compile(t, "http://a.test/a/b.html", test.src)), test.want); d != "" {
			t.Errorf("%s: %s", test.src, d)
		}
	}
}

// UD-015: deep nesting loses no content.
func TestDeepNesting(t *testing.T) {
	for _, n := range []int{600, 100_000} {
		p := compile(t, "http://a.test/p", "<title>deep</title>"+strings.Repeat("<div>", n)+"bottom <a href=/deep>deep link</a>")
		if p.Title != "deep" || !slices.Equal(urls(p), []string{"http://a.test/deep"}) || !strings.Contains(p.Text(), "bottom") {
			t.Errorf("%d levels: %q %q %q", n, p.Title, urls(p), p.Text())
		}
	}
}

// UD-017: duplicate attributes and ids.
func TestDuplicateIDs(t *testing.T) {
	p := compile(t, "http://a.test/p", `<a href="/first" href="/second" HREF="/third">x</a><label for=q>Query</label><input id=q name=a><input id=q name=b><label for=q>Second</label>`)
	if got := urls(p); !slices.Equal(got, []string{"http://a.test/first"}) {
		t.Errorf("links = %q", got)
	}
	in := elements(p, roleInput)
	if len(in) != 2 || in[0].Name() != "Query Second" || in[1].Name() != "" || in[0].ID == in[1].ID {
		t.Errorf("inputs = %q %q", in[0].Name(), in[1].Name())
	}
}

// UD-021: declarative shadow roots appear in flat-tree order.
func TestShadowRoots(t *testing.T) {
	p := compile(t, "http://a.test/p", `<x-card><template shadowrootmode=open><h2>Shadow title</h2><slot></slot><a href=/in-shadow>in</a></template><p>Light</p><template shadowrootmode=open><b>second</b></template></x-card><x-k><template shadowrootmode=closed><i>closed text</i></template>unslotted</x-k>`)
	inOrder(t, p.Text(), "Shadow title", "Light", "in", "closed text")
	lacks(t, p.Text(), "second", "unslotted")
	if got := urls(p); !slices.Equal(got, []string{"http://a.test/in-shadow"}) {
		t.Errorf("links = %q", got)
	}
}

func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Errorf("%q is not in %q after the ones before it", p, text)
			return
		}
		rest = after
	}
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q is in %q", p, text)
		}
	}
}

// UD-023: names of buttons and links with nested content.
func TestNestedNames(t *testing.T) {
	p := compile(t, "http://a.test/p", `<button><span><span><svg aria-hidden="true"><title>plus</title></svg></span><span>Add row</span></span></button><button aria-label="">Text</button><button><img alt="Save" src=s></button><a href=/x><svg role=img aria-label="Home"></svg></a><button>  Multi <br> line  </button><a href=/y><strong>Do</strong>cs</a><button><span hidden>no</span>Yes<span style="display:none">no</span></button><a href=/z><img alt="" src=q><span>Open</span></a><div role=button tabindex=0>Div btn</div>`)
	var got []string
	p.Walk(func(e *Element, _ *Region) bool {
		if interactive(e.Role) {
			got = append(got, e.Role+" "+e.Name())
		}
		return true
	})
	want := []string{"button Add row", "button Text", "button Save", "link Home", "button Multi line", "link Docs", "button Yes", "link Open", "button Div btn"}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
}

const hiding = `<div hidden>h1 <a href=1>a1</a></div><div style="display:none">h2 <a href=2>a2</a></div><div style="visibility:hidden">h3 <a href=3>a3</a> <span style="visibility:visible">vis <a href=4>a4</a></span></div><form action=/t><input type=hidden name=tok value=secret></form><details><summary>Sum</summary>h5 <a href=5>a5</a></details><details open><summary>Sum2</summary>v6 <a href=6>a6</a></details><dialog>h7 <a href=7>a7</a></dialog><div aria-hidden=true>ah8 <a href=8>a8</a></div><template>h9 <a href=9>a9</a></template><style>.x{display:none}</style><div class=x>h10 <a href=10>a10</a></div><div inert>in11 <a href=11>a11</a></div><div style="position:absolute;left:-9999px">off12 <a href=12>a12</a></div>`

// UD-027: ways to hide content, and what may be shown or acted on.
func TestHiding(t *testing.T) {
	p := compile(t, "http://a.test/p", hiding)
	inOrder(t, p.Text(), "Sum", "Sum2", "v6", "off12")
	inOrder(t, p.Text(), "vis")
	lacks(t, p.Text(), "h1 ", "h2", "h3", "h5", "h7", "h9", "h10", "secret")
	if d := cmp.Diff(urls(p), []string{"http://a.test/4", "http://a.test/6", "http://a.test/11", "http://a.test/12"}); d != "" {
		t.Error(d)
	}
	var shown strings.Builder
	for _, r := range p.Regions {
		for _, e := range r.Elements {
			shown.WriteString(e.FullText() + "\n")
		}
	}
	lacks(t, shown.String(), "h1 ", "h2", "h3", "h5", "h7", "h9", "h10", "secret")
	for i := 1; i <= 12; i++ {
		name := fmt.Sprintf("a%d", i)
		m, err := p.Resolve(Target{Text: name, Role: "link"})
		got := err == nil && m.Element.Name() == name // not a12 for a1
		want := i == 4 || i == 6 || i == 12
		if got != want {
			t.Errorf("%s found by text: %v, want %v", name, got, want)
		}
	}
	for _, e := range elements(p, roleLink) {
		if href, _ := e.Attr("href"); slices.Contains([]string{"1", "2", "3", "7", "8", "9", "10"}, href) {
			t.Errorf("link to %s is there", href)
		}
		if e.Name() == "a5" && (e.Actions() != nil || !strings.Contains(string(p.JSON()), `"hidden":true`)) {
			t.Errorf("closed content is not marked: %v", e)
		}
		if v, _ := e.Attr("inert"); e.Name() == "a11" && v != "true" {
			t.Errorf("inert link is not marked")
		}
	}
}

// UD-029: list items, cells, captions, options and description lists reach the
// text once each and in order.
func TestTextOnceAndInOrder(t *testing.T) {
	p := compile(t, "http://a.test/p", `<p>Hello<b>World</b> <i>foo</i>bar<br>baz</p><div>a</div><div>b</div><table><caption>Prices</caption><tr><th>Item<th>Cost<tr><td>Tea<td>3</table><ul><li>one<ul><li>one.a</ul><li>two</ul><select name=s><option>Aopt<optgroup label=Grp><option selected>Bopt</select><dl><dt>key<dd>val</dl><table><a href="/foster">Fost</a><tr><td>cell</table>`)
	inOrder(t, p.Text(), "HelloWorld foobar", "baz", "a", "b", "Prices", "Item", "Cost", "Tea", "3", "one", "one.a", "two", "key", "val", "Fost", "cell")
	lacks(t, p.Text(), "ab", "onetwo", "Tea3", "ItemCost")
	tab := elements(p, roleTable)[0].Table
	if d := cmp.Diff([]any{tab.Caption, tab.Headers, tab.Rows}, []any{"Prices", []string{"Item", "Cost"}, [][]string{{"Tea", "3"}}}); d != "" {
		t.Error(d)
	}
	opts := elements(p, roleSelect)[0].Options
	if d := cmp.Diff(opts, []Option{{Value: "Aopt", Text: "Aopt"}, {Value: "Bopt", Text: "Bopt", Group: "Grp", Selected: true}}); d != "" {
		t.Error(d)
	}
}

// UD-037: each control names the form that owns it.
func TestFormOwners(t *testing.T) {
	p := compile(t, "http://a.test/p", `<form id=f action=/go method=post><input name=a value=1></form><input name=b value=2 form=f><form id=g action=/other><input name=c form=f value=3><input name=d value=4></form><input name=e form="" value=5><button form=f name=s value=ok id=b>Send</button>`)
	got := map[string]string{}
	p.Walk(func(e *Element, _ *Region) bool {
		n, _ := e.Attr("name")
		got[n], _ = e.Attr("form_id")
		return true
	})
	want := map[string]string{"a": "r_form", "b": "r_form", "c": "r_form", "d": "r_form_1", "e": "", "s": "r_form"}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
}

// A form between the rows of a table owns the controls after it (form element pointer).
func TestFormElementPointer(t *testing.T) {
	p := compile(t, "http://a.test/p", `<table><tr><form action=/s><td><input name=a></td><td><input type=submit name=b></td></form><td><input name=c></td></tr></table>`)
	got := map[string]string{}
	p.Walk(func(e *Element, _ *Region) bool {
		if n, ok := e.Attr("name"); ok {
			got[n], _ = e.Attr("form_id")
		}
		return true
	})
	if d := cmp.Diff(got, map[string]string{"a": "r_form", "b": "r_form", "c": ""}); d != "" {
		t.Error(d)
	}
	if r := p.Regions[0]; r.Role != regForm || r.Action != "/s" || len(r.Elements) != 2 {
		t.Errorf("first region is %s %q with %d elements", r.Role, r.Action, len(r.Elements))
	}
}

// UD-049: a target that fits two elements is never taken in silence.
func TestAmbiguousTargets(t *testing.T) {
	p := compile(t, "http://a.test/p", `<ul><li>Invoice 7 <form method=post action=/del/7><button>Delete</button></form><li>Invoice 8 <form method=post action=/del/8><button>Delete</button></form></ul><form method=post action=/hid><button hidden>Archive</button></form><form method=post action=/vis><button id=vis>Archive</button></form>`)
	m, err := p.Resolve(Target{Role: "button", Text: "Delete"})
	if err != nil || m.Ambiguous != 2 {
		t.Errorf("Delete: %v, ambiguous %d", err, m.Ambiguous)
	}
	_, err = p.Resolve(Target{Role: "button", Text: "Delete", Strict: true})
	if err == nil || err.Kind != Ambiguous || len(err.Candidates) != 2 || err.Candidates[0].Nearby != "Invoice 7" || err.Candidates[1].Nearby != "Invoice 8" {
		t.Errorf("strict Delete: %+v", err)
	}
	m, err = p.Resolve(Target{Role: "button", Text: "Archive"})
	if err != nil || m.Element.HTMLID != "vis" {
		t.Errorf("Archive: %v %+v", err, m)
	}
	_, err = p.Resolve(Target{Role: "button", Text: "Purge"})
	if err == nil || err.Kind != NotFound || len(err.Attempted) != 1 || len(err.Suggestions) == 0 {
		t.Errorf("Purge: %+v", err)
	}
}

// UD-027, on request: hidden content is there and marked.
func TestIncludeHidden(t *testing.T) {
	p := Analyze(Input{URL: "http://a.test/p", Source: []byte(hiding)}, Options{IncludeHidden: true})
	marked := map[string]bool{}
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Role == roleLink {
			marked[e.Name()] = e.Is(FlagHidden) && e.Actions() == nil
		}
		return true
	})
	want := map[string]bool{"a1": true, "a2": true, "a3": true, "a4": false, "a5": true, "a6": false, "a7": true, "a8": true, "a9": true, "a10": true, "a11": false, "a12": false}
	if d := cmp.Diff(marked, want); d != "" {
		t.Error(d)
	}
}
