// Package weburl parses, joins and serializes URLs as browsers do. net/url
// refuses or mis-joins hrefs that every browser accepts, so nothing here goes
// through it.
//
// A URL is parsed by github.com/nlnwa/whatwg-url, with that library's known
// departures from the standard corrected (parse.go). Because the library costs
// microseconds and dozens of allocations a call and a page may hold thousands of
// links, the plain shapes of hrefs are joined by a fast path first (fast.go);
// a property test and a fuzz target hold the two to the same answers.
//
// The package is pure: no I/O, no clock, no state beyond what a caller holds.
//
// Spec: WHATWG URL Standard, https://url.spec.whatwg.org/.
package weburl
