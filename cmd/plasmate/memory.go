package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// trimEvery is how long the collector must have been quiet before memory is given back.
const trimEvery = 15 * time.Second

// trimWhenIdle gives memory back to the system once after each busy time,
// until ctx is done. A Go program that stops allocating collects only every
// two minutes, and then keeps what it freed for a while: a server with
// thousands of idle sessions would hold twice what they need.
func trimWhenIdle(ctx context.Context) {
	tick := time.NewTicker(trimEvery)
	defer tick.Stop()
	last, trimmed := collections(), false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := collections(); now != last {
			last, trimmed = now, false
			continue
		}
		if !trimmed {
			debug.FreeOSMemory()
			last, trimmed = collections(), true
		}
	}
}

// collections is how often garbage was collected so far.
func collections() uint64 {
	s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
