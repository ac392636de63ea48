package actors

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/som/weburl"
)

const (
	// maxRobotsRedirects is RFC 9309 §2.3.1.2.
	maxRobotsRedirects = 5
	// maxRobotsBody is what is downloaded of a robots.txt; policy.MaxRobots of it is read.
	maxRobotsBody = 16 << 20
	// maxRobotsDelay is the longest Crawl-delay that is obeyed to the letter.
	maxRobotsDelay = 5 * time.Minute
	// maxRobotsAge is how long a robots.txt holds (RFC 9309 §2.4).
	maxRobotsAge  = 24 * time.Hour
	robotsSession = "crawl robots"
)

// robotsGot is what came of asking a host for its robots.txt.
type robotsGot struct {
	host   string
	robots *policy.Robots // nil: ask again after wait, or give up
	wait   time.Duration
	status int
	refuse verdict // if it is given up
	at     time.Time
}

// robotsWanted asks for the rules of a host that a redirect leads to.
type robotsWanted struct {
	host  string
	reply chan<- robotsAnswer
}

type robotsAnswer struct {
	robots *policy.Robots
	refuse *verdict // not nil: the host is given up
}

// robotsErrand asks one host once.
type robotsErrand struct {
	plan  *Crawl
	ex    fetch.Exchanger
	host  string
	tries int // including this one
}

func (r *robotsErrand) run(ctx context.Context) any {
	got := robotsGot{host: r.host, at: time.Now()}
	ctx, stop := context.WithTimeoutCause(ctx, r.plan.Timeout, errDeadline)
	defer stop()
	resp, _, err := fetch.Follow(ctx, r.ex, fetch.Navigation{
		Session: robotsSession, URL: r.host + "/robots.txt", UserAgent: r.plan.UserAgent, AcceptLanguage: r.plan.Language,
		Header:       http.Header{"Accept": {"text/plain,*/*;q=0.5"}},
		MaxRedirects: maxRobotsRedirects, MaxBodyBytes: maxRobotsBody,
	})
	if err != nil {
		return r.failed(got, failure(ctx, messages.Navigate{URL: r.host + "/robots.txt"}, err))
	}
	got.status = resp.Status
	switch policy.RobotsAnswer(resp.Status) {
	case policy.RobotsParse:
		got.robots = policy.ParseRobots(resp.Body, r.plan.Token)
	case policy.RobotsNone:
		got.robots = &policy.Robots{}
	case policy.RobotsLater:
		got.refuse = verdict{outcome: messages.OutcomeRateLimited, reason: "rate_limited", msg: "robots.txt was answered 429: the host is asked too often"}
		r.later(&got, resp)
	case policy.RobotsDown:
		got.refuse = verdict{outcome: messages.OutcomeRobots, reason: "robots",
			msg: fmt.Sprintf("robots.txt was answered %d: nothing is allowed until it can be had (RFC 9309 §2.3.1.4)", resp.Status)}
		r.later(&got, resp)
	}
	return got
}

// later finds out when to ask again; 0 is never.
func (r *robotsErrand) later(got *robotsGot, resp *fetch.Response) {
	wait, asked := fetch.RetryAfter(resp.Header, time.Now())
	if !asked {
		wait = backoff(r.tries, rand.Float64())
	}
	if wait > r.plan.MaxWait {
		got.refuse.retryAfter = wait
		if resp.Status == http.StatusServiceUnavailable {
			got.refuse.outcome, got.refuse.reason = messages.OutcomeRateLimited, "rate_limited"
		}
		return
	}
	if r.tries < r.plan.Attempts {
		got.wait = max(wait, time.Millisecond)
	}
}

// failed: a robots.txt that cannot be reached allows nothing either, and the
// host's pages fail for the same reason. What may pass is asked again.
func (r *robotsErrand) failed(got robotsGot, e *messages.Error) any {
	var fe *fetch.Error
	reason := ""
	if errors.As(e, &fe) {
		reason = string(fe.Reason)
	}
	if d, ok := e.Detail.(messages.NavigationDetail); ok && d.Reason != "" {
		reason = d.Reason
	}
	switch fetch.Reason(reason) {
	case fetch.RedirectLimit, fetch.RedirectLoop, fetch.UnsupportedScheme: // as if there were none (§2.3.1.2)
		got.robots = &policy.Robots{}
		return got
	case fetch.ContentType: // an answer that cannot be decoded
		got.robots = &policy.Robots{}
		return got
	case fetch.TooLarge:
		got.refuse = verdict{outcome: messages.OutcomeRobots, reason: "robots", msg: fmt.Sprintf("robots.txt is over %d bytes", maxRobotsBody)}
		return got
	}
	outcome, _ := outcomeOfFailure(e)
	got.refuse = verdict{outcome: outcome, reason: reason, msg: "robots.txt: " + e.Msg}
	switch fetch.Reason(reason) {
	case fetch.Reset, fetch.Timeout, fetch.Connect:
		if r.tries < min(r.plan.Attempts, 2) {
			got.wait = backoff(r.tries, rand.Float64())
		}
	}
	return got
}

// askRobots starts the errand unless it is under way.
func (w *crawl) askRobots(c actor.Context, h *crawlHost) {
	if h.asking || h.robots != nil || h.refuse != nil {
		return
	}
	h.asking = true
	h.tries++
	w.robots++
	h.started(time.Now())
	h.active-- // it is no page
	run := &robotsErrand{plan: &w.plan, ex: w.fetcher, host: h.name, tries: h.tries}
	host := h.name
	w.spawn(c, run.run, func(p any) any {
		return robotsGot{host: host, refuse: verdict{outcome: messages.OutcomeFailed, reason: "crashed", msg: fmt.Sprint("robots.txt: panic: ", p)}}
	})
}

func (w *crawl) robotsGot(c actor.Context, m robotsGot) {
	h := w.front.host(m.host)
	h.asking = false
	w.robots--
	now := time.Now()
	switch {
	case m.robots != nil:
		h.obey(m.robots, w.plan.Interval, maxRobotsDelay)
		h.robotsAt, h.tries, h.stale = now, 0, nil
		if h.interval > w.plan.Interval {
			c.Send(w.pool, pace{host: m.host, interval: h.interval})
			h.next = later(h.next, m.at.Add(h.interval))
		}
		w.robotsSitemaps(c, h)
	case m.wait > 0 && !w.stopping:
		h.objected(now, m.wait)
		c.Send(w.pool, pace{host: m.host, interval: h.interval, until: h.paused})
	case h.stale != nil: // what was known goes on to hold (RFC 9309 §2.3.1.4)
		h.robots, h.robotsAt, h.tries, h.stale = h.stale, now, 0, nil
	default:
		h.refuse = &m.refuse
		if m.status > 0 {
			w.warn(fmt.Sprintf("%s/robots.txt: %s", m.host, m.refuse.msg))
		}
	}
	if h.robots != nil || h.refuse != nil {
		for _, reply := range h.askers {
			reply <- robotsAnswer{robots: h.robots, refuse: h.refuse}
		}
		h.askers = nil
	} else if len(h.askers) > 0 && h.waiting() == 0 { // nothing else will ask again
		root, self, name := c.ActorSystem().Root, c.Self(), m.host
		time.AfterFunc(m.wait, func() { root.Send(self, robotsAgain{host: name}) })
	}
	w.front.touch(h)
	w.pump(c)
}

type robotsAgain struct{ host string }

func (w *crawl) robotsWanted(c actor.Context, m robotsWanted) {
	h := w.front.host(m.host)
	if h.robots != nil || h.refuse != nil {
		m.reply <- robotsAnswer{robots: h.robots, refuse: h.refuse}
		return
	}
	h.askers = append(h.askers, m.reply)
	if !h.paused.After(time.Now()) {
		w.askRobots(c, h)
		return
	}
	root, self, name := c.ActorSystem().Root, c.Self(), m.host
	time.AfterFunc(time.Until(h.paused), func() { root.Send(self, robotsAgain{host: name}) })
}

// renew has a robots.txt asked for again that has grown old.
func (h *crawlHost) renew(now time.Time) {
	if h.robots != nil && now.Sub(h.robotsAt) > maxRobotsAge {
		h.stale, h.robots = h.robots, nil
	}
}

// robotsSitemaps admits the sitemaps that a host's robots.txt names.
func (w *crawl) robotsSitemaps(c actor.Context, h *crawlHost) {
	if !w.plan.DiscoverSitemaps || w.plan.Depth == 0 || !w.plan.AnyHost && !w.front.scope[h.name] {
		return
	}
	for _, s := range h.robots.Sitemaps() {
		u, err := weburl.Parse(s)
		if err != nil || !policy.Scheme(u.Scheme()) {
			w.warn(fmt.Sprintf("%s/robots.txt: %q is no sitemap's address", h.name, clipped(s)))
			continue
		}
		w.sitemap(c, u.WithoutFragment().String(), h.name, 0)
	}
}

func clipped(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}
