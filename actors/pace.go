package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"golang.org/x/time/rate"
)

// pace tells a host's actor how gently it must be treated from now on: a
// Crawl-delay, or a pause that it asked for. It never makes the host's own rate
// limit looser.
type pace struct {
	host     string
	interval time.Duration // between exchanges; 0: the limit of the configuration
	until    time.Time     // no exchange before
}

func (p *pool) pace(c actor.Context, m pace) {
	c.Send(p.host(c, m.host).pid, m)
}

func (h *host) pace(c actor.Context, m pace) {
	limit := h.cfg.Fetch.Rate
	if m.interval > 0 {
		limit = min(limit, rate.Every(m.interval))
	}
	h.limiter.SetLimit(limit)
	if m.until.After(h.notBefore) {
		h.notBefore = m.until
	}
	h.wantTurn(c)
	h.rest(c)
}

// wait is how long the next exchange has to wait; its turn is taken if that is 0.
func (h *host) wait() time.Duration {
	if d := time.Until(h.notBefore); d > 0 {
		return d
	}
	r := h.limiter.Reserve()
	d := r.Delay()
	if d > 0 {
		r.Cancel()
	}
	return d
}
