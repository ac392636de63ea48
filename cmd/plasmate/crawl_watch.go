package main

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"plasmate"
	"plasmate/messages"
)

// crawlWatch shows how far a crawl has got: a bar where a person reads stderr,
// else a line every ten seconds.
type crawlWatch struct {
	w     io.Writer
	every time.Duration
	quiet bool
	bars  *mpb.Progress
	bar   *mpb.Bar
	last  atomic.Pointer[plasmate.CrawlStatus] // read by the bar's own goroutine
}

func (a *app) watchCrawl(quiet bool) *crawlWatch {
	c := &crawlWatch{w: a.err, quiet: quiet, every: 10 * time.Second}
	c.last.Store(&plasmate.CrawlStatus{})
	if quiet || !onTerminal(a.err) {
		return c
	}
	c.every = 500 * time.Millisecond
	c.bars = mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(32))
	c.bar = c.bars.AddBar(1,
		mpb.PrependDecorators(decor.CountersNoUnit("%d / %d")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return rateAndETA(*c.last.Load()) })),
		mpb.BarExtender(mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
			_, err := fmt.Fprintf(w, "%s\n%s\n", outcomeCounts(*c.last.Load()), slowHosts(*c.last.Load()))
			return err
		}), false),
	)
	return c
}

// tell is called from one goroutine.
func (c *crawlWatch) tell(s plasmate.CrawlStatus) {
	switch {
	case c.quiet || s.Finished:
	case c.bar != nil:
		c.last.Store(&s)
		c.bar.SetTotal(int64(s.Done+s.Waiting)+1, false)
		c.bar.SetCurrent(int64(s.Done))
	default:
		fmt.Fprintln(c.w, statusLine(s))
	}
}

// end takes the bar away and prints the summary.
func (c *crawlWatch) end(s plasmate.CrawlStatus) {
	if c.bars != nil {
		c.bar.Abort(true)
		c.bars.Wait()
	}
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
