package som

import (
	"fmt"
	"strings"
)

// shape is a family of hostile pages, by size.
type shape struct {
	name string
	make func(n int) string
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func shapes() []shape {
	return []shape{
		{"nested divs", func(n int) string { return strings.Repeat("<div>", n) + "x" }},
		{"nested spans with text", func(n int) string { return strings.Repeat("<span>x ", n) }},
		{"sibling paragraphs", func(n int) string { return strings.Repeat("<p>x y", n) }},
		{"links in one paragraph", func(n int) string { return "<p>" + numbered(n, "<a href=/%d>x</a> ") }},
		{"nested lists", func(n int) string { return strings.Repeat("<ul><li>x", n) }},
		{"nested tables", func(n int) string { return strings.Repeat("<table><tr><td>x", n) }},
		{"cells in one row", func(n int) string { return "<table><tr>" + strings.Repeat("<th colspan=9 rowspan=9>x", n) }},
		{"rows", func(n int) string { return "<table><tr><th>a<th>b" + strings.Repeat("<tr><td>1<td>2", n) }},
		{"labels of one control", func(n int) string { return strings.Repeat("<label for=a>x</label>", n) + "<input id=a>" }},
		{"names that point at all", func(n int) string {
			return strings.Repeat("<p id=a>x", n/10) + numbered(n/10, "<button aria-labelledby='a a a a a b%d'>y</button>")
		}},
		{"names in a circle", func(n int) string {
			var b strings.Builder
			for i := range n / 4 {
				fmt.Fprintf(&b, "<a href=/ id=i%d aria-labelledby='i%d i%d'>x</a>", i, i+1, i)
			}
			return b.String()
		}},
		{"roles named by nested content", func(n int) string { return strings.Repeat("<div role=button aria-label=''><img alt=x>", n) }},
		{"owned elements", func(n int) string {
			return "<div role=button aria-owns='" + numbered(n/10, "o%d ") + "'><img alt=y></div>" + numbered(n/10, "<i id=o%d>x</i>")
		}},
		{"many attributes", func(n int) string { return "<div" + numbered(n, " aria-a%d=1") + ">x" }},
		{"forms and controls", func(n int) string { return numbered(n/4, "<form><input name=a%d></form><input form=f>") }},
		{"loose forms", func(n int) string {
			return "<table>" + numbered(n/8, "<tr><form><td><input name=a%d></td></form></tr>")
		}},
		{"options", func(n int) string { return "<select>" + strings.Repeat("<option>x", n) }},
		{"details in details", func(n int) string { return strings.Repeat("<details><summary>s</summary>x", n) }},
		{"shadow roots", func(n int) string {
			return strings.Repeat("<x-a><template shadowrootmode=open><slot></slot></template>y", n/4)
		}},
		{"slots", func(n int) string {
			return "<x-a><template shadowrootmode=open>" + numbered(n/4, "<slot name=s%d></slot>") + "</template>" + numbered(n/4, "<b slot=s%d>x</b>")
		}},
		{"one default slot twice", func(n int) string {
			return "<x-a><template shadowrootmode=open>" + strings.Repeat("<slot></slot>", n/4) + "</template>" + strings.Repeat("<b>x</b>", n/4)
		}},
		{"a datalist for many", func(n int) string {
			return "<datalist id=d>" + strings.Repeat("<option value=x>", n/4) + "</datalist>" + strings.Repeat("<input list=d>", n/4)
		}},
		{"a long text that names many", func(n int) string {
			return "<p id=p>" + strings.Repeat("word ", n) + "</p>" + strings.Repeat("<button aria-labelledby=p></button><section aria-labelledby=p>x</section><input aria-describedby=p>", n/16)
		}},
		{"nested comboboxes", func(n int) string { return strings.Repeat("<div role=combobox>x<i>y</i>", n/4) }},
		{"same ids", func(n int) string { return strings.Repeat("<div><br></div>x", n) }},
		{"mis-nested formatting", func(n int) string { return strings.Repeat("<b><i><p></b></i>x", n/4) }},
		{"blank text", func(n int) string { return strings.Repeat("<div>\u00a0</div>", n) }},
		{"rules by class", func(n int) string {
			return "<style>" + numbered(n/4, ".c%d b{display:none}") + "</style>" + numbered(n/4, "<p class=c%d>x<b>y</b>")
		}},
		{"rules for all", func(n int) string {
			return "<style>" + strings.Repeat("*{display:block}", n/40) + "</style>" + strings.Repeat("<p>x", n/40)
		}},
		{"sibling rules", func(n int) string {
			return "<style>p~p~p~b{display:none} p:nth-child(2n+1 of .a){display:none} p:nth-last-of-type(3){display:none}</style>" + strings.Repeat("<p>x", n)
		}},
		{"rules that look inside", func(n int) string {
			return "<style>div:has(i){display:none} :has(> u ~ u){display:none}</style>" + strings.Repeat("<div><b>x</b></div>", n)
		}},
		{"custom properties", func(n int) string {
			return "<style>" + numbered(n/8, ":root{--a%d:var(--b)}") + "p{display:var(--a1)}</style>" + strings.Repeat("<p style='--b:none'>x", n/8)
		}},
		{"rows that span", func(n int) string {
			return "<table>" + strings.Repeat("<tr><td rowspan=65534>x<td colspan=1000>y", n/4)
		}},
		{"graph data", func(n int) string {
			return "<script type=application/ld+json>[" + strings.Repeat("{\"@type\":\"Thing\",\"name\":\"x\"},", n) + "{}]</script>"
		}},
		{"nested graph data", func(n int) string {
			return "<script type=application/ld+json>" + strings.Repeat("[", n) + strings.Repeat("]", n) + "</script>"
		}},
		{"items that refer", func(n int) string {
			return strings.Repeat("<div itemscope itemref='a b c'>", n/8) + "<i id=a itemprop=x>y</i><i id=b itemprop=x itemscope itemref='a b'></i>"
		}},
		{"nested items", func(n int) string { return strings.Repeat("<div itemscope itemprop=x>t", n/4) }},
		{"documents in documents", func(n int) string { return strings.Repeat("<iframe srcdoc='<p>x<b>y'></iframe>", n/8) }},
		{"nested labels", func(n int) string { return strings.Repeat("<label>x", n) + "<input>" }},
		{"controls in nested labels", func(n int) string { return strings.Repeat("<label>x<input>", n/4) }},
		{"links around blocks", func(n int) string { return strings.Repeat("<a href=x><div>y</div>", n/4) }},
		{"links without an end", func(n int) string { return strings.Repeat("<a href=x>y", n) }},
		{"buttons in nested groups", func(n int) string { return strings.Repeat("<fieldset><legend>x</legend><button>y", n/8) }},
		{"landmarks", func(n int) string { return strings.Repeat("<nav><a href=x>y</a></nav><p>z", n/4) }},
		{"nested landmarks", func(n int) string { return strings.Repeat("<main><nav>x", n/4) }},
		{"drawings", func(n int) string { return strings.Repeat("<svg><title>t</title><a href=x><text>y</text></a>", n/8) }},
		{"drawings in drawings", func(n int) string { return strings.Repeat("<svg><title>x</title><g role=button>", n/4) }},
		{"formulas", func(n int) string { return strings.Repeat("<math alttext=x><mi>x</mi>", n/4) }},
		{"entities", func(n int) string { return "<p>" + strings.Repeat("&amp;&notit;&#x41;", n) }},
		{"one long word", func(n int) string { return "<p>" + strings.Repeat("x", 8*n) }},
		{"line breaks in a pre", func(n int) string { return "<pre>" + strings.Repeat("x\n", 4*n) }},
		{"comments", func(n int) string { return strings.Repeat("<!---->x<!-->", n) }},
		{"breaks", func(n int) string { return strings.Repeat("x<br>", n) }},
		{"images in a link", func(n int) string { return "<a href=x>" + numbered(n/4, "<img src=%d alt=y>") }},
		{"buttons in a line", func(n int) string { return "<p>" + strings.Repeat("x <button>y</button> ", n/4) }},
		{"fields in a line", func(n int) string { return "<p>" + strings.Repeat("x <input> <select><option>y</select>", n/8) }},
		{"descriptions", func(n int) string {
			return "<p id=d>x</p>" + strings.Repeat("<input title=t aria-describedby=d><button aria-description=e>y</button>", n/8)
		}},
		{"rulers of a grid", func(n int) string {
			return "<div role=grid>" + strings.Repeat("<div role=row><div role=gridcell>x</div><div role=columnheader>y</div></div>", n/8)
		}},
	}
}
