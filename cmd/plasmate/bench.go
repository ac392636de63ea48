package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"plasmate"
	"plasmate/bench"
	"plasmate/bench/audit"
	"plasmate/bench/corpus"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	net         networkFlags
	urls        string
	corpus      bool
	output      string
	jsonFile    string
	concurrency int
	rate        float64
}

func (a *app) benchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench --urls FILE | --corpus",
		Short: "Measure size, tokens, time and recall on a list of URLs",
		Long: `Bench visits every URL of a list (one a line, # comments) and writes a report:
bytes, tokens and their ratios, elements and times, and beside them the share
of words and links that the SOM keeps. Every URL is in the report with one
outcome: ok, http error, blocked, timeout, failed or not html.

--corpus serves the page corpus on loopback and visits that; its recall is
measured against what Chromium showed.

The exit code is 1 if no URL is ok.`,
		Example: `  plasmate bench --urls urls.txt --output report.md
  plasmate bench --urls urls.txt --rate 1 --concurrency 8 --json rows.json
  plasmate bench --corpus
  plasmate bench --urls - --resolve '*.test=127.0.0.1:8080' < urls.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.bench(cmd.Context(), f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.urls, "urls", "", "`FILE` of URLs, - is stdin")
	fs.BoolVar(&f.corpus, "corpus", false, "visit the page corpus: that of PLASMATE_CORPUS, or the repository's")
	fs.StringVarP(&f.output, "output", "o", "-", "`FILE` for the Markdown report, - is stdout")
	fs.StringVar(&f.jsonFile, "json", "", "`FILE` for the rows as JSON, - is stdout")
	fs.IntVar(&f.concurrency, "concurrency", 4, "pages at once")
	fs.Float64Var(&f.rate, "rate", 2, "requests a second to one host; 0 is no limit")
	f.net.register(fs, "plasmate/"+plasmate.Version)
	return cmd
}

func (f *benchFlags) check() error {
	switch {
	case (f.urls == "") != f.corpus:
		return usagef("one of --urls FILE and --corpus is required")
	case f.concurrency < 1:
		return usagef("--concurrency must be at least 1")
	case f.rate < 0:
		return usagef("--rate must not be negative")
	case f.output == "-" && f.jsonFile == "-":
		return usagef("--output and --json cannot both be stdout")
	}
	return f.net.check()
}

func (a *app) bench(ctx context.Context, f benchFlags) error {
	plan, end, err := a.plan(f)
	if err != nil {
		return err
	}
	defer end()
	bar := a.progress(len(plan.URLs))
	plan.Done = bar.done
	rows, err := bench.Run(ctx, plan)
	bar.close()
	if err != nil {
		return usageError{err}
	}
	report := bench.Report{Date: time.Now(), Engine: "plasmate v" + plasmate.Version, Summary: bench.Summarise(rows), Rows: rows}
	err = a.write(f.output, report.Markdown)
	if f.jsonFile != "" {
		err = errors.Join(err, a.write(f.jsonFile, report.JSON))
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return errors.New("interrupted; the report has what was done")
	case report.Summary.Successful == 0:
		return errors.New("no URL is ok; the report says why")
	}
	return nil
}

// plan is the sweep that f asks for, and what ends what it needs.
func (a *app) plan(f benchFlags) (p bench.Plan, end func(), err error) {
	p = bench.Plan{
		Concurrency: f.concurrency, Rate: f.rate, Timeout: f.net.timeout,
		UserAgent: f.net.userAgent, Network: f.net.NetworkConfig,
	}
	if !f.corpus {
		p.URLs, err = a.urlList(f.urls)
		return p, func() {}, err
	}
	pages, which, err := corpus.Load()
	if err != nil {
		return p, nil, err
	}
	audited, _, err := audit.Corpus()
	if err != nil {
		return p, nil, err
	}
	served, err := bench.Serve(pages)
	if err != nil {
		return p, nil, err
	}
	fmt.Fprintf(a.err, "corpus: %s, %d pages\n", which, len(pages))
	p.URLs, p.Rate = served.URLs, 0
	p.Network.Resolve = append(slices.Clone(p.Network.Resolve), served.Resolve)
	p.Oracles = make(map[string]*audit.Oracle, len(pages))
	for i, page := range audited {
		p.Oracles[served.URLs[i]] = page.Oracle
	}
	return p, func() { _ = served.Close() }, nil
}

func (a *app) urlList(name string) ([]string, error) {
	in := a.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	urls, err := bench.ReadURLs(in)
	if err != nil {
		return nil, err
	}
	if len(urls) == 0 {
		return nil, fmt.Errorf("%s has no URLs", name)
	}
	return urls, nil
}

// write has a report written to a file, or to stdout for "-".
func (a *app) write(name string, report func(io.Writer) error) error {
	if name == "-" {
		return report(a.out)
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(report(file), file.Close())
}

// progress is a bar on stderr where that is a terminal, else nothing.
type progress struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

func (a *app) progress(total int) progress {
	if !onTerminal(a.err) {
		return progress{}
	}
	bars := mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(48))
	return progress{bars: bars, bar: bars.AddBar(int64(total),
		mpb.PrependDecorators(decor.CountersNoUnit("%d / %d pages")),
		mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_GO)),
	)}
}

func (p progress) done(bench.Row) {
	if p.bar != nil {
		p.bar.Increment()
	}
}

func (p progress) close() {
	if p.bars != nil {
		p.bar.Abort(false) // in case a page is missing: Wait would hang
		p.bars.Wait()
	}
}
