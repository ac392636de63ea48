package actors

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/cache"
	"plasmate/fetch"
	"plasmate/fetch/charset"
	"plasmate/fetch/cookie"
	"plasmate/fetch/mime"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/som"
	"plasmate/som/skim"
	"plasmate/som/weburl"
	"plasmate/store"
)

const crawlSession = "crawl"

// visit is one attempt at one entry. It runs in an errand's goroutine and
// shares nothing with the crawl but what is safe for concurrent use.
type visit struct {
	plan    *Crawl
	fetcher fetch.Exchanger
	pages   *cache.Pages
	seen    *seenSet
	content *contents
	root    *actor.RootContext
	crawl   *actor.PID

	entry   store.Entry
	attempt int // from 1
	waited  time.Duration
	robots  *policy.Robots // of the entry's host
	refuse  *verdict       // not nil: nothing goes out

	last    string // host of the last request
	started time.Time
	made    []CrawlExchange
}

// visited reports a visit.
type visited struct {
	entry    store.Entry
	page     messages.CrawledPage // without content
	asked    bool                 // something went out
	last     string               // host that was asked last
	objected time.Duration        // not 0: the last host wants to be left alone so long
	retry    bool                 // to be tried again after objected, or wait
	wait     time.Duration
	giveUp   *verdict // the host is given up
	weak     bool     // it failed for the host's weakness, not the page's

	hash    uint64
	links   []candidate
	records [][]byte
	bytes   int
	warn    []string
	err     error // ends the crawl
	dropped bool  // cancelled: the entry waits on
}

func (v *visit) crashed(p any) any {
	r := v.report()
	r.page.Outcome, r.page.Reason, r.page.Error = messages.OutcomeFailed, "crashed", fmt.Sprint("panic: ", p)
	return r
}

func (v *visit) report() visited {
	return visited{entry: v.entry, asked: v.refuse == nil, last: v.entry.Host, page: messages.CrawledPage{
		URL: v.entry.URL, Depth: v.entry.Depth, Referrer: v.entry.Referrer,
		Attempts: v.attempt, Waited: v.waited, Started: v.started,
	}}
}

func (v *visit) run(ctx context.Context) any {
	v.started = time.Now()
	r := v.report()
	if f := v.refuse; f != nil {
		p := &r.page
		p.Outcome, p.Reason, p.Error, p.RetryAfter = f.outcome, f.reason, f.msg, f.retryAfter
		v.emit(ctx, &r)
		return r
	}
	attempt, stop := context.WithTimeoutCause(ctx, v.plan.Timeout, errDeadline)
	defer stop()
	limit := int64(0)
	if v.entry.Kind == store.KindSitemap {
		limit = policy.MaxSitemapBytes + 1<<20
	}
	v.last = v.entry.Host
	resp, _, err := fetch.Follow(attempt, v, fetch.Navigation{
		Session: crawlSession, URL: v.entry.URL, UserAgent: v.plan.UserAgent, AcceptLanguage: v.plan.Language,
		Jar: new(cookie.Jar), MaxBodyBytes: limit,
	})
	r.last = v.last
	if ctx.Err() != nil {
		r.dropped = true
		return r
	}
	if err != nil {
		v.failed(attempt, &r, err)
	} else {
		v.answered(&r, resp)
	}
	switch {
	case r.retry:
	case v.entry.Kind == store.KindSitemap:
		if err == nil && resp.Status < 400 {
			v.sitemap(&r, resp)
		} else if r.page.Status > 0 {
			r.warn = append(r.warn, fmt.Sprintf("sitemap %s: status %d", v.entry.URL, r.page.Status))
		} else {
			r.warn = append(r.warn, fmt.Sprintf("sitemap %s: %s", v.entry.URL, r.page.Error))
		}
	default:
		if err == nil {
			v.document(ctx, &r, resp)
		}
		if ctx.Err() != nil {
			r.dropped = true
			return r
		}
		v.emit(ctx, &r)
	}
	return r
}

// Exchange implements fetch.Exchanger for the hops of the visit: each must be
// allowed by its own host's robots.txt.
func (v *visit) Exchange(ctx context.Context, q *fetch.Request) (*fetch.Response, error) {
	host := hostKey(q.URL)
	if !v.plan.IgnoreRobots {
		robots, refuse, err := v.robotsOf(ctx, host)
		if err != nil {
			return nil, err
		}
		if refuse != nil {
			return nil, &refusedHop{*refuse}
		}
		if !robots.Allowed(targetOf(q.URL)) {
			return nil, &refusedHop{verdict{outcome: messages.OutcomeRobots, reason: "robots", msg: "robots.txt does not allow " + clipped(q.URL)}}
		}
	}
	v.last = host
	at := time.Now()
	resp, err := v.fetcher.Exchange(ctx, q)
	if err == nil && v.plan.KeepExchanges {
		v.made = append(v.made, CrawlExchange{At: at, Request: q, Response: resp})
	}
	return resp, err
}

// refusedHop ends a visit whose redirect leads to what must not be asked for.
type refusedHop struct{ verdict }

func (e *refusedHop) Error() string { return e.msg }

func (v *visit) robotsOf(ctx context.Context, host string) (*policy.Robots, *verdict, error) {
	if host == v.entry.Host {
		return v.robots, nil, nil
	}
	reply := make(chan robotsAnswer, 1)
	v.root.Send(v.crawl, robotsWanted{host: host, reply: reply})
	select {
	case a := <-reply:
		return a.robots, a.refuse, nil
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("wait for robots.txt of %s: %w", host, ctx.Err())
	}
}

// failed judges an attempt without an answer.
func (v *visit) failed(ctx context.Context, r *visited, err error) {
	p := &r.page
	var hop *refusedHop
	if errors.As(err, &hop) {
		p.Outcome, p.Reason, p.Error, p.RetryAfter = hop.outcome, hop.reason, hop.msg, hop.retryAfter
		return
	}
	e := failure(ctx, messages.Navigate{URL: v.entry.URL}, err)
	p.Outcome, p.Reason = outcomeOfFailure(e)
	p.Error = e.Msg
	if d, ok := e.Detail.(messages.NavigationDetail); ok {
		p.Status, p.ContentType = d.Status, d.ContentType
		if d.URL != v.entry.URL {
			p.FinalURL = d.URL
		}
	}
	most := v.plan.Attempts
	switch fetch.Reason(p.Reason) {
	case fetch.Timeout:
		most = min(most, 2)
		fallthrough
	case fetch.Reset, fetch.Connect:
		r.weak = true
		if fetch.Reason(p.Reason) != fetch.Reset || p.Status == 0 {
			r.objected = backoff(v.attempt, rand.Float64())
		}
		r.retry, r.wait = v.attempt < most, r.objected
	case fetch.DNS:
		r.weak = true
	}
}

// outcomeOfFailure is the outcome and reason of a navigation that failed.
func outcomeOfFailure(e *messages.Error) (messages.Outcome, string) {
	reason := string(e.Code)
	if d, ok := e.Detail.(messages.NavigationDetail); ok && d.Reason != "" {
		reason = d.Reason
	}
	switch {
	case e.Code == messages.Timeout:
		return messages.OutcomeTimeout, reason
	case e.Code == messages.Blocked:
		return messages.OutcomeBlocked, reason
	case reason == string(fetch.HTTPStatus):
		return messages.OutcomeHTTPError, reason
	}
	return messages.OutcomeFailed, reason
}

// answered judges the status of an answer.
func (v *visit) answered(r *visited, resp *fetch.Response) {
	p := &r.page
	p.FinalURL, p.Status, p.Incomplete = resp.URL, resp.Status, resp.Incomplete
	p.ContentType = resp.Header.Get("Content-Type")
	p.Fetch, p.HTMLBytes = resp.Took, len(resp.Body)
	r.bytes = len(resp.Body)
	if resp.Status < 400 {
		return
	}
	p.Outcome, p.Reason = messages.OutcomeHTTPError, "http_status"
	wait, asked := fetch.RetryAfter(resp.Header, time.Now())
	switch resp.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		asked = false
	default:
		return
	}
	if !asked {
		wait = backoff(v.attempt, rand.Float64())
	}
	if resp.Status == http.StatusTooManyRequests || asked {
		p.Outcome, p.Reason = messages.OutcomeRateLimited, "rate_limited"
	}
	r.weak = true
	if wait > v.plan.MaxWait {
		p.RetryAfter = wait
		p.Error = fmt.Sprintf("the host asks to wait %s, longer than %s", wait, v.plan.MaxWait)
		r.giveUp = &verdict{outcome: p.Outcome, reason: p.Reason, msg: p.Error, retryAfter: wait}
		return
	}
	r.objected = max(wait, time.Millisecond)
	r.retry, r.wait = v.attempt < v.plan.Attempts, r.objected
}

// document makes what was asked for of an answer.
func (v *visit) document(ctx context.Context, r *visited, resp *fetch.Response) {
	p := &r.page
	start := time.Now()
	kind := mime.Classify(resp.Header, resp.Body)
	if p.Outcome == "" {
		p.Outcome = messages.OutcomeOK
		if kind.Kind != mime.HTML && kind.Kind != mime.XHTML {
			p.Outcome = messages.OutcomeNotHTML
		}
	}
	if kind.Kind == mime.Binary || len(resp.Body) == 0 {
		return
	}
	text, encoding := charset.Decode(resp.Body, p.ContentType)
	var out skim.Skimmed
	var doc *som.Page
	if html := kind.Kind == mime.HTML || kind.Kind == mime.XHTML; html && v.plan.Format == CrawlOutline {
		out = skim.Scan(text)
	} else {
		in := som.Input{URL: resp.URL, ContentType: p.ContentType, Source: text, HTMLBytes: len(resp.Body)}
		if in.ContentType == "" {
			in.ContentType = kind.Essence
		}
		var err error
		if doc, err = v.pages.Compile(ctx, in, som.Options{}); err != nil {
			return // ctx is done
		}
		if html {
			out = skim.Walk(doc.Root)
		}
		out.Title = doc.Title
		if v.plan.Format == CrawlOutline {
			out.Text = strings.Join(strings.Fields(doc.Text()), " ")
		}
	}
	if kind.Kind == mime.Feed {
		_ = policy.ReadSitemap(text, func(e policy.SitemapEntry) bool { // what can be read of it
			out.Links = append(out.Links, skim.Link{Href: e.Loc})
			return true
		})
	}
	p.Title = out.Title
	v.directives(p, resp.Header, out.Robots)
	v.links(r, out, encoding)
	if p.Outcome == messages.OutcomeOK {
		r.hash = contentHash(resp.Body)
		p.DuplicateOf = v.content.claim(r.hash, p.URL)
	}
	if p.NoIndex {
		p.Title, v.made = "", nil
	} else {
		v.render(p, doc, out)
	}
	p.Compile = time.Since(start)
}

// contentHash is made of two checksums that processors compute, because a
// cryptographic one would be a visible part of a crawl's time. 0 is none.
func contentHash(body []byte) uint64 {
	h := uint64(crc32.ChecksumIEEE(body))<<32 | uint64(crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	return max(h^uint64(len(body)), 1)
}

func (v *visit) render(p *messages.CrawledPage, doc *som.Page, out skim.Skimmed) {
	switch v.plan.Format {
	case CrawlSOM:
		p.SOM = doc.JSON()
	case CrawlText:
		p.Text = doc.Text()
	case CrawlMarkdown:
		p.Markdown = doc.Markdown()
	case CrawlOutline:
		p.Text = out.Text
	case CrawlFields:
		data, _, err := doc.Extract(v.plan.Names, v.plan.Fields)
		if err != nil {
			p.Error = err.Msg
			return
		}
		p.Fields = data
	}
}

// directives heeds X-Robots-Tag and robots meta, those for everybody and those
// for this crawler (Google, "Robots meta tags specifications").
func (v *visit) directives(p *messages.CrawledPage, h http.Header, metas []skim.Meta) {
	if v.plan.IgnoreRobots {
		return
	}
	for _, value := range h.Values("X-Robots-Tag") {
		if name, rest, ok := strings.Cut(value, ":"); ok && !strings.ContainsAny(name, ",") && !directiveWithValue(name) {
			if !strings.EqualFold(strings.TrimSpace(name), v.plan.Token) {
				continue
			}
			value = rest
		}
		heed(p, value)
	}
	for _, m := range metas {
		if m.Name == "robots" || strings.EqualFold(m.Name, v.plan.Token) {
			heed(p, m.Content)
		}
	}
}

// directiveWithValue are the directives that have a colon of their own.
func directiveWithValue(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

func heed(p *messages.CrawledPage, directives string) {
	for d := range strings.SplitSeq(directives, ",") {
		switch strings.ToLower(strings.TrimSpace(d)) {
		case "noindex":
			p.NoIndex = true
		case "nofollow":
			p.NoFollow = true
		case "none":
			p.NoIndex, p.NoFollow = true, true
		}
	}
}

// links resolves what the page links to, and finds what may be followed.
func (v *visit) links(r *visited, out skim.Skimmed, encoding string) {
	p := &r.page
	base := p.FinalURL
	if out.Base != "" {
		if u, err := weburl.NewResolver(base), error(nil); err == nil {
			if b, ok := u.Resolve(out.Base); ok {
				base = b
			}
		}
	}
	resolver := weburl.NewResolver(base, weburl.QueryEncoding(encoding))
	if out.Canonical != "" {
		if c, ok := webAddress(resolver, out.Canonical); ok && c != withoutFragment(p.FinalURL) {
			p.Canonical = c
		}
	}
	if out.Refresh != "" {
		out.Links = append(out.Links, skim.Link{Href: out.Refresh})
	}
	follow := !p.NoFollow && (v.plan.Depth < 0 || v.entry.Depth < v.plan.Depth) && p.Status < 400
	parent := policy.Shape{}
	if follow {
		parent = shapeOf(v.entry.URL, v.plan.Traps)
	}
	known := make(map[string]bool, len(out.Links))
	p.Links = make([]string, 0, len(out.Links))
	for _, l := range out.Links {
		url, ok := webAddress(resolver, l.Href)
		if !ok || known[url] {
			continue
		}
		known[url] = true
		p.Links = append(p.Links, url)
		if !follow || l.NoFollow && !v.plan.IgnoreRobots {
			continue
		}
		key := v.seen.key(url)
		if v.seen.has(key) {
			continue
		}
		if v.plan.Admit != nil && !v.plan.Admit(CrawlLink{URL: url, From: p.URL, Depth: v.entry.Depth + 1}) {
			continue
		}
		c := candidate{url: url, host: hostKey(url), key: key, from: p.URL, depth: v.entry.Depth + 1}
		if c.host == v.entry.Host {
			c.parent, c.chain = parent.Pattern, v.entry.Chain
		}
		r.links = append(r.links, c)
	}
}

// webAddress resolves an href; ok is false if it leads out of the web.
func webAddress(r *weburl.Resolver, href string) (string, bool) {
	url, ok := r.Resolve(href)
	if !ok || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return "", false
	}
	return withoutFragment(url), true
}

func withoutFragment(url string) string {
	if i := strings.IndexByte(url, '#'); i >= 0 {
		return url[:i]
	}
	return url
}

// emit tells the sink and takes its records; the report keeps no content.
func (v *visit) emit(ctx context.Context, r *visited) {
	if v.entry.Kind != store.KindPage {
		if v.refuse != nil {
			r.warn = append(r.warn, fmt.Sprintf("sitemap %s: %s", v.entry.URL, v.refuse.msg))
		}
		return
	}
	r.records, r.err = v.plan.Sink(ctx, &Visit{CrawledPage: r.page, Exchanges: v.made})
	if r.err != nil && ctx.Err() != nil {
		r.dropped, r.err = true, nil
	}
	p := &r.page
	p.SOM, p.Text, p.Markdown, p.Fields, p.Links = nil, "", "", nil, nil
}
