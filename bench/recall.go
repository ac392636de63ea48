package bench

import (
	"plasmate/bench/audit"
	"plasmate/som"
)

// recall fills in how much of a document's visible words and distinct links
// its SOM keeps, each from 0 to 1; 1 where there are none. The measure is that
// of package audit. Without an oracle of a browser's it does not know what
// style sheets hide, and so is rather too low than too high.
func (r *Row) recall(in som.Input, oracle *audit.Oracle) {
	if oracle == nil {
		oracle = audit.Approximate(in.URL, in.URL, in.Source)
	}
	r.RecallAgainst = oracle.Source
	report := audit.Run([]audit.Page{{
		Name: in.URL, URL: in.URL, ContentType: in.ContentType, Source: in.Source, Bytes: in.HTMLBytes, Oracle: oracle,
	}})
	for _, f := range report.Pages[0].Forms {
		if f.Name == "som" {
			r.WordRecall, r.LinkRecall = f.Words.Recall(), f.Links.Share()
		}
	}
}
