// Package hygiene makes text of a page safe to show to a model: it removes
// characters that are not seen, scans for instructions that are aimed at a
// model, reads from a style attribute whether text is seen, and escapes text
// so that a page cannot write lines of the text protocol.
//
// It is pure and knows no documents: strings in, strings and facts out.
//
// Spec: text protocol §3.4, §9.
package hygiene
