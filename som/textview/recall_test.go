package textview

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"plasmate/bench/audit"
	"plasmate/som"
)

// everything is a view with all its folds followed: the refs, the tools and the
// offsets that it names.
type everything struct {
	t      *testing.T
	page   *som.Page
	doc    *doc // read once: folds are followed many times
	refs   Refs
	texts  []string
	done   map[string]bool
	nodes  map[som.NodeID]bool // whose controls were printed
	opened map[som.NodeID]bool // whose options were
}

func (e *everything) observe(o Options) {
	key := string(o.Mode) + strconv.Itoa(o.Ref) + "/" + strconv.Itoa(o.Offset)
	if e.done[key] || len(e.done) > 3000 {
		return
	}
	e.done[key] = true
	v := e.doc.render(&e.refs, o)
	if v.Err != nil {
		e.t.Errorf("observe ref %d: %v", o.Ref, v.Err)
		return
	}
	g, err := parseView(v.Text)
	if err != nil {
		e.t.Errorf("ref %d offset %d: %v", o.Ref, o.Offset, err)
		return
	}
	for _, l := range g.lines {
		e.texts = append(e.texts, l.text)
		for _, c := range l.controls {
			if t, err := e.refs.Resolve(c.ref); err == nil {
				e.nodes[t.Node] = true
			}
		}
	}
	for _, l := range g.lines {
		e.follow(l, o)
	}
}

var numbers = regexp.MustCompile(`\d+`)

// follow does what a fold line says.
func (e *everything) follow(l parsedLine, o Options) {
	n := []int{}
	for _, s := range numbers.FindAllString(l.foldTool, -1) {
		k, _ := strconv.Atoi(s)
		n = append(n, k)
	}
	for _, ref := range l.more {
		if t, err := e.refs.Resolve(ref); err == nil && !e.opened[t.Node] {
			e.opened[t.Node] = true
			e.observe(Options{Mode: Full, Budget: 20000, Ref: ref})
		}
	}
	switch {
	case l.foldTool == "":
	case l.foldTool == "observe full":
		e.observe(Options{Mode: Full, Budget: 20000})
	case l.foldTool == "extract text":
		e.extract(Extraction{Kind: "text"})
	case strings.HasPrefix(l.foldTool, "extract table"):
		e.extract(Extraction{Kind: "table", Ref: n[0]})
		e.observe(Options{Mode: Full, Budget: 20000, Ref: n[0]}) // the refs in it
	case strings.HasPrefix(l.foldTool, "observe offset"):
		o.Offset = n[0]
		e.observe(o)
	case strings.Contains(l.foldTool, "offset"):
		e.observe(Options{Mode: Full, Budget: 20000, Ref: n[0], Offset: n[1]})
	default:
		e.observe(Options{Mode: Full, Budget: 20000, Ref: n[0]})
	}
}

func (e *everything) extract(x Extraction) {
	key := x.Kind + strconv.Itoa(x.Ref)
	if e.done[key] {
		return
	}
	e.done[key] = true
	for range 500 {
		s, err := Extract(e.page, &e.refs, x)
		if err != nil {
			e.t.Errorf("extract %s %d: %v", x.Kind, x.Ref, err)
			return
		}
		e.texts = append(e.texts, s)
		m := regexp.MustCompile(`\(extract offset (\d+)\)$`).FindStringSubmatch(s)
		if m == nil {
			return
		}
		x.Offset, _ = strconv.Atoi(m[1])
	}
}

var protocolWords = regexp.MustCompile(`(^|[^\\])\[\d+\] [a-z]+`)

func expand(t *testing.T, p *som.Page, mode Mode) *everything {
	e := &everything{t: t, page: p, done: map[string]bool{}, nodes: map[som.NodeID]bool{}, opened: map[som.NodeID]bool{}}
	e.doc = read(p, nil, nil)
	e.refs.bind(e.doc, At{})
	e.observe(Options{Mode: mode})
	return e
}

func (e *everything) bag() audit.Bag {
	b := audit.Bag{}
	for _, s := range e.texts {
		b.Add(audit.Words(protocolWords.ReplaceAllString(s, "$1 ")))
	}
	return b
}

type recalled struct {
	name        string
	words, ctls float64
	missing     []string
}

// Words and controls of the corpus's pages that a view does not lead to, by any
// of its folds, are few.
func TestRecall(t *testing.T) {
	pages, source, err := audit.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		pages = pages[:40]
	}
	for _, mode := range []Mode{Full, Read} {
		var rows []recalled
		for _, p := range pages {
			doc := som.Analyze(som.Input{URL: p.URL, ContentType: p.ContentType, Source: p.Source, HTMLBytes: p.Bytes}, som.Options{})
			e := expand(t, doc, mode)
			r := recalled{name: p.Name, words: 1, ctls: 1}
			want := p.Oracle.Visible.Minus(p.Oracle.Quiet)
			missing := want.Minus(e.bag())
			if n := want.Size(); n > 0 {
				r.words = 1 - float64(missing.Size())/float64(n)
				r.missing = missing.Top(12)
			}
			if mode == Full {
				var lost []string
				r.ctls, lost = controlRecall(doc, e.nodes)
				r.missing = append(r.missing, lost...)
			}
			rows = append(rows, r)
		}
		report(t, mode, rows, source)
	}
}

// controlRecall is the share of the page's interactive elements that were printed.
func controlRecall(doc *som.Page, printed map[som.NodeID]bool) (float64, []string) {
	n, found := 0, 0
	var names []string
	doc.Walk(func(e *som.Element, _ *som.Region) bool {
		if e.Flags&som.FlagHidden != 0 {
			return false
		}
		if roleOf(e) != "" && e.Node != som.NoNode {
			n++
			if printed[e.Node] {
				found++
			} else if len(names) < 5 {
				names = append(names, e.Role+" "+e.Name())
			}
		}
		return true
	})
	if n == 0 {
		return 1, nil
	}
	return float64(found) / float64(n), names
}

func report(t *testing.T, mode Mode, rows []recalled, source string) {
	t.Helper()
	words, ctls := 0.0, 0.0
	low := 0
	for _, r := range rows {
		words += r.words
		ctls += r.ctls
		if r.words < 0.98 {
			low++
		}
	}
	n := float64(len(rows))
	t.Logf("%s, %s, %d pages: words %.2f %%, below 98 %% on %d pages; controls %.2f %%", mode, source, len(rows), 100*words/n, low, 100*ctls/n)
	sort.Slice(rows, func(i, j int) bool { return rows[i].words+rows[i].ctls < rows[j].words+rows[j].ctls })
	for _, r := range rows[:min(len(rows), 25)] {
		t.Logf("%-60s words %.3f controls %.3f %v", r.name, r.words, r.ctls, r.missing)
	}
	if words/n < 0.98 || mode == Full && ctls/n < 0.995 {
		t.Errorf("%s: got words %.4f and controls %.4f, want 0.98 and 0.995", mode, words/n, ctls/n)
	}
}
