package main

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// What a crawl lets the heap grow by between two collections: trees die young,
// so that a small heap is collected less often than by default, and a large
// one, of many URLs, no later.
const (
	headroom     = 64 << 20
	leastPercent = 50
	mostPercent  = 200
)

// keepHeadroom sets the collector's percentage by the size of what lives, until
// stop is called.
func keepHeadroom() (stop func()) {
	done := make(chan struct{})
	ended := make(chan struct{})
	before := debug.SetGCPercent(mostPercent)
	go func() {
		defer close(ended)
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				metrics.Read(live)
				percent := headroom * 100 / max(live[0].Value.Uint64(), 1)
				debug.SetGCPercent(int(min(max(percent, leastPercent), mostPercent)))
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		debug.SetGCPercent(before)
	}
}
