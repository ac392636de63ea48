package static

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
)

// choose takes options of a list, a radio button of a group, or a suggestion of
// a field, by value and then by text.
func choose(d *forms.Document, n *html.Node, a engine.Action) (effect, error) {
	values := values(a)
	if err := disabled(n); err != nil {
		return effect{}, err
	}
	switch {
	case isElement(n, "select"):
		if a.Values == nil {
			values = []string{a.Value} // "" is the value of many a first option
		}
		return selectOptions(d, n, values)
	case isElement(n, "option") && len(values) == 0:
		return clickOption(d, n)
	case forms.Type(n) == "radio":
		return chooseRadio(d, n, d.RadioGroup(n), values)
	case isElement(n, "input") && forms.HasAttr(n, "list"):
		return chooseSuggestion(d, n, values)
	}
	if radios := radiosIn(d, n); len(radios) > 0 {
		return chooseRadio(d, nil, radios, values)
	}
	return effect{}, refuse("not_selectable", "the %s has nothing to select; use click or type", describe(n))
}

func selectOptions(d *forms.Document, sel *html.Node, values []string) (effect, error) {
	multiple := forms.HasAttr(sel, "multiple")
	options := forms.Options(sel)
	if !multiple && len(values) != 1 {
		e := refuse("not_multiple", "the list takes exactly one option, not %d", len(values))
		e.Options = optionList(options)
		return effect{}, e
	}
	chosen := []int{}
	for _, v := range values {
		i := findOption(options, v)
		if i < 0 {
			e := refuse("no_such_option", "the list has no option %q", clip(v))
			e.Options = optionList(options)
			return effect{}, e
		}
		if forms.Disabled(options[i]) {
			e := refuse("disabled", "the option %q is disabled", clip(forms.OptionLabel(options[i])))
			e.Options = optionList(options)
			return effect{}, e
		}
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return setSelected(d, sel, options, chosen), nil
}

// setSelected makes exactly these options of a list the selected ones.
func setSelected(d *forms.Document, sel *html.Node, options []*html.Node, chosen []int) effect {
	e := effect{value: new(string)}
	if len(chosen) > 0 {
		*e.value = forms.DefaultValue(options[chosen[0]])
	}
	if slices.Equal(d.Selected(sel), chosen) {
		e.note = "it was selected already"
		return e
	}
	c := d.State[d.ID(sel)]
	c.Selected = chosen
	e.set(d.ID(sel), c)
	return e
}

// findOption is the index of the option with that value, else with that text;
// enabled ones first; -1 if there is none.
func findOption(options []*html.Node, v string) int {
	text := forms.Collapse(v)
	tests := []func(o *html.Node) bool{
		func(o *html.Node) bool { return forms.DefaultValue(o) == v },
		func(o *html.Node) bool { return forms.Collapse(forms.OptionLabel(o)) == text },
		func(o *html.Node) bool { return strings.EqualFold(forms.Collapse(forms.OptionLabel(o)), text) },
	}
	for _, test := range tests {
		disabled := -1
		for i, o := range options {
			if !test(o) {
				continue
			}
			if !forms.Disabled(o) {
				return i
			}
			if disabled < 0 {
				disabled = i
			}
		}
		if disabled >= 0 {
			return disabled
		}
	}
	return -1
}

// maxListed bounds what an error lists of options or invalid fields.
const maxListed = 1000

func optionList(options []*html.Node) []engine.Option {
	options = options[:min(len(options), maxListed)]
	list := make([]engine.Option, len(options))
	for i, o := range options {
		list[i] = engine.Option{Value: forms.DefaultValue(o), Text: forms.OptionLabel(o)}
	}
	return list
}

// clickOption chooses an option as a click in its open list does; of a multiple
// list it is added or taken away.
func clickOption(d *forms.Document, o *html.Node) (effect, error) {
	sel := o.Parent
	for sel != nil && !isElement(sel, "select") {
		sel = sel.Parent
	}
	if sel == nil {
		return effect{}, refuse("not_selectable", "the option belongs to no list")
	}
	if err := disabled(sel); err != nil {
		return effect{}, err
	}
	options := forms.Options(sel)
	i := slices.Index(options, o)
	if i < 0 {
		return effect{}, refuse("not_selectable", "the option belongs to no list")
	}
	if !forms.HasAttr(sel, "multiple") {
		return setSelected(d, sel, options, []int{i}), nil
	}
	chosen := append([]int{}, d.Selected(sel)...)
	if at := slices.Index(chosen, i); at >= 0 {
		chosen = slices.Delete(chosen, at, at+1)
	} else {
		chosen = append(chosen, i)
		slices.Sort(chosen)
	}
	return setSelected(d, sel, options, chosen), nil
}

// chooseRadio checks the button of a group that has that value, else that label.
// Without a value it is target itself.
func chooseRadio(d *forms.Document, target *html.Node, group []*html.Node, values []string) (effect, error) {
	if len(values) == 0 && target != nil {
		return setChecked(d, target, true), nil
	}
	if len(values) != 1 {
		e := refuse("not_multiple", "of radio buttons exactly one is chosen, not %d", len(values))
		e.Options = radioList(d, group)
		return effect{}, e
	}
	r := findRadio(d, group, values[0])
	if r == nil {
		e := refuse("no_such_option", "the group has no radio button %q", clip(values[0]))
		e.Options = radioList(d, group)
		return effect{}, e
	}
	if err := disabled(r); err != nil {
		return effect{}, err
	}
	return setChecked(d, r, true), nil
}

func findRadio(d *forms.Document, group []*html.Node, v string) *html.Node {
	text := forms.Collapse(v)
	for _, r := range group {
		if d.Value(r) == v {
			return r
		}
	}
	for _, r := range group {
		if d.Label(r) == text {
			return r
		}
	}
	for _, r := range group {
		if strings.EqualFold(d.Label(r), text) {
			return r
		}
	}
	return nil
}

func radioList(d *forms.Document, group []*html.Node) []engine.Option {
	group = group[:min(len(group), maxListed)]
	list := make([]engine.Option, len(group))
	for i, r := range group {
		list[i] = engine.Option{Value: d.Value(r), Text: d.Label(r)}
	}
	return list
}

// radiosIn are the radio buttons within an element that groups them.
func radiosIn(d *forms.Document, n *html.Node) []*html.Node {
	if !isElement(n, "fieldset") && !strings.EqualFold(forms.Attr(n, "role"), "radiogroup") {
		return nil
	}
	var radios []*html.Node
	for c := range n.Descendants() {
		if forms.Type(c) == "radio" {
			radios = append(radios, c)
		}
	}
	return radios
}

// chooseSuggestion takes an option of the field's datalist.
func chooseSuggestion(d *forms.Document, n *html.Node, values []string) (effect, error) {
	list := d.Referred(n, forms.Attr(n, "list"))
	if !isElement(list, "datalist") {
		return effect{}, refuse("not_selectable", "the field has no list of suggestions; use type")
	}
	options := forms.Options(list)
	i := -1
	if len(values) == 1 {
		i = findOption(options, values[0])
	}
	if i < 0 {
		e := refuse("no_such_option", "that is not one of the field's suggestions; use type for other text")
		e.Options = optionList(options)
		return effect{}, e
	}
	return typeText(d, n, engine.Action{Kind: engine.Type, Value: forms.DefaultValue(options[i])})
}

// toggle flips a checkbox or a details element, and chooses a radio button.
func toggle(d *forms.Document, n *html.Node) (effect, error) {
	if err := disabled(n); err != nil {
		return effect{}, err
	}
	switch {
	case forms.Type(n) == "checkbox":
		return setChecked(d, n, !d.Checked(n)), nil
	case forms.Type(n) == "radio":
		return check(d, n, !d.Checked(n))
	case isElement(n, "details"):
		return toggleOpen(d, n), nil
	case isSummary(n):
		return toggleOpen(d, n.Parent), nil
	}
	return effect{}, refuse("not_checkable", "the %s is no checkbox and cannot be toggled without scripts", describe(n))
}

// check sets the checkedness of a checkbox or radio button; unlike toggle it may
// be done twice.
func check(d *forms.Document, n *html.Node, on bool) (effect, error) {
	if err := disabled(n); err != nil {
		return effect{}, err
	}
	switch kind := forms.Type(n); {
	case kind != "checkbox" && kind != "radio":
		return effect{}, refuse("not_checkable", "the %s is no checkbox or radio button", describe(n))
	case kind == "radio" && !on && d.Checked(n):
		return effect{}, refuse("radio", "a checked radio button cannot be unchecked; choose another one of its group")
	}
	return setChecked(d, n, on), nil
}

// setChecked sets a checkbox or radio button; a radio button that is checked
// unchecks the others of its group.
func setChecked(d *forms.Document, n *html.Node, on bool) effect {
	state := "off"
	if on {
		state = "on"
	}
	e := effect{value: &state}
	if d.Checked(n) == on {
		e.note = "it is " + state + " already"
		return e
	}
	e.check(d, n, on)
	if on && forms.Type(n) == "radio" {
		for _, other := range d.RadioGroup(n) {
			if other != n && d.Checked(other) {
				e.check(d, other, false)
			}
		}
	}
	return e
}

func (e *effect) check(d *forms.Document, n *html.Node, on bool) {
	c := d.State[d.ID(n)]
	c.Checked = &on
	e.set(d.ID(n), c)
}
