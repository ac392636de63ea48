package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/cache"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/som/weburl"
	"plasmate/store"
)

// crawl sweeps: it owns the frontier and gives each URL to an errand that
// visits it. It takes on a page only when another is done, so that what runs at
// once is bounded, and only as fast as the journal writes.
type crawl struct {
	plan    Crawl
	census  *census
	pool    *actor.PID
	fetcher *fetcher
	pages   *cache.Pages
	front   *frontier
	content *contents
	journal *actor.PID
	ended   chan<- crawlEnd

	active  int // visits under way
	robots  int // robots.txt under way
	unsaved int // bytes on their way to the journal
	errands map[string]*actor.PID
	armed   time.Time // when a timer will wake the crawl; zero: none

	began    time.Time
	outcomes map[messages.Outcome]int
	done     int
	bytes    int64
	rate     meter
	warnings []string

	seeded   bool // all seeds are admitted
	seedNext int  // where the seeds go on when the journal has written; 0: not waiting
	stopping bool // nothing new is begun
	closing  bool // the journal is asked to close
	err      error
}

type crawlEnd struct {
	status messages.CrawlStatus
	err    error
}

type (
	stopCrawl   struct{ err error }
	statusAsked struct{ reply chan<- messages.CrawlStatus }
	// pumpDue wakes the crawl for hosts whose time has come.
	pumpDue struct{}
)

// maxUnsaved is how much may be on its way to the journal.
const maxUnsaved = 32 << 20

// maxWarnings bounds what is remembered of sitemaps and robots.txt.
const maxWarnings = 100

// CrawlRun is a crawl under way.
type CrawlRun struct {
	root  *actor.RootContext
	pid   *actor.PID
	ended chan struct{}
	end   crawlEnd
}

// Crawl begins a crawl, or goes on with the one that is in the plan's store.
// When ctx is done it stops: what is under way is dropped and waits in the
// store. The error is that of a seed that is no URL, or of the store.
func (s *System) Crawl(ctx context.Context, plan Crawl) (*CrawlRun, error) {
	plan = plan.withDefaults()
	ended := make(chan crawlEnd, 1)
	w := &crawl{
		plan: plan, census: s.census, pool: s.pool, fetcher: s.fetcher, pages: s.cfg.Pages,
		content: newContents(), ended: ended,
		errands: make(map[string]*actor.PID), outcomes: make(map[messages.Outcome]int), began: time.Now(),
	}
	w.front = newFrontier(&w.plan)
	if err := w.load(); err != nil {
		return nil, err
	}
	if err := w.checkSeeds(); err != nil {
		return nil, err
	}
	run := &CrawlRun{root: s.sys.Root, ended: make(chan struct{})}
	run.pid = s.sys.Root.Spawn(s.census.props(kindCrawl, func() actor.Actor { return w }))
	if !s.crawls.add(run) {
		s.sys.Root.Stop(run.pid)
		return nil, messages.Errorf(messages.Canceled, "the engine is closed")
	}
	s.sys.Root.Send(run.pid, admitSeeds{})
	unhook := context.AfterFunc(ctx, func() { run.stop(context.Cause(ctx)) })
	go func() {
		run.end = <-ended
		unhook()
		s.crawls.remove(run)
		_ = s.sys.Root.PoisonFuture(run.pid).Wait() // bounded by protoactor: 10 s
		close(run.ended)
	}()
	return run, nil
}

// Wait returns when the crawl has ended: nothing of it runs any more and all
// that is done is in its store. The error is why it ended early.
func (r *CrawlRun) Wait() (messages.CrawlStatus, error) {
	<-r.ended
	return r.end.status, r.end.err
}

// Done is closed when the crawl has ended.
func (r *CrawlRun) Done() <-chan struct{} { return r.ended }

// Status says how far the crawl has got.
func (r *CrawlRun) Status() messages.CrawlStatus {
	reply := make(chan messages.CrawlStatus, 1)
	r.root.Send(r.pid, statusAsked{reply})
	select {
	case s := <-reply:
		return s
	case <-r.ended:
		return r.end.status
	}
}

func (r *CrawlRun) stop(err error) { r.root.Send(r.pid, stopCrawl{err: err}) }

// crawls are the crawls under way, to be stopped with the system. It is safe
// for concurrent use.
type crawls struct {
	mu     sync.Mutex
	runs   map[*CrawlRun]struct{}
	closed bool
}

func (c *crawls) add(r *CrawlRun) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	if c.runs == nil {
		c.runs = make(map[*CrawlRun]struct{})
	}
	c.runs[r] = struct{}{}
	return true
}

func (c *crawls) remove(r *CrawlRun) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.runs, r)
}

// stop ends all and returns when they have, or ctx is done.
func (c *crawls) stop(ctx context.Context) {
	c.mu.Lock()
	c.closed = true
	runs := slices.Collect(maps.Keys(c.runs))
	c.mu.Unlock()
	for _, r := range runs {
		r.stop(messages.Errorf(messages.Canceled, "the engine is closed"))
	}
	for _, r := range runs {
		select {
		case <-r.ended:
		case <-ctx.Done():
		}
	}
}

// load takes over what the store holds of an earlier run.
func (w *crawl) load() error {
	f := w.front
	marks, err := w.plan.Store.Marks()
	if err != nil {
		return err
	}
	for host := range strings.FieldsSeq(marks[markScope]) {
		f.scope[host] = true
	}
	return w.plan.Store.Load(func(i store.Item) error {
		f.seen.add(f.seen.key(i.URL))
		f.last = max(f.last, i.N)
		h := f.host(i.Host)
		if s := shapeOf(i.URL, w.plan.Traps); s.Counted && i.Kind == store.KindPage && len(h.patterns) < maxHostPatterns {
			h.patterns[s.Pattern]++
		}
		if !i.Done {
			h.lanes[laneOf(i.Late)].spilled++
			f.waiting++
			return nil
		}
		if i.Kind != store.KindPage {
			return nil
		}
		f.pages++
		h.given++
		h.done++
		w.done++
		w.outcomes[messages.Outcome(i.Outcome)]++
		if i.Content != 0 {
			w.content.claim(i.Content, i.URL)
		}
		return nil
	})
}

// markScope lists the hosts whose links are followed.
const markScope = "scope"

// seedChunk is how many seeds are admitted in one go, so that a list of a
// million is never there a second time.
const seedChunk = 5_000

// checkSeeds finds the seed that is no URL.
func (w *crawl) checkSeeds() error {
	for _, urls := range [][]string{w.plan.Seeds, w.plan.Sitemaps} {
		for _, s := range urls {
			if _, ok := w.seed(s, store.KindPage); !ok {
				return &messages.Error{Code: messages.Invalid, Msg: fmt.Sprintf("%q is not an absolute http or https URL", clipped(s)),
					Detail: messages.ParamDetail{Param: "url", Expected: "absolute http or https URL"}}
			}
		}
	}
	return nil
}

func (w *crawl) seed(s string, kind store.Kind) (candidate, bool) {
	u, err := weburl.Parse(s)
	if err != nil || !policy.Scheme(u.Scheme()) || u.Hostname() == "" {
		return candidate{}, false
	}
	url := u.WithoutFragment().String()
	return candidate{url: url, host: hostKey(url), key: w.front.seen.key(url), kind: kind, trusted: true}, true
}

// admitSeeds asks for the seeds from one on to be admitted.
type admitSeeds struct{ from int }

func (w *crawl) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		w.journal = c.Spawn(w.census.props(kindJournal, func() actor.Actor {
			return &journal{census: w.census, store: w.plan.Store, outputs: w.plan.Outputs}
		}))
	case admitSeeds:
		w.admitSeeds(c, m)
	case visited:
		w.visited(c, m)
	case robotsGot:
		w.robotsGot(c, m)
	case robotsWanted:
		w.robotsWanted(c, m)
	case robotsAgain:
		w.askRobots(c, w.front.host(m.host))
	case refilled:
		w.refilled(c, m)
	case jotted:
		w.jotted(c, m)
	case pumpDue:
		w.armed = time.Time{}
		w.pump(c)
	case statusAsked:
		m.reply <- w.status()
	case stopCrawl:
		w.stop(c, m.err)
	case journalClosed:
		w.end(c, m.err)
	case *actor.Terminated:
		w.terminated(c, m)
	}
}

func (w *crawl) admitSeeds(c actor.Context, m admitSeeds) {
	var added []store.Entry
	admit := func(urls []string, kind store.Kind) {
		for _, s := range urls {
			seed, ok := w.seed(s, kind)
			if !ok {
				continue // checked before
			}
			w.front.scope[seed.host] = true
			if e, ok := w.front.admit(seed); ok {
				added = append(added, e)
			}
		}
	}
	if m.from == 0 {
		admit(w.plan.Sitemaps, store.KindSitemap)
	}
	to := min(m.from+seedChunk, len(w.plan.Seeds))
	admit(w.plan.Seeds[m.from:to], store.KindPage)
	if to < len(w.plan.Seeds) {
		w.jot(c, jot{add: added})
		w.seedNext = to
		w.moreSeeds(c)
		w.pump(c)
		return
	}
	w.seeded, w.plan.Seeds = true, nil
	w.jot(c, jot{add: added, marks: map[string]string{
		markScope: w.scopeMark(), MarkFinished: "", MarkDepth: strconv.Itoa(w.plan.Depth),
	}})
	for _, h := range w.front.hosts {
		w.fill(c, h)
		w.front.touch(h)
	}
	w.pump(c)
}

// moreSeeds goes on with the seeds as fast as the journal writes.
func (w *crawl) moreSeeds(c actor.Context) {
	if w.seedNext > 0 && w.unsaved < maxUnsaved/4 {
		c.Send(c.Self(), admitSeeds{from: w.seedNext})
		w.seedNext = 0
	}
}

func (w *crawl) scopeMark() string {
	return strings.Join(slices.Sorted(maps.Keys(w.front.scope)), "\n")
}

func (w *crawl) jot(c actor.Context, j jot) {
	j.bytes = 160*len(j.add) + 64*len(j.done)
	for _, r := range j.records {
		j.bytes += len(r)
	}
	w.unsaved += j.bytes
	c.Send(w.journal, j)
}

func (w *crawl) jotted(c actor.Context, m jotted) {
	w.unsaved -= m.bytes
	if m.err != nil {
		w.stop(c, m.err)
		return
	}
	w.moreSeeds(c)
	w.pump(c)
}

// fill has a host's window filled up from the store if it runs low.
func (w *crawl) fill(c actor.Context, h *crawlHost) {
	i, ok := h.wants()
	if !ok || w.stopping {
		return
	}
	l := &h.lanes[i]
	l.refilling = true
	c.Send(w.journal, refill{host: h.name, lane: i, after: l.last, limit: w.front.window()})
}

func (w *crawl) refilled(c actor.Context, m refilled) {
	h := w.front.host(m.host)
	h.refilled(m.lane, m.entries)
	w.fill(c, h)
	w.front.touch(h)
	w.pump(c)
}

// pump gives out what may go now and sees to it that the crawl wakes up for
// the rest, or ends.
func (w *crawl) pump(c actor.Context) {
	var held []*crawlHost // whose robots.txt has to wait for others
	for !w.stopping && w.active < w.plan.Concurrency && w.unsaved < maxUnsaved {
		now := time.Now()
		h, wake := w.front.next(now)
		if h == nil {
			w.arm(c, wake)
			break
		}
		if h.renew(now); h.robots == nil && h.refuse == nil && !w.plan.IgnoreRobots {
			if w.robots >= w.plan.Concurrency {
				held = append(held, h)
				continue
			}
			w.askRobots(c, h)
			w.front.touch(h)
			continue
		}
		w.dispatch(c, h, h.take(now, w.front.limits()), now)
		w.fill(c, h)
		w.front.touch(h)
	}
	for _, h := range held {
		w.front.touch(h)
	}
	w.finish(c)
}

func (w *crawl) arm(c actor.Context, at time.Time) {
	if at.IsZero() || !w.armed.IsZero() && !w.armed.After(at) {
		return
	}
	w.armed = at
	root, self := c.ActorSystem().Root, c.Self()
	time.AfterFunc(time.Until(at), func() { root.Send(self, pumpDue{}) })
}

// dispatch has one entry visited. What must not be asked for is visited too,
// so that it leaves its record, but nothing goes out.
func (w *crawl) dispatch(c actor.Context, h *crawlHost, r retry, now time.Time) {
	v := &visit{
		plan: &w.plan, fetcher: w.fetcher, pages: w.pages, seen: w.front.seen, content: w.content,
		root: c.ActorSystem().Root, crawl: c.Self(),
		entry: r.entry, attempt: r.attempts + 1, waited: r.waited, robots: h.robots, refuse: h.refuse,
	}
	if v.refuse == nil && !h.robots.Allowed(targetOf(r.entry.URL)) && !w.plan.IgnoreRobots {
		v.refuse = &verdict{outcome: messages.OutcomeRobots, reason: "robots", msg: "robots.txt does not allow it"}
	}
	if v.refuse == nil {
		h.started(now)
		if r.attempts == 0 && r.entry.Kind == store.KindPage {
			w.front.pages++
		}
	} else {
		v.attempt = r.attempts
	}
	w.active++
	w.spawn(c, v.run, v.crashed)
}

// targetOf is path and query of a serialised URL.
func targetOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return rest[i:]
	}
	return "/"
}

func (w *crawl) spawn(c actor.Context, run func(context.Context) any, failed func(any) any) {
	pid := c.Spawn(w.census.props(kindErrand, func() actor.Actor {
		return &errand{census: w.census, run: run, failed: failed}
	}))
	w.errands[pid.Id] = pid
}

func (w *crawl) terminated(c actor.Context, m *actor.Terminated) {
	delete(w.errands, m.Who.Id)
	if w.journal != nil && m.Who.Id == w.journal.Id && !w.closing {
		w.closing = true
		w.stop(c, errors.New("the journal crashed"))
		w.end(c, nil)
	}
}

func (w *crawl) warn(s string) {
	if len(w.warnings) < maxWarnings {
		w.warnings = append(w.warnings, s)
	}
}

// stop begins nothing new, cancels what is under way and closes the journal.
func (w *crawl) stop(c actor.Context, err error) {
	w.err = cmp.Or(w.err, err)
	if w.stopping {
		return
	}
	w.stopping = true
	for _, pid := range w.errands {
		c.Send(pid, cancelErrand{})
	}
	w.finish(c)
}

// finish closes the journal when nothing is left to do.
func (w *crawl) finish(c actor.Context) {
	if w.closing || w.active > 0 || w.robots > 0 {
		return
	}
	if !w.stopping && (!w.seeded || !w.front.idle()) {
		return
	}
	w.closing = true
	var marks map[string]string
	if !w.stopping {
		w.front.budgets()
		if w.front.waiting == 0 {
			marks = map[string]string{MarkFinished: "yes"}
		}
	}
	c.Send(w.journal, closeJournal{marks: marks})
}

func (w *crawl) end(_ actor.Context, err error) {
	w.err = cmp.Or(w.err, err)
	s := w.status()
	s.Finished = w.err == nil
	w.ended <- crawlEnd{status: s, err: w.err}
}

func (w *crawl) status() messages.CrawlStatus {
	now := time.Now()
	s := messages.CrawlStatus{
		Outcomes: maps.Clone(w.outcomes), Done: w.done, Waiting: w.front.waiting, Active: w.active,
		Bytes: w.bytes, Elapsed: now.Sub(w.began), Rate: w.rate.perSecond(now, w.began),
		Slow: w.front.slowest(now, 5), Hosts: len(w.front.hosts), Traps: w.front.reports(),
		Warnings: slices.Clone(w.warnings), BudgetReached: w.front.leftOut > 0,
	}
	if s.Rate > 0 {
		s.ETA = time.Duration(float64(s.Waiting) / s.Rate * float64(time.Second))
	}
	return s
}

// meter counts events of the last ten seconds.
type meter struct {
	counts [10]int
	second int64 // of the newest count
}

func (m *meter) add(now time.Time) {
	m.advance(now.Unix())
	m.counts[now.Unix()%10]++
}

func (m *meter) advance(second int64) {
	for ; m.second < second; m.second++ {
		if second-m.second > 10 {
			m.second = second - 10
		}
		m.counts[(m.second+1)%10] = 0
	}
}

func (m *meter) perSecond(now, since time.Time) float64 {
	m.advance(now.Unix())
	sum := 0
	for _, n := range m.counts {
		sum += n
	}
	return float64(sum) / min(max(now.Sub(since).Seconds(), 0.1), 9.5)
}
