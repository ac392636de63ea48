package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"plasmate"
	"plasmate/messages"
)

// crawlWatch shows how far a crawl has got: three lines that are painted again
// and again where a person reads stderr, else a line every ten seconds.
type crawlWatch struct {
	w       io.Writer
	every   time.Duration
	quiet   bool
	paint   bool
	painted bool
}

func (a *app) watchCrawl(quiet bool) *crawlWatch {
	c := &crawlWatch{w: a.err, quiet: quiet, every: 10 * time.Second}
	if !quiet && onTerminal(a.err) {
		c.paint, c.every = true, 500*time.Millisecond
	}
	return c
}

// tell is called from one goroutine.
func (c *crawlWatch) tell(s plasmate.CrawlStatus) {
	switch {
	case c.quiet || s.Finished:
	case c.paint:
		c.wipe()
		width := terminalWidth(c.w)
		for _, line := range []string{progressBar(s, 32) + " " + rateAndETA(s), outcomeCounts(s), slowHosts(s)} {
			fmt.Fprintln(c.w, cut(line, width))
		}
		c.painted = true
	default:
		fmt.Fprintln(c.w, statusLine(s))
	}
}

// wipe takes away what was painted last.
func (c *crawlWatch) wipe() {
	if c.painted {
		fmt.Fprint(c.w, "\x1b[3A\x1b[J")
		c.painted = false
	}
}

func progressBar(s plasmate.CrawlStatus, width int) string {
	all := max(s.Done+s.Waiting, 1)
	full := s.Done * width / all
	return fmt.Sprintf("[%s%s] %d / %d", strings.Repeat("=", full), strings.Repeat("-", width-full), s.Done, all)
}

// terminalWidth is in columns; 80 where it is not known.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}

func cut(line string, width int) string {
	if r := []rune(line); len(r) >= width {
		return string(r[:width-1])
	}
	return line
}

// end takes what is painted away and prints the summary.
func (c *crawlWatch) end(s plasmate.CrawlStatus) {
	c.wipe()
	if c.quiet || s.Done == 0 && s.Waiting == 0 {
		return
	}
	fmt.Fprintln(c.w, statusLine(s))
	for i, t := range s.Traps {
		if i == 20 {
			fmt.Fprintf(c.w, "  and %d more guards\n", len(s.Traps)-i)
			break
		}
		fmt.Fprintf(c.w, "  left out %d of %s%s: %s\n", t.LeftOut, t.Host, t.Path, guardWords(t))
	}
	if s.BudgetReached {
		fmt.Fprintln(c.w, "  a budget was reached: there is more than was visited")
	}
	for _, w := range s.Warnings {
		fmt.Fprintln(c.w, "  "+w)
	}
}

func guardWords(t plasmate.TrapReport) string {
	switch t.Guard {
	case "url_length":
		return "the URL is too long"
	case "path_repeat":
		return "the path repeats itself"
	case "chain":
		return "pages of " + t.Pattern + " lead to ever more of it"
	case "share":
		return "pages of " + t.Pattern + " are more than their share"
	case "pages_per_host":
		return "the host's budget of pages was reached"
	case "max_pages":
		return "the crawl's budget of pages was reached"
	}
	return t.Guard
}

func statusLine(s plasmate.CrawlStatus) string {
	return fmt.Sprintf("%d done, %d waiting, %s; %s; %.1f MB in %s; %s", s.Done, s.Waiting, rateAndETA(s), outcomeCounts(s),
		float64(s.Bytes)/1e6, s.Elapsed.Round(time.Second/10), slowHosts(s))
}

func rateAndETA(s plasmate.CrawlStatus) string {
	rate := fmt.Sprintf("%.1f pages/s", s.Rate)
	if s.ETA > 0 {
		rate += ", " + s.ETA.Round(time.Second).String() + " left"
	}
	return rate
}

func outcomeCounts(s plasmate.CrawlStatus) string {
	var parts []string
	for _, o := range messages.Outcomes {
		if n := s.Outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", o, n))
		}
	}
	if len(parts) == 0 {
		return "no page yet"
	}
	return strings.Join(parts, ", ")
}

func slowHosts(s plasmate.CrawlStatus) string {
	if len(s.Slow) == 0 {
		return fmt.Sprintf("%d hosts", s.Hosts)
	}
	var parts []string
	for _, h := range s.Slow {
		part := fmt.Sprintf("%s %s", strings.TrimPrefix(strings.TrimPrefix(h.Host, "https://"), "http://"), h.Mean.Round(time.Millisecond))
		if h.Note != "" {
			part += " (" + h.Note + ")"
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%d hosts, slowest %s", s.Hosts, strings.Join(parts, ", "))
}
