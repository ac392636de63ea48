package forms

import (
	"strings"

	"golang.org/x/net/html"
)

// Refusal says why a user could not reach an element, as a reason word and a
// sentence; both are "" if nothing stands in the way. A closed details element
// does not: its content is part of what a reader of this engine sees.
func (d *Document) Refusal(n *html.Node) (reason, msg string) {
	if Type(n) == "hidden" {
		return "hidden", "the field is of type hidden; a reader cannot reach it"
	}
	visibility := ""
	for a := n; a != nil; a = a.Parent {
		if a.Type != html.ElementNode {
			continue
		}
		if HasAttr(a, "inert") {
			return "inert", "the element is inert" + within(n, a)
		}
		display, vis := inlineStyle(a)
		if visibility == "" {
			visibility = vis
		}
		switch {
		case HasAttr(a, "hidden") && !strings.EqualFold(Attr(a, "hidden"), "until-found"):
			return "hidden", "the element is hidden" + within(n, a)
		case display == "none":
			return "hidden", "the element is not displayed" + within(n, a)
		case is(a, "dialog") && !d.Open(a):
			return "hidden", "the element is in a dialog that is closed"
		case HasAttr(a, "popover") && !d.Open(a):
			return "hidden", "the element is in a popover that is closed"
		case is(a, "template", "head", "datalist"):
			return "hidden", "the element is not part of the visible page" + within(n, a)
		}
	}
	if visibility == "hidden" || visibility == "collapse" {
		return "hidden", "the element is invisible"
	}
	if Disabled(n) || strings.EqualFold(Attr(n, "aria-disabled"), "true") {
		return "disabled", "the element is disabled"
	}
	return "", ""
}

func within(n, a *html.Node) string {
	if n == a {
		return ""
	}
	return ": it lies in a " + a.Data + " element that is"
}

// inlineStyle is the display and visibility that a style attribute declares.
func inlineStyle(n *html.Node) (display, visibility string) {
	style := Attr(n, "style")
	if style == "" {
		return "", ""
	}
	for decl := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(decl, ":")
		value = asciiLower(strings.TrimSpace(value))
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch asciiLower(strings.TrimSpace(name)) {
		case "display":
			display = value
		case "visibility":
			visibility = value
		}
	}
	return display, visibility
}
