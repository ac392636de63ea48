package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plasmate"
	"plasmate/bench"
)

// crawlFlags are the flags of crawl.
type crawlFlags struct {
	net     networkFlags
	o       plasmate.CrawlOptions
	files   plasmate.CrawlFiles
	urls    string
	extract string
	format  string
	depth   int
	same    bool
	include []string
	exclude []string
	quiet   bool
	report  string
	depthIs bool // --depth was given
}

func (a *app) crawlCommand() *cobra.Command {
	var f crawlFlags
	cmd := &cobra.Command{
		Use:   "crawl [SEED...] [--urls FILE] [--sitemap URL]",
		Short: "Visit pages and what they link to, and write a record of each",
		Long: `Crawl visits the seeds and, on their hosts, everything they link to, and writes
a record of every URL as a line of JSON: url, final_url, status, outcome,
depth, referrer, times, links and the page's SOM (or text, markdown, fields).

It is polite: robots.txt is obeyed, hosts get --rate requests a second and
are left alone as long as they ask to be (429, 503, Retry-After). Hosts take
turns, so that neither a slow nor a huge one holds up the others.

Nothing is lost: the frontier is kept in FILE.state beside the output. Killed
at any moment, the same command with --resume goes on, repeats no record and
misses none.

--extract FILE names fields: {"NAME": QUERY} with queries as in page.extract,
or {"title": "title", "links": "links", "text": "text"}, which needs no tree
and is much faster.

The exit code is 0 when the crawl came to its end with at least one page ok.`,
		Example: `  plasmate crawl https://example.com --output pages.jsonl
  plasmate crawl https://example.com --output pages.jsonl --resume
  plasmate crawl --sitemap https://example.com/sitemap.xml --format markdown -o pages.jsonl.zst
  plasmate crawl --urls urls.txt --rate 1 --warc pages.warc.gz -o pages.jsonl
  plasmate crawl https://example.com --depth 2 --exclude '/login' | jq .title`,
		RunE: func(cmd *cobra.Command, seeds []string) error {
			f.depthIs = cmd.Flags().Changed("depth")
			if err := f.check(seeds); err != nil {
				return err
			}
			return a.crawl(cmd.Context(), f, seeds)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.urls, "urls", "", "`FILE` of URLs to visit, one a line, # comments; - is stdin")
	fs.StringSliceVar(&f.o.Sitemaps, "sitemap", nil, "`URL` of a sitemap, index or feed to visit; repeatable")
	fs.StringVarP(&f.files.Records, "output", "o", "-", "`FILE` for the records, .zst compresses; - is stdout")
	fs.StringVar(&f.files.WARC, "warc", "", "`FILE` for the exchanges in WARC 1.1, .gz compresses")
	fs.StringVar(&f.files.State, "state", "", "`FILE` of the frontier; OUTPUT.state")
	fs.BoolVar(&f.files.Resume, "resume", false, "go on with the crawl of the state file")
	fs.BoolVar(&f.files.Overwrite, "overwrite", false, "begin anew although there are files of an earlier crawl")
	fs.StringVar(&f.format, "format", "som", "som, text, markdown or outline (title, links and text without a tree)")
	fs.StringVar(&f.extract, "extract", "", "`FILE` of fields to make of each page instead")
	fs.IntVar(&f.depth, "depth", 0, "links from a seed to follow; no limit from SEED, 0 from --urls and --sitemap")
	fs.IntVar(&f.o.MaxPages, "max-pages", 0, "pages to visit; 0 is no limit")
	fs.IntVar(&f.o.MaxPerHost, "max-pages-per-host", 0, "requests for pages of one host, its robots.txt among them; 0 is no limit")
	fs.BoolVar(&f.same, "same-host", true, "follow links on the hosts of the seeds only")
	fs.StringArrayVar(&f.include, "include", nil, "follow only links whose URL fits this `REGEXP`; repeatable, one must fit")
	fs.StringArrayVar(&f.exclude, "exclude", nil, "follow no links whose URL fits this `REGEXP`; repeatable")
	fs.IntVar(&f.o.Concurrency, "concurrency", 64, "pages at once")
	fs.IntVar(&f.o.PerHost, "per-host", 2, "pages of one host at once")
	fs.Float64Var(&f.o.Rate, "rate", 2, "requests a second to one host; 0 is no limit")
	fs.IntVar(&f.o.Attempts, "attempts", 4, "attempts at a page that may yet succeed")
	fs.DurationVar(&f.o.MaxWait, "max-wait", 2*time.Minute, "longest pause that a host may ask for before it is given up")
	fs.Int64Var(&f.o.MaxBody, "max-body", 10<<20, "`BYTES` of a decoded body")
	fs.BoolVar(&f.o.IgnoreRobots, "ignore-robots", false, "do not ask for robots.txt, nor heed X-Robots-Tag and robots meta; for your own sites")
	fs.BoolVar(&f.o.SkipSitemaps, "skip-sitemaps", false, "do not read the sitemaps that robots.txt names")
	fs.StringVar(&f.report, "report", "", "`FILE` for the summary as JSON: outcomes, guards, warnings")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress and no summary on stderr")
	f.net.register(fs, "plasmate/"+plasmate.Version)
	return cmd
}

func (f *crawlFlags) check(seeds []string) error {
	switch {
	case len(seeds) == 0 && f.urls == "" && len(f.o.Sitemaps) == 0 && !f.files.Resume:
		return usagef("a SEED, --urls FILE or --sitemap URL is required")
	case f.o.Concurrency < 1 || f.o.PerHost < 1 || f.o.Attempts < 1:
		return usagef("--concurrency, --per-host and --attempts must be at least 1")
	case f.o.Rate < 0:
		return usagef("--rate must not be negative")
	case f.depthIs && f.depth < 0:
		return usagef("--depth must not be negative")
	case f.o.MaxPages < 0 || f.o.MaxPerHost < 0:
		return usagef("--max-pages and --max-pages-per-host must not be negative")
	case f.files.Resume && f.files.Overwrite:
		return usagef("--resume and --overwrite exclude each other")
	case f.files.Records == "-" && f.files.State == "" && f.files.Resume:
		return usagef("--resume needs --output FILE or --state FILE")
	}
	if err := f.net.check(); err != nil {
		return err
	}
	return f.options(len(seeds) > 0)
}

// options turns flags into options of the crawl.
func (f *crawlFlags) options(seeds bool) error {
	f.o.Timeout, f.o.UserAgent, f.o.Network = f.net.timeout, f.net.userAgent, f.net.NetworkConfig
	f.o.AnyHost = !f.same
	if f.o.Rate == 0 {
		f.o.Rate = -1
	}
	switch {
	case f.depthIs && f.depth > 0:
		f.o.MaxDepth = f.depth
	case f.depthIs || !seeds && (f.urls != "" || len(f.o.Sitemaps) > 0):
		f.o.MaxDepth = -1
	}
	if token, _, _ := strings.Cut(f.o.UserAgent, "/"); token != "Mozilla" && !strings.ContainsAny(token, " (") {
		f.o.RobotsToken = token // the site's owner knows us by it
	}
	switch f.format {
	case "som":
		f.o.Format = plasmate.CrawlSOM
	case "text":
		f.o.Format = plasmate.CrawlText
	case "markdown":
		f.o.Format = plasmate.CrawlMarkdown
	case "outline":
		f.o.Format = plasmate.CrawlOutline
	default:
		return usagef("--format is som, text, markdown or outline, not %q", f.format)
	}
	if f.extract != "" {
		if err := readFields(f.extract, &f.o); err != nil {
			return usageError{err}
		}
	}
	admit, err := linkFilter(f.include, f.exclude)
	f.o.Admit = admit
	return err
}

// linkFilter is the admission of links by regular expressions; nil is all.
func linkFilter(include, exclude []string) (func(plasmate.CrawlLink) bool, error) {
	if len(include)+len(exclude) == 0 {
		return nil, nil
	}
	compile := func(patterns []string) ([]*regexp.Regexp, error) {
		var all []*regexp.Regexp
		for _, p := range patterns {
			r, err := regexp.Compile(p)
			if err != nil {
				return nil, usagef("--include and --exclude: %v", err)
			}
			all = append(all, r)
		}
		return all, nil
	}
	in, err := compile(include)
	if err != nil {
		return nil, err
	}
	out, err := compile(exclude)
	if err != nil {
		return nil, err
	}
	fits := func(patterns []*regexp.Regexp, url string) bool {
		for _, r := range patterns {
			if r.MatchString(url) {
				return true
			}
		}
		return false
	}
	return func(l plasmate.CrawlLink) bool {
		return (len(in) == 0 || fits(in, l.URL)) && !fits(out, l.URL)
	}, nil
}

func (a *app) crawl(ctx context.Context, f crawlFlags, seeds []string) error {
	if f.urls != "" {
		list, err := a.readURLs(f.urls)
		if err != nil {
			return err
		}
		seeds = append(seeds, list...)
	}
	if f.files.Records == "-" {
		f.files.Records, f.files.Writer = "", a.out
	}
	if os.Getenv("GOGC") == "" {
		stop := keepHeadroom()
		defer stop()
	}
	watch := a.watchCrawl(f.quiet)
	f.o.Status, f.o.StatusEvery = watch.tell, watch.every
	status, err := plasmate.CrawlToFiles(ctx, seeds, f.o, f.files)
	watch.end(status)
	if f.report != "" {
		err = errors.Join(err, a.write(f.report, func(w io.Writer) error { return writeCrawlReport(w, status) }))
	}
	switch {
	case errors.Is(err, plasmate.ErrDiskFull):
		return fmt.Errorf("stopped: %w; make room and run the same command with --resume", err)
	case errors.Is(err, plasmate.ErrCrawlExists):
		return usageError{err}
	case ctx.Err() != nil:
		return errors.New("interrupted; the same command with --resume goes on")
	case err != nil:
		return err
	case status.Outcomes["ok"] == 0:
		return errors.New("no page is ok; the records say why")
	}
	return nil
}

func (a *app) readURLs(name string) ([]string, error) {
	in := a.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, usageError{err}
		}
		defer file.Close()
		in = io.Reader(file)
	}
	return bench.ReadURLs(in)
}
