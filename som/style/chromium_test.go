package style

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var record = flag.Bool("record", false, "ask a real Chromium about testdata/cases and write its answers there")

// recorder is added to a page; it writes the computed styles of all elements
// with an id, open shadow trees included, into the page.
const recorder = `<script>
addEventListener("load", () => {
	const out = {};
	const visit = root => {
		for (const e of root.querySelectorAll("*")) {
			if (e.id) {
				const s = getComputedStyle(e);
				out[e.id] = s.display + " " + s.visibility + " " + s.contentVisibility;
			}
			if (e.shadowRoot) visit(e.shadowRoot);
		}
	};
	visit(document);
	const pre = document.createElement("recorded-styles");
	pre.textContent = JSON.stringify(out);
	document.documentElement.append(pre);
});
</script>`

// TestAsChromium compares with what Chromium 156 computed for the pages in
// testdata/cases, in a window of 1280x720. Entries of a page's .differs file are
// expected differences, each with its reason.
func TestAsChromium(t *testing.T) {
	pages, err := filepath.Glob("testdata/cases/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	total, agreed := 0, 0
	for _, page := range pages {
		golden := strings.TrimSuffix(page, ".html") + ".json"
		if *record {
			recordStyles(t, page, golden)
		}
		want := map[string]string{}
		readJSON(t, golden, &want)
		differs := map[string]string{}
		if b, err := os.ReadFile(strings.TrimSuffix(page, ".html") + ".differs.json"); err == nil {
			if err := json.Unmarshal(b, &differs); err != nil {
				t.Fatal(err)
			}
		}
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		got := boxes(t, string(src))
		for _, id := range sortedKeys(want) {
			total++
			g := chromiumForm(got[id])
			w := likeOurs(want[id])
			why, expected := differs[id]
			switch {
			case g == w && expected:
				t.Errorf("%s #%s: agrees by now: take it off the list (%s)", page, id, why)
			case g == w:
				agreed++
			case !expected:
				t.Errorf("%s #%s: got %s, want %s", page, id, g, w)
			}
		}
	}
	t.Logf("%d of %d computed styles as Chromium's", agreed, total)
}

func chromiumForm(b Box) string {
	return fmt.Sprintf("%v visible=%v skip=%v", b.Display, b.Visible, b.SkipContents)
}

// likeOurs is a recorded answer in our terms: what the layers of display that do
// not matter here are called, and content-visibility where it has an effect.
func likeOurs(s string) string {
	f := strings.Fields(s)
	n := len(f)
	display := strings.Join(f[:n-2], " ")
	switch display {
	case "-webkit-box":
		display = "flow-root"
	case "-webkit-inline-box":
		display = "inline-block"
	case "math", "inline list-item":
		display = "inline"
	case "block math", "block ruby":
		display = "block"
	case "flow-root list-item":
		display = "list-item"
	}
	d := displayNames[display]
	return fmt.Sprintf("%s visible=%v skip=%v", display, f[n-2] == "visible", f[n-1] == "hidden" && d.canContain())
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// recordStyles opens a page in Chromium from a file; nothing is fetched.
func recordStyles(t *testing.T, page, golden string) {
	t.Helper()
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	// After the doctype the script may come first: it waits for the load.
	head := strings.Index(string(src), "<head")
	head += strings.IndexByte(string(src[head:]), '>') + 1
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	text := string(src[:head]) + `<meta charset=utf-8>` + recorder + string(src[head:])
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-background-networking", "--user-data-dir="+dir,
		"--window-size=1280,807", // 720 without the browser's own bars
		"--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatalf("run chromium: %v", err)
	}
	_, rest, ok := strings.Cut(string(out), "<recorded-styles>")
	answers, _, ok2 := strings.Cut(rest, "</recorded-styles>")
	if !ok || !ok2 {
		t.Fatalf("%s: no answers from chromium:\n%.500s", page, out)
	}
	styles := map[string]string{}
	if err := json.Unmarshal([]byte(html.UnescapeString(answers)), &styles); err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(styles, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
