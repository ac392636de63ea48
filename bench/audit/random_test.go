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

var randomPages = flag.Int("random", 60, "how many random pages to compare with Chromium")

// pageMaker writes random documents in which every word is another one.
type pageMaker struct {
	r     *rand.Rand
	b     strings.Builder
	words int
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
		"visibility:hidden", "visibility:visible", "position:absolute", "float:left", "display:table-cell", "opacity:0", "width:0;height:0;overflow:hidden") + `"`
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
	switch m.r.IntN(12) {
	case 0, 1, 2:
		m.wrap(m.pick("div", "div", "section", "article", "header", "blockquote", "fieldset", "main"), s, depth)
	case 3, 4:
		m.wrap(m.pick("span", "b", "em", "cite", "small", "font"), s, depth)
	case 5:
		m.wrap("a", ` href="/`+m.word()+`"`+s, min(depth, 2))
	case 6:
		m.wrap(m.pick("h2", "h3", "p", "pre"), s, min(depth, 1))
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
		m.wrap("button", s, min(depth, 1))
	case 10:
		m.b.WriteString("<label" + m.style() + ">" + m.word() + " <" + m.pick("input", "select><option>"+m.word()+"</select><i", "input type=checkbox") + s + ">" + m.word() + "</label>")
	case 11:
		m.wrap("details", " open"+s, depth)
	}
}

func (m *pageMaker) wrap(tag, attrs string, depth int) {
	m.b.WriteString("<" + tag + attrs + ">")
	m.content(depth)
	m.b.WriteString("</" + tag + ">")
}

// TestRandomPages compares random documents with what Chromium shows of them:
// words that are shown are in the SOM and the text, others are not.
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
		src := "<!doctype html><title>t</title><body>" + m.b.String()
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
				t.Logf("seed %d, %s: lacks %v, shows hidden %v\n%s", seed, v.Name, w.Missing.Top(9), w.Foreign.Top(9), src)
			}
		}
	}
	t.Logf("%d random pages: %d of %d words lost, %d hidden words shown", *randomPages, lost, all, shown)
	if lost*1000 > 2*all || shown*1000 > all {
		t.Errorf("%d of %d words lost, %d hidden words shown", lost, all, shown)
	}
}
