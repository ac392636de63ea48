package messages

import "time"

// Outcome is what became of one URL of a crawl. Every URL has exactly one.
type Outcome string

// The outcomes (AWP §6, and what crawls add).
const (
	OutcomeOK          Outcome = "ok"
	OutcomeHTTPError   Outcome = "http error"   // status 400 or higher, with or without a page
	OutcomeRateLimited Outcome = "rate limited" // the host asked for more patience than there is
	OutcomeRobots      Outcome = "robots"       // robots.txt does not allow it, or cannot be had
	OutcomeBlocked     Outcome = "blocked"      // an address or scheme that plasmate refuses
	OutcomeTimeout     Outcome = "timeout"
	OutcomeFailed      Outcome = "failed"   // no answer: name, connection, TLS, redirects, size
	OutcomeNotHTML     Outcome = "not html" // an answer that is no document
)

// Outcomes lists every outcome in the order of reports.
var Outcomes = [...]Outcome{
	OutcomeOK, OutcomeHTTPError, OutcomeRateLimited, OutcomeRobots, OutcomeBlocked, OutcomeTimeout, OutcomeFailed, OutcomeNotHTML,
}

// CrawledPage is what a crawl has to say of one URL.
type CrawledPage struct {
	URL         string // as asked for
	FinalURL    string // after redirects; "": no answer
	Status      int    // HTTP; 0: no answer
	Outcome     Outcome
	Reason      string // of a failure: AWP §2, or rate_limited, robots, host_down, crashed
	Error       string // for a reader
	ContentType string
	Depth       int    // links from a seed
	Referrer    string // page that led here; "": a seed
	Attempts    int    // requests made for it, redirects apart
	Waited      time.Duration
	RetryAfter  time.Duration // what the host asked for when it was given up; 0: nothing

	Started        time.Time
	Fetch, Compile time.Duration // of the last attempt
	HTMLBytes      int           // of the body, after content-coding
	Incomplete     bool          // the body was cut off

	Title       string
	Links       []string // resolved, http and https, each once, in document order
	Canonical   string   // resolved; "" if the page names none or itself
	DuplicateOf string   // page of this crawl that has the same content
	NoIndex     bool     // the page asks not to be kept: it has no content here
	NoFollow    bool     // the page asks that its links are not followed

	// One of them, as the crawl was asked for.
	SOM      []byte // compact JSON; read only
	Text     string
	Markdown string
	Fields   []byte // compact JSON object
}

// CrawlStatus is how far a crawl has got.
type CrawlStatus struct {
	Outcomes map[Outcome]int // of finished URLs, those of earlier runs included
	Done     int             // their sum
	Waiting  int             // URLs that wait or are under way
	Active   int             // under way now
	Bytes    int64           // of bodies in this run
	Elapsed  time.Duration   // of this run
	Rate     float64         // pages a second over the last ten seconds
	ETA      time.Duration   // for what waits now, at that rate; 0: not known
	Slow     []HostStatus    // the hosts that answer slowest, at most 5
	Hosts    int
	Traps    []TrapReport // where guards left URLs out, the most first
	Warnings []string     // of sitemaps and robots.txt; the first 100
	// BudgetReached says that a limit on pages, of the crawl, of a host or of
	// one pattern, left URLs out.
	BudgetReached bool
	Finished      bool
}

// HostStatus is what a crawl has seen of one host.
type HostStatus struct {
	Host          string
	Done, Waiting int
	Mean          time.Duration // of an answer
	Note          string        // why it is slow: paused, given up; may be empty
}

// TrapReport counts URLs that a guard of a crawl left out.
type TrapReport struct {
	Host, Pattern, Path string
	Guard               string // url_length, path_repeat, chain, share, pages_per_host, max_pages
	LeftOut             int
}
