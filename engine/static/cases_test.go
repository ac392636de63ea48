package static_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/engine"
	"plasmate/som"
)

// fieldCase is a line of testdata/cases.jsonl.
type fieldCase struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Input struct {
		Kind string `json:"kind"`
		variant
		Variants []variant         `json:"variants"`
		Pages    map[string]string `json:"pages"`
	} `json:"input"`
	Expected json.RawMessage `json:"expected"`
}

type variant struct {
	Name    string                       `json:"name"`
	URL     string                       `json:"url"`
	Headers map[string]string            `json:"headers"`
	HTML    string                       `json:"html"`
	Bytes   string                       `json:"bytes_b64"`
	Body    *string                      `json:"body"`
	Steps   []map[string]json.RawMessage `json:"steps"`
}

func loadCase(t *testing.T, id string) fieldCase {
	t.Helper()
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var c fieldCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.ID != id {
			continue
		}
		if len(c.Input.Variants) == 0 {
			c.Input.Variants = []variant{{}}
		}
		for i := range c.Input.Variants {
			c.Input.Variants[i] = withDefaults(c.Input.Variants[i], c.Input.variant)
		}
		return c
	}
	t.Fatalf("no case %s", id)
	return fieldCase{}
}

func withDefaults(v, def variant) variant {
	if v.URL == "" {
		v.URL = def.URL
	}
	if v.Headers == nil {
		v.Headers = def.Headers
	}
	if v.HTML == "" {
		v.HTML = def.HTML
	}
	if v.Body == nil {
		v.Body = def.Body
	}
	if v.Steps == nil {
		v.Steps = def.Steps
	}
	return v
}

func (c fieldCase) expect(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(c.Expected, into); err != nil {
		t.Fatal(err)
	}
}

func (v variant) answer(t *testing.T) answer {
	a := answer{header: v.Headers, body: v.HTML}
	if v.Body != nil {
		a.body = *v.Body
	}
	if v.Bytes != "" {
		b, err := base64.StdEncoding.DecodeString(v.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		a.body = string(b)
	}
	return a
}

// serve opens the variant's page in a tab, whose first request is forgotten.
func (v variant) serve(t *testing.T) (tab, *site) {
	t.Helper()
	first := true
	s := newSite(t, nil)
	s.answer = func(*http.Request) *answer {
		if !first {
			return nil
		}
		first = false
		a := v.answer(t)
		return &a
	}
	p := open(t, s)
	p.load(v.URL)
	s.take()
	return p, s
}

// step performs one step of a case and checks the error that it names.
func step(t *testing.T, p tab, s map[string]json.RawMessage) engine.Acted {
	t.Helper()
	var kind engine.ActionKind
	var ref, value string
	for name, raw := range s {
		if name == "expect_error" {
			continue
		}
		kind = engine.ActionKind(name)
		var pair []string
		if json.Unmarshal(raw, &pair) == nil && len(pair) == 2 {
			ref, value = pair[0], pair[1]
		} else if err := json.Unmarshal(raw, &ref); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := p.Snapshot(t.Context())
	acted, err := p.act(kind, ref, value)
	want, fails := s["expect_error"]
	if !fails {
		if err != nil {
			t.Errorf("%s %s: %v", kind, ref, err)
		}
		return acted
	}
	meanings := map[string]string{
		`"a checked radio cannot be unchecked"`: "radio", `"not checkable"`: "not_checkable",
		`"disabled"`: "disabled", `"readonly"`: "readonly", `"not editable"`: "not_editable",
	}
	var refused *engine.NotActionable
	if !errors.As(err, &refused) || refused.Reason != meanings[string(want)] {
		t.Errorf("%s %s: error %v, want one meaning %s", kind, ref, err, want)
	}
	after, _ := p.Snapshot(t.Context())
	if diff := cmp.Diff(before.State, after.State); diff != "" {
		t.Errorf("a refused %s changed the page (-before +after):\n%s", kind, diff)
	}
	return acted
}

// UD-033, UD-035 and UD-045 list the requests of each variant.
func TestSubmissionRequests(t *testing.T) {
	for _, id := range []string{"UD-033", "UD-035", "UD-045"} {
		c := loadCase(t, id)
		var want struct {
			Requests [][]string `json:"requests"`
			Bodies   [][]string `json:"bodies"`
			Outcome  []*string  `json:"outcome"`
		}
		c.expect(t, &want)
		for i, v := range c.Input.Variants {
			t.Run(id+" "+v.Name, func(t *testing.T) {
				p, s := v.serve(t)
				acted := step(t, p, v.Steps[0])
				got := s.take()
				if diff := cmp.Diff(want.Requests[i], lines(got)); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				for j := range got {
					if i < len(want.Bodies) && got[j].body != want.Bodies[i][j] {
						t.Errorf("body %q, want %q", got[j].body, want.Bodies[i][j])
					}
				}
				if i < len(want.Outcome) && want.Outcome[i] != nil && (acted.Note == "" || acted.Loaded != nil) {
					t.Errorf("acted %+v, want: %s", acted, *want.Outcome[i])
				}
			})
		}
	}
}

// UD-037, UD-039 and UD-041 play a list of steps and then look at one request.
func TestSubmissionAfterSteps(t *testing.T) {
	for _, id := range []string{"UD-037", "UD-039", "UD-041"} {
		c := loadCase(t, id)
		var want struct {
			Requests []string `json:"requests"`
			Bodies   []string `json:"bodies"`
		}
		c.expect(t, &want)
		v := c.Input.Variants[0]
		t.Run(id, func(t *testing.T) {
			p, s := v.serve(t)
			for _, st := range v.Steps {
				acted := step(t, p, st)
				if _, typed := st["type"]; typed && st["expect_error"] == nil && (acted.Value == nil || *acted.Value != "new") {
					t.Errorf("type read back %v, want new", acted.Value)
				}
			}
			got := s.take()
			if diff := cmp.Diff(want.Requests, lines(got)); diff != "" {
				t.Fatalf("requests (-want +got):\n%s", diff)
			}
			if got[0].body != want.Bodies[0] {
				t.Errorf("body %q, want %q", got[0].body, want.Bodies[0])
			}
		})
	}
}

// UD-039: check is not toggle.
func TestCheckTwiceLeavesItChecked(t *testing.T) {
	v := loadCase(t, "UD-039").Input.Variants[0]
	p, _ := v.serve(t)
	for range 2 {
		acted := p.mustAct(engine.Check, "#u")
		if acted.Value == nil || *acted.Value != "on" {
			t.Errorf("check read back %v, want on", acted.Value)
		}
	}
}

func TestExactBytesOfASubmission(t *testing.T) {
	c := loadCase(t, "UD-043")
	var want struct {
		Bodies []json.RawMessage `json:"bodies"`
		Types  []string          `json:"content_types"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		t.Run(v.Name, func(t *testing.T) {
			p, s := v.serve(t)
			step(t, p, v.Steps[0])
			got := s.take()
			if len(got) != 1 {
				t.Fatalf("got %d requests, want 1", len(got))
			}
			kind := got[0].header.Get("Content-Type")
			pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want.Types[i]), `\.\.\.`, ".+") + "$"
			if !regexp.MustCompile(pattern).MatchString(kind) {
				t.Errorf("content type %q, want %q", kind, want.Types[i])
			}
			var body string
			if json.Unmarshal(want.Bodies[i], &body) == nil {
				if got[0].body != body {
					t.Errorf("body\n%q, want\n%q", got[0].body, body)
				}
				return
			}
			compareParts(t, kind, got[0].body, want.Bodies[i])
		})
	}
}

func compareParts(t *testing.T, kind, body string, raw json.RawMessage) {
	t.Helper()
	var want struct {
		Parts []struct {
			Disposition string `json:"disposition"`
			Body        string `json:"body"`
			ContentType string `json:"content_type"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(kind)
	if err != nil {
		t.Fatal(err)
	}
	form := multipart.NewReader(strings.NewReader(body), params["boundary"])
	for _, w := range want.Parts {
		part, err := form.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, len(w.Body)+1)
		n, _ := part.Read(b)
		if d := part.Header.Get("Content-Disposition"); d != w.Disposition || string(b[:n]) != w.Body || part.Header.Get("Content-Type") != w.ContentType {
			t.Errorf("part %q %v, want %+v", b[:n], part.Header, w)
		}
	}
}

func TestRefreshForms(t *testing.T) {
	c := loadCase(t, "UD-007")
	var want struct {
		URLs []string `json:"final_urls"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		t.Run(v.Name, func(t *testing.T) {
			p, _ := v.serve(t)
			in, err := p.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if in.URL != want.URLs[i] {
				t.Errorf("URL %s, want %s", in.URL, want.URLs[i])
			}
		})
	}
}

func TestLinksFollowTheBaseElement(t *testing.T) {
	c := loadCase(t, "UD-011")
	var want struct {
		Links [][]string `json:"links"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		t.Run(v.Name, func(t *testing.T) {
			for j, link := range want.Links[i] {
				p, s := v.serve(t)
				doc := p.analysis()
				seen := 0
				for id := som.NodeID(0); ; id++ {
					n := elementAt(doc, id)
					if n == nil {
						t.Fatal("link not found")
					}
					if n.Data != "a" {
						continue
					}
					if seen++; seen == j+1 {
						if _, err := p.Act(t.Context(), doc, engine.Action{Kind: engine.Click, Node: id}); err != nil {
							t.Fatal(err)
						}
						break
					}
				}
				wantLine := "GET " + strings.TrimPrefix(link, "http://")
				if diff := cmp.Diff([]string{wantLine}, lines(s.take())); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestContentKinds(t *testing.T) {
	c := loadCase(t, "UD-061")
	var want struct {
		As []string `json:"treated_as"`
	}
	c.expect(t, &want)
	for i, v := range c.Input.Variants {
		t.Run(v.Name, func(t *testing.T) {
			if v.Headers["content-type"] == "" {
				v.Headers["content-type"] = ""
			}
			s := newSite(t, func(*http.Request) *answer { a := v.answer(t); return &a })
			p := open(t, s)
			l, err := p.Load(t.Context(), engine.Request{URL: v.URL})
			if got := treatedAs(l, err); got != want.As[i] {
				t.Errorf("treated as %s (%v), want %s", got, err, want.As[i])
			}
		})
	}
}
