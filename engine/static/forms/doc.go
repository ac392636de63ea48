// Package forms is HTML's chapter on forms as pure functions on a parsed tree
// and the state of its controls: which form owns a control, what a control's
// value is, what is disabled, what validation says, which entries a submission
// carries and what their bytes are. It never fetches, reads no file and changes
// no tree: what a user does becomes a new [som.State].
//
// Spec: WHATWG HTML, 4.10 Forms (https://html.spec.whatwg.org/multipage/forms.html).
package forms
