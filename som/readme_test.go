package som

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestReadmeRules compiles the markup of each row of the README's table.
func TestReadmeRules(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		rows++
		i := strings.LastIndex(line, "`")
		markup, cells := line[3:i], strings.Split(line[i+1:], "|")
		role, attrs, actions := strings.TrimSpace(cells[1]), strings.Fields(cells[2]), strings.Fields(cells[3])
		p := compile(t, "https://example.test/dir/", markup)
		es := elements(p, role)
		if len(es) == 0 {
			t.Errorf("%s: no %s in %s", markup, role, p.JSON())
			continue
		}
		if got := attrNames(es[0]); !slices.Equal(got, attrs) {
			t.Errorf("%s: attrs %q, want %q", markup, got, attrs)
		}
		if got := es[0].Actions(); !slices.Equal(got, actions) {
			t.Errorf("%s: actions %q, want %q", markup, got, actions)
		}
	}
	if rows < 50 {
		t.Errorf("%d rows", rows)
	}
}

func attrNames(e *Element) []string {
	var out []string
	for _, a := range e.Attrs {
		if a.Kind == attrTable {
			out = append(out, "headers", "rows")
			continue
		}
		out = append(out, a.Name)
	}
	return out
}
