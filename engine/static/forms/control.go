package forms

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"plasmate/som"
)

// Type is an input's state by its type attribute; "" for other elements. A
// missing or unknown type is "text".
func Type(n *html.Node) string {
	if !is(n, "input") {
		return ""
	}
	switch t := asciiLower(Attr(n, "type")); t {
	case "hidden", "search", "tel", "url", "email", "password", "date", "month", "week", "time",
		"datetime-local", "number", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button":
		return t
	}
	return "text"
}

// ButtonType is the state of a button element's type attribute: submit, reset or
// button. Without a valid type it is submit, or button where the element has a
// command (HTML, the Auto state).
func ButtonType(n *html.Node) string {
	switch t := asciiLower(Attr(n, "type")); t {
	case "submit", "reset", "button":
		return t
	}
	if HasAttr(n, "command") || HasAttr(n, "commandfor") {
		return "button"
	}
	return "submit"
}

// IsButton says whether n is a button (HTML, category buttons).
func IsButton(n *html.Node) bool {
	switch Type(n) {
	case "submit", "image", "reset", "button":
		return true
	}
	return is(n, "button")
}

// IsSubmitButton says whether n is a submit button.
func IsSubmitButton(n *html.Node) bool {
	switch Type(n) {
	case "submit", "image":
		return true
	}
	return is(n, "button") && ButtonType(n) == "submit"
}

// isTextual: the inputs that hold one line of free text.
func isTextual(n *html.Node) bool {
	switch Type(n) {
	case "text", "search", "tel", "url", "email", "password":
		return true
	}
	return false
}

// IsEditable says whether a user edits the control's value directly.
func IsEditable(n *html.Node) bool {
	switch Type(n) {
	case "date", "month", "week", "time", "datetime-local", "number", "range", "color":
		return true
	}
	return isTextual(n) || is(n, "textarea")
}

// readonlyApplies: HTML, the readonly attribute.
func readonlyApplies(n *html.Node) bool {
	switch Type(n) {
	case "range", "color":
		return false
	}
	return IsEditable(n)
}

// Disabled says whether an element is disabled (HTML, Enabling and disabling
// form controls): by its own attribute or by a fieldset around it, unless it
// lies in that fieldset's first legend. Options follow their optgroup.
func Disabled(n *html.Node) bool {
	switch {
	case is(n, "option"):
		return HasAttr(n, "disabled") || is(n.Parent, "optgroup") && HasAttr(n.Parent, "disabled")
	case is(n, "optgroup"):
		return HasAttr(n, "disabled")
	case !is(n, "button", "fieldset", "input", "select", "textarea"):
		return false
	case HasAttr(n, "disabled"):
		return true
	}
	for f := closest(n.Parent, "fieldset"); f != nil; f = closest(f.Parent, "fieldset") {
		if HasAttr(f, "disabled") && !inFirstLegend(f, n) {
			return true
		}
	}
	return false
}

func inFirstLegend(fieldset, n *html.Node) bool {
	for c := fieldset.FirstChild; c != nil; c = c.NextSibling {
		if is(c, "legend") {
			return contains(c, n)
		}
	}
	return false
}

func (d *Document) state(n *html.Node) som.Control { return d.State[d.ID(n)] }

// Value is a control's value as its script API gives it: sanitized, and with
// line feeds as the only line breaks.
func (d *Document) Value(n *html.Node) string {
	if v := d.state(n).Value; v != nil {
		return *v
	}
	return DefaultValue(n)
}

// DefaultValue is the value that the source gives a control.
func DefaultValue(n *html.Node) string {
	switch {
	case is(n, "textarea"):
		return normalizeLF(childText(n))
	case is(n, "input"):
		v := Attr(n, "value")
		switch Type(n) {
		case "checkbox", "radio":
			if !HasAttr(n, "value") {
				return "on"
			}
			return v
		case "file":
			return ""
		}
		return Sanitize(n, v)
	case is(n, "option"):
		if v, ok := lookup(n, "value"); ok {
			return v
		}
		return Text(n)
	}
	return Attr(n, "value")
}

// Checked is the checkedness of a checkbox or radio button.
func (d *Document) Checked(n *html.Node) bool {
	if c := d.state(n).Checked; c != nil {
		return *c
	}
	return d.defaultChecked(n)
}

// defaultChecked: of several radio buttons that a page checks in one group, the
// last one stays checked.
func (d *Document) defaultChecked(n *html.Node) bool {
	if !HasAttr(n, "checked") {
		return false
	}
	if Type(n) != "radio" {
		return true
	}
	if Attr(n, "name") == "" {
		return true
	}
	return d.group(n).checked == n
}

// RadioGroup is all radio buttons of n's group in tree order, n among them.
//
// Spec: HTML, Radio Button state (type=radio).
func (d *Document) RadioGroup(n *html.Node) []*html.Node {
	if Attr(n, "name") == "" {
		return []*html.Node{n}
	}
	return d.group(n).members
}

type groupKey struct {
	owner *html.Node // the form, or without one the tree
	name  string
}

func (d *Document) groupKey(n *html.Node) groupKey {
	owner := d.Owner(n)
	if owner == nil {
		owner = d.tree(n)
	}
	return groupKey{owner, Attr(n, "name")}
}

type radioGroup struct {
	members []*html.Node
	checked *html.Node // the last one that the source checks
}

// group is the group of a radio button with a name.
func (d *Document) group(n *html.Node) *radioGroup {
	if d.groups == nil {
		d.groups = map[groupKey]*radioGroup{}
		for _, c := range d.controls {
			if Type(c) == "radio" && Attr(c, "name") != "" {
				d.groupAdd(c)
			}
		}
	}
	if g := d.groups[d.groupKey(n)]; g != nil {
		return g
	}
	return &radioGroup{members: []*html.Node{n}} // in a template
}

func (d *Document) groupAdd(c *html.Node) {
	key := d.groupKey(c)
	g := d.groups[key]
	if g == nil {
		g = &radioGroup{}
		d.groups[key] = g
	}
	g.members = append(g.members, c)
	if HasAttr(c, "checked") {
		g.checked = c
	}
}

// Options is a select's list of options in tree order.
func Options(sel *html.Node) []*html.Node {
	var options []*html.Node
	for n := sel.FirstChild; n != nil; {
		switch {
		case is(n, "option"):
			options = append(options, n)
			n = afterSubtree(n, sel)
			continue
		case is(n, "select", "template"):
			n = afterSubtree(n, sel)
			continue
		}
		n = following(n, sel)
	}
	return options
}

// OptionLabel is what a reader sees of an option.
func OptionLabel(n *html.Node) string {
	if l := Attr(n, "label"); l != "" {
		return l
	}
	return Text(n)
}

// Selected is the indices of a select's selected options.
func (d *Document) Selected(sel *html.Node) []int {
	if s := d.state(sel).Selected; s != nil {
		return s
	}
	return defaultSelected(sel)
}

// defaultSelected: HTML, the selectedness setting algorithm.
func defaultSelected(sel *html.Node) []int {
	var selected []int
	firstEnabled := -1
	for i, o := range Options(sel) {
		if HasAttr(o, "selected") {
			selected = append(selected, i)
		}
		if firstEnabled < 0 && !Disabled(o) {
			firstEnabled = i
		}
	}
	switch {
	case HasAttr(sel, "multiple"):
	case len(selected) > 1:
		selected = selected[len(selected)-1:]
	case len(selected) == 0 && firstEnabled >= 0 && displaySize(sel) == 1:
		selected = []int{firstEnabled}
	}
	return selected
}

// displaySize: HTML, the select element's display size.
func displaySize(sel *html.Node) int {
	s := strings.TrimLeft(Attr(sel, "size"), asciiSpace)
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if n, err := strconv.Atoi(s[:end]); err == nil && n > 0 {
		return n
	}
	if HasAttr(sel, "multiple") {
		return 4
	}
	return 1
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// Open is the open state of a details, dialog or popover.
func (d *Document) Open(n *html.Node) bool {
	if o := d.state(n).Open; o != nil {
		return *o
	}
	return HasAttr(n, "open") && is(n, "details", "dialog")
}

// ReadOnly says that a control's value cannot be edited though it is enabled.
func ReadOnly(n *html.Node) bool { return readonlyApplies(n) && HasAttr(n, "readonly") }

// MaxLength is how many UTF-16 code units a user may type into a control.
func MaxLength(n *html.Node) (int, bool) {
	if !isTextual(n) && !is(n, "textarea") {
		return 0, false
	}
	return lengthAttr(n, "maxlength")
}

// IsNumber says whether s is a valid floating-point number (HTML).
func IsNumber(s string) bool {
	_, ok := parseFloat(s)
	return ok
}
