package actors

import (
	"cmp"
	"container/heap"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"plasmate/messages"
	"plasmate/policy"
	"plasmate/som/weburl"
	"plasmate/store"
)

// frontier decides which URL is next: hosts take turns, so that neither a slow
// nor a huge one holds up the others. It belongs to the crawl actor.
type frontier struct {
	plan  *Crawl
	seen  *seenSet
	hosts map[string]*crawlHost
	scope map[string]bool // hosts whose links are followed, unless AnyHost
	ring  []*crawlHost    // may have something to give now
	hot   []*crawlHost    // the same, and were just asked: they go first
	naps  napHeap         // wait for their time

	last    uint64 // entry admitted last
	pages   int    // given out to be fetched, finished ones of earlier runs included
	waiting int
	traps   map[trapKey]*messages.TrapReport
	leftOut int // by budgets
}

type trapKey struct {
	host, pattern string
	guard         policy.Trap
}

// The guards that are budgets.
const (
	guardHost policy.Trap = "pages_per_host"
	guardAll  policy.Trap = "max_pages"
)

// maxTraps bounds the guards that are reported one by one.
const maxTraps = 1_000

// lateAfter is how many pages of one counted pattern go before those of new
// patterns, as long as no budget makes it fewer.
const lateAfter = 64

func newFrontier(plan *Crawl) *frontier {
	return &frontier{
		plan: plan, seen: newSeenSet(), hosts: make(map[string]*crawlHost),
		scope: make(map[string]bool), traps: make(map[trapKey]*messages.TrapReport),
	}
}

func (f *frontier) host(name string) *crawlHost {
	h, ok := f.hosts[name]
	if !ok {
		h = newCrawlHost(name, f.plan.Interval)
		f.hosts[name] = h
	}
	return h
}

func (f *frontier) limits() limits {
	return limits{perHost: f.plan.MaxPerHost, maxed: f.plan.MaxPages > 0 && f.pages >= f.plan.MaxPages}
}

// window is how many entries of one lane are kept in memory.
func (f *frontier) window() int {
	if len(f.hosts) > manyHosts {
		return smallWindow
	}
	return windowSize
}

// candidate is a URL that may become an entry.
type candidate struct {
	url     string // without fragment
	host    string // its origin
	key     uint64
	kind    store.Kind
	from    string
	depth   int
	parent  string // pattern of the page it was found on, "" for other hosts
	chain   int    // of that page
	trusted bool   // given by the user: no scope, no guard
}

// admit makes an entry of a candidate that is new, in scope and no trap.
func (f *frontier) admit(c candidate) (store.Entry, bool) {
	if !c.trusted && !f.plan.AnyHost && !f.scope[c.host] || !f.seen.add(c.key) {
		return store.Entry{}, false
	}
	h := f.host(c.host)
	e := store.Entry{N: f.last + 1, Host: c.host, Kind: c.kind, URL: c.url, Referrer: c.from, Depth: c.depth}
	if !c.trusted && c.kind == store.KindPage {
		shape := shapeOf(c.url, f.plan.Traps)
		if guard := f.judge(h, c, shape, &e); guard != policy.TrapNone {
			f.trapped(c.host, guard, shape, 1)
			return store.Entry{}, false
		}
	}
	f.last++
	e.Held = h.add(e, f.window())
	f.waiting++
	f.touch(h)
	return e, true
}

func shapeOf(url string, l policy.TrapLimits) policy.Shape {
	path, query, has := "/", "", false
	if u, err := weburl.Parse(url); err == nil {
		path, query, has = u.Path(), u.Query(), u.HasQuery()
	}
	return policy.ShapeOf(path, query, has, l)
}

// judge applies the guards and finds the entry's place in its host's queue.
func (f *frontier) judge(h *crawlHost, c candidate, s policy.Shape, e *store.Entry) policy.Trap {
	if s.Trap != policy.TrapNone {
		return s.Trap
	}
	if h.exhausted(f.plan.MaxPerHost) {
		return guardHost
	}
	if !s.Counted {
		return policy.TrapNone
	}
	if s.Pattern == c.parent {
		if e.Chain = c.chain + 1; e.Chain > f.plan.Traps.Chain {
			return policy.TrapChain
		}
	}
	pattern := s.Pattern
	if _, ok := h.patterns[pattern]; !ok && len(h.patterns) >= maxHostPatterns {
		pattern = "other"
	}
	if int(h.patterns[pattern]) >= f.plan.Traps.Share {
		return policy.TrapShare
	}
	h.patterns[pattern]++
	late := lateAfter
	if b := f.plan.MaxPerHost; b > 0 {
		late = min(late, max(4, b/10))
	}
	e.Late = int(h.patterns[pattern]) > late
	return policy.TrapNone
}

func (f *frontier) trapped(host string, guard policy.Trap, s policy.Shape, n int) {
	if guard == guardHost || guard == guardAll || guard == policy.TrapShare {
		f.leftOut += n
	}
	key := trapKey{host, s.Pattern, guard}
	if guard == policy.TrapRepeat || guard == policy.TrapLength {
		key.pattern = s.Prefix
	}
	t, ok := f.traps[key]
	if !ok {
		if len(f.traps) >= maxTraps {
			key = trapKey{guard: guard}
			if t = f.traps[key]; t != nil {
				t.LeftOut += n
				return
			}
		}
		t = &messages.TrapReport{Host: key.host, Pattern: key.pattern, Path: s.Prefix, Guard: string(guard)}
		f.traps[key] = t
	}
	t.LeftOut += n
}

// slice is how many pages a host may give in a row, each as soon as the one
// before is there. Its connection is still open then: a thousand hosts that
// took strict turns would each have lost theirs to the others.
const slice = 16

// again puts a host that has just answered before the others, for a slice.
func (f *frontier) again(h *crawlHost) {
	if h.inRow++; h.inRow < slice && !h.queued {
		if at, ok := h.due(time.Now(), f.limits()); ok && !at.After(time.Now()) {
			f.unnap(h)
			h.queued = true
			f.hot = append(f.hot, h)
			return
		}
	} else {
		h.inRow = 0
	}
	f.touch(h)
}

func (f *frontier) unnap(h *crawlHost) {
	if h.index >= 0 {
		heap.Remove(&f.naps, h.index)
	}
}

// touch puts a host where it belongs: into the ring if it may have something
// to give now, among those that wait for their time, or nowhere.
func (f *frontier) touch(h *crawlHost) {
	if h.queued {
		return
	}
	now := time.Now()
	at, ok := h.due(now, f.limits())
	switch {
	case !ok:
	case !at.After(now):
		f.unnap(h)
		h.queued = true
		f.ring = append(f.ring, h)
	case h.index < 0:
		h.wake = at
		heap.Push(&f.naps, h)
	default:
		h.wake = at
		heap.Fix(&f.naps, h.index)
	}
}

// next is the host whose turn it is to give an entry, which the caller takes;
// then it must touch the host. If it is nil, none may go now; wake is then when
// one may, the zero time if that is up to others.
func (f *frontier) next(now time.Time) (h *crawlHost, wake time.Time) {
	for len(f.naps) > 0 && !f.naps[0].wake.After(now) {
		h := heap.Pop(&f.naps).(*crawlHost)
		h.queued = true
		f.ring = append(f.ring, h)
	}
	for len(f.ring)+len(f.hot) > 0 {
		h := f.pop()
		h.queued = false
		at, due := h.due(now, f.limits())
		if !due || at.After(now) {
			f.touch(h)
			continue
		}
		return h, time.Time{}
	}
	if len(f.naps) > 0 {
		wake = f.naps[0].wake
	}
	return nil, wake
}

func (f *frontier) pop() *crawlHost {
	queue := &f.hot
	if len(f.hot) == 0 {
		queue = &f.ring
	}
	h := (*queue)[0]
	(*queue)[0] = nil
	*queue = (*queue)[1:]
	return h
}

// idle says that nothing is left that this crawl may still do.
func (f *frontier) idle() bool {
	maxed := f.limits().maxed
	for _, h := range f.hosts {
		n := h.waiting()
		if maxed {
			n = len(h.again)
		}
		if n > 0 && !h.exhausted(f.plan.MaxPerHost) {
			return false
		}
	}
	return true
}

// budgets reports what budgets left waiting.
func (f *frontier) budgets() {
	maxed := f.limits().maxed
	for name, h := range f.hosts {
		n := h.waiting()
		switch {
		case n == 0:
		case h.exhausted(f.plan.MaxPerHost):
			f.trapped(name, guardHost, policy.Shape{Pattern: "*", Prefix: "/"}, n)
			f.lanePatterns(h)
		case maxed:
			f.trapped("", guardAll, policy.Shape{Pattern: "*", Prefix: "/"}, n)
		}
	}
}

// lanePatterns names the patterns that used up a host's budget.
func (f *frontier) lanePatterns(h *crawlHost) {
	limit := max(4, f.plan.MaxPerHost/10)
	for pattern, n := range h.patterns {
		if int(n) > limit {
			path := pattern
			if i := slices.Index([]byte(pattern), '?'); i >= 0 {
				path = pattern[:i]
			}
			f.trapped(h.name, policy.TrapShare, policy.Shape{Pattern: pattern, Prefix: path}, int(n)-limit)
		}
	}
}

// reports are the guards' counts, the largest first.
func (f *frontier) reports() []messages.TrapReport {
	var all []messages.TrapReport
	for _, t := range f.traps {
		all = append(all, *t)
	}
	slices.SortFunc(all, func(a, b messages.TrapReport) int {
		return cmp.Or(cmp.Compare(b.LeftOut, a.LeftOut), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Pattern, b.Pattern), cmp.Compare(a.Guard, b.Guard))
	})
	return all
}

// slowest are the hosts with the longest mean time of an answer that still
// have something to do, and those that were given up.
func (f *frontier) slowest(now time.Time, most int) []messages.HostStatus {
	slower := func(a, b *crawlHost) int {
		return cmp.Or(cmp.Compare(b.mean(), a.mean()), cmp.Compare(a.name, b.name))
	}
	var top []*crawlHost
	for _, h := range f.hosts {
		if h.active == 0 && h.waiting() == 0 && h.refuse == nil || len(top) == most && slower(h, top[most-1]) > 0 {
			continue
		}
		top = append(top, h)
		slices.SortFunc(top, slower)
		top = top[:min(len(top), most)]
	}
	var all []messages.HostStatus
	for _, h := range top {
		all = append(all, messages.HostStatus{Host: h.name, Done: h.done, Waiting: h.waiting(), Mean: h.mean(), Note: h.note(now)})
	}
	return all
}

// napHeap orders hosts by the time they may give something again.
type napHeap []*crawlHost

func (n napHeap) Len() int           { return len(n) }
func (n napHeap) Less(i, j int) bool { return n[i].wake.Before(n[j].wake) }
func (n napHeap) Swap(i, j int) {
	n[i], n[j] = n[j], n[i]
	n[i].index, n[j].index = i, j
}

// Push implements heap.Interface.
func (n *napHeap) Push(x any) {
	h := x.(*crawlHost)
	h.index = len(*n)
	*n = append(*n, h)
}

// Pop implements heap.Interface.
func (n *napHeap) Pop() any {
	old := *n
	h := old[len(old)-1]
	old[len(old)-1] = nil
	*n = old[:len(old)-1]
	h.index = -1
	return h
}

// seenSet knows which URLs were met, by their hashes: a crawl of n URLs takes
// one for another with a chance of n²/2⁶⁵. It is safe for concurrent use.
type seenSet struct {
	seed maphash.Seed
	mu   sync.RWMutex
	keys map[uint64]struct{}
}

func newSeenSet() *seenSet {
	return &seenSet{seed: maphash.MakeSeed(), keys: make(map[uint64]struct{})}
}

// key is the hash of a URL's key.
func (s *seenSet) key(url string) uint64 { return maphash.String(s.seed, policy.URLKey(url)) }

func (s *seenSet) has(key uint64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.keys[key]
	return ok
}

// add says whether the key is new.
func (s *seenSet) add(key uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.keys)
	s.keys[key] = struct{}{}
	return len(s.keys) > n
}
