package metadata

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"plasmate/internal/golden"
)

func collect(t testing.TB, src string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	b := Collect(root, "https://a.test/d/p").AppendJSON(nil)
	if !json.Valid(b) {
		t.Fatalf("not JSON: %s", b)
	}
	return string(b)
}

func TestStructuredData(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing is an empty object", `<p>x`, `{}`},
		{
			"JSON-LD keeps its keys' order and loses needless escapes",
			`<script type="application/ld+json; charset=utf-8"> {"@type" : "A<b>", "n": 1.50, "u":"\u00e9\/\ud83d\ude00\u0022\ud800"} </script>`,
			`{"json_ld":[{"@type":"A<b>","n":1.50,"u":"é/😀\u0022\ud800"}]}`,
		},
		{
			"an array of JSON-LD is its objects, what is malformed is counted",
			`<body><script type=application/ld+json>[{"a":1},{"@graph":[{"b":2}]},3]</script><script type=application/ld+json>{"a":</script>`,
			`{"json_ld":[{"a":1},{"@graph":[{"b":2}]}],"json_ld_errors":2}`,
		},
		{
			"CDATA and comment marks are taken off",
			"<script type=application/ld+json>\n//<![CDATA[\n{\"a\":1}\n//]]>\n</script><script type=application/ld+json><!-- {\"b\":1} --></script>",
			`{"json_ld":[{"a":1},{"b":1}]}`,
		},
		{
			"OpenGraph by property or name, repeated keys apart",
			`<meta property="og:title" content=" A  &amp;
			B "><meta name="og:type" content=x><meta property="article:tag" content=one><meta property="article:tag" content=two><meta property="article:tag" content=one><meta property="fb:app_id" content=1><meta property="og:image twitter:image" content=i>`,
			`{"open_graph":{"og:title":"A & B","og:type":"x","article:tag":"one","og:image":"i"},"twitter_card":{"twitter:image":"i"},"repeated":{"article:tag":["one","two"]}}`,
		},
		{
			"meta names in lower case, only those that say something",
			`<meta name=Description content="d"><meta name=viewport content=w><meta name=csrf-token content=secret><meta name=DC.Date content=2020><meta http-equiv=Refresh content="5; url=/x">`,
			`{"meta":{"description":"d","dc.date":"2020","refresh":"5; url=/x"}}`,
		},
		{
			"links that lead somewhere, with their resolved address where it differs",
			`<link rel=stylesheet href=a><link rel="Alternate  Stylesheet" href=b><link rel=canonical href="https://a.test/c"><link rel=alternate hreflang=de href="/de"><link rel=alternate type="application/rss+xml" title="Feed" href="../f"><link rel="shortcut icon" href=i><link rel=next href=""><link rel=canonical href="https://a.test/c">`,
			`{"links":[{"rel":"canonical","href":"https://a.test/c"},{"rel":"alternate","href":"/de","url":"https://a.test/de","hreflang":"de"},{"rel":"alternate","href":"../f","url":"https://a.test/f","type":"application/rss+xml","title":"Feed"},{"rel":"shortcut icon","href":"i","url":"https://a.test/d/i"}]}`,
		},
		{
			"microdata: nested items, itemref, values by element",
			`<div itemscope itemtype="http://schema.org/WebPage"><div itemscope itemtype="https://schema.org/Product" itemref=r itemid="#p"><h1 itemprop=name>W<b>x</b></h1><img itemprop=image src=i><img itemprop=image src=j><div itemprop=offers itemscope itemtype="http://schema.org/Offer"><meta itemprop=price content="9.5"><link itemprop=availability href="http://schema.org/InStock"></div><time itemprop="releaseDate" datetime=2020-01-02>x</time></div></div><p id=r><span itemprop=brand>B</span>`,
			`{"microdata":[{"@type":"Product","@id":"https://a.test/d/p#p","name":"Wx","image":["https://a.test/d/i","https://a.test/d/j"],"offers":{"@type":"Offer","price":"9.5","availability":"http://schema.org/InStock"},"releaseDate":"2020-01-02","brand":"B"}]}`,
		},
		{
			"an itemref cycle ends",
			`<div id=a itemscope itemtype="http://schema.org/Product" itemprop=x itemref=a><b itemprop=name>n</b></div>`,
			`{"microdata":[{"@type":"Product","name":"n"}]}`,
		},
		{
			"breadcrumb in RDFa Lite",
			`<ol vocab="https://schema.org/" typeof="BreadcrumbList"><li property="itemListElement" typeof="ListItem"><a property="item" typeof="WebPage" href="/b"><span property="name">Books</span></a><meta property="position" content="1"></li></ol>`,
			`{"rdfa":[{"@type":"BreadcrumbList","itemListElement":{"@type":"ListItem","item":{"@type":"WebPage","@id":"https://a.test/b","name":"Books"},"position":"1"}}]}`,
		},
		{
			"long values are cut", `<meta name=description content="` + strings.Repeat("ä", 2001) + `">`,
			`{"meta":{"description":"` + strings.Repeat("ä", 1997) + `..."}}`,
		},
	} {
		if diff := cmp.Diff(c.want, collect(t, c.src)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestEmpty(t *testing.T) {
	if !(Data{}).Empty() || !Collect(nil, "").Empty() {
		t.Error("nothing is not empty")
	}
}

func FuzzCollect(f *testing.F) {
	f.Add(`<script type=application/ld+json>[{"a":"\u00e9\\\/"}]</script>`)
	f.Add(`<div itemscope itemtype=http://schema.org/Product itemref="a a"><b id=a itemprop=x itemscope>`)
	f.Add(`<div typeof=schema:Product><a property="schema:name x:y" href=":">`)
	f.Fuzz(func(t *testing.T, src string) {
		first := collect(t, src)
		if second := collect(t, src); first != second {
			t.Fatalf("two runs differ:\n%s\n%s", first, second)
		}
	})
}

func TestGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/product.html")
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(collect(t, string(src))), "", "\t"); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	golden.Check(t, "testdata/product.json", indented.Bytes())
}

func BenchmarkCollect(b *testing.B) {
	src, err := os.ReadFile("testdata/product.html")
	if err != nil {
		b.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(append(src, strings.Repeat("<div class=x><p>text <a href=/>link</a></p></div>", 2000)...)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		d := Collect(root, "https://shop.test/kettle?x=1")
		if len(d.AppendJSON(nil)) < 100 {
			b.Fatal("nothing collected")
		}
	}
}
