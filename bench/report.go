package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Report is a sweep as it is written down.
type Report struct {
	Date    time.Time `json:"date"`
	Engine  string    `json:"engine"`
	Summary Summary   `json:"summary"`
	Rows    []Row     `json:"rows"`
}

// JSON writes the report as one JSON object.
func (r Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Markdown writes the report in the format of AWP §6: its head, its summary
// table and its table of URLs, with rows and columns of ours after those it has.
func (r Report) Markdown(w io.Writer) error {
	var b strings.Builder
	s := r.Summary
	fmt.Fprintf(&b, "# Plasmate SOM Benchmark Report\n\nDate: %s\nEngine: %s\nURLs tested: %d\nSuccessful: %d (%s)\n",
		r.Date.Format(time.DateOnly), r.Engine, s.Tested, s.Successful, share(s.Successful, s.Tested))
	b.WriteString("\n## Summary\n\n| Metric | Mean | Median | P95 |\n|---|---|---|---|\n")
	for _, m := range s.Metrics {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", m.Name, m.unit.print(m.Mean), m.unit.print(m.Median), m.unit.print(m.P95))
	}
	b.WriteString("\n## Per-URL Results\n\n" +
		"| URL | HTML bytes | SOM bytes | Ratio | Elements | Interactive | Status | Word recall | Link recall |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		b.WriteString(row.line())
	}
	b.WriteString("\n## Outcomes\n\n| Outcome | URLs |\n|---|---|\n")
	for _, o := range Outcomes {
		fmt.Fprintf(&b, "| %s | %d |\n", o, s.Outcomes[o])
	}
	b.WriteString(legend + r.against())
	_, err := io.WriteString(w, b.String())
	return err
}

const legend = `
Means, medians and percentiles are over the URLs that are ok; P95 of a recall is the one that 95 in 100 pages reach.
Estimated tokens are bytes / 4; o200k are exact counts of the o200k_base vocabulary.
Recall is the share of the page's visible words and distinct links that the SOM keeps; the compact form shows a part
and folds the rest, which an agent opens where it needs it. Measured against:
`

// against says what recall was measured against, and on how many pages.
func (r Report) against() string {
	counts := map[string]int{}
	for _, row := range r.Rows {
		if row.RecallAgainst != "" {
			counts[row.RecallAgainst]++
		}
	}
	var b strings.Builder
	for _, source := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "- %s, pages: %d\n", source, counts[source])
	}
	return b.String()
}

func (r Row) line() string {
	status := string(r.Outcome)
	switch {
	case r.Outcome == HTTPError:
		status += fmt.Sprintf(" (%d)", r.Status)
	case r.Outcome == Failed && r.Reason != "":
		status += " (" + r.Reason + ")"
	}
	if r.SOMBytes == 0 {
		return fmt.Sprintf("| %s | - | - | - | - | - | %s | - | - |\n", shortURL(r.URL), cell(status))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", shortURL(r.URL),
		thousands(r.HTMLBytes), thousands(r.SOMBytes), ratio.print(r.byteRatio()),
		thousands(r.Elements), thousands(r.Interactive), cell(status), r.recalls())
}

// recalls are the last two cells; only pages that are ok are measured.
func (r Row) recalls() string {
	if r.Outcome != OK {
		return "- | -"
	}
	return percent.print(r.WordRecall) + " | " + percent.print(r.LinkRecall)
}

// urlRunes is how much of a URL is shown.
const urlRunes = 80

// shortURL is a URL without scheme and trailing slash, cut where it is long.
func shortURL(u string) string {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	u = strings.TrimSuffix(u, "/")
	if r := []rune(u); len(r) > urlRunes {
		u = string(r[:urlRunes]) + "..."
	}
	return cell(u)
}

// cell keeps text within its cell of a Markdown table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s)
}

func (u unit) print(v float64) string {
	switch u {
	case ratio:
		return strconv.FormatFloat(v, 'f', 1, 64) + "x"
	case percent:
		return strconv.FormatFloat(math.Floor(v*1000+1e-6)/10, 'f', 1, 64) + "%" // 99.96 % is not all
	}
	return thousands(int(math.Round(v)))
}

func share(part, whole int) string {
	if whole == 0 {
		return "0%"
	}
	return strconv.Itoa(int(math.Round(100*float64(part)/float64(whole)))) + "%"
}

// thousands is n with a comma between groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
