package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// input compiles an input element by its type.
func (c *compiler) input(n *html.Node, id NodeID) {
	kind := strings.ToLower(strings.Trim(attr(n, "type"), asciiSpace))
	switch kind {
	case "hidden":
		return
	case "submit", "button", "reset", "image":
		c.inputButton(n, id, kind)
	case "checkbox":
		c.tick(n, id, roleCheckbox, kind)
	case "radio":
		c.tick(n, id, roleRadio, kind)
	case "email", "password", "search", "tel", "url", "number", "date", "datetime-local", "month", "week", "time",
		"color", "range", "file":
		c.field(n, id, kind)
	default: // an unknown type is text
		c.field(n, id, "text")
	}
}

// newControl begins a form control: an inline element that has no text of its own
// in the line.
func (c *compiler) newControl(n *html.Node, id NodeID, role string) *Element {
	c.events++
	c.control++
	c.beginRun()
	e := c.make(role, n, id)
	e.Flags |= FlagInline
	c.place(e)
	return e
}

func (c *compiler) inputButton(n *html.Node, id NodeID, kind string) {
	if c.unseen {
		return
	}
	e := c.newControl(n, id, roleButton)
	name := c.names.name(n, id)
	e.Text = ""
	c.str("button_type", kind)
	c.strOf(n, "name", "name")
	c.strOf(n, "value", "value")
	if kind == "image" {
		c.strOf(n, "alt", "alt")
		if src := attr(n, "src"); src != "" {
			c.str("src", shortData(src))
		}
	}
	c.submitter(n)
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.hints(e, n, id)
	c.finish(e, name, c.path)
	if v := collapse(attr(n, "value")); v != "" && kind != "image" {
		e.Text = v
		if e.Label == v {
			e.Label = ""
		}
	} else if kind != "image" && e.Label != "" && !has(n, "value") {
		e.Text, e.Label = e.Label, ""
	}
	c.ownedBy(e, n, id)
}

func (c *compiler) tick(n *html.Node, id NodeID, role, kind string) {
	if c.unseen {
		return
	}
	e := c.newControl(n, id, role)
	name := c.names.name(n, id)
	checked := has(n, "checked")
	if s, ok := c.in.State[id]; ok && s.Checked != nil {
		checked = *s.Checked
	}
	c.strOf(n, "name", "name")
	if checked {
		c.yes("checked")
	}
	if role == roleRadio {
		c.strOf(n, "name", "group")
	}
	c.strOf(n, "value", "value")
	c.required(n, id)
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.finish(e, name, c.path)
	c.ownedBy(e, n, id)
}

func (c *compiler) field(n *html.Node, id NodeID, kind string) {
	if c.unseen {
		return
	}
	e := c.newControl(n, id, roleInput)
	name := c.names.name(n, id)
	c.str("input_type", kind)
	c.strOf(n, "name", "name")
	c.strOf(n, "placeholder", "placeholder")
	value := attr(n, "value")
	s, touched := c.in.State[id]
	if touched && s.Value != nil {
		value = *s.Value
	}
	switch {
	case kind == "file":
		if touched && len(s.Files) > 0 {
			c.str("value", strings.Join(s.Files, ", "))
		}
		c.strOf(n, "accept", "accept")
		if has(n, "multiple") {
			c.yes("multiple")
		}
	case value == "":
	case kind == "password":
		c.yes("has_value")
	default:
		c.str("value", value)
	}
	c.required(n, id)
	c.readonly(e, n)
	c.limits(n)
	if l := attr(n, "list"); l != "" {
		c.datalist(e, l)
	}
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.finish(e, name, c.path)
	c.ownedBy(e, n, id)
}

// maxSuggestions is after how many options of datalists further ones are left
// out: inputs share them, so that a small page could grow without bound.
const maxSuggestions = 10_000

// datalist writes the suggestions of an input.
func (c *compiler) datalist(e *Element, id string) {
	d := c.idx.element(id)
	if d == NoNode || c.idx.nodes[d].DataAtom != atom.Datalist {
		return
	}
	c.str("list", id)
	if c.suggested > maxSuggestions {
		return
	}
	e.Options = optionsOf(c.idx.nodes[d], nil, false)
	c.suggested += len(e.Options)
	for i := range e.Options {
		o := &e.Options[i]
		o.Selected = false
		if o.Text == "" {
			o.Text = o.Value
		}
	}
	if len(e.Options) > 0 {
		c.kind("options", attrOptions)
	}
}

func (c *compiler) textarea(n *html.Node, id NodeID) {
	if c.unseen {
		return
	}
	e := c.newControl(n, id, roleTextarea)
	name := c.names.name(n, id)
	c.strOf(n, "name", "name")
	c.strOf(n, "placeholder", "placeholder")
	value := textContent(n)
	if s, ok := c.in.State[id]; ok && s.Value != nil {
		value = *s.Value
	}
	if value != "" {
		c.str("value", value)
	}
	c.required(n, id)
	c.readonly(e, n)
	c.limits(n)
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.finish(e, name, c.path)
	c.ownedBy(e, n, id)
}

func (c *compiler) selectBox(n *html.Node, id NodeID) {
	if c.unseen {
		return
	}
	e := c.newControl(n, id, roleSelect)
	c.space = true // its options stand between the words around it
	name := c.names.name(n, id)
	multiple := has(n, "multiple")
	c.strOf(n, "name", "name")
	var chosen []int
	touched := false
	if s, ok := c.in.State[id]; ok && s.Selected != nil {
		chosen, touched = s.Selected, true
	}
	e.Options = optionsOf(n, chosen, touched)
	if !multiple && !touched {
		selectDefault(e.Options, n)
	}
	for i := range e.Options {
		if o := &e.Options[i]; o.Selected && !multiple {
			c.str("value", o.Value)
			break
		}
	}
	if len(e.Options) > 0 {
		c.kind("options", attrOptions)
	}
	if multiple {
		c.yes("multiple")
		c.kind("selected_values", attrSelected)
	}
	c.required(n, id)
	c.enabled(e, n, id)
	c.states(e, n, id)
	c.finish(e, name, c.path)
	c.ownedBy(e, n, id)
}

// optionsOf lists the options of a select or datalist (HTML "list of options").
func optionsOf(n *html.Node, chosen []int, touched bool) []Option {
	var os []Option
	var walk func(n *html.Node, group string, disabled bool, depth int)
	walk = func(n *html.Node, group string, disabled bool, depth int) {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type != html.ElementNode {
				continue
			}
			switch {
			case k.DataAtom == atom.Option:
				os = append(os, option(k, group, disabled))
			case k.DataAtom == atom.Optgroup && group == "":
				walk(k, collapse(attr(k, "label")), disabled || has(k, "disabled"), depth+1)
			case depth < 32:
				walk(k, group, disabled, depth+1)
			}
		}
	}
	walk(n, "", false, 0)
	if touched {
		for i := range os {
			os[i].Selected = false
		}
		for _, i := range chosen {
			if 0 <= i && i < len(os) {
				os[i].Selected = true
			}
		}
	}
	return os
}

func option(n *html.Node, group string, disabled bool) Option {
	text := collapse(textContent(n))
	label := text
	if l := attr(n, "label"); l != "" {
		label = l
	}
	value, ok := lookup(n, "value")
	if !ok {
		value = text
	}
	return Option{Value: value, Text: label, Group: group, Selected: has(n, "selected"), Disabled: disabled || has(n, "disabled")}
}

// selectDefault applies the rule of a select that shows one choice: the last
// selected option, else the first that is not disabled (HTML
// "selectedness setting algorithm").
func selectDefault(os []Option, n *html.Node) {
	last := -1
	for i := range os {
		if os[i].Selected {
			if last >= 0 {
				os[last].Selected = false
			}
			last = i
		}
	}
	if last >= 0 || atoi(attr(n, "size"), 1) > 1 {
		return
	}
	for i := range os {
		if !os[i].Disabled {
			os[i].Selected = true
			return
		}
	}
}

// submitter writes what a submit button changes about its form's submission.
func (c *compiler) submitter(n *html.Node) {
	for _, k := range [...]string{"formaction", "formmethod", "formenctype", "formtarget"} {
		c.strOf(n, k, k)
	}
	if has(n, "formnovalidate") {
		c.yes("formnovalidate")
	}
}

func (c *compiler) required(n *html.Node, id NodeID) {
	if has(n, "required") || c.idx.facts[id]&hasAria != 0 && equalFold(attr(n, "aria-required"), "true") {
		c.yes("required")
	}
}

func (c *compiler) readonly(e *Element, n *html.Node) {
	if has(n, "readonly") || equalFold(attr(n, "aria-readonly"), "true") {
		e.Flags |= FlagReadOnly
		c.yes("readonly")
	}
}

func (c *compiler) limits(n *html.Node) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "step", "pattern", "autocomplete", "inputmode", "dirname", "form", "capture":
			if a.Val != "" {
				c.str(a.Key, a.Val)
			}
		case "min", "max", "minlength", "maxlength":
			c.numeric(a.Key, a.Val)
		}
	}
}

// enabled writes whether a control is disabled, by itself or by a fieldset
// (HTML "concept-fe-disabled": not in the fieldset's legend), or by ARIA.
func (c *compiler) enabled(e *Element, n *html.Node, id NodeID) {
	if has(n, "disabled") {
		e.Flags |= FlagDisabled
	}
	if c.idx.facts[id]&hasAria != 0 && equalFold(attr(n, "aria-disabled"), "true") {
		e.Flags |= FlagDisabled
	}
	if e.Flags&FlagDisabled != 0 {
		c.yes("disabled")
	}
	if f := c.idx.facts[id]; f&(hasAria|hasTitle) != 0 {
		if d := c.names.description(n, id); d != "" {
			c.str("description", cut(d))
		}
	}
}

// ownedBy notes which form a control belongs to (HTML "form owner").
func (c *compiler) ownedBy(e *Element, n *html.Node, id NodeID) {
	form := c.form
	if o, ok := c.idx.owners[id]; ok {
		form = o
	}
	if name, ok := lookup(n, "form"); ok {
		form = c.idx.element(name)
		if form != NoNode && c.idx.nodes[form].DataAtom != atom.Form {
			form = NoNode
		}
	}
	if form == NoNode {
		return
	}
	k := len(e.Attrs)
	c.attrs = append(append(c.attrs[:0], e.Attrs...), Attr{Name: "form_id"})
	e.Attrs = c.made.attributes(c.attrs)
	c.attrs = c.attrs[:0]
	c.owners = append(c.owners, ownerRef{element: e, attr: k, form: form})
}

func editable(v string) bool {
	return v == "" || equalFold(v, "true") || equalFold(v, "plaintext-only")
}

// label compiles a label element. If its control is shown, the text is that
// control's name and needs no paragraph.
func (c *compiler) label(n *html.Node, id NodeID) {
	if !c.namesControl(n, id) {
		c.generic(n, id)
		return
	}
	block := c.isBlock
	if block {
		c.flush()
		c.beginRun()
	}
	events, start := c.events, len(c.txt)
	c.beginCover()
	c.children(n)
	if c.events == events && c.idx.facts[id]&hasAria == 0 || c.named(id, string(c.txt[start:])) {
		c.endCover()
	} else {
		c.cover.depth--
	}
	if block {
		c.flush()
	}
}

// named reports whether the name of a label's control has all words of the label.
func (c *compiler) named(label NodeID, text string) bool {
	control := c.idx.labeled(label)
	name := c.names.memo
	if c.names.memoOf != control || name == "" {
		n := c.idx.nodes[control]
		w := nameWalk{m: &c.names, target: control}
		w.node(n, control, traversal{root: true, css: c.names.boxOf(n)})
		name = collapse(string(w.out))
	}
	for _, word := range strings.Fields(text) {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

func (c *compiler) namesControl(n *html.Node, id NodeID) bool {
	control := c.idx.labeled(id)
	if control == NoNode {
		return false
	}
	k := c.idx.nodes[control]
	if c.idx.facts[control]&(hasAria|hasAriaHidden|hasHidden|hasStyle) != 0 {
		if attr(k, "aria-label") != "" || attr(k, "aria-labelledby") != "" || has(k, "hidden") || has(k, "style") || has(k, "aria-hidden") {
			return false
		}
	}
	switch k.DataAtom {
	case atom.Input, atom.Select, atom.Textarea:
		return c.shown(control)
	}
	return false
}

// shown reports whether no ancestor of an element, nor itself, is display: none.
func (c *compiler) shown(id NodeID) bool {
	hidden, _ := c.names.hidden(c.idx.nodes[id], id)
	return !hidden
}

func textContent(n *html.Node) string {
	if k := n.FirstChild; k != nil && k.NextSibling == nil && k.Type == html.TextNode {
		return k.Data
	}
	var b strings.Builder
	appendContent(&b, n, 0)
	return b.String()
}

func appendContent(b *strings.Builder, n *html.Node, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type == html.TextNode:
			b.WriteString(k.Data)
		case k.Type == html.ElementNode && depth < maxDepth && k.DataAtom != atom.Script && k.DataAtom != atom.Style:
			appendContent(b, k, depth+1)
		}
	}
}
