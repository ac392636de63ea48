package bench

import (
	"plasmate/bench/audit"
	"plasmate/som"
)

// compactKeys are the members of the compact form that are no text of the page.
var compactKeys = []string{"v", "id", "i", "url", "+", "r", "role", "ty"}

// recall fills in how much of a document's visible words and distinct links its
// SOM and its compact form keep, each from 0 to 1; 1 where there are none. The
// measure is that of package audit. Without an oracle of a browser's it does not
// know what style sheets hide, and so is rather too low than too high.
func (r *Row) recall(in som.Input, short []byte, oracle *audit.Oracle) {
	if oracle == nil {
		oracle = audit.Approximate(in.URL, in.URL, in.Source)
	}
	r.RecallAgainst = oracle.Source
	report := audit.Run([]audit.Page{{
		Name: in.URL, URL: in.URL, ContentType: in.ContentType, Source: in.Source, Bytes: in.HTMLBytes, Oracle: oracle,
	}}, func(*som.Page) *audit.View { return audit.JSONView("compact", short, compactKeys...) })
	for _, f := range report.Pages[0].Forms {
		switch f.Name {
		case "som":
			r.WordRecall, r.LinkRecall = f.Words.Recall(), f.Links.Share()
		case "compact":
			r.CompactRecall = f.Words.Recall()
		}
	}
}
