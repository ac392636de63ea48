package som

import "testing"

func viewOf(src string) *Page {
	return Analyze(Input{URL: "https://a.test/dir/", Source: []byte("<!doctype html><body>" + src)}, Options{})
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"headings keep their level", "<h1>One</h1><h3>Three</h3>", "# One\n\n### Three"},
		{"links are resolved where they stand", `<p>See <a href="x?a=1">that</a> page.</p>`, "See [that](https://a.test/dir/x?a=1) page."},
		{"addresses with spaces or brackets are set in angle brackets", `<p><a href="mailto:a (b)">m</a> t</p>`, "[m](<mailto:a (b)>) t"},
		{"page text makes no emphasis, links or code", "<p>*a* [b](c) `d` _e_ f_g</p>", "\\*a\\* \\[b\\](c) \\`d\\` \\_e\\_ f_g"},
		{"page text makes no heading", "<p># no</p>", `\# no`},
		{"page text makes no list", "<p>- no</p><p>1. no</p>", "\\- no\n\n1\\. no"},
		{"page text makes no HTML and no entity", "<p>&lt;b&gt; &amp;copy;</p>", `\<b> \&copy;`},
		{"lists, nested and ordered", "<ul><li>a<ol start=3><li>b</ol><li>c</ul>", "- a\n  3. b\n- c"},
		{"two lists after each other stay two", "<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"},
		{"a table with its header row", "<table><tr><th>A<th>B<tr><td>1<td>x|y</table>", "| A | B |\n| --- | --- |\n| 1 | x\\|y |"},
		{"a table without headers has an empty header row", "<table><tr><td>1<td>2<tr><td>3<td>4</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"},
		{"pre is code", "<pre>a\n  b</pre>", "```\na\n  b\n```"},
		{"pre with a fence in it", "<pre>```\nx</pre>", "````\n```\nx\n````"},
		{"closed details", "<details><summary>S</summary><p>in</details>", "**S**"},
		{"open details", "<details open><summary>S</summary><p>in</details>", "**S**\n\nin"},
		{"a heading in a link is a heading", `<a href="/c"><h2>Card</h2><p>text</p></a>`, "## [Card](https://a.test/c)\n\n[text](https://a.test/c)"},
		{"a picture that is a link", `<a href="/c"><img src="/i.png" alt="pic"></a>`, "[![pic](https://a.test/i.png)](https://a.test/c)"},
		{"a picture of what its link says is not said twice", `<a href="/c"><img src=i.png alt="Card"> Card</a>`, "[Card](https://a.test/c)"},
		{"an exclamation mark makes no picture of a link", `<p>Go!<a href=x>x</a></p>`, `Go\![x](https://a.test/dir/x)`},
		{"links in cells", `<table><tr><th>A<th>B<tr><td><a href=1>one</a><td rowspan=2>b<tr><td>x <a href=2>two</a></table>`, "| A | B |\n| --- | --- |\n| [one](https://a.test/dir/1) | b |\n| x [two](https://a.test/dir/2) | b |"},
		{"a rule", "<p>a<hr><p>b", "a\n\n---\n\nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := viewOf(c.in).Markdown(); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a block a line, inline elements do not separate", "<p>H<sub>2</sub>O</p><p>b</p>", "H2O\nb"},
		{"links are their text", `<p>See <a href=x>that</a>.</p>`, "See that."},
		{"a field is its name and what it holds", `<label>Name <input value="Ann" required></label>`, "Name * [Ann]"},
		{"controls stand beside their names", `<p><label for=a>One</label> <input id=a> <label for=b>Two</label> <input id=b> end</p>`, "One [ ] Two [ ] end"},
		{"a select shows what is chosen and what could be", `<label>Size <select><option>S<option selected>M</select></label>`, "Size [M] (S | M)"},
		{"boxes are ticked or not", `<label><input type=checkbox checked>a</label><label><input type=radio>b</label>`, "[x] a\n( ) b"},
		{"buttons are in brackets", "<button>Go</button>", "[Go]"},
		{"passwords are not shown", `<label>Key <input type=password value=secret></label>`, "Key [ ]"},
		{"table rows", "<table><caption>C</caption><tr><th>A<th>B<tr><td>1<td>2</table>", "C\nA | B\n1 | 2"},
		{"nested lists are indented", "<ul><li>a<ul><li>b</ul></ul>", "- a\n  - b"},
		{"pre keeps its lines", "<pre>a\n  b</pre>", "a\n  b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := viewOf(c.in).Text(); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestLinksListsEachPlaceOnce(t *testing.T) {
	got := viewOf(`<a href="/x"><img src=i.png></a> <a href="https://a.test/x">text</a> <a href="#f">f</a> <a name=n>no</a>`).Links()
	want := []Link{{Text: "text", URL: "https://a.test/x", Href: "/x"}, {Text: "f", URL: "https://a.test/dir/#f", Href: "#f"}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzViews(f *testing.F) {
	f.Add("<ul><li><a href=x><h2>a</h2></a><table><tr><td>b</table></ul><pre>`</pre>")
	f.Fuzz(func(t *testing.T, src string) {
		p := viewOf(src)
		if a, b := p.Markdown(), p.Markdown(); a != b {
			t.Error("Markdown is not deterministic")
		}
		_ = p.Text()
		_ = p.Links()
	})
}
