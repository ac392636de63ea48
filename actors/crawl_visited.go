package actors

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/fetch"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/som/weburl"
	"plasmate/store"
)

// visited takes in what came of a visit: how the host is to be treated from
// now on, what was found, and that the entry is done.
func (w *crawl) visited(c actor.Context, m visited) {
	w.active--
	h := w.front.host(m.entry.Host)
	if m.asked {
		h.active--
	}
	if m.err != nil {
		w.stop(c, m.err)
	}
	if m.dropped || m.err != nil || w.stopping && m.retry {
		w.finish(c)
		return
	}
	now := time.Now()
	if m.asked {
		w.treat(c, h, &m, now)
	}
	if m.retry {
		h.again = append(h.again, retry{
			entry: m.entry, at: now.Add(m.wait), attempts: m.page.Attempts, waited: m.page.Waited + m.wait,
		})
	} else {
		w.finished(c, h, &m, now)
	}
	w.front.again(h)
	w.pump(c)
}

// treat adapts how the hosts that were asked are treated.
func (w *crawl) treat(c actor.Context, h *crawlHost, m *visited, now time.Time) {
	last := h
	if m.last != h.name {
		last = w.front.host(m.last)
	}
	switch {
	case m.giveUp != nil:
		last.refuse = m.giveUp
		w.warn(fmt.Sprintf("%s: given up: %s", last.name, m.giveUp.msg))
	case m.objected > 0:
		last.objected(now, m.objected)
		c.Send(w.pool, pace{host: last.name, interval: last.interval, until: last.paused})
	case m.page.Status > 0:
		last.answered(m.page.Fetch, w.plan.PerHost)
	}
	if m.weak && !m.retry && m.giveUp == nil {
		known := last.refuse != nil
		if last.failed(&m.page); last.refuse != nil && !known {
			w.warn(fmt.Sprintf("%s: %s", last.name, last.refuse.msg))
		}
	}
	if last != h {
		w.front.touch(last)
	}
}

// finished admits what the page leads to and has it all kept together.
func (w *crawl) finished(c actor.Context, h *crawlHost, m *visited, now time.Time) {
	j := jot{records: m.records}
	for _, s := range m.warn {
		w.warn(s)
	}
	if m.entry.Depth == 0 && m.entry.Kind == store.KindPage && m.page.FinalURL != "" {
		if host := hostKey(m.page.FinalURL); !w.front.scope[host] && m.page.Status < 400 {
			w.front.scope[host] = true // the seed has moved
			j.marks = map[string]string{markScope: w.scopeMark()}
		}
	}
	for _, l := range m.links {
		if e, ok := w.front.admit(l); ok {
			j.add = append(j.add, e)
			if !e.Held {
				w.fill(c, w.front.host(e.Host))
			}
		}
	}
	outcome := "sitemap"
	if m.entry.Kind == store.KindPage {
		outcome = string(m.page.Outcome)
		w.done++
		w.outcomes[m.page.Outcome]++
		w.rate.add(now)
		h.done++
	}
	w.bytes += int64(m.bytes)
	w.front.waiting--
	j.done = []store.Finished{{Entry: m.entry, Outcome: outcome, Content: m.hash}}
	w.jot(c, j)
}

// sitemap admits a sitemap that a host of robots.txt named.
func (w *crawl) sitemap(c actor.Context, url, from string, depth int) {
	e, ok := w.front.admit(candidate{
		url: url, host: hostKey(url), key: w.front.seen.key(url), kind: store.KindSitemap, from: from, depth: depth, trusted: true,
	})
	if ok {
		w.jot(c, jot{add: []store.Entry{e}})
	}
}

// maxIndexDepth is how deep indexes may lead to others (sitemaps.org allows none).
const maxIndexDepth = 1

// sitemap reads the addresses of a sitemap. They must be on its own host, or
// on the one whose robots.txt named it (sitemaps.org, "Sitemap file location").
func (v *visit) sitemap(r *visited, resp *fetch.Response) {
	own, final, named := v.entry.Host, hostKey(resp.URL), hostKey(v.entry.Referrer)
	away, deep, depth := 0, 0, 0
	if v.entry.Referrer != "" {
		depth = 1 // as if the host's front page led there
	}
	err := policy.ReadSitemap(resp.Body, func(e policy.SitemapEntry) bool {
		u, err := weburl.Parse(e.Loc)
		if err != nil || !policy.Scheme(u.Scheme()) {
			away++
			return true
		}
		url := u.WithoutFragment().String()
		host := hostKey(url)
		if host != own && host != final && host != named {
			away++
			return true
		}
		c := candidate{url: url, host: host, key: v.seen.key(url), from: v.entry.URL, depth: depth, trusted: true}
		if e.Index {
			if c.depth = v.entry.Depth + 1; c.depth > maxIndexDepth {
				deep++
				return true
			}
			c.kind, c.from = store.KindSitemap, named
		} else if v.plan.Admit != nil && !v.plan.Admit(CrawlLink{URL: url, From: v.entry.URL, Depth: depth}) {
			return true
		}
		if !v.seen.has(c.key) {
			r.links = append(r.links, c)
		}
		return true
	})
	name := v.entry.URL
	if err != nil {
		r.warn = append(r.warn, fmt.Sprintf("sitemap %s: %v", name, err))
	}
	if away > 0 {
		r.warn = append(r.warn, fmt.Sprintf("sitemap %s: %d addresses off its host or relative, left out", name, away))
	}
	if deep > 0 {
		r.warn = append(r.warn, fmt.Sprintf("sitemap %s: %d sitemaps in an index of an index, left out", name, deep))
	}
	r.page.Outcome = messages.OutcomeOK
}
