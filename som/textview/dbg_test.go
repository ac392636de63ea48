package textview

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"plasmate/bench/audit"
	"plasmate/som"
)

func TestDbg(t *testing.T) {
	f := os.Getenv("DBG")
	if f == "" {
		return
	}
	pages, _, _ := audit.Corpus()
	for _, want := range strings.Split(f, ",") {
		for _, x := range pages {
			if !strings.Contains(x.Name, want) {
				continue
			}
			p := som.Analyze(som.Input{URL: x.URL, ContentType: x.ContentType, Source: x.Source, HTMLBytes: x.Bytes}, som.Options{})
			fmt.Println("==", x.Name)
			d := read(p, nil, nil)
			have := map[som.NodeID]bool{}
			d.root.controls(func(c *control) { have[c.id] = true })
			e := expand(t, p, Full)
			k := 0
			p.Walk(func(el *som.Element, _ *som.Region) bool {
				if el.Flags&som.FlagHidden != 0 {
					return false
				}
				if roleOf(el) != "" && el.Node != som.NoNode && !e.nodes[el.Node] && k < 4 {
					k++
					fmt.Printf(" %s %.60q intree=%v :", el.Role, el.Name(), have[el.Node])
					for n := p.Node(el.Node); n != nil && n.Type == html.ElementNode; n = n.Parent {
						fmt.Printf(" < %s", n.Data)
						for _, a := range n.Attr {
							if a.Key == "class" || a.Key == "style" || a.Key == "id" || a.Key == "aria-hidden" || a.Key == "role" {
								fmt.Printf(" %s=%.40q", a.Key, a.Val)
							}
						}
					}
					fmt.Println()
				}
				return true
			})
		}
	}
}
