package textview

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"plasmate/bench/audit"
	"plasmate/som"
)

func TestTry(t *testing.T) {
	f := os.Getenv("TRY")
	if f == "" {
		return
	}
	var p *som.Page
	if strings.HasPrefix(f, "/") {
		b, _ := os.ReadFile(f)
		p = som.Analyze(som.Input{URL: "https://shop.example/checkout", Source: b, HTMLBytes: len(b)}, som.Options{})
	} else {
		pages, _, _ := audit.Corpus()
		for _, x := range pages {
			if strings.Contains(x.Name, f) {
				p = som.Analyze(som.Input{URL: x.URL, ContentType: x.ContentType, Source: x.Source, HTMLBytes: x.Bytes}, som.Options{})
				break
			}
		}
	}
	var refs Refs
	budget, _ := strconv.Atoi(os.Getenv("BUDGET"))
	v := Render(p, &refs, Options{Mode: Mode(os.Getenv("MODE")), Budget: budget})
	fmt.Println(v.Text)
	fmt.Printf("%d tokens, %+v\n", v.Tokens, v.Safety)
	if r := os.Getenv("REF"); r != "" {
		n, _ := strconv.Atoi(r)
		v := Render(p, &refs, Options{Mode: Mode(os.Getenv("MODE")), Ref: n, Budget: budget})
		fmt.Println(v.Text)
	}
}
