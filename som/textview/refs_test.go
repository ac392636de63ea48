package textview

import (
	"strings"
	"testing"

	"plasmate/som"
)

// refOf is the ref of the first control of that role and name in a view; 0 if it is not there.
func refOf(t *testing.T, v View, role, name string) int {
	t.Helper()
	g, err := parseView(v.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range g.lines {
		for _, c := range l.controls {
			if c.role == role && c.name == name {
				return c.ref
			}
		}
	}
	return 0
}

func states(refs *Refs, load int, sources ...string) []View {
	var out []View
	for i, s := range sources {
		out = append(out, Render(page(s), refs, Options{Mode: Full, At: At{Load: load, Tree: string(rune('a' + i))}}))
	}
	return out
}

const form1 = `<main><h1>Pay</h1><form aria-label=Pay><label>Name <input></label><button>Pay now</button></form><a href=/h>Help</a></main>`

func TestRefs(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after string
		role, control string
		same          bool   // the control keeps its ref
		stale         string // else what the old ref says
	}{
		{"a re-render that replaces every node keeps all refs", form1, "<div></div>" + form1, "button", "Pay now", true, ""},
		{"a container around does not matter", form1, strings.Replace(form1, "<button>Pay now</button>", "<div><p><button>Pay now</button></p></div>", 1), "button", "Pay now", true, ""},
		{"an element that is gone is stale, and never its look-alike", form1, strings.Replace(form1, "Pay now", "Pay later", 1), "button", "Pay now", false,
			`was button "Pay now" (gone); similar: [`},
		{"of two equal candidates none is taken", form1, strings.Replace(form1, "<button>Pay now</button>", "<p><button>Pay now</button><button>Pay now</button>", 1), "button", "Pay now", false,
			`"Pay now" (gone); similar:`},
	} {
		var refs Refs
		v := states(&refs, 1, c.before, c.after)
		n := refOf(t, v[0], c.role, c.control)
		if n == 0 {
			t.Fatalf("%s: %q is not in\n%s", c.name, c.control, v[0].Text)
		}
		got, err := refs.Resolve(n)
		switch {
		case c.same && (err != nil || got.Name != c.control):
			t.Errorf("%s: got %v, %v", c.name, got, err)
		case c.same && refOf(t, v[1], c.role, c.control) != n:
			t.Errorf("%s: the control is printed with another ref:\n%s", c.name, v[1].Text)
		case !c.same && (err == nil || err.Code != "stale" || !strings.Contains(strings.ReplaceAll(err.Text, "] ", "] was "), c.stale)):
			t.Errorf("%s: got %v, %v; want stale with %q", c.name, got, err, c.stale)
		}
	}
}

func TestNumbersAreNeverGivenTwice(t *testing.T) {
	var refs Refs
	states(&refs, 1, form1)
	was := refs.Count()
	v := Render(page(`<a href=/x>Other</a>`), &refs, Options{At: At{Load: 2}})
	if n := refOf(t, v, "link", "Other"); n != was+1 {
		t.Errorf("got ref %d behind %d", n, was)
	}
	if _, err := refs.Resolve(1); err == nil || err.Code != "stale" {
		t.Errorf("a ref of the document before: got %v, want stale", err)
	}
	if _, err := refs.Resolve(99); err == nil || err.Code != "not-found" {
		t.Errorf("a number that was never given: got %v, want not-found", err)
	}
	// A persistent header keeps its refs on another page of the site.
	back := Render(page(form1), &refs, Options{Mode: Full, At: At{Load: 3}})
	if n := refOf(t, back, "link", "Help"); n == 0 || n > was {
		t.Errorf("the link is back with SOM id and origin, got ref %d", n)
	}
}

// Where the engine knows nodes, a node inserted before equal ones takes none of their refs.
func TestInsertionBeforeEqualButtons(t *testing.T) {
	const three = `<div><button>Add</button><button>Add</button><button>Add</button></div>`
	const four = `<div><button>Add</button><button>Add</button><button>Add</button><button>Add</button></div>`
	var refs Refs
	first := page(three)
	id := func(p *som.Page, shift int64) func(som.NodeID) int64 {
		return func(n som.NodeID) int64 { return int64(n) + 100 - shift }
	}
	a := Render(first, &refs, Options{Mode: Full, At: At{Load: 1, Tree: "a", Identity: id(first, 0)}})
	b := Render(page(four), &refs, Options{Mode: Full, At: At{Load: 1, Tree: "b", Identity: id(first, 1)}})
	ga, _ := parseView(a.Text)
	gb, _ := parseView(b.Text)
	var was, now []int
	for _, l := range ga.lines {
		for _, c := range l.controls {
			was = append(was, c.ref)
		}
	}
	for _, l := range gb.lines {
		for _, c := range l.controls {
			now = append(now, c.ref)
		}
	}
	if len(was) != 3 || len(now) != 4 || now[1] != was[0] || now[2] != was[1] || now[3] != was[2] || now[0] <= was[2] {
		t.Errorf("got %v, then %v", was, now)
	}
}

// A list that puts other content into its rows makes their refs stale until they are read again.
func TestRecycledRows(t *testing.T) {
	var refs Refs
	const src = `<ul><li><button>Delete A</button><li><button>Delete B</button></ul>`
	v := Render(page(src), &refs, Options{Mode: Full, At: At{Load: 1, Tree: "x"}})
	n := refOf(t, v, "button", "Delete A")
	// The same nodes, other names, looked at without being printed.
	changed := page(strings.NewReplacer("Delete A", "Delete B", "Delete B", "Delete C").Replace(src))
	d := read(changed, nil, nil)
	refs.bind(d, At{Load: 1, Tree: "x"})
	_, err := refs.Resolve(n)
	if want := `was button "Delete A", now button "Delete B"`; err == nil || !strings.HasSuffix(err.Text, want) {
		t.Errorf("got %v, want %s", err, want)
	}
	Render(changed, &refs, Options{Mode: Full, At: At{Load: 1, Tree: "x"}})
	if got, err := refs.Resolve(n); err != nil || got.Name != "Delete B" {
		t.Errorf("after it was printed: got %v, %v", got, err)
	}
	digits := page(strings.ReplaceAll(src, "Delete A", "Delete B 2"))
	Render(page(strings.ReplaceAll(src, "Delete A", "Delete B 1")), &refs, Options{Mode: Full, At: At{Load: 1, Tree: "x"}})
	refs.bind(read(digits, nil, nil), At{Load: 1, Tree: "x"})
	if _, err := refs.Resolve(n); err != nil {
		t.Errorf("only digits changed: got %v", err)
	}
}

func TestRefsOfOtherOriginsAreNotTakenOver(t *testing.T) {
	var refs Refs
	analyse := func(url string) *som.Page {
		return som.Analyze(som.Input{URL: url, Source: []byte(form1)}, som.Options{})
	}
	a := Render(analyse("https://a.example/"), &refs, Options{Mode: Full, At: At{Load: 1}})
	b := Render(analyse("https://b.example/"), &refs, Options{Mode: Full, At: At{Load: 2}})
	if x, y := refOf(t, a, "link", "Help"), refOf(t, b, "link", "Help"); x == y {
		t.Errorf("the ref %d of another origin was given again", x)
	}
}
