package main

import (
	"encoding/json"
	"io"
	"time"

	"plasmate"
	"plasmate/messages"
)

// crawlReport is a crawl's summary for programs.
type crawlReport struct {
	Finished      bool           `json:"finished"`
	Done          int            `json:"done"`
	Waiting       int            `json:"waiting"`
	Outcomes      map[string]int `json:"outcomes"` // all of them, those without pages too
	Bytes         int64          `json:"bytes"`
	ElapsedS      float64        `json:"elapsed_s"`
	Hosts         int            `json:"hosts"`
	BudgetReached bool           `json:"budget_reached"`
	Guards        []guardReport  `json:"guards"`
	Slow          []hostReport   `json:"slow_hosts"`
	Warnings      []string       `json:"warnings"`
}

type guardReport struct {
	Host    string `json:"host"`
	Path    string `json:"path"`
	Pattern string `json:"pattern"`
	Guard   string `json:"guard"`
	LeftOut int    `json:"left_out"`
}

type hostReport struct {
	Host    string  `json:"host"`
	Done    int     `json:"done"`
	Waiting int     `json:"waiting"`
	MeanMS  float64 `json:"mean_ms"`
	Note    string  `json:"note,omitempty"`
}

func writeCrawlReport(w io.Writer, s plasmate.CrawlStatus) error {
	r := crawlReport{
		Finished: s.Finished, Done: s.Done, Waiting: s.Waiting, Outcomes: map[string]int{}, Bytes: s.Bytes,
		ElapsedS: s.Elapsed.Round(time.Millisecond).Seconds(), Hosts: s.Hosts, BudgetReached: s.BudgetReached,
		Guards: []guardReport{}, Slow: []hostReport{}, Warnings: append([]string{}, s.Warnings...),
	}
	for _, o := range messages.Outcomes {
		r.Outcomes[string(o)] = s.Outcomes[o]
	}
	for _, t := range s.Traps {
		r.Guards = append(r.Guards, guardReport{Host: t.Host, Path: t.Path, Pattern: t.Pattern, Guard: t.Guard, LeftOut: t.LeftOut})
	}
	for _, h := range s.Slow {
		r.Slow = append(r.Slow, hostReport{Host: h.Host, Done: h.Done, Waiting: h.Waiting, MeanMS: float64(h.Mean.Microseconds()) / 1000, Note: h.Note})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
