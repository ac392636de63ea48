package awp_test

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// formFacts are the expectations that runForms knows. What a single-variant
// case has as a list, the others have as a list of lists.
type formFacts struct {
	Requests     json.RawMessage   `json:"requests"`
	Bodies       json.RawMessage   `json:"bodies"`
	ContentTypes []string          `json:"content_types"`
	Outcome      []*string         `json:"outcome"`
	States       map[string]string `json:"states"`
	Typed        *struct{ Value string }
}

// listOf is the list of variant i: a list of its own, the whole list of the
// only variant, or entry i of a list with one for each.
func listOf(t *testing.T, raw json.RawMessage, i, variants int) []string {
	t.Helper()
	if raw == nil {
		return nil
	}
	var nested [][]string
	if json.Unmarshal(raw, &nested) == nil {
		return nested[i]
	}
	var flat []any
	if err := json.Unmarshal(raw, &flat); err != nil {
		t.Fatal(err)
	}
	if variants > 1 {
		flat = flat[i : i+1]
	}
	out := []string{}
	for _, v := range flat {
		if s, ok := v.(string); ok {
			out = append(out, s)
		} else {
			out = append(out, "(parts)")
		}
	}
	return out
}

// runForms does the steps of each variant and compares what went out.
func runForms(t *testing.T, c fieldCase) {
	var want formFacts
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		a, site, _ := opened(t, v)
		site.requests()
		var last actedOn
		for _, s := range v.Steps {
			last = doStep(t, a, s)
		}
		if want.States != nil {
			wantStates(t, v, c)
		}
		got := site.requests()
		if want.Requests != nil {
			if diff := cmp.Diff(lineOf(got), listOf(t, want.Requests, i, len(c.Input.Variants))); diff != "" {
				t.Errorf("%s: requests, got - want +\n%s", v.Name, diff)
			}
		}
		for j, body := range listOf(t, want.Bodies, i, len(c.Input.Variants)) {
			switch {
			case j >= len(got):
				t.Errorf("%s: no request %d", v.Name, j+1)
			case body == "(parts)":
				wantParts(t, got[j], want.Bodies, i)
			case got[j].body != body:
				t.Errorf("%s: body %q, want %q", v.Name, got[j].body, body)
			}
		}
		if want.ContentTypes != nil && len(got) == 1 {
			wantType, _, _ := strings.Cut(want.ContentTypes[i], "...")
			if ct := got[0].header.Get("Content-Type"); !strings.HasPrefix(ct, wantType) {
				t.Errorf("%s: content type %q, want %q", v.Name, ct, want.ContentTypes[i])
			}
		}
		if i < len(want.Outcome) && want.Outcome[i] != nil && (last.Effects.Navigated || last.Effects.Note == "") {
			t.Errorf("%s: %+v, want: %s", v.Name, last.Effects, *want.Outcome[i])
		}
	}
}

// doStep does one step; what must fail must change nothing.
func doStep(t *testing.T, a *agent, step map[string]json.RawMessage) actedOn {
	t.Helper()
	intent := map[string]any{}
	var class string
	for name, raw := range step {
		if name == "expect_error" {
			if err := json.Unmarshal(raw, &class); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var args []string
		if json.Unmarshal(raw, &args) != nil {
			args = []string{""}
			if err := json.Unmarshal(raw, &args[0]); err != nil {
				t.Fatal(err)
			}
		}
		intent["action"] = name
		intent["target"] = map[string]string{"css": args[0]}
		if len(args) == 2 {
			intent["value"] = args[1]
		}
	}
	before := string(a.rawSOM())
	got, err := a.act(intent)
	if class != "" {
		wantClass(t, intent["action"].(string), err, class)
		if after := string(a.rawSOM()); after != before {
			t.Errorf("%v failed and changed the page:\n%s\n%s", intent, before, after)
		}
		return got
	}
	if err != nil {
		t.Errorf("%v: %v %s", intent, err, err.Details)
	}
	if value, ok := intent["value"].(string); ok && intent["action"] == "type" && (got.Value == nil || *got.Value != value) {
		t.Errorf("%v: value read back %v, want %q", intent, got.Value, value)
	}
	return got
}

// wantStates does the steps on a page of its own, without the last one, which
// sends the form, and looks at boxes.
func wantStates(t *testing.T, v served, c fieldCase) {
	t.Helper()
	var want formFacts
	c.expect(t, &want)
	a, _, _ := opened(t, v)
	for _, s := range v.Steps[:len(v.Steps)-1] {
		doStep(t, a, s)
	}
	check := map[string]any{"action": "check", "target": map[string]string{"css": "#u"}}
	states := func() map[string]string {
		got := map[string]string{}
		som := a.observe()
		for id := range want.States {
			got[id] = "unchecked"
			if e := som.byHTMLID(id); e == nil {
				got[id] = "not in the SOM"
			} else if e.Attrs["checked"] == true {
				got[id] = "checked"
			}
		}
		return got
	}
	if diff := cmp.Diff(states(), want.States); diff != "" {
		t.Errorf("states, got - want +\n%s", diff)
	}
	for range 2 { // check is not toggle
		if _, err := a.act(check); err != nil || states()["u"] != "checked" {
			t.Errorf("check: %v, then the box is %s", err, states()["u"])
		}
	}
}

// wantParts compares a multipart body part by part.
func wantParts(t *testing.T, r seenRequest, bodies json.RawMessage, i int) {
	t.Helper()
	var all []json.RawMessage
	var want struct {
		Parts []struct {
			Disposition string `json:"disposition"`
			Body        string `json:"body"`
			Type        string `json:"content_type"`
		} `json:"parts"`
	}
	if json.Unmarshal(bodies, &all) != nil || json.Unmarshal(all[i], &want) != nil {
		t.Fatal("unknown form of bodies")
	}
	_, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	in := multipart.NewReader(strings.NewReader(r.body), params["boundary"])
	for _, w := range want.Parts {
		p, err := in.NextRawPart()
		if err != nil {
			t.Fatalf("part %s: %v", w.Disposition, err)
		}
		body, _ := io.ReadAll(p)
		if d := p.Header.Get("Content-Disposition"); d != w.Disposition || string(body) != w.Body || p.Header.Get("Content-Type") != w.Type {
			t.Errorf("part %s %q %q, want %+v", d, p.Header.Get("Content-Type"), body, w)
		}
	}
	if _, err := in.NextRawPart(); err != io.EOF {
		t.Errorf("there are more parts: %v", err)
	}
}

// runStale uses references of a page that a click has left.
func runStale(t *testing.T, c fieldCase) {
	var want struct {
		Requests []string `json:"requests"`
	}
	c.expect(t, &want)
	site := newSite(t, pagesAt(htmlPages(t, c)))
	a := newAgent(t, site)
	a.mustLoad(c.Input.URL)
	kept := a.observe().byHTMLID("del").ID
	if _, err := a.act(map[string]any{"action": "click", "target": map[string]string{"css": "#go"}}); err != nil {
		t.Fatal(err)
	}
	for _, intent := range []map[string]any{
		{"action": "click", "target": map[string]string{"ref": kept}},
		{"action": "type", "value": "x", "target": map[string]string{"ref": kept}},
	} {
		_, err := a.act(intent)
		wantClass(t, intent["action"].(string), err, "stale_ref")
		if err != nil && (!strings.Contains(err.Message, "observe again") || !strings.Contains(err.Message, "document")) {
			t.Errorf("%q says neither that the document changed nor what to do", err.Message)
		}
	}
	if diff := cmp.Diff(lineOf(site.requests()), want.Requests); diff != "" {
		t.Errorf("requests, got - want +\n%s", diff)
	}
	_, err := a.act(map[string]any{"action": "click", "target": map[string]string{"ref": "e_000000000000"}})
	wantClass(t, "a ref that never was", err, "not_found")
	if err != nil && factsOf(t, err).Reason == "stale_ref" {
		t.Errorf("a ref that never was is called stale")
	}
}

func htmlPages(t *testing.T, c fieldCase) map[string]reply {
	t.Helper()
	var pages map[string]string
	if err := json.Unmarshal(c.Input.Pages, &pages); err != nil {
		t.Fatal(err)
	}
	replies := map[string]reply{}
	for path, html := range pages {
		replies[path] = page(html)
	}
	return replies
}

// runAmbiguous clicks by role and name where several elements fit. AWP takes
// the first and says how many there are, or refuses where the target is strict.
func runAmbiguous(t *testing.T, c fieldCase) {
	v := c.Input.Variants[0]
	doc := v.reply(t)
	site := newSite(t, pagesAt(map[string]reply{"/p": doc}))
	a := newAgent(t, site)
	button := func(name string, strict bool) map[string]any {
		return map[string]any{"action": "click", "target": map[string]any{"role": "button", "text": name, "strict": strict}}
	}
	a.mustLoad(v.URL)
	site.requests()

	_, err := a.act(button("Delete", true))
	if err == nil || err.Code != "INVALID_REQUEST" {
		t.Errorf("strict: %v, want INVALID_REQUEST", err)
	} else {
		wantCandidates(t, err.Details)
	}
	if n := len(site.requests()); n != 0 {
		t.Errorf("the refused click sent %d requests", n)
	}
	got, err := a.act(button("Delete", false))
	if err != nil || got.Resolved.Ambiguous != 2 || !cmp.Equal(lineOf(site.requests()), []string{"POST a.test/del/7"}) {
		t.Errorf("Delete: %+v %v, want the first of 2, and to be told", got, err)
	}
	a.mustLoad(v.URL)
	site.requests()
	got, err = a.act(button("Archive", false))
	if err != nil || got.Resolved.Ambiguous != 0 || !cmp.Equal(lineOf(site.requests()), []string{"POST a.test/vis"}) {
		t.Errorf("Archive: %+v %v, want the visible one", got, err)
	}
	a.mustLoad(v.URL)
	site.requests()
	_, err = a.act(button("Purge", false))
	wantClass(t, "Purge", err, "not_found")
	if err != nil && len(factsOf(t, err).Suggestions) == 0 {
		t.Errorf("no suggestions in %s", err.Details)
	}
}

func wantCandidates(t *testing.T, details json.RawMessage) {
	t.Helper()
	var d struct {
		Candidates []struct {
			ElementID          string `json:"element_id"`
			Role, Text, Nearby string
		}
	}
	if err := json.Unmarshal(details, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Candidates) != 2 || !strings.Contains(d.Candidates[0].Nearby, "Invoice 7") || !strings.Contains(d.Candidates[1].Nearby, "Invoice 8") {
		t.Errorf("candidates %+v, want two, told apart by what stands near them", d.Candidates)
	}
}
