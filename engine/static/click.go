package static

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"plasmate/engine/static/forms"
	"plasmate/som"
	"plasmate/som/weburl"
)

// click runs the activation behaviour of the nearest element around n that has
// one, as a click event does (DOM, dispatch; HTML, activation behavior).
func click(d *forms.Document, n *html.Node) (effect, error) {
	for a := n; a != nil; a = a.Parent {
		switch {
		case isLink(a):
			if err := disabled(a); err != nil {
				return effect{}, err
			}
			return followLink(d, a, n), nil
		case isElement(a, "button", "input"):
			return activateOrFollow(d, a)
		case isElement(a, "label"):
			return clickLabel(d, a)
		case a == n && isElement(a, "details"): // its summary has no element of its own
			return toggleOpen(d, a), nil
		case isSummary(a):
			return toggleOpen(d, a.Parent), nil
		case isElement(a, "option"):
			return clickOption(d, a)
		case isElement(a, "select", "textarea"):
			return effect{note: "the " + describe(a) + " would get the focus; use select or type"}, disabled(a)
		}
	}
	return effect{note: "nothing is bound to this element without scripts"}, nil
}

// isLink: a and area with an href, and SVG's a.
func isLink(n *html.Node) bool {
	_, ok := href(n)
	return ok
}

func href(n *html.Node) (string, bool) {
	if n.Type != html.ElementNode || n.Data != "a" && n.Data != "area" {
		return "", false
	}
	for _, at := range n.Attr {
		if at.Key == "href" && (at.Namespace == "" || n.Namespace == "svg") {
			return at.Val, true
		}
	}
	return "", false
}

// followLink: HTML, following hyperlinks. clicked is the element within a that
// was clicked.
func followLink(d *forms.Document, a, clicked *html.Node) effect {
	ref, _ := href(a)
	if isElement(clicked, "img") && forms.HasAttr(clicked, "ismap") {
		ref += "?0,0" // a server-side image map gets coordinates
	}
	u, err := d.Resolve(ref)
	if err != nil {
		return effect{note: "the link's address is not a valid URL: " + clip(ref)}
	}
	switch scheme := u.Scheme(); scheme {
	case "http", "https", "data", "about", "file", "ftp":
	case "javascript":
		return effect{note: "the link runs a script, which this engine does not"}
	default:
		return effect{note: "a " + scheme + ": address is not fetched: " + clip(u.String())}
	}
	l := &link{href: u.String(), target: d.Target(a), policy: linkPolicy(a)}
	if name, ok := attr(a, "download"); ok && sameOrigin(u, d.URL) {
		l.download = &name
	}
	return effect{follow: l}
}

// sameOrigin: elsewhere browsers take a download attribute for nothing.
func sameOrigin(u *weburl.URL, page string) bool {
	p, err := weburl.Parse(page)
	return u.Scheme() == "data" || err == nil && p.Origin() == u.Origin()
}

// linkPolicy is the referrer policy that a link asks for; "" if none.
func linkPolicy(a *html.Node) string {
	if noReferrer(a) {
		return "no-referrer"
	}
	return validPolicy(forms.Attr(a, "referrerpolicy"))
}

// formPolicy is the referrer policy that a form asks for; "" if none.
func formPolicy(form *html.Node) string {
	if noReferrer(form) {
		return "no-referrer"
	}
	return ""
}

func noReferrer(n *html.Node) bool {
	return slices.Contains(strings.Fields(strings.ToLower(forms.Attr(n, "rel"))), "noreferrer")
}

// activateOrFollow activates a button or input, or follows the link around one
// that does nothing.
//
// Differs from the spec, which stops at the button: browsers follow the link.
func activateOrFollow(d *forms.Document, n *html.Node) (effect, error) {
	e, err := activate(d, n)
	if err != nil || !e.idle {
		return e, err
	}
	for a := n.Parent; a != nil; a = a.Parent {
		if isLink(a) {
			return followLink(d, a, n), disabled(a)
		}
	}
	return e, nil
}

// activate is the activation behavior of a button or input.
func activate(d *forms.Document, n *html.Node) (effect, error) {
	if err := disabled(n); err != nil {
		return effect{}, err
	}
	form := d.Owner(n)
	switch kind := forms.Type(n); {
	case kind == "checkbox":
		return setChecked(d, n, !d.Checked(n)), nil
	case kind == "radio":
		return setChecked(d, n, true), nil
	case kind == "file":
		return effect{note: "the button opens a file chooser; use upload"}, nil
	case forms.IsSubmitButton(n) && form != nil:
		return effect{submit: &submission{form, n}}, nil
	case form != nil && (kind == "reset" || forms.ButtonType(n) == "reset" && isElement(n, "button")):
		return reset(d, form), nil
	case isElement(n, "button") || kind == "button":
		return command(d, n), nil
	case forms.IsButton(n):
		return effect{idle: true, note: "the button belongs to no form; there is nothing to submit"}, nil
	}
	return effect{note: "the " + describe(n) + " would get the focus; use type"}, nil
}

// command is what buttons do beside forms: HTML, commandfor and popovertarget.
func command(d *forms.Document, b *html.Node) effect {
	if id, ok := attr(b, "commandfor"); ok {
		if t := d.Referred(b, id); t != nil {
			return invoke(d, t, strings.ToLower(forms.Attr(b, "command")))
		}
	}
	if id, ok := attr(b, "popovertarget"); ok {
		if t := d.Referred(b, id); t != nil && forms.HasAttr(t, "popover") {
			action := strings.ToLower(forms.Attr(b, "popovertargetaction"))
			if action != "show" && action != "hide" {
				action = "toggle"
			}
			return invoke(d, t, action+"-popover")
		}
	}
	if d.Owner(b) == nil && forms.IsSubmitButton(b) {
		return effect{idle: true, note: "the button belongs to no form; there is nothing to submit"}
	}
	return effect{idle: true, note: "the button does nothing without scripts"}
}

func invoke(d *forms.Document, target *html.Node, command string) effect {
	var open bool
	dialog, popover := isElement(target, "dialog"), forms.HasAttr(target, "popover")
	switch {
	case dialog && command == "show-modal", popover && command == "show-popover":
		open = true
	case dialog && (command == "close" || command == "request-close"), popover && command == "hide-popover":
	case popover && command == "toggle-popover":
		open = !d.Open(target)
	default:
		return effect{note: "the button's command means nothing without scripts"}
	}
	if d.Open(target) == open {
		return effect{note: "it is so already"}
	}
	var e effect
	e.open(d, target, open)
	return e
}

// clickLabel: HTML, the label element's activation behavior: a click on its
// labeled control.
func clickLabel(d *forms.Document, label *html.Node) (effect, error) {
	c := d.LabeledControl(label)
	switch {
	case c == nil:
		return effect{note: "the label belongs to no control"}, nil
	case isElement(c, "button", "input"):
		return activate(d, c)
	}
	return effect{note: "the label's " + describe(c) + " would get the focus"}, disabled(c)
}

// isSummary: the first summary child of a details element.
func isSummary(n *html.Node) bool {
	if !isElement(n, "summary") || !isElement(n.Parent, "details") {
		return false
	}
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if isElement(s, "summary") {
			return false
		}
	}
	return true
}

// toggleOpen opens or closes a details element; opening one closes the others of
// its name (HTML, details name group).
func toggleOpen(d *forms.Document, details *html.Node) effect {
	var e effect
	open := !d.Open(details)
	e.open(d, details, open)
	name := forms.Attr(details, "name")
	if !open || name == "" {
		return e
	}
	for _, other := range d.Elements("details") {
		if other != details && forms.Attr(other, "name") == name && d.Open(other) {
			e.open(d, other, false)
		}
	}
	return e
}

// reset: HTML, resetting a form: its controls are as the source has them.
func reset(d *forms.Document, form *html.Node) effect {
	var e effect
	for _, c := range d.Controls(form) {
		if _, ok := d.State[d.ID(c)]; ok {
			e.set(d.ID(c), som.Control{})
		}
	}
	if e.changes == nil {
		e.note = "the form was reset; its fields were untouched"
	}
	return e
}

func attr(n *html.Node, key string) (string, bool) {
	return forms.Attr(n, key), forms.HasAttr(n, key)
}

// clip shortens page text in a message.
func clip(s string) string {
	const limit = 200
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + "..."
}
