package mcp_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ref finds the ref of a control in an observation.
func ref(t *testing.T, view, control string) int {
	t.Helper()
	m := regexp.MustCompile(`\[(\d+)\] ` + regexp.QuoteMeta(control)).FindStringSubmatch(view)
	if m == nil {
		t.Fatalf("%s is not in\n%s", control, view)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in\n%s", p, text)
		}
	}
}

func TestAct(t *testing.T) {
	doors(t, func(t *testing.T, s *sdk.ClientSession) {
		if text, failed := use(t, s, "act", args{"do": "click", "ref": 1}); !failed {
			t.Errorf("an act without a page: %s", text)
		}
		view, _ := use(t, s, "navigate", args{"url": "http://tea.test/", "view": true})
		field, button := ref(t, view, `textbox "Find"`), ref(t, view, `button "Search"`)

		text, failed := use(t, s, "act", args{"do": "type", "ref": field, "text": "green"})
		if failed {
			t.Fatal(text)
		}
		want(t, text, `✓ type [`+strconv.Itoa(field)+`] textbox "Find" "green"`, "Δ +0 −0 ~1", `= "green"`)

		for name, row := range map[string]struct {
			args args
			want string
		}{
			"never given":   {args{"do": "click", "ref": 999}, "✗ click: not-found"},
			"no ref":        {args{"do": "click"}, "✗ click: invalid-args ref is missing"},
			"unknown deed":  {args{"do": "drag", "ref": field}, "✗ drag: unsupported"},
			"not a field":   {args{"do": "type", "ref": button, "text": "x"}, "✗ type: "},
			"unknown token": {args{"do": "type", "ref": field, "text": "‹card:9›"}, "✗ type: unknown-token"},
			"no deed":       {args{"ref": 1}, "✗ act: invalid-args do"},
		} {
			if text, failed := use(t, s, "act", row.args); !failed || !strings.Contains(text, row.want) {
				t.Errorf("%s: %v %s", name, failed, text)
			}
		}

		text, failed = use(t, s, "act", args{"steps": []args{
			{"do": "append", "ref": field, "text": " tea"}, {"do": "click", "ref": button},
		}})
		if failed {
			t.Fatal(text)
		}
		want(t, text, "✓ append", "✓ click", "→ ", "Found green tea")
		if text, failed := use(t, s, "act", args{"do": "click", "ref": button}); !failed || !strings.Contains(text, "✗ click: stale") {
			t.Errorf("a ref of the page before: %v %s", failed, text)
		}

		text, failed = use(t, s, "act", args{"steps": []args{{"do": "click", "ref": button}, {"do": "click", "ref": button}}})
		if !failed || !strings.Contains(text, "… 1 steps not run") {
			t.Errorf("steps behind a failed one: %v %s", failed, text)
		}
	})
}

func TestConsequentialActsAreConfirmed(t *testing.T) {
	doors(t, func(t *testing.T, s *sdk.ClientSession) {
		view, _ := use(t, s, "navigate", args{"url": "http://tea.test/account", "view": true})
		button := ref(t, view, `button "Delete account"`)
		text, failed := use(t, s, "act", args{"do": "click", "ref": button})
		if !failed || text != "! needs confirm: destructive (repeat the action with confirm:true)" {
			t.Errorf("%v %s", failed, text)
		}
		text, failed = use(t, s, "act", args{"do": "click", "ref": button, "confirm": true})
		if failed || !strings.Contains(text, "Gone") {
			t.Errorf("%v %s", failed, text)
		}
	})
}

func TestSecretsStayTokens(t *testing.T) {
	doors(t, func(t *testing.T, s *sdk.ClientSession) {
		view, _ := use(t, s, "navigate", args{"url": "http://tea.test/account", "view": true})
		full, _ := use(t, s, "observe", args{"mode": "full"})
		rows, _ := use(t, s, "extract", args{"kind": "text"})
		found, _ := use(t, s, "find", args{"q": "Card"})
		for _, text := range []string{view, full, rows, found} {
			if strings.Contains(text, "4242 4242") {
				t.Errorf("a card number is in\n%s", text)
			}
		}
		want(t, full, "‹card:1›")
		if text, failed := use(t, s, "navigate", args{"url": "http://tea.test/find?q=4242424242424242"}); !failed || !strings.Contains(text, "needs confirm: url-data") {
			t.Errorf("a card number in an address: %v %s", failed, text)
		}
	})
}
