package bench

import (
	"math"
	"slices"
)

// Metric is one row of the summary, over the rows that are ok.
type Metric struct {
	Name   string  `json:"name"`
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	unit   unit
}

// unit is how a metric is printed.
type unit int

const (
	whole   unit = iota // 38,412
	ratio               // 17.9x
	percent             // 99.1%
	millis              // 412
)

// Summary is what a sweep found.
type Summary struct {
	Tested     int             `json:"tested"`
	Successful int             `json:"successful"`
	Outcomes   map[Outcome]int `json:"outcomes"` // sums up to Tested
	Metrics    []Metric        `json:"metrics"`
}

// metrics are the rows of the summary: the ten of AWP §6, then ours.
var metrics = []struct {
	name string
	unit unit
	of   func(Row) float64
}{
	{"HTML bytes", whole, func(r Row) float64 { return float64(r.HTMLBytes) }},
	{"SOM bytes", whole, func(r Row) float64 { return float64(r.SOMBytes) }},
	{"Byte ratio", ratio, Row.byteRatio},
	{"HTML tokens (est)", whole, func(r Row) float64 { return float64(estimate(r.HTMLBytes)) }},
	{"SOM tokens (est)", whole, func(r Row) float64 { return float64(estimate(r.SOMBytes)) }},
	{"Token ratio", ratio, func(r Row) float64 { return over(estimate(r.HTMLBytes), estimate(r.SOMBytes)) }},
	{"Elements found", whole, func(r Row) float64 { return float64(r.Elements) }},
	{"Interactive found", whole, func(r Row) float64 { return float64(r.Interactive) }},
	{"Fetch time (ms)", millis, func(r Row) float64 { return r.FetchMS }},
	{"Parse+SOM time (ms)", millis, func(r Row) float64 { return r.CompileMS }},
	{"HTML tokens (o200k)", whole, func(r Row) float64 { return float64(r.HTMLTokens) }},
	{"SOM tokens (o200k)", whole, func(r Row) float64 { return float64(r.SOMTokens) }},
	{"Token ratio (o200k)", ratio, func(r Row) float64 { return over(r.HTMLTokens, r.SOMTokens) }},
	{"Word recall", percent, func(r Row) float64 { return r.WordRecall }},
	{"Link recall", percent, func(r Row) float64 { return r.LinkRecall }},
	{"Compact bytes", whole, func(r Row) float64 { return float64(r.CompactBytes) }},
	{"Compact byte ratio", ratio, func(r Row) float64 { return over(r.HTMLBytes, r.CompactBytes) }},
	{"Compact tokens (o200k)", whole, func(r Row) float64 { return float64(r.CompactTokens) }},
	{"Compact token ratio (o200k)", ratio, func(r Row) float64 { return over(r.HTMLTokens, r.CompactTokens) }},
	{"Compact word recall", percent, func(r Row) float64 { return r.CompactRecall }},
}

func (r Row) byteRatio() float64 { return over(r.HTMLBytes, r.SOMBytes) }

func over(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Summarise counts outcomes and condenses the rows that are ok.
func Summarise(rows []Row) Summary {
	s := Summary{Tested: len(rows), Outcomes: make(map[Outcome]int)}
	var good []Row
	for _, o := range Outcomes {
		s.Outcomes[o] = 0
	}
	for _, r := range rows {
		s.Outcomes[r.Outcome]++
		if r.Outcome == OK {
			good = append(good, r)
		}
	}
	s.Successful = len(good)
	for _, m := range metrics {
		values := make([]float64, len(good))
		for i, r := range good {
			values[i] = m.of(r)
		}
		slices.Sort(values)
		// The worst 5 % of a recall are its lowest.
		p95 := quantile(values, 0.95)
		if m.unit == percent {
			p95 = quantile(values, 0.05)
		}
		s.Metrics = append(s.Metrics, Metric{Name: m.name, unit: m.unit, Mean: mean(values), Median: quantile(values, 0.5), P95: p95})
	}
	return s
}

func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// quantile interpolates between the two nearest of the sorted values.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	lo := int(math.Floor(at))
	hi := min(lo+1, len(sorted)-1)
	return sorted[lo] + (at-float64(lo))*(sorted[hi]-sorted[lo])
}
