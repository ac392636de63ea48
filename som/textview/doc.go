// Package textview prints a compiled page as the plain text that models read:
// whole observations in three modes within a budget, what an action changed,
// and what a search found. Every control has a ref, a number that a session
// never gives twice.
//
// The line tree is built from the document, with the roles, names and ids of
// the page's SOM. Page text is cleaned, redacted and escaped on its way: it
// cannot write a line of the protocol, and no secret is left in it.
//
// It is pure: the same page, refs and options give the same bytes. What lasts
// from one observation to the next is in [Refs], which the caller owns.
//
// Spec: text protocol §2 to §7, §9.
package textview
