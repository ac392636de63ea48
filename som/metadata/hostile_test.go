package metadata

import (
	"strings"
	"testing"
)

// Hostile pages end, and what comes out of them is bounded.
func TestHostilePages(t *testing.T) {
	const many = 20_000
	for _, c := range []struct{ name, src string }{
		{"many references to much", "<div id=r>" + strings.Repeat("<b></b>", many) + "</div>" +
			strings.Repeat("<p itemscope itemtype=http://schema.org/Product itemref=r>", many)},
		{"nested properties", strings.Repeat("<div itemprop=x itemscope itemtype=http://schema.org/Product>", 400) + strings.Repeat("<b>x</b>", many)},
		{"properties in properties", "<div itemscope itemtype=http://schema.org/Product>" + strings.Repeat("<div itemprop=x>", 400) + strings.Repeat("<b>x</b>", many)},
		{"nested untyped scopes", strings.Repeat("<div itemscope>", 400) + strings.Repeat("<b itemscope></b>", many)},
		{"many blocks", strings.Repeat(`<script type=application/ld+json>{"a":"`+strings.Repeat("x", 1000)+`"}</script>`, 2_000)},
		{"deep JSON", "<script type=application/ld+json>" + strings.Repeat(`[`, 200_000) + "</script>"},
		{"many names", strings.Repeat("<meta property=og:x content=y><meta name=dc.z content=w>", many)},
		{"many links", strings.Repeat("<link rel=alternate href=a><link rel=alternate hreflang=b href=a>", many)},
		{"long values", "<meta name=description content='" + strings.Repeat("x ", 200_000) + "'>"},
	} {
		if got := len(collect(t, "<!doctype html>"+c.src)); got > 512<<10 {
			t.Errorf("%s: %d bytes", c.name, got)
		}
	}
	distinct := strings.Builder{}
	for i := range many {
		distinct.WriteString("<meta property='og:" + strings.Repeat("k", i%700) + "' content='" + strings.Repeat("v", i%1500) + "'>")
	}
	if got := len(collect(t, distinct.String())); got > 1<<20 {
		t.Errorf("many distinct values: %d bytes", got)
	}
}
