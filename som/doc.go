// Package som compiles HTML into a Semantic Object Model: regions and elements
// with stable ids, everything a person could read or use on the page and
// nothing else. It is pure: the same Input gives the same bytes, and it never
// opens a file or a connection, reads the clock or logs.
//
// Spec: AWP v0.1 §4 (SOM) and §5 (element ids).
package som
