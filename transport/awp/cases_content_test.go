package awp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// opened serves a variant at its address and loads it.
func opened(t *testing.T, v served, args ...string) (*agent, *caseSite, loadedPage) {
	t.Helper()
	site := serveVariant(t, v)
	a := newAgent(t, site, args...)
	return a, site, a.mustLoad(v.URL)
}

// serveVariant answers the first request with the variant's document, and every
// other one with an empty page.
func serveVariant(t *testing.T, v served) *caseSite {
	t.Helper()
	first := v.reply(t)
	served := false
	return newSite(t, func(seenRequest) reply {
		if served {
			return page("<title>elsewhere</title>ok")
		}
		served = true
		return first
	})
}

// contentFacts are the expectations that runContent knows.
type contentFacts struct {
	Links     any      `json:"links"` // of the page, or a list for each variant
	Titles    []string `json:"titles"`
	Encodings []string `json:"encodings"`
}

// linksOf are the links expected of variant i; nil: not said.
func (f contentFacts) linksOf(i int) []string {
	list, _ := f.Links.([]any)
	if len(list) == 0 {
		return nil
	}
	if _, nested := list[0].([]any); nested {
		list, _ = list[i].([]any)
	}
	out := []string{}
	for _, l := range list {
		s, _ := l.(string)
		out = append(out, s)
	}
	return out
}

// runContent loads each variant and compares its links, title and encoding.
func runContent(t *testing.T, c fieldCase) {
	var want contentFacts
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		a, _, got := opened(t, v)
		som := a.observe()
		if links := want.linksOf(i); links != nil {
			if diff := cmp.Diff(som.links(), links); diff != "" {
				t.Errorf("%s: links, got - want +\n%s", v.Name, diff)
			}
		}
		if want.Titles != nil && got.Title != want.Titles[i] {
			t.Errorf("%s: title %q, want %q", v.Name, got.Title, want.Titles[i])
		}
		if want.Encodings != nil && got.Encoding != want.Encodings[i] {
			t.Errorf("%s: encoding %q, want %q", v.Name, got.Encoding, want.Encodings[i])
		}
	}
}

// runRefreshes compares where each variant ends up.
func runRefreshes(t *testing.T, c fieldCase) {
	var want struct {
		Final []string `json:"final_urls"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		_, _, got := opened(t, v)
		if got.URL != want.Final[i] {
			t.Errorf("%s: ends at %s, want %s", v.Name, got.URL, want.Final[i])
		}
	}
}

// runDeep loads deeply nested documents; how long it took is only reported.
func runDeep(t *testing.T, c fieldCase) {
	var want struct {
		Each struct {
			Links   []string `json:"links"`
			TextHas []string `json:"text_has"`
		} `json:"each"`
		Growth []float64 `json:"max_rss_growth_mib"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		site := serveVariant(t, v)
		url, process, _ := startCommand(t, "--resolve", "*.test="+site.addr)
		a := connect(t, url)
		before := resident(t, process.Pid)
		got := a.mustLoad(v.URL)
		som := a.observe()
		text := a.text("text")
		grown := float64(resident(t, process.Pid)-before) / (1 << 20)
		t.Logf("%s: %.0f MiB more", v.Name, grown)
		if got.Title == "" || !slices.Equal(som.links(), want.Each.Links) || !containsAll(text, want.Each.TextHas) {
			t.Errorf("%s: title %q, links %q, text %.100q", v.Name, got.Title, som.links(), text)
		}
		if grown > want.Growth[i] {
			t.Errorf("%s: %.0f MiB more, want at most %.0f", v.Name, grown, want.Growth[i])
		}
	}
}

func containsAll(s string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
}

// runDuplicates looks at the first of several attributes and ids.
func runDuplicates(t *testing.T, c fieldCase) {
	var want struct {
		Links  []string `json:"links"`
		Labels []struct {
			Label   string `json:"label"`
			Control string `json:"control_name_attr"`
		} `json:"label_targets"`
		Controls []struct {
			Attr string `json:"name_attr"`
			Name string `json:"accessible_name"`
		} `json:"controls"`
	}
	c.expect(t, &want)
	a, _, _ := opened(t, c.Input.Variants[0])
	som := a.observe()
	if diff := cmp.Diff(som.links(), want.Links); diff != "" {
		t.Errorf("links, got - want +\n%s", diff)
	}
	controls := som.elements("text_input")
	if len(controls) != len(want.Controls) || controls[0].ID == controls[1].ID {
		t.Fatalf("%d controls, want %d with refs of their own", len(controls), len(want.Controls))
	}
	byRef := map[string]string{}
	for i, w := range want.Controls {
		if got := controls[i]; got.attr("name") != w.Attr || got.name() != w.Name {
			t.Errorf("control %d is %q named %q, want %q named %q", i, got.attr("name"), got.name(), w.Attr, w.Name)
		}
		byRef[controls[i].ID] = w.Attr
	}
	for _, w := range want.Labels {
		got, err := a.act(map[string]any{"action": "type", "value": "x", "target": map[string]string{"text": w.Label, "role": "text_input"}})
		if err != nil || byRef[got.Resolved.ElementID] != w.Control {
			t.Errorf("the label %q leads to %q (%v), want %q", w.Label, byRef[got.Resolved.ElementID], err, w.Control)
		}
	}
}

// runShadow reads declarative shadow roots in the order they are shown.
func runShadow(t *testing.T, c fieldCase) {
	var want struct {
		InOrder  []string `json:"text_in_order"`
		Lacks    []string `json:"text_lacks"`
		Links    []string `json:"links"`
		Headings []struct {
			Level float64 `json:"level"`
			Name  string  `json:"name"`
		} `json:"headings"`
	}
	c.expect(t, &want)
	a, _, _ := opened(t, c.Input.Variants[0])
	som := a.observe()
	wantOrder(t, a.text("text"), want.InOrder, true)
	wantLacks(t, a.text("text"), want.Lacks)
	if diff := cmp.Diff(som.links(), want.Links); diff != "" {
		t.Errorf("links, got - want +\n%s", diff)
	}
	for i, h := range som.elements("heading") {
		if i >= len(want.Headings) || h.Attrs["level"] != want.Headings[i].Level || h.Text != want.Headings[i].Name {
			t.Errorf("heading %d is %q, level %v", i, h.Text, h.Attrs["level"])
		}
	}
}

// wantOrder checks that parts come one after the other in s.
func wantOrder(t *testing.T, s string, parts []string, once bool) {
	t.Helper()
	rest := s
	for _, p := range parts {
		i := strings.Index(rest, p)
		if i < 0 {
			t.Errorf("%q is missing or out of order in\n%s", p, s)
			return
		}
		rest = rest[i+len(p):]
		if once && len(p) > 3 && strings.Count(s, p) != 1 {
			t.Errorf("%q is there %d times in\n%s", p, strings.Count(s, p), s)
		}
	}
}

func wantLacks(t *testing.T, s string, parts []string) {
	t.Helper()
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n\t()[]#", r) })
	for _, p := range parts {
		if slices.Contains(words, p) {
			t.Errorf("%q is shown in\n%s", p, s)
		}
	}
}

// runNames looks for pairs of role and accessible name.
func runNames(t *testing.T, c fieldCase) {
	var want struct {
		Named [][2]string `json:"named"`
	}
	c.expect(t, &want)
	a, _, _ := opened(t, c.Input.Variants[0])
	var got [][2]string
	for _, e := range a.observe().elements("") {
		got = append(got, [2]string{e.Role, e.name()})
	}
	for _, pair := range want.Named {
		if !slices.Contains(got, pair) {
			t.Errorf("no %s named %q among %q", pair[0], pair[1], got)
		}
	}
}

// runHidden looks at what is hidden, marked and offered, and clicks on it.
func runHidden(t *testing.T, c fieldCase) {
	var want struct {
		Has        []string `json:"default_text_has"`
		Lacks      []string `json:"default_text_lacks"`
		Accessible []string `json:"accessible_links"`
		NotOffered []string `json:"not_offered_for_action"`
		Flagged    []string `json:"flagged_if_kept"`
	}
	c.expect(t, &want)
	a, site, _ := opened(t, c.Input.Variants[0])
	som := a.observe()
	text := a.text("text")
	if !containsAll(text, want.Has) {
		t.Errorf("the text lacks one of %q:\n%s", want.Has, text)
	}
	wantLacks(t, text, want.Lacks)
	offered := []string{}
	for _, e := range som.elements("link") {
		// Differs from the case: SOM v1.0 has the actions of an inert link stand
		// beside inert:true. It is refused all the same, see below.
		if len(e.Actions) > 0 && e.Attrs["inert"] == nil {
			offered = append(offered, e.link())
		}
		if e.Attrs["hidden"] == nil && e.Attrs["inert"] == nil && !slices.Contains(want.Accessible, e.link()) {
			t.Errorf("%s is shown, not marked, and no accessible link", e.link())
		}
	}
	if diff := cmp.Diff(offered, want.Accessible); diff != "" {
		t.Errorf("links offered for action, got - want +\n%s", diff)
	}
	for _, e := range som.elements("") {
		word, _, _ := strings.Cut(e.Text, " ")
		marked := e.Attrs["inert"] != nil || e.Attrs["hidden"] != nil || e.Attrs["offscreen"] != nil ||
			slices.ContainsFunc(e.Children, func(c *somElement) bool { return c.Attrs["inert"] != nil || c.Attrs["offscreen"] != nil })
		if slices.Contains(want.Flagged, word) && !marked {
			t.Errorf("%q is kept without a mark", e.Text)
		}
	}
	for _, url := range want.NotOffered {
		target := map[string]string{"css": `a[href="` + url[len("http://a.test/"):] + `"]`}
		if got, err := a.act(map[string]any{"action": "click", "target": target}); err == nil {
			t.Errorf("a click on the hidden link to %s was done: %+v", url, got)
			a.mustLoad("http://a.test/again")
			return
		}
	}
	if n := len(site.requests()); n != 1 {
		t.Errorf("%d requests, want the page alone", n)
	}
}

// runTexts looks for lists, tables and options in every form of the page.
func runTexts(t *testing.T, c fieldCase) {
	var want struct {
		InOrder  []string `json:"text_in_order_once"`
		NotJoin  []string `json:"must_not_join"`
		Options  []any    `json:"options"`
		Headers  []any
		TableRow struct {
			Caption string     `json:"caption"`
			Headers []string   `json:"headers"`
			Rows    [][]string `json:"rows"`
		} `json:"table"`
	}
	c.expect(t, &want)
	a, _, _ := opened(t, c.Input.Variants[0])
	for _, format := range []string{"text", "markdown"} {
		s := strings.ReplaceAll(a.text(format), "**", "")
		s = strings.NewReplacer("*", "", "_", "").Replace(s)
		wantOrder(t, s, want.InOrder, true)
		for _, joined := range want.NotJoin {
			if strings.Contains(s, joined) {
				t.Errorf("%s joins %q:\n%s", format, joined, s)
			}
		}
	}
	som := a.observe()
	table := som.elements("table")[0]
	row, _ := want.TableRow.Rows[0], 0
	if got := table.Attrs; got["caption"] != want.TableRow.Caption || !cmp.Equal(got["headers"], anys(want.TableRow.Headers)) || !cmp.Equal(got["rows"], []any{anys(row)}) {
		t.Errorf("table %v, want %+v", got, want.TableRow)
	}
	options, _ := som.elements("select")[0].Attrs["options"].([]any)
	for i, o := range want.Options {
		w, _ := o.(map[string]any)
		g, _ := options[i].(map[string]any)
		if g["text"] != w["text"] || g["group"] != w["group"] || (g["selected"] == true) != (w["selected"] == true) {
			t.Errorf("option %d is %v, want %v", i, g, w)
		}
	}
	if list := som.elements("list"); len(list) < 2 || len(list[0].Children) != 1 {
		t.Errorf("the list in the first item is not in it: %+v", list)
	}
	found, err := a.act(map[string]any{"action": "click", "target": map[string]string{"text": "Fost"}})
	if err != nil || found.Resolved.Text != "Fost" {
		t.Errorf("find by text: %+v, %v", found, err)
	}
}

func anys(list []string) any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
