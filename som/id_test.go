package som

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// pathTo is an element's path by AWP §5, written anew from its words: indices
// from body, element children counted only.
func pathTo(n *html.Node) string {
	var steps []string
	for n.Parent != nil && n.Data != "body" && n.Data != "frameset" {
		i := 0
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.Type == html.ElementNode {
				i++
			}
		}
		steps = append([]string{strconv.Itoa(i)}, steps...)
		n = n.Parent
	}
	return strings.Join(steps, "/")
}

// namesOf are the texts that may be an element's accessible name.
func namesOf(e *Element) []string {
	names := []string{e.Label, e.Text, ""}
	for _, a := range []string{"alt", "summary", "section_label", "legend", "title", "value", "caption"} {
		v, _ := e.Attr(a)
		names = append(names, v)
	}
	for i, s := range names {
		r := []rune(strings.TrimSpace(strings.ToLower(s)))
		names[i] = string(r[:min(len(r), 100)])
	}
	return names
}

// AWP §5 over the corpus: each id is the hash of origin, role, name and path,
// and equal ones are numbered in document order.
func TestIDsOfCorpus(t *testing.T) {
	elements := 0
	for _, c := range loadCorpus(t) {
		p := Analyze(Input{URL: c.URL, Source: c.Source, HTMLBytes: c.Raw}, Options{})
		u, err := url.Parse(c.URL)
		if err != nil {
			t.Fatal(err)
		}
		origin := u.Scheme + "://" + u.Host
		counts := map[string]int{}
		p.Walk(func(e *Element, _ *Region) bool {
			base := e.ID
			if i := strings.IndexByte(e.ID[2:], '_'); i >= 0 {
				base = e.ID[:i+2]
			}
			counts[base]++
			if n := counts[base]; n > 1 && e.ID != base+"_"+strconv.Itoa(n) || n == 1 && e.ID != base {
				t.Errorf("%s: %s is number %d", c.File, e.ID, n)
			}
			if e.Node == NoNode {
				return true
			}
			elements++
			path := pathTo(p.Node(e.Node))
			var paths []string
			if !e.Is(FlagBareText) {
				paths = []string{path}
			} else { // the number of siblings before is not kept: any that can be
				i := 0
				for k := p.Node(e.Node).FirstChild; ; k = k.NextSibling {
					paths = append(paths, path+"/#"+strconv.Itoa(i))
					if k == nil {
						break
					}
					if k.Type == html.ElementNode {
						i++
					}
				}
			}
			for _, name := range namesOf(e) {
				for _, path := range paths {
					if wantID(origin, e.Role, name, path) == base {
						return true
					}
				}
			}
			t.Errorf("%s: %s %q: the id %s is no hash of its role, name and path %s", c.File, e.Role, e.Text, e.ID, path)
			return true
		})
	}
	t.Logf("%d elements", elements)
}
