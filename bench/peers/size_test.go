// Package peers compares what the text view costs a model with what other
// tools' views do, and with the bare text.
package peers

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"plasmate/bench"
	"plasmate/bench/corpus"
	"plasmate/som"
	"plasmate/som/textview"
)

// recorded are the tokens of the peers' views of one page.
type recorded struct{ inner, aria, mcp, agent, agentInteractive float64 }

func peers(t testing.TB) map[string]recorded {
	t.Helper()
	path, err := corpus.Testdata("peers/tokens.tsv")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]recorded{}
	for _, l := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		f := strings.Split(l, "\t")
		n := make([]float64, 6)
		for i := 1; i < len(f) && i < 6; i++ {
			n[i], _ = strconv.ParseFloat(f[i], 64)
		}
		out[f[0]] = recorded{n[1], n[2], n[3], n[4], n[5]}
	}
	return out
}

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	sort.Float64s(xs)
	return xs[len(xs)/2]
}

// shortest is the innerText in tokens from which on a page is compared: below,
// the header alone is more.
const shortest = 100

// The view's sizes hold against the peers' on the pages of the corpus.
func TestSizes(t *testing.T) {
	pages, source, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	counter, err := bench.NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(s string) float64 { return float64(counter.Tokens([]byte(s))) }
	peer := peers(t)
	var toInner, toAria, toMCP, toAgent []float64
	sizes := map[string][]float64{}
	largest := 0.0
	for _, p := range pages {
		r, ok := peer[p.File]
		if !ok || r.inner < shortest || r.aria == 0 {
			continue
		}
		doc := som.Analyze(som.Input{URL: p.URL, ContentType: p.ContentType(), Source: p.UTF8(), HTMLBytes: len(p.Body)}, som.Options{})
		v := textview.Render(doc, &textview.Refs{}, textview.Options{Mode: textview.Full, Budget: 20_000})
		usual := textview.Render(doc, &textview.Refs{}, textview.Options{Mode: textview.Full})
		act := textview.Render(doc, &textview.Refs{}, textview.Options{})
		read := textview.Render(doc, &textview.Refs{}, textview.Options{Mode: textview.Read})
		full, actions, orientation := tokens(v.Text), tokens(act.Text), tokens(act.Orientation())
		largest = max(largest, orientation)
		for name, n := range map[string]float64{
			"innerText": r.inner, "ariaSnapshot": r.aria, "@playwright/mcp": r.mcp, "agent-browser": r.agent, "agent-browser -i": r.agentInteractive,
			"full, budget 20,000": full, "full, budget 8,000": tokens(usual.Text), "actions": actions, "read": tokens(read.Text), "orientation": orientation,
		} {
			sizes[name] = append(sizes[name], n)
		}
		toInner, toAria, toMCP = append(toInner, full/r.inner), append(toAria, full/r.aria), append(toMCP, full/r.mcp)
		if r.agentInteractive > 0 {
			toAgent = append(toAgent, actions/r.agentInteractive)
		}
	}
	var names []string
	for n := range sizes {
		names = append(names, n)
	}
	sort.Strings(names)
	var table strings.Builder
	fmt.Fprintf(&table, "%s, %d pages of %d tokens of innerText and more, o200k_base\n", source, len(toInner), shortest)
	for _, n := range names {
		fmt.Fprintf(&table, "%-22s median %6.0f\n", n, median(sizes[n]))
	}
	for _, b := range []struct {
		name   string
		ratios []float64
		bar    float64
	}{
		{"full / ariaSnapshot", toAria, 0.50}, {"full / @playwright/mcp", toMCP, 0.30}, {"full / innerText", toInner, 1.6}, {"actions / agent-browser -i", toAgent, 1},
	} {
		m := median(b.ratios)
		fmt.Fprintf(&table, "%-28s median %.3f (at most %.2f)\n", b.name, m, b.bar)
		if m > b.bar {
			t.Errorf("%s: got a median of %.3f, want at most %.2f", b.name, m, b.bar)
		}
	}
	if largest > 150 {
		t.Errorf("the largest orientation has %.0f tokens, want at most 150", largest)
	}
	t.Logf("%slargest orientation %.0f", table.String(), largest)
}
