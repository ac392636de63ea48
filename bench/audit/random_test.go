package audit

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"plasmate/bench/audit/reader"
	"plasmate/som"
)

var randomPages = flag.Int("random", 30, "how many random pages to compare with Chromium")

// pageMaker writes random documents in which every word is another one.
type pageMaker struct {
	r      *rand.Rand
	b      strings.Builder
	words  int
	inline bool // within an element that holds no blocks
}

func (m *pageMaker) word() string {
	m.words++
	return fmt.Sprintf("w%d", m.words)
}

func (m *pageMaker) pick(ss ...string) string { return ss[m.r.IntN(len(ss))] }

// style is a style attribute now and then.
func (m *pageMaker) style() string {
	if m.r.IntN(4) > 0 {
		return ""
	}
	return ` style="` + m.pick("display:block", "display:inline", "display:inline-block", "display:none", "display:contents", "display:flex",
		"visibility:hidden", "visibility:visible", "position:absolute", "float:left", "display:table-cell", "opacity:0", "display:grid", "display:inline-flex", "display:list-item", "display:table", "text-transform:uppercase", "display:none!important", "width:0;height:0;overflow:hidden") + `"`
}

func (m *pageMaker) content(depth int) {
	for range 1 + m.r.IntN(4) {
		if depth <= 0 || m.r.IntN(3) == 0 {
			m.b.WriteString(m.pick("", " ", "\n") + m.word() + m.pick("", " ", " "+m.word()+" "))
			continue
		}
		m.element(depth - 1)
	}
}

func (m *pageMaker) element(depth int) {
	s := m.style()
	if m.inline {
		m.phrase(s, depth)
		return
	}
	switch m.r.IntN(22) {
	case 0, 1, 2:
		m.wrap(m.pick("div", "div", "section", "article", "header", "blockquote", "fieldset", "main"), s, depth)
	case 3, 4:
		m.wrap(m.pick("span", "b", "em", "cite", "small", "font"), s, depth)
	case 5:
		m.wrap("a", ` href="/`+m.word()+`"`+s, min(depth, 2))
	case 6:
		m.phrases(m.pick("h2", "h3", "p", "pre"), s, min(depth, 2))
	case 7:
		m.b.WriteString("<" + m.pick("ul", "ol") + s + ">")
		for range 1 + m.r.IntN(3) {
			m.wrap("li", m.style(), depth)
		}
		m.b.WriteString("</ul></ol>")
	case 8:
		m.b.WriteString("<table" + s + ">")
		for range 1 + m.r.IntN(3) {
			m.b.WriteString("<tr>")
			for range 1 + m.r.IntN(3) {
				m.wrap(m.pick("td", "td", "th"), m.style(), min(depth, 2))
			}
		}
		m.b.WriteString("</table>")
	case 9:
		m.phrases("button", s, min(depth, 1))
	case 10:
		m.b.WriteString("<label" + m.style() + ">" + m.word() + " <" + m.pick("input", "select><option>"+m.word()+"</select><i", "input type=checkbox") + s + ">" + m.word() + "</label>")
	case 11:
		m.b.WriteString("<details" + m.pick("", " open") + s + "><summary>" + m.word() + "</summary>")
		m.content(min(depth, 2))
		m.b.WriteString("</details>")
	case 12:
		m.b.WriteString("<dl" + s + ">")
		m.wrap("dt", m.style(), min(depth, 1))
		m.wrap("dd", m.style(), depth)
		m.b.WriteString("</dl>")
	case 13:
		m.b.WriteString("<figure" + s + "><img src=i.png alt=" + m.word() + "><figcaption>")
		m.content(min(depth, 1))
		m.b.WriteString("</figcaption></figure>")
	case 14:
		m.wrap("div", m.pick(" hidden", " class=off", " class=on", ` aria-hidden="true"`, " class='off on'", " id=one", " inert"), depth)
	case 15:
		m.b.WriteString(m.word() + m.pick("<br>", "<wbr>", "<hr>", "<sub>", "<!-- c -->", "<noscript>"+m.word()+"</noscript>", "<template>"+m.word()+"</template>",
			"<dialog>"+m.word()+"</dialog>", "<script>"+m.word()+"</script>", "<textarea>"+m.word()+"</textarea>", "<iframe src=x></iframe>", "<svg><title>"+m.word()+"</title></svg>") + m.word())
	case 16:
		m.wrap("a", ` href="/`+m.word()+`" `+m.pick(`aria-label="`+m.word()+`"`, `title="`+m.word()+`"`, "role=button")+s, min(depth, 2))
	case 18:
		m.b.WriteString(`<table border=1` + s + `><caption>` + m.word() + `</caption><tr><th colspan=2>` + m.word() + "<th>" + m.word() + "<tr><td rowspan=2>")
		m.content(min(depth, 1))
		m.b.WriteString("<td" + m.style() + ">" + m.word() + "<td>" + m.word() + "<tr><td>" + m.word() + `<td><a href="/` + m.word() + `">` + m.word() + "</a></table>")
	case 19:
		m.wrap("div", m.pick(" role=navigation", " role=list", " role=button", " role=heading aria-level=3", " role=tabpanel", " role=alert", " role=presentation", " role=group aria-label="+m.word(), " role=search")+s, min(depth, 2))
	case 20:
		m.b.WriteString(m.pick("<dialog open>", "<div popover>", "<ruby>", "<address>", "<menu>", "<center>", "<video src=x>", "<audio>", "<nav>", "<aside>", "<footer>", "<output>", "<meter>", "<progress>"))
		m.content(min(depth, 1))
		m.b.WriteString("</dialog></div></ruby></address></menu></center></video></audio></mi></math></text></svg></nav></aside></footer></output></meter></progress>")
	case 21:
		m.wrap("div", " class="+m.pick("a", "b", "c", "d", "e")+m.pick("", " data-x=1", " lang=de")+s, depth)
	case 17:
		m.b.WriteString("<fieldset" + m.pick("", " disabled") + "><legend" + m.style() + ">" + m.word() + "</legend>")
		m.content(min(depth, 2))
		m.b.WriteString("</fieldset>")
	}
}

// phrase writes an inline element.
func (m *pageMaker) phrase(s string, depth int) {
	switch m.r.IntN(6) {
	case 0:
		m.b.WriteString("<img src=i.png alt=" + m.word() + ">")
	case 1:
		m.b.WriteString(m.word() + m.pick("<br>", "<wbr>", "<!-- c -->") + m.word())
	default:
		m.wrap(m.pick("span", "b", "em", "cite", "small", "font"), s+m.pick("", "", "", " class=off", " hidden"), depth)
	}
}

// phrases writes an element that holds inline content only.
func (m *pageMaker) phrases(tag, attrs string, depth int) {
	was := m.inline
	m.inline = true
	m.wrap(tag, attrs, depth)
	m.inline = was
}

func (m *pageMaker) wrap(tag, attrs string, depth int) {
	m.b.WriteString("<" + tag + attrs + ">")
	m.content(depth)
	m.b.WriteString("</" + tag + ">")
}

// randomHead begins each document; its style sheet decides what some classes show.
const randomHead = `<!doctype html><title>t</title><style>.off{display:none} .on{display:block!important} div > .off.on{visibility:hidden}
@media print{div{display:none}} @media (min-width:600px){#one > span{display:none}} li.off,td:first-child .off{display:none}
:root{--no:none} .a{display:var(--no)} .b:not([data-x]){visibility:hidden} .c > *:first-child{display:none} .d > i{display:block}
.e:is([data-x],[lang|=de]) span{display:none} @supports (display:grid){.e b{display:none}} p + p{display:none} @layer x{.d{display:none}}</style><body>`

// TestRandomPages compares random documents with what Chromium shows of them:
// every word that is shown is in the SOM and the text, no other one is.
func TestRandomPages(t *testing.T) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine")
	}
	b, err := reader.Start(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	lost, shown, all := 0, 0, 0
	for seed := range uint64(*randomPages) {
		m := pageMaker{r: rand.New(rand.NewPCG(seed, 7))}
		m.content(5)
		src := randomHead + m.b.String()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		s, err := b.Read(ctx, reader.Page{URL: "http://www.example.test/", ContentType: "text/html; charset=utf-8", Body: []byte(src)})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		o := FromSeen("random", "Chromium", s, true)
		p := som.Analyze(som.Input{URL: "http://www.example.test/", Source: []byte(src)}, som.Options{})
		v, err := SOMView(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []*View{v, TextView(p)} {
			w := scoreWords(o, v.Bag())
			lost += w.Missing.Size()
			all += w.Required
			shown += w.Hidden
			if w.Missing.Size() > 0 || w.Hidden > 0 {
				t.Errorf("seed %d, %s: lacks %v, shows hidden %v\n%s", seed, v.Name, w.Missing.Top(9), w.Foreign.Top(9), src)
			}
		}
	}
	t.Logf("%d random pages: %d of %d words lost, %d hidden words shown", *randomPages, lost, all, shown)
}
