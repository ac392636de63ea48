package bench

import (
	"plasmate/bench/audit"
	"plasmate/som"
)

// recall says how much of a document's visible words and distinct links its
// SOM keeps, each from 0 to 1; 1 where there are none. The measure is that of
// package audit without a browser: it does not know what style sheets hide,
// and so is rather too low than too high.
func recall(in som.Input) (words, links float64) {
	report := audit.Run([]audit.Page{{
		Name: in.URL, URL: in.URL, ContentType: in.ContentType, Source: in.Source, Bytes: in.HTMLBytes,
		Oracle: audit.Approximate(in.URL, in.URL, in.Source),
	}})
	for _, f := range report.Pages[0].Forms {
		if f.Name == "som" {
			return f.Words.Recall(), f.Links.Share()
		}
	}
	return 0, 0
}
