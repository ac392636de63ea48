package som

import "golang.org/x/net/html"

// Version is the som_version of every document this package makes.
const Version = "0.1"

// NodeID names an element of a document by its position among all elements of
// the parsed tree in tree order, the root html element being 0. Parsing the
// same source gives the same ids, so a NodeID outlives the tree it was read from.
type NodeID int32

// NoNode is the NodeID of nothing.
const NoNode NodeID = -1

// Input is everything the compiler may look at. Two equal inputs give the same
// bytes of SOM.
type Input struct {
	// URL is the document's absolute address after redirects.
	URL string
	// ContentType is the MIME type as received, parameters and all; empty means text/html.
	ContentType string
	// Source is the decoded document in UTF-8. It is not changed and may be shared.
	Source []byte
	// Root is the document's tree where an engine has it already; nil means
	// that Source is parsed. It is not changed.
	Root *html.Node
	// HTMLBytes is the length of the body as received after content-coding.
	HTMLBytes int
	// LinkHeader holds the values of the response's Link fields (RFC 8288).
	LinkHeader []string
	// Sheets holds the text of external style sheets, in UTF-8, by the link element
	// that asks for them. They count like the page's own; nil is none.
	Sheets map[NodeID]string
	// State is what a user did to the controls since the page was loaded; nil is nothing.
	State State
}

// State holds the controls and details elements that differ from what the
// source says. It is never changed once an Input holds it.
type State map[NodeID]Control

// Control is the live state of one form control or details element.
// Nil fields are as the source has them.
type Control struct {
	Value    *string // value of an input or textarea
	Checked  *bool   // checkedness of a checkbox or radio
	Selected []int   // indices of the selected options of a select, nil if untouched
	Open     *bool   // open state of details or dialog
	Files    []string
}

// Options are the choices that change a SOM's bytes. They are part of the key
// of every cache of compiled pages.
type Options struct {
	// IncludeHidden keeps what is not rendered (display: none, visibility: hidden,
	// aria-hidden, closed dialogs, templates), marked by attrs.hidden and without
	// actions.
	IncludeHidden bool
}
