// Package metadata collects what a page says about itself to machines: JSON-LD,
// OpenGraph, Twitter cards, meta names, links with a meaning, and microdata and
// RDFa Lite items. The result is the structured_data object of a SOM.
//
// The object's members, each left out if it is empty:
//
//	json_ld         JSON-LD objects in document order. An array at the top of a
//	                block counts as its objects; @graph and all else are kept.
//	json_ld_errors  how many blocks, or members of an array at the top, are no
//	                JSON, no objects or beyond the size limit.
//	open_graph      og:*, article:*, product:*, book:*, profile:*, video:*, music:*.
//	twitter_card    twitter:*.
//	meta            meta names from a list (names.go), in lower case.
//	links           link elements whose rel leads somewhere: rel in lower case,
//	                href as written, url where the resolved one differs, type,
//	                hreflang, title.
//	microdata, rdfa items of the schema.org types that agents ask for, written
//	                as JSON-LD would be: @type, @id, properties.
//	repeated        for each key of open_graph, twitter_card and meta that has
//	                several distinct values: all of them in order. The objects
//	                above hold the first, so that their values are strings.
//
// Keys stand in document order; the same tree gives the same bytes. Values are
// trimmed and their white space collapsed; long ones are cut with "...".
// The package is pure and reads the tree only.
//
// Spec: AWP v0.1 §4; HTML microdata; RDFa Lite 1.1; JSON-LD 1.1 in HTML; ogp.me.
package metadata
