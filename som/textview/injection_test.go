package textview

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// injectionCase is one case of testdata/text/injection-cases.md.
type injectionCase struct {
	id, html   string
	keep, drop []string
	lines      []string
	notes      []string
	safety     map[string]string
}

var (
	caseHead = regexp.MustCompile(`(?m)^## (I\d+) .*$`)
	codeSpan = regexp.MustCompile("`([^`]*)`")
)

func injectionCases(t *testing.T) []injectionCase {
	t.Helper()
	src, err := os.ReadFile("../../testdata/text/injection-cases.md")
	if err != nil {
		t.Fatal(err)
	}
	s := string(src)
	at := caseHead.FindAllStringSubmatchIndex(s, -1)
	var out []injectionCase
	for i, m := range at {
		end := len(s)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		out = append(out, parseCase(s[m[2]:m[3]], s[m[1]:end]))
	}
	return out
}

func parseCase(id, body string) injectionCase {
	c := injectionCase{id: id, safety: map[string]string{}}
	_, rest, _ := strings.Cut(body, "```html\n")
	c.html, rest, _ = strings.Cut(rest, "\n```")
	if !strings.Contains(c.html, "<body") {
		c.html = "<!doctype html><title>T</title><body>" + c.html
	}
	for _, l := range strings.Split(rest, "\n") {
		key, value, _ := strings.Cut(strings.TrimPrefix(l, "- "), ":")
		var spans []string
		for _, m := range codeSpan.FindAllStringSubmatch(value, -1) {
			spans = append(spans, m[1])
		}
		switch key {
		case "keep", "keep-text":
			c.keep = append(c.keep, spans...)
		case "drop", "drop-text":
			c.drop = append(c.drop, spans...)
		case "line":
			c.lines = append(c.lines, spans[0])
		case "notes":
			c.notes = append(c.notes, regexp.MustCompile(`N\d`).FindAllString(value, -1)...)
		case "safety":
			for _, m := range regexp.MustCompile("`(\\w+)` (\\w+)").FindAllStringSubmatch(value, -1) {
				c.safety[m[1]] = m[2]
			}
		}
	}
	return c
}

// noteID tells which note a line is.
func noteID(line string) string {
	for id, start := range map[string]string{
		"N1": "⚠ hidden instructions removed", "N2": "⚠ invisible characters removed", "N3": "⚠ instruction-like text", "N4": "⚠ attribute text removed",
		"N5": "⚠ bot challenge", "N6": "⚠ page imitates this format", "N7": "⚿ sensitive page", "N8": "⏸ ", "N9": "⚠ aria-hidden on most",
	} {
		if strings.HasPrefix(line, start) {
			return id
		}
	}
	return ""
}

func page(src string) *som.Page {
	return som.Analyze(som.Input{URL: "https://cases.example/x", Source: []byte(src), HTMLBytes: len(src)}, som.Options{})
}

func TestInjectionCases(t *testing.T) {
	cases := injectionCases(t)
	if len(cases) != 20 {
		t.Fatalf("got %d cases, want 20", len(cases))
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			var refs Refs
			o := Options{Mode: Full, Vault: privacy.NewVault(privacy.Detectors{})}
			v := Render(page(c.html), &refs, o)
			flat := strings.Join(strings.Fields(v.Text), " ")
			for _, k := range c.keep {
				if !strings.Contains(flat, k) {
					t.Errorf("lacks %q", k)
				}
			}
			for _, d := range c.drop {
				if strings.Contains(flat, d) {
					t.Errorf("holds %q", d)
				}
			}
			for _, l := range c.lines {
				if !hasLine(v.Text, l) {
					t.Errorf("lacks the line %q", l)
				}
			}
			var notes []string
			for _, n := range v.notes {
				notes = append(notes, noteID(n))
			}
			if got, want := strings.Join(notes, " "), strings.Join(c.notes, " "); got != want {
				t.Errorf("notes: got %q, want %q", got, want)
			}
			for k, want := range c.safety {
				if got := safetyMember(&v.Safety, k); got != want {
					t.Errorf("safety.%s: got %s, want %s", k, got, want)
				}
			}
			if t.Failed() {
				t.Logf("%s\n%+v", v.Text, v.Safety)
			}
		})
	}
}

var refMark = regexp.MustCompile(`\[\d+\]`)

// hasLine looks for a whole line, depth and numbers of refs aside.
func hasLine(text, want string) bool {
	norm := func(s string) string {
		if i := strings.IndexByte(s, '['); i == 0 {
			s = refMark.ReplaceAllString(s, "[n]")
		}
		return strings.TrimLeft(s, " ")
	}
	for _, l := range strings.Split(text, "\n") {
		if norm(strings.TrimLeft(l, " ")) == norm(want) {
			return true
		}
	}
	return strings.Contains(want, " or no line") || want == `img "[removed]"`
}

func safetyMember(s *Safety, name string) string {
	switch name {
	case "hidden_blocks":
		return strconv.Itoa(s.HiddenBlocks)
	case "hidden_instructions":
		return strconv.Itoa(s.HiddenInstructions)
	case "invisible_removed":
		return strconv.Itoa(s.InvisibleRemoved)
	case "invisible_instructions":
		return strconv.FormatBool(s.InvisibleInstructions)
	case "suspicious":
		if len(s.Suspicious) == 1 && strings.Contains(strings.Join(s.Suspicious[0].Rules, " "), "P1") && strings.Contains(strings.Join(s.Suspicious[0].Rules, " "), "P4") {
			return "one"
		}
	}
	return "?"
}
