package actors

import (
	"time"

	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/store"
)

// crawlHost is what a crawl knows of one host: what waits, and how gently it
// has to be treated. Its methods are decisions on values.
type crawlHost struct {
	name  string
	lanes [2]crawlLane // taken in this order; the second one is for late entries
	again []retry      // to be tried again

	robots   *policy.Robots // nil: not known yet
	stale    *policy.Robots // the rules that are being asked for again; nil: none
	robotsAt time.Time
	asking   bool // robots.txt is under way
	tries    int  // of robots.txt
	askers   []chan<- robotsAnswer
	refuse   *verdict // not nil: nothing is asked of it any more
	strikes  int      // pages that failed one after the other

	active   int
	limit    int           // at once, now: grows while it answers, falls when it objects
	interval time.Duration // between requests, by flag or Crawl-delay
	slow     time.Duration // added by its objections
	next     time.Time     // of the next request by interval
	paused   time.Time

	given    int // requests counted against its budget
	patterns map[string]int32
	done     int
	answers  int
	spent    time.Duration

	queued bool      // in the ring, or hot
	inRow  int       // pages given in a row
	wake   time.Time // in the heap, if index >= 0
	index  int
}

// crawlLane is a queue whose head is in memory and whose rest is in the store.
type crawlLane struct {
	window    []store.Entry
	spilled   int    // in the store, behind the window
	last      uint64 // newest entry that was in the window
	refilling bool
}

// retry is an entry that was tried and will be again.
type retry struct {
	entry    store.Entry
	at       time.Time
	attempts int
	waited   time.Duration
}

// verdict is why a host's pages are given up without asking.
type verdict struct {
	outcome    messages.Outcome
	reason     string
	msg        string
	retryAfter time.Duration
}

// What a lane keeps in memory: windowSize entries, asked for when lowWindow are
// left. A crawl of many hosts keeps fewer of each.
const (
	windowSize  = 64
	lowWindow   = 16
	manyHosts   = 1000
	smallWindow = 12
)

// maxStrikes is how many pages of a host fail in a row, each after all its
// attempts, before the rest is given up.
const maxStrikes = 3

// maxHostPatterns bounds what is remembered of one host's patterns.
const maxHostPatterns = 5_000

func newCrawlHost(name string, interval time.Duration) *crawlHost {
	return &crawlHost{name: name, limit: 1, interval: interval, index: -1, patterns: make(map[string]int32)}
}

// waiting is how many entries wait, wherever they are.
func (h *crawlHost) waiting() int {
	n := len(h.again)
	for i := range h.lanes {
		n += len(h.lanes[i].window) + h.lanes[i].spilled
	}
	return n
}

// add puts a new entry into its lane and says whether it is in memory.
func (h *crawlHost) add(e store.Entry, window int) (held bool) {
	l := &h.lanes[laneOf(e.Late)]
	if l.spilled > 0 || l.refilling || len(l.window) >= window {
		l.spilled++
		return false
	}
	l.window = append(l.window, e)
	l.last = e.N
	return true
}

func laneOf(late bool) int {
	if late {
		return 1
	}
	return 0
}

// wants says which lane should be filled up from the store now.
func (h *crawlHost) wants() (lane int, ok bool) {
	for i := range h.lanes {
		if l := &h.lanes[i]; l.spilled > 0 && !l.refilling && len(l.window) <= lowWindow/2 {
			return i, true
		}
	}
	return 0, false
}

// refilled takes what came from the store.
func (h *crawlHost) refilled(lane int, es []store.Entry) {
	l := &h.lanes[lane]
	l.refilling = false
	if len(es) == 0 {
		l.spilled = 0 // the store knows better
		return
	}
	l.window = append(l.window, es...)
	l.spilled = max(l.spilled-len(es), 0)
	l.last = es[len(es)-1].N
}

// due says when the next entry may go: ok is false if there is none in memory
// or the host is as busy as it may be. A refused host's entries go at once.
func (h *crawlHost) due(now time.Time, l limits) (at time.Time, ok bool) {
	fresh := !l.maxed && h.fresh()
	if !fresh && len(h.again) == 0 {
		return time.Time{}, false
	}
	if h.refuse != nil {
		return now, true
	}
	if h.asking || h.active >= h.limit || h.exhausted(l.perHost) {
		return time.Time{}, false
	}
	at = later(h.next, h.paused)
	if !fresh {
		first := h.again[0].at
		for _, r := range h.again[1:] {
			if r.at.Before(first) {
				first = r.at
			}
		}
		at = later(at, first)
	}
	return at, true
}

// fresh says that an entry that was not tried yet is in memory.
func (h *crawlHost) fresh() bool {
	return len(h.lanes[0].window) > 0 || len(h.lanes[1].window) > 0 && h.lanes[0].spilled == 0
}

// limits are the crawl's that bear on every host.
type limits struct {
	perHost int  // requests; 0: none
	maxed   bool // all pages that the crawl may have are given out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// take removes the next entry. due must have allowed it.
func (h *crawlHost) take(now time.Time, l limits) retry {
	for i, r := range h.again {
		if !r.at.After(now) || h.refuse != nil || l.maxed {
			h.again = append(h.again[:i], h.again[i+1:]...)
			return r
		}
	}
	lane := &h.lanes[0]
	if len(lane.window) == 0 {
		lane = &h.lanes[1]
	}
	e := lane.window[0]
	lane.window = lane.window[1:]
	if len(lane.window) == 0 {
		lane.window = nil
	}
	return retry{entry: e}
}

// started notes a request that goes out now.
func (h *crawlHost) started(now time.Time) {
	h.active++
	h.given++
	if d := h.interval + h.slow; d > 0 {
		h.next = now.Add(d)
	}
}

// answered notes a good answer: the host is trusted with a little more.
func (h *crawlHost) answered(took time.Duration, perHost int) {
	h.answers++
	h.spent += took
	h.strikes = 0
	h.limit = min(h.limit+1, perHost)
	if h.slow = h.slow * 4 / 5; h.slow < 50*time.Millisecond {
		h.slow = 0
	}
}

// objected notes that the host is overloaded: nothing for a while, then one at
// a time and more slowly.
func (h *crawlHost) objected(now time.Time, wait time.Duration) {
	h.paused = later(h.paused, now.Add(wait))
	h.limit = 1
	h.slow = min(max(2*h.slow, 250*time.Millisecond), 30*time.Second)
}

// failed notes a page that failed for good because of its host; after some of
// them in a row the host is given up.
func (h *crawlHost) failed(p *messages.CrawledPage) {
	if h.strikes++; h.strikes < maxStrikes || h.refuse != nil {
		return
	}
	h.refuse = &verdict{outcome: p.Outcome, reason: "host_down", msg: "given up: the host failed " + p.Reason + " for several pages in a row"}
	if p.Outcome == messages.OutcomeRateLimited {
		h.refuse.reason = p.Reason
	}
}

// obey takes over what robots.txt says.
func (h *crawlHost) obey(r *policy.Robots, interval, most time.Duration) {
	h.robots = r
	if d, ok := r.CrawlDelay(); ok {
		h.interval = max(interval, min(d, most))
	}
}

// exhausted says that the host's budget is used up.
func (h *crawlHost) exhausted(budget int) bool {
	return budget > 0 && h.given >= budget && h.refuse == nil
}

func (h *crawlHost) mean() time.Duration {
	if h.answers == 0 {
		return 0
	}
	return h.spent / time.Duration(h.answers)
}

// note says in a few words what keeps a host.
func (h *crawlHost) note(now time.Time) string {
	switch {
	case h.refuse != nil:
		return "given up"
	case h.paused.After(now):
		return "paused for " + h.paused.Sub(now).Round(time.Second).String()
	case h.slow > 0:
		return "backing off"
	}
	return ""
}

// backoff is the wait before the next attempt of something that failed attempts
// times, if the host asked for none.
func backoff(attempts int, random float64) time.Duration { return fetch.Backoff(attempts, random) }
