// Package privacy finds secrets in text, stands tokens such as ‹card:1› in for
// them, and gives the values back only where text is typed into the page that
// showed them.
//
// It is pure: what must last is a [Vault], which a session owns and which is
// not safe for concurrent use. No method prints a value.
//
// Spec: text protocol §10.
package privacy
