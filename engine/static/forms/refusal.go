package forms

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"plasmate/som/style"
)

// Refusal says why a user could not reach an element, as a reason word and a
// sentence; both are "" if nothing stands in the way. shown means that a view of
// the page has the element, so that no style sheet hides it: working that out
// is the costly part.
func (d *Document) Refusal(n *html.Node, shown bool) (reason, msg string) {
	if Type(n) == "hidden" {
		return "hidden", "the field is of type hidden; a reader cannot reach it"
	}
	for a := n; a != nil; a = a.Parent {
		if a.Type != html.ElementNode {
			continue
		}
		if HasAttr(a, "inert") {
			return "inert", "the element is inert" + within(n, a)
		}
		if msg := d.closed(n, a); msg != "" {
			return "hidden", msg
		}
	}
	if !shown {
		if msg := d.unrendered(n); msg != "" {
			return "hidden", msg
		}
	}
	if Disabled(n) || strings.EqualFold(Attr(n, "aria-disabled"), "true") {
		return "disabled", "the element is disabled"
	}
	return "", ""
}

// closed: what an inclusive ancestor hides by its state.
func (d *Document) closed(n, a *html.Node) string {
	switch {
	case is(a, "dialog") && !d.Open(a):
		return "the element is in a dialog that is closed"
	case HasAttr(a, "popover") && !d.Open(a):
		return "the element is in a popover that is closed"
	case is(a.Parent, "details") && !d.Open(a.Parent) && !isFirstSummary(a):
		return "the element is in a closed details element; toggle that first"
	case is(a, "template") && !isShadow(a), is(a, "head", "datalist"):
		return "the element is not part of the visible page" + within(n, a)
	}
	return ""
}

func isFirstSummary(n *html.Node) bool {
	if !is(n, "summary") {
		return false
	}
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if is(s, "summary") {
			return false
		}
	}
	return true
}

// unrendered: what the page's own style says. A page that hides its whole body
// waits for a script to show it and is not taken at its word.
func (d *Document) unrendered(n *html.Node) string {
	var path []*html.Node
	for a := n; a != nil; a = a.Parent {
		if a.Type == html.ElementNode && !isShadow(a) {
			path = append(path, a)
		}
	}
	slices.Reverse(path)
	computed, box := style.Compute(d.Root), style.Box{}
	whole := false // the body as a whole is hidden
	for _, a := range path {
		box = computed.Of(a, box)
		root := is(a, "html", "body")
		switch {
		case root && (box.Display == style.None || !box.Visible):
			whole = true
		case is(a, "area", "option", "optgroup"), HasAttr(a, "popover"):
		case HasAttr(a, "hidden") && box.Display == style.None:
			return "the element is hidden" + within(n, a)
		case box.Display == style.None:
			return "the element is not displayed" + within(n, a)
		case box.SkipContents && a != n:
			return "the element is in content that is not rendered" + within(n, a)
		}
	}
	if !box.Visible && !whole {
		return "the element is invisible"
	}
	return ""
}

func within(n, a *html.Node) string {
	if n == a {
		return ""
	}
	return ": it lies in a " + a.Data + " element that is"
}
