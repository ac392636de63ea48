package plasmate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"plasmate/actors"
	"plasmate/cache"
	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/som"
	"plasmate/store"
)

// Page is what a crawl has to say of one URL: its outcome, and what was made of
// the page if there was one.
type Page = messages.CrawledPage

// CrawlStatus is how far a crawl has got.
type CrawlStatus = messages.CrawlStatus

// TrapReport counts URLs that a guard of a crawl left out.
type TrapReport = messages.TrapReport

// CrawlLink is a link that may be followed.
type CrawlLink = actors.CrawlLink

// Fetcher makes one HTTP exchange, following no redirect. It is called from
// several goroutines at once.
type Fetcher = fetch.Exchanger

// Store keeps a crawl's frontier. NewMemoryStore and OpenStore make some.
type Store = store.Store

// NewMemoryStore is a store that ends with its process.
func NewMemoryStore() Store { return store.NewMemory() }

// OpenStore opens a store in a file, and makes the file if there is none. A
// crawl that is given a used store goes on where the last one ended.
func OpenStore(path string) (Store, error) { return store.OpenBolt(path) }

// CrawlFormat is what a crawl makes of a page. Title and links come with all.
type CrawlFormat = actors.CrawlFormat

// The formats of a crawl.
const (
	CrawlSOM      = actors.CrawlSOM      // Page.SOM
	CrawlText     = actors.CrawlText     // Page.Text
	CrawlMarkdown = actors.CrawlMarkdown // Page.Markdown
	CrawlFields   = actors.CrawlFields   // Page.Fields, by CrawlOptions.Fields
	CrawlOutline  = actors.CrawlOutline  // Page.Text, from tokens without a tree: the fastest
)

// CrawlOptions are the choices of a crawl. The zero value crawls the hosts of
// the seeds to the end, politely, and makes SOMs.
type CrawlOptions struct {
	MaxDepth   int  // links from a seed that are followed; 0: no limit, negative: none
	MaxPages   int  // 0: no limit
	MaxPerHost int  // requests for pages of one host, its robots.txt among them; 0: no limit
	AnyHost    bool // follow links away from the hosts of the seeds
	// Admit, if not nil, must let a link pass before it is followed. It is
	// called from several goroutines at once.
	Admit func(CrawlLink) bool

	Sitemaps []string // sitemaps, indexes or feeds to begin with, beside the seeds
	// SkipSitemaps leaves the sitemaps alone that robots.txt names.
	SkipSitemaps bool
	IgnoreRobots bool // robots.txt, X-Robots-Tag and robots meta

	Concurrency int           // pages at once; 64
	PerHost     int           // pages of one host at once; 2
	Rate        float64       // requests a second to one host; 0: 2, negative: no limit
	Timeout     time.Duration // of one attempt; 30 s
	Attempts    int           // of one page; 4
	MaxWait     time.Duration // longest pause that a host may ask for; 2 min
	MaxBody     int64         // of a decoded body; 10 MiB
	UserAgent   string        // plasmate/VERSION
	// RobotsToken is what robots.txt calls this crawler; "": plasmate.
	RobotsToken string

	Format CrawlFormat
	// Fields are the queries of CrawlFields, FieldNames their order.
	Fields     map[string]som.Query
	FieldNames []string

	Network NetworkConfig
	Fetcher Fetcher // nil: the client that Network describes
	Store   Store   // nil: in memory; it is not closed

	// Status, if not nil, is told how far the crawl has got, every StatusEvery
	// (1 s) and once at the end.
	Status      func(CrawlStatus)
	StatusEvery time.Duration
}

// defaultCrawlRate is requests a second to one host.
const defaultCrawlRate = 2

// defaultCrawlBody bounds what the pages under way take together.
const defaultCrawlBody = 10 << 20

// Crawl visits the seeds and what they lead to, and yields every URL as it is
// finished: with its outcome, whatever that is. Pages come in no particular
// order. While the loop's body runs, nothing is taken on in the place of its
// page, so a slow loop slows the crawl down. Leaving the loop ends the crawl.
//
// The error is of the whole crawl (a seed that is no URL, a store that cannot
// be written, ctx done); it comes once and last, with an empty page.
func Crawl(ctx context.Context, seeds []string, o CrawlOptions) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		type handed struct {
			page Page
			next chan<- struct{}
		}
		pages := make(chan handed)
		sink := func(ctx context.Context, v *actors.Visit) ([][]byte, error) {
			next := make(chan struct{})
			select {
			case pages <- handed{v.CrawledPage, next}:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			<-next
			return nil, nil
		}
		ended := make(chan error, 1)
		go func() {
			_, err := runCrawl(ctx, seeds, o, crawlOutputs{}, sink)
			ended <- err
		}()
		for {
			select {
			case p := <-pages:
				more := yield(p.page, nil)
				close(p.next)
				if !more {
					stop(errLeft)
					<-ended
					return
				}
			case err := <-ended:
				if err != nil {
					yield(Page{}, err)
				}
				return
			}
		}
	}
}

var errLeft = errors.New("the loop was left")

// crawlOutputs are the files of a crawl.
type crawlOutputs struct {
	list []actors.CrawlOutput
	keep bool // exchanges are kept for one of them
}

// runCrawl runs a crawl in a runtime of its own and returns when it has ended.
func runCrawl(ctx context.Context, seeds []string, o CrawlOptions, out crawlOutputs, sink func(context.Context, *actors.Visit) ([][]byte, error)) (CrawlStatus, error) {
	rt, err := newCrawlRuntime(o)
	if err != nil {
		return CrawlStatus{}, err
	}
	defer rt.close()
	plan := o.plan(seeds)
	plan.Sink, plan.Outputs, plan.KeepExchanges = sink, out.list, out.keep
	run, err := rt.system.Crawl(ctx, plan)
	if err != nil {
		return CrawlStatus{}, err
	}
	if o.Status != nil {
		every := time.NewTicker(max(o.StatusEvery, time.Second))
		if o.StatusEvery > 0 {
			every.Reset(o.StatusEvery)
		}
		defer every.Stop()
		for going := true; going; {
			select {
			case <-every.C:
				o.Status(run.Status())
			case <-run.Done():
				going = false
			}
		}
	}
	status, err := run.Wait()
	if o.Status != nil {
		o.Status(status)
	}
	return status, err
}

func (o *CrawlOptions) plan(seeds []string) actors.Crawl {
	depth := o.MaxDepth
	switch {
	case depth == 0:
		depth = -1
	case depth < 0:
		depth = 0
	}
	agent := o.UserAgent
	if agent == "" {
		agent = "plasmate/" + Version
	}
	return actors.Crawl{
		Seeds: seeds, Sitemaps: o.Sitemaps, Depth: depth, MaxPages: o.MaxPages, MaxPerHost: o.MaxPerHost, AnyHost: o.AnyHost,
		DiscoverSitemaps: !o.SkipSitemaps, Admit: o.Admit,
		Concurrency: o.Concurrency, PerHost: o.PerHost, Interval: o.interval(), Timeout: o.Timeout, Attempts: o.Attempts, MaxWait: o.MaxWait,
		UserAgent: agent, IgnoreRobots: o.IgnoreRobots, Token: o.RobotsToken,
		Format: o.Format, Names: o.FieldNames, Fields: o.Fields, Store: o.Store,
	}
}

// interval is the time between two requests to one host.
func (o *CrawlOptions) interval() time.Duration {
	rate := o.Rate
	if rate == 0 {
		rate = defaultCrawlRate
	}
	if rate < 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / rate)
}

// crawlRuntime is a runtime for one crawl: nothing is cached, and hosts are
// paced by the crawl.
type crawlRuntime struct {
	client *fetch.Client
	system *actors.System
}

func newCrawlRuntime(o CrawlOptions) (*crawlRuntime, error) {
	rt := &crawlRuntime{}
	exchanger := o.Fetcher
	if exchanger == nil {
		rules := make([]fetch.HostRule, 0, len(o.Network.Resolve))
		for _, r := range o.Network.Resolve {
			rule, err := fetch.ParseHostRule(r)
			if err != nil {
				return nil, fmt.Errorf("resolve rule %q: %w", r, err)
			}
			rules = append(rules, rule)
		}
		client, err := fetch.New(fetch.Config{
			AllowPrivateNetwork: o.Network.AllowPrivate, Resolve: rules,
			CAFile: o.Network.CAFile, InsecureHosts: o.Network.Insecure,
			MaxBodyBytes: cmp.Or(o.MaxBody, defaultCrawlBody), MaxConnsPerHost: max(16, o.PerHost+2),
		})
		if err != nil {
			return nil, fmt.Errorf("set up the HTTP client: %w", err)
		}
		rt.client, exchanger = client, client
	}
	system, err := actors.New(actors.Config{
		Client: exchanger,
		NewEngine: func(x fetch.Exchanger) engine.Engine {
			return static.New(static.Config{Exchanger: x})
		},
		Pages: cache.New(cache.Limits{Entries: 1, Bytes: 1, Compiles: runtime.GOMAXPROCS(0)}),
		Fetch: actors.FetchLimits{Global: 2*max(o.Concurrency, 64) + 64, PerHost: max(o.PerHost, 2) + 2},
	})
	if err != nil {
		rt.close()
		return nil, err
	}
	rt.system = system
	return rt, nil
}

func (rt *crawlRuntime) close() {
	if rt.system != nil {
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
		defer stop()
		_ = rt.system.Shutdown(ctx) // the crawl has ended; nothing depends on it
	}
	if rt.client != nil {
		rt.client.Close()
	}
}
