package som

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// treeTest is one case of html5lib-tests: a document and the tree it makes.
type treeTest struct{ data, tree string }

// treeTests reads the tree construction cases that come with golang.org/x/net.
func treeTests(t *testing.T) map[string][]treeTest {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Skip("the module's directory is not known")
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "html/testdata/html5lib-tests/tree-construction/*.dat"))
	if len(files) == 0 {
		t.Skip("the module has no test data here")
	}
	all := map[string][]treeTest{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range strings.Split("\n"+string(src), "\n#data\n")[1:] {
			data, rest, _ := strings.Cut(c, "\n#errors")
			_, tree, _ := strings.Cut(rest, "\n#document\n")
			if strings.Contains(rest, "#document-fragment") || strings.Contains(rest, "#script-on") {
				tree = ""
			}
			all[filepath.Base(f)] = append(all[filepath.Base(f)], treeTest{data, tree})
		}
	}
	return all
}

// unshown are the elements whose text is not shown, or shown in another way.
const unshown = " head script style template title noscript noframes noembed iframe datalist rp annotation annotation-xml " +
	"video audio select option optgroup textarea frameset colgroup svg math dialog "

// shownWords are the words in a tree as html5lib-tests writes it that a page shows.
func shownWords(tree string) []string {
	var path, words []string
	text := ""
	flush := func() {
		words = append(words, strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
		text = ""
	}
	for _, l := range strings.Split(tree, "\n") {
		body, ok := strings.CutPrefix(l, "| ")
		if !ok {
			if text != "" { // a text of several lines
				text += "\n" + l
			}
			continue
		}
		flush()
		depth := len(body) - len(strings.TrimLeft(body, " "))
		path = path[:min(depth/2, len(path))]
		body = strings.TrimLeft(body, " ")
		switch {
		case strings.HasPrefix(body, "<!"), !strings.HasPrefix(body, "<") && !strings.HasPrefix(body, `"`):
			if body == `hidden=""` {
				path = append(path, "template")
			}
		case body[0] == '<':
			name := strings.Trim(body, "<>")
			name, _, _ = strings.Cut(name, " ")
			path = append(path, name)
		default:
			shown := len(path) > 1 && path[1] == "body"
			for _, p := range path {
				shown = shown && !strings.Contains(unshown, " "+p+" ")
			}
			if shown {
				text = strings.TrimSuffix(body[1:], `"`)
			}
		}
	}
	flush()
	return words
}

// Every tree construction case of html5lib-tests compiles to a valid SOM that
// has the words of the tree that the test expects.
func TestTreeConstruction(t *testing.T) {
	s := somSchema(t)
	cases, words := 0, 0
	for file, tests := range treeTests(t) {
		for _, tc := range tests {
			p := Analyze(Input{URL: "https://example.test/", Source: []byte(tc.data)}, Options{})
			cases++
			validate(t, s, file, p.JSON())
			checkPage(t, file, p)
			text := p.Text() + string(p.JSON())
			for _, w := range shownWords(tc.tree) {
				words++
				if !strings.Contains(text, w) {
					t.Errorf("%s: %q is lost of %q: %s", file, w, tc.data, p.Text())
				}
			}
		}
	}
	t.Logf("%d documents, %d words", cases, words)
}
