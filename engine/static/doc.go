// Package static is the engine without scripts: it fetches documents, keeps
// their source and the state of their controls, and does what a browser does
// when a reader clicks, types, chooses and submits. It compiles nothing; that is
// som's. Form logic is in the package forms below it.
//
// Spec: WHATWG HTML (navigation, links, forms), Fetch; AWP v0.1 §3.
package static
