// Package dom turns HTML bytes into a tree, whatever the bytes are. It adds to
// golang.org/x/net/html what a browser has and that parser lacks: a nesting
// limit that keeps the content below it, and a bound on the nodes that
// mis-nested formatting tags can multiply into. It is pure.
//
// Spec: HTML "Parsing HTML documents"; the limits are Chromium's in kind.
package dom

import (
	"bytes"

	"golang.org/x/net/html"
)

// Tree is a parsed document.
type Tree struct {
	Root      *html.Node // the document node, never nil
	Flattened bool       // elements past the nesting limit became siblings, or surplus formatting was dropped
	NoScript  bool       // the page is a script shell, so noscript content is part of the tree
}

// Parse parses src, which is UTF-8. It cannot fail: the same bytes always give
// the same tree, in time and memory bounded by a multiple of len(src).
func Parse(src []byte) *Tree {
	t := &Tree{}
	danger, noscript := costly(src)
	t.Root, t.Flattened = parse(src, true, danger)
	if noscript && !hasText(t.Root) {
		t.Root, t.Flattened = parse(src, false, danger)
		t.NoScript = true
	}
	return t
}

// parse parses src as it is where that is safe, and rewritten where it is not.
func parse(src []byte, scripting, danger bool) (*html.Node, bool) {
	opt := html.ParseOptionEnableScripting(scripting)
	if !danger {
		if root, err := html.ParseWithOptions(bytes.NewReader(src), opt); err == nil {
			return root, false
		}
	}
	for limit := depthLimit; limit > 0; limit /= 2 {
		if root, err := html.ParseWithOptions(bytes.NewReader(flatten(src, limit)), opt); err == nil {
			return root, true
		}
	}
	return &html.Node{Type: html.DocumentNode}, true
}
