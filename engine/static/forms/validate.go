package forms

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"

	"plasmate/som/weburl"
)

// Invalid is a control that fails native validation.
type Invalid struct {
	Node   *html.Node
	Reason string // for a reader: "required", "below the minimum 3", …
}

// NoValidate is the no-validate state of a submitter: form is the form itself
// or one of its submit buttons.
func NoValidate(form, submitter *html.Node) bool {
	return HasAttr(form, "novalidate") || submitter != nil && submitter != form && HasAttr(submitter, "formnovalidate")
}

// Invalid lists the form's controls that fail validation, in tree order; a radio
// group is listed once.
//
// Spec: HTML, statically validate the constraints of a form.
func (d *Document) Invalid(form *html.Node) []Invalid {
	var bad []Invalid
	judged := map[string]bool{} // radio groups
	for _, c := range d.Controls(form) {
		if !validates(c) {
			continue
		}
		if name := Attr(c, "name"); Type(c) == "radio" && name != "" {
			if judged[name] {
				continue
			}
			judged[name] = true
		}
		if reason := d.fault(c); reason != "" {
			bad = append(bad, Invalid{Node: c, Reason: reason})
		}
	}
	return bad
}

// validates: candidates for constraint validation.
func validates(c *html.Node) bool {
	if !is(c, "input", "select", "textarea") || Disabled(c) || closest(c.Parent, "datalist") != nil {
		return false
	}
	if HasAttr(c, "readonly") && !is(c, "select") {
		return false
	}
	switch Type(c) {
	case "hidden", "reset", "button", "submit", "image":
		return false
	}
	return true
}

// fault is the first constraint that a control violates, "" if it is valid.
func (d *Document) fault(c *html.Node) string {
	if d.valueMissing(c) {
		return "required"
	}
	if is(c, "select") {
		return ""
	}
	v := d.Value(c)
	if v == "" {
		return ""
	}
	switch Type(c) {
	case "email":
		if reason := emailFault(c, v); reason != "" {
			return reason
		}
	case "url":
		if _, err := weburl.Parse(v); err != nil {
			return "not an absolute URL"
		}
	case "number", "range", "date", "month", "week", "time", "datetime-local":
		return rangeFault(c, v)
	}
	if isTextual(c) || is(c, "textarea") {
		if reason := d.lengthFault(c, v); reason != "" {
			return reason
		}
	}
	if isTextual(c) {
		return patternFault(c, v)
	}
	return ""
}

func (d *Document) valueMissing(c *html.Node) bool {
	switch kind := Type(c); {
	case kind == "radio":
		return d.radioMissing(c)
	case !HasAttr(c, "required"):
		return false
	case kind == "checkbox":
		return !d.Checked(c)
	case kind == "file":
		return len(d.state(c).Files) == 0
	case is(c, "select"):
		return d.selectMissing(c)
	case kind == "range", kind == "color":
		return false
	}
	return d.Value(c) == ""
}

// radioMissing: one required button makes its whole group required.
func (d *Document) radioMissing(c *html.Node) bool {
	required := false
	for _, r := range d.RadioGroup(c) {
		if d.Checked(r) {
			return false
		}
		required = required || HasAttr(r, "required")
	}
	return required
}

// selectMissing: only the placeholder label option, or nothing, is selected.
func (d *Document) selectMissing(c *html.Node) bool {
	selected, options := d.Selected(c), Options(c)
	if len(selected) == 0 {
		return true
	}
	if HasAttr(c, "multiple") || displaySize(c) != 1 || len(selected) > 1 || selected[0] != 0 {
		return false
	}
	return options[0].Parent == c && DefaultValue(options[0]) == ""
}

// emailForm is the pattern that HTML gives for valid e-mail addresses.
var emailForm = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

func emailFault(c *html.Node, v string) string {
	for _, address := range addresses(c, v) {
		if !emailForm.MatchString(address) {
			return "not an e-mail address"
		}
	}
	return ""
}

// addresses splits the value of an e-mail field that takes several.
func addresses(c *html.Node, v string) []string {
	if Type(c) == "email" && HasAttr(c, "multiple") {
		return strings.Split(v, ",")
	}
	return []string{v}
}

// lengthFault: only what a user typed can be too long or too short.
func (d *Document) lengthFault(c *html.Node, v string) string {
	if d.state(c).Value == nil {
		return ""
	}
	n := length(v)
	if limit, ok := lengthAttr(c, "maxlength"); ok && n > limit {
		return fmt.Sprintf("longer than %d characters", limit)
	}
	if limit, ok := lengthAttr(c, "minlength"); ok && n < limit {
		return fmt.Sprintf("shorter than %d characters", limit)
	}
	return ""
}

// length counts UTF-16 code units, as HTML does.
func length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// lengthAttr: the rules for parsing non-negative integers.
func lengthAttr(c *html.Node, name string) (int, bool) {
	s := strings.TrimPrefix(strings.TrimLeft(Attr(c, name), asciiSpace), "+")
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	return n, err == nil
}

func rangeFault(c *html.Node, v string) string {
	x, ok := toNumber(Type(c), v)
	if !ok {
		return ""
	}
	l := limitsOf(c)
	if reason := boundsFault(c, x, l); reason != "" {
		return reason
	}
	if l.step == nil || onStep(x, l) {
		return ""
	}
	if s := Attr(c, "step"); s != "" {
		return "not a step of " + s
	}
	return "not on a step of the field"
}

func boundsFault(c *html.Node, x *big.Rat, l limits) string {
	below := l.min != nil && x.Cmp(l.min) < 0
	above := l.max != nil && x.Cmp(l.max) > 0
	if Type(c) == "time" && l.min != nil && l.max != nil && l.max.Cmp(l.min) < 0 {
		if below && above { // a reversed range: over midnight
			return "not between " + Attr(c, "min") + " and " + Attr(c, "max")
		}
		return ""
	}
	switch {
	case below && Attr(c, "min") == "":
		return "below the minimum 0"
	case below:
		return "below the minimum " + Attr(c, "min")
	case above && Attr(c, "max") == "":
		return "above the maximum 100"
	case above:
		return "above the maximum " + Attr(c, "max")
	}
	return ""
}

func patternFault(c *html.Node, v string) string {
	p, ok := lookup(c, "pattern")
	if !ok {
		return ""
	}
	match := compilePattern(p)
	if match == nil {
		return ""
	}
	for _, part := range addresses(c, v) {
		if match(part) {
			continue
		}
		reason := "does not match the pattern " + p
		if t := Collapse(Attr(c, "title")); t != "" {
			reason += " (" + t + ")"
		}
		return reason
	}
	return ""
}

// Label is the name that a reader knows a control by: its labels, else its
// aria-label, legend of its group, placeholder, title or name.
func (d *Document) Label(c *html.Node) string {
	for _, l := range d.Labels(c) {
		if t := labelText(l, c); t != "" {
			return t
		}
	}
	for _, key := range []string{"aria-label", "placeholder", "title", "alt", "name", "id"} {
		if v := Collapse(Attr(c, key)); v != "" {
			return v
		}
	}
	return ""
}

// labelText is a label's text without that of the control in it.
func labelText(label, control *html.Node) string {
	var b strings.Builder
	for n := label.FirstChild; n != nil; {
		switch {
		case n == control, is(n, "script", "style", "select", "textarea", "template"):
			n = afterSubtree(n, label)
			continue
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		}
		n = following(n, label)
	}
	return Collapse(b.String())
}

// Labels are the label elements whose labeled control is c, in tree order.
func (d *Document) Labels(c *html.Node) []*html.Node {
	if d.labels == nil {
		d.labels = map[*html.Node][]*html.Node{}
		for _, l := range d.Elements("label") {
			if labeled := d.LabeledControl(l); labeled != nil {
				d.labels[labeled] = append(d.labels[labeled], l)
			}
		}
	}
	return d.labels[c]
}

// LabeledControl is the control that a label is for; nil if there is none.
//
// Spec: HTML, The label element.
func (d *Document) LabeledControl(label *html.Node) *html.Node {
	if id, ok := lookup(label, "for"); ok {
		if c := d.Referred(label, id); isLabelable(c) {
			return c
		}
		return nil
	}
	for n := label.FirstChild; n != nil; n = following(n, label) {
		if isLabelable(n) {
			return n
		}
	}
	return nil
}

func isLabelable(n *html.Node) bool {
	return is(n, "button", "meter", "output", "progress", "select", "textarea") || is(n, "input") && Type(n) != "hidden"
}
