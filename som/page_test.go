package som

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func readJSON(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

func wantID(origin, role, name, path string) string {
	sum := sha256.Sum256([]byte(origin + "|" + role + "|" + name + "|" + path))
	return "e_" + hex.EncodeToString(sum[:])[:12]
}

// AWP §5: the id is a hash of origin, role, name and path of element children.
func TestElementIDs(t *testing.T) {
	const origin = "https://example.test"
	long := strings.Repeat("Ä ", 200)
	tests := []struct{ name, url, src, want string }{
		{"element children are counted", "https://example.test:443/p", "x<!-- c --> <p>a</p>\n<div> <a href=/>B c</a></div>", wantID(origin, "link", "b c", "1/0")},
		{"a paragraph has its own path", "https://example.test/", "<div><p>Hello  World</p></div>", wantID(origin, "paragraph", "hello world", "0/0")},
		{"bare text has the path of its parent", "https://example.test/", "<div><hr>Some <b>text</b></div>", wantID(origin, "paragraph", "some text", "0/#1")},
		{"bare text of the body", "https://example.test/", "<p>a</p>tail", wantID(origin, "paragraph", "tail", "/#1")},
		{"the label is the name", "https://example.test/", "<label for=a>Your Name</label><input id=a>", wantID(origin, "text_input", "your name", "1")},
		{"the first 100 characters", "https://example.test/", "<p>" + long, wantID(origin, "paragraph", strings.ToLower(strings.Repeat("Ä ", 50)), "0")},
		{"another port", "http://example.test:8080/", "<p>a", wantID("http://example.test:8080", "paragraph", "a", "0")},
		{"an opaque origin", "data:text/html,x", "<p>a", wantID("null", "paragraph", "a", "0")},
		{"an equal id", "https://example.test/", "<div>x<p></p></div><div>x<span><p></p></span>x</div>", wantID(origin, "paragraph", "x", "1/#0")},
	}
	for _, test := range tests {
		p := compile(t, test.url, test.src)
		if p.ElementByID(test.want) == nil {
			t.Errorf("%s: no %s in %s", test.name, test.want, p.JSON())
		}
	}
}

func TestEqualIDsAreNumbered(t *testing.T) {
	p := compile(t, "https://example.test/", "<div><span>x<p></p>x<p></p>x</span></div>")
	id := wantID("https://example.test", "paragraph", "x", "0/#0")
	for _, want := range []string{id, id + "_2", id + "_3"} {
		if p.ElementByID(want) == nil {
			t.Errorf("no %s in %s", want, p.JSON())
		}
	}
}

// White space, comments, classes and attribute order do not move ids.
func TestIDsSurviveReformatting(t *testing.T) {
	a := compile(t, "https://example.test/", `<div><p class=x id=p>Hello</p><a href="/a" title="">Link</a></div>`)
	b := compile(t, "https://example.test/other", "<!-- new -->\n<div class=y>\n  <p id=p class=z>\n Hello </p>\n <a title=\"\" href='/a' data-x=1>Link</a>\n</div>")
	var ids [2][]string
	for i, p := range []*Page{a, b} {
		p.Walk(func(e *Element, _ *Region) bool { ids[i] = append(ids[i], e.ID); return true })
	}
	if d := cmp.Diff(ids[0], ids[1]); d != "" {
		t.Error(d)
	}
}

func ptr[T any](v T) *T { return &v }

// What a user did shows in the SOM and changes no id.
func TestState(t *testing.T) {
	src := []byte(`<label>Name <input name=n value=old></label><input type=checkbox name=c><select name=s><option>a<option>b</select><textarea name=t></textarea><details><summary>S</summary><p>in</p></details><label><input type=checkbox name=l>Flash <input name=k value=3> times</label><input type=password name=p>`)
	before := Analyze(Input{URL: "https://example.test/", Source: src}, Options{})
	state := State{}
	before.Walk(func(e *Element, _ *Region) bool {
		switch n, _ := e.Attr("name"); {
		case n == "n" || n == "t" || n == "k" || n == "p":
			state[e.Node] = Control{Value: ptr("typed")}
		case n == "c":
			state[e.Node] = Control{Checked: ptr(true)}
		case n == "s":
			state[e.Node] = Control{Selected: []int{1}}
		case e.Role == "details":
			state[e.Node] = Control{Open: ptr(true)}
		}
		return true
	})
	after := Analyze(Input{URL: "https://example.test/", Source: src, State: state}, Options{})
	got := map[string]string{}
	after.Walk(func(e *Element, _ *Region) bool {
		if before.ElementByID(e.ID) == nil {
			t.Errorf("%s %q has a new id", e.Role, e.Name())
		}
		n, _ := e.Attr("name")
		for _, k := range []string{"value", "checked", "open", "has_value"} {
			if v, ok := e.Attr(k); ok {
				got[n+" "+k] = v
			}
		}
		return true
	})
	want := map[string]string{"n value": "typed", "t value": "typed", "k value": "typed", "c checked": "true", "s value": "b", " open": "true", "p has_value": "true"}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
	if strings.Contains(string(before.JSON()), "typed") || !strings.Contains(after.Text(), "in") {
		t.Errorf("before %s, after %s", before.JSON(), after.Text())
	}
}

// A page without its tree finds the same nodes again.
func TestWithoutTree(t *testing.T) {
	p := compile(t, "https://example.test/", `<div><a href=/x id=x>go</a></div>`)
	q := p.WithoutTree()
	runtime.GC()
	e := elements(q, "link")[0]
	n := q.Node(e.Node)
	if q.Root != nil || n == nil || attr(n, "id") != "x" || q.NodeID(n) != e.Node {
		t.Errorf("node of %v is %v", e, n)
	}
	if m, err := q.Resolve(Target{CSS: "#x"}); err != nil || m.Element != e {
		t.Errorf("css: %v %v", m, err)
	}
	runtime.KeepAlive(n)
}

func TestExtract(t *testing.T) {
	rows := numbered(25, "<tr><td>k<td>v%d")
	p := compile(t, "https://example.test/", `<h1>Shop</h1><h2>Tea</h2><p class=price>Price: $3.50 a bag</p><p>Price: $4</p><nav><a href="/a">A</a><a href="/b">B</a></nav><table><caption>T</caption><tr><th>K<th>V`+rows+`</table><p id=long>`+strings.Repeat("word ", 100)+`end</p><div>in <span class=s>span</span> x</div>`)
	names := []string{"h", "h2", "links", "price", "prices", "values", "none", "all_none", "table", "long", "css", "region", "named"}
	data, prov, err := p.Extract(names, map[string]Query{
		"h": {Role: "heading", Level: 1}, "h2": {Role: "heading", Level: 2}, "links": {Role: "link", All: true, Props: []string{"text", "href", "url", "title"}},
		"price": {TextMatch: `\$([0-9.]+)`}, "prices": {TextMatch: `\$[0-9.]+`, All: true}, "values": {TextMatch: `v2[0-4]`, All: true}, "none": {Role: "image"}, "all_none": {Role: "image", All: true},
		"table": {Role: "table", Props: []string{"headers", "row_count"}}, "long": {TextMatch: "end$"}, "css": {CSS: "p.price"},
		"region": {Region: "navigation", Role: "link"}, "named": {Name: "b", Props: []string{"role"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"h": "Shop", "h2": "Tea",
		"links": []any{map[string]any{"text": "A", "href": "/a", "url": "https://example.test/a", "title": nil}, map[string]any{"text": "B", "href": "/b", "url": "https://example.test/b", "title": nil}},
		"price": "3.50", "prices": []any{"$3.50", "$4"}, "values": []any{"v20", "v21", "v22", "v23", "v24"}, "none": nil, "all_none": []any{},
		"table": map[string]any{"headers": []any{"K", "V"}, "row_count": 25.0}, "long": "end", "css": "Price: $3.50 a bag", "region": "A", "named": map[string]any{"role": "link"},
	}
	if d := cmp.Diff(readJSON(t, data), any(want)); d != "" {
		t.Error(d)
	}
	pr := readJSON(t, prov).(map[string]any)
	if pr["none"] != nil || len(pr["links"].([]any)) != 2 || pr["h"] != elements(p, "heading")[0].ID {
		t.Errorf("provenance = %s", prov)
	}
	for _, q := range []Query{{TextMatch: "("}, {CSS: "a["}, {}} {
		if _, _, err := p.Extract([]string{"x"}, map[string]Query{"x": q}); err == nil || err.Field != "x" {
			t.Errorf("%+v: no error", q)
		}
	}
}

func TestResolveOrder(t *testing.T) {
	p := compile(t, "https://example.test/", `<a href=1 aria-label="Close window">x</a><a href=2>Close</a><a href=3>close</a><button><span class=i>Go</span></button><label for=f class=l>Field</label><input id=f><div class=w><b>w</b> <input name=in></div>`)
	tests := []struct {
		name   string
		target Target
		href   string
		role   string
	}{
		{"exact text before case and substring", Target{Text: "Close"}, "2", "link"},
		{"the accessible name", Target{Text: "Close window"}, "1", "link"},
		{"case-insensitive", Target{Text: "CLOSE"}, "2", "link"},
		{"substring", Target{Text: "window"}, "1", "link"},
		{"white space is collapsed", Target{Text: " Close \n window "}, "1", "link"},
		{"role", Target{Role: "button"}, "", "button"},
		{"an ARIA role", Target{Role: "textbox"}, "", "text_input"},
		{"css of an element in a control", Target{CSS: "span.i"}, "", "button"},
		{"css of an element around a control", Target{CSS: "div.w"}, "", "text_input"},
		{"ref, then fallback", Target{Ref: "e_000000000000", Fallback: &Target{CSS: "button"}}, "", "button"},
	}
	for _, test := range tests {
		m, err := p.Resolve(test.target)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if href, _ := m.Element.Attr("href"); m.Element.Role != test.role || test.href != "" && href != test.href {
			t.Errorf("%s: got %s %q", test.name, m.Element.Role, href)
		}
	}
	if _, err := p.Resolve(Target{CSS: "a[["}); err == nil || err.Kind != BadTarget {
		t.Errorf("invalid selector: %v", err)
	}
	deep := Target{Ref: "x"}
	for range 12 {
		deep = Target{Ref: "x", Fallback: &Target{Ref: "x", Fallback: &deep}}
		break
	}
	if _, err := p.Resolve(Target{}); err == nil || err.Kind != BadTarget {
		t.Errorf("empty target: %v", err)
	}
}

// Other content types become readable pages (AWP §3 page.navigate).
func TestContentTypes(t *testing.T) {
	tests := []struct{ kind, src, want string }{
		{"text/plain; charset=utf-8", "a <b>\n c\n\nsecond", "a <b>\n c"},
		{"application/json", `{"a":[1,2]}`, "\"a\": ["},
		{"application/ld+json", `{"a":1}`, "{\n  \"a\": 1\n}"},
		{"application/rss+xml", `<?xml version="1.0"?><rss><channel><title>Feed</title><item><title>One</title><link>https://e.test/1</link><description>&lt;p&gt;Sum&lt;/p&gt;</description></item></channel></rss>`, "One"},
		{"application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><entry><title>Two</title><link href="/2"/></entry></feed>`, "Two"},
		{"application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body><div/><p>After</p></body></html>`, "After"},
		{"application/xml", `<note><to>Ann</to></note>`, "<to>Ann</to>"},
	}
	for _, test := range tests {
		p := Analyze(Input{URL: "https://example.test/f.txt", ContentType: test.kind, Source: []byte(test.src)}, Options{})
		var found bool
		p.Walk(func(e *Element, _ *Region) bool {
			found = found || strings.Contains(e.FullText(), test.want)
			return true
		})
		if !found {
			t.Errorf("%s: no %q in %s", test.kind, test.want, p.JSON())
		}
		if strings.Contains(test.kind, "rss") && len(p.Links()) != 1 {
			t.Errorf("links = %v", p.Links())
		}
	}
}

// noscript is content only where the page has no other.
func TestNoscript(t *testing.T) {
	shell := compile(t, "https://example.test/", `<div id=root></div><noscript><p>Please enable scripts</p><a href=/plain>Plain version</a></noscript>`)
	inOrder(t, shell.Text(), "Please enable scripts", "Plain version")
	lacks(t, compile(t, "https://example.test/", `<p>Text</p><noscript><p>no</p></noscript>`).Text(), "no")
}

// A page may be used by many at once, with its tree or without.
func TestConcurrentUse(t *testing.T) {
	p := compile(t, "https://example.test/", hiding).WithoutTree()
	done := make(chan bool)
	for range 8 {
		go func() {
			defer func() { done <- true }()
			for range 20 {
				if _, err := p.Resolve(Target{CSS: "a"}); err != nil {
					t.Error(err)
				}
				_, _ = p.Resolve(Target{Text: "a4"})
				_, _, _ = p.Extract([]string{"x"}, map[string]Query{"x": {Role: "link", All: true}})
				_, _ = p.Text(), p.ElementByID("e_0")
			}
		}()
	}
	for range 8 {
		<-done
	}
}
