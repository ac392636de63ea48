package actors

import (
	"context"
	"time"

	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/som"
	"plasmate/store"
)

// Crawl says what a crawl visits, how gently, and what it makes of the pages.
// The zero value of a field is its default.
type Crawl struct {
	Seeds    []string // absolute URLs
	Sitemaps []string // absolute URLs of sitemaps, indexes or feeds

	Depth      int  // links from a seed that are followed; negative: no limit
	MaxPages   int  // 0: no limit
	MaxPerHost int  // requests for pages of one host, its robots.txt among them; 0: no limit
	AnyHost    bool // follow links away from the hosts of the seeds
	// DiscoverSitemaps reads the sitemaps that robots.txt names.
	DiscoverSitemaps bool
	// Admit, if not nil, must let a link pass before it is followed. It is
	// called from several goroutines at once.
	Admit func(link CrawlLink) bool
	Traps policy.TrapLimits

	Concurrency int           // pages at once; 64
	PerHost     int           // pages of one host at once; 2
	Interval    time.Duration // between requests to one host; 0: none
	Timeout     time.Duration // of one attempt; 30 s
	Attempts    int           // of one page; 4
	MaxWait     time.Duration // longest pause that a host may ask for; 2 min
	UserAgent   string        // "": plasmate
	Language    string        // Accept-Language header; "": en-US
	// IgnoreRobots asks for no robots.txt and heeds no X-Robots-Tag and robots meta.
	IgnoreRobots bool
	// Token is what robots.txt calls this crawler; "": plasmate.
	Token string

	Format CrawlFormat
	Names  []string // FormatFields: order of the fields
	Fields map[string]som.Query
	// KeepExchanges has Visits hold the exchanges they made.
	KeepExchanges bool

	// Sink is told of every finished URL, in the goroutine that visited it, and
	// gives the records to append to the outputs, one for each. While it does
	// not return, the crawl takes on nothing in its place. An error ends the crawl.
	Sink    func(ctx context.Context, v *Visit) ([][]byte, error)
	Outputs []CrawlOutput
	Store   store.Store // nil: in memory
}

// CrawlFormat is what a crawl makes of a page.
type CrawlFormat int

// The formats. Title and links come with all of them.
const (
	CrawlSOM CrawlFormat = iota
	CrawlText
	CrawlMarkdown
	CrawlFields
	CrawlOutline // title, links and plain text from tokens, without a tree: much faster
)

// CrawlLink is a link that may be followed.
type CrawlLink struct {
	URL   string // absolute, without fragment
	From  string // page it stands on
	Depth int    // it would have
}

// Visit is one URL's way through a crawl.
type Visit struct {
	messages.CrawledPage
	Exchanges []CrawlExchange // with KeepExchanges: robots.txt apart, all that were made
}

// CrawlExchange is one request and its answer.
type CrawlExchange struct {
	At       time.Time
	Request  *fetch.Request
	Response *fetch.Response
}

// CrawlOutput is what records are appended to; *store.Output is one.
type CrawlOutput interface {
	Append(records [][]byte) error
	Sync() error
	Mark() string
}

// OutputMark is the name of the mark of output number i in a crawl's store.
func OutputMark(i int) string { return "output." + string(rune('0'+i)) }

// MarkFinished is the mark of a crawl that has nothing left to do.
const MarkFinished = "finished"

// MarkDepth is the mark of a crawl's Depth.
const MarkDepth = "depth"

func (p Crawl) withDefaults() Crawl {
	setDefault(&p.Concurrency, 64)
	setDefault(&p.PerHost, 2)
	setDefault(&p.Timeout, messages.DefaultTimeout)
	setDefault(&p.Attempts, 4)
	setDefault(&p.MaxWait, 2*time.Minute)
	setDefault(&p.UserAgent, "plasmate")
	setDefault(&p.Token, "plasmate")
	if p.Language == "" {
		p.Language = policy.AcceptLanguage(messages.DefaultLocale)
	}
	p.Traps = p.Traps.WithDefaults()
	if p.Store == nil {
		p.Store = store.NewMemory()
	}
	if p.Sink == nil {
		p.Sink = func(context.Context, *Visit) ([][]byte, error) { return nil, nil }
	}
	return p
}
