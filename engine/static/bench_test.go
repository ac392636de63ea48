package static_test

import (
	"strings"
	"testing"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/engine/static/forms"
	"plasmate/som"
	"plasmate/som/dom"
)

// benchPage is a page of about 100 KB with a form at its end.
func benchPage() []byte {
	row := `<tr><td><a href="/item?id=1">An item of the list</a></td><td><p>Some words about it, as pages have them.</p></td></tr>`
	return []byte(`<title>t</title><meta charset=utf-8><input name=loose><table>` + strings.Repeat(row, 850) +
		`</table><form id=f action=/go><input name=q value=1><button id=b>go</button></form>`)
}

// BenchmarkLoad is what a load costs beyond the fetch; BenchmarkParse beside it
// is a parse of the same page.
func BenchmarkLoad(b *testing.B) {
	src := benchPage()
	e := static.New(static.Config{Exchanger: oneBody(src)})
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.NewPage(engine.Profile{}).Load(b.Context(), engine.Request{URL: pageURL}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	src := benchPage()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		dom.Parse(src)
	}
}

// BenchmarkSubmit is a click on the form's button: index, owners, entries, bytes.
func BenchmarkSubmit(b *testing.B) {
	src := benchPage()
	doc := som.Analyze(som.Input{URL: pageURL, Source: src}, som.Options{})
	b.ReportAllocs()
	for b.Loop() {
		d := forms.New(forms.Source{Root: doc.Tree(), HTML: src, URL: pageURL})
		if _, err := d.Submit(d.ElementByID("f"), d.ElementByID("b"), "B", nil); err != nil {
			b.Fatal(err)
		}
	}
}
