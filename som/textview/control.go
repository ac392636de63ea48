package textview

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/policy/hygiene"
	"plasmate/policy/privacy"
	"plasmate/som"
)

// roleOf is what a control is called; "" for elements that are none.
func roleOf(e *som.Element) string {
	source, _ := e.Attr("source_role")
	switch e.Role {
	case "link":
		return "link"
	case "button":
		switch source {
		case "tab", "option", "treeitem", "combobox", "switch":
			return source
		case "menuitem", "menuitemcheckbox", "menuitemradio":
			return "menuitem"
		}
		return "button"
	case "checkbox":
		if source == "switch" {
			return source
		}
		return "checkbox"
	case "radio":
		return "radio"
	case "textarea":
		return "textbox"
	case "select":
		if m, _ := e.Attr("multiple"); m == "true" {
			return "listbox"
		}
		return "combobox"
	case "text_input":
		return inputRole(e, source)
	}
	return ""
}

func inputRole(e *som.Element, source string) string {
	switch t, _ := e.Attr("input_type"); t {
	case "search":
		return "searchbox"
	case "number":
		return "spinbutton"
	case "range":
		return "slider"
	case "file", "color":
		return t
	case "date", "time", "datetime-local", "month", "week":
		return "date"
	}
	switch source {
	case "combobox", "searchbox", "spinbutton", "slider":
		return source
	}
	return "textbox"
}

// actable makes the control of an element. It reports whether it did.
func (d *doc) actable(n *html.Node, e *som.Element, role string, s state) bool {
	c := &control{id: e.Node, el: e, role: role}
	c.states = statesOf(e, s.inert)
	switch e.Role {
	case "link", "button":
		d.contentControl(n, e, c, s)
		return true
	case "checkbox", "radio":
		if n.DataAtom != atom.Input {
			d.contentControl(n, e, c, s)
			return true
		}
	}
	d.fieldControl(n, e, c)
	d.line.control(c)
	if n.DataAtom != atom.Input && n.DataAtom != atom.Select && n.DataAtom != atom.Textarea && e.Text == "" {
		d.kids(n, s) // a field by its role
	}
	return true
}

// fieldControl reads a form field: name, value, options, limits.
func (d *doc) fieldControl(n *html.Node, e *som.Element, c *control) {
	name := e.Label
	if name == "" {
		name = e.Text
	}
	c.named = name != ""
	if d.fromAttribute(n, name) {
		c.name = short(d.attribute(name))
	} else {
		c.name = short(d.redact(strings.TrimSpace(d.clean(name))))
	}
	if !c.named {
		if k := attr(n, "name"); k != "" {
			c.name, c.named = "("+short(d.attribute(k))+")", true
		}
	}
	c.secret = d.secretKind(n, e)
	d.valueOf(n, e, c)
}

// fromAttribute reports whether a name comes from an attribute, which nobody sees.
func (d *doc) fromAttribute(n *html.Node, name string) bool {
	if has(n, "aria-label") {
		return true
	}
	name = strings.Join(strings.Fields(name), " ")
	for _, k := range [...]string{"title", "placeholder", "alt", "value"} {
		if v := attr(n, k); v != "" && strings.Join(strings.Fields(v), " ") == name {
			return true
		}
	}
	return false
}

func (d *doc) secretKind(n *html.Node, e *som.Element) string {
	if e.Role != "text_input" && e.Role != "textarea" {
		return ""
	}
	kind, _ := e.Attr("input_type")
	k := privacy.FieldKind(privacy.Field{
		Type: kind, Autocomplete: attr(n, "autocomplete"), Words: []string{e.Label, attr(n, "name"), attr(n, "id"), attr(n, "placeholder")},
	})
	if k == "" && d.secrets[e.Node] {
		k = "secret"
	}
	return k
}

// maxValue is how many characters of a value are printed.
const maxValue = 80

func (d *doc) valueOf(n *html.Node, e *som.Element, c *control) {
	value, _ := e.Attr("value")
	hidden, _ := e.Attr("has_value")
	switch {
	case c.secret != "":
		if value != "" || hidden == "true" {
			c.value, c.hasValue = "•••", true
		}
	case e.Role == "select":
		d.optionsOf(e, c)
	case e.Role == "checkbox" || e.Role == "radio":
	case c.role == "slider" || c.role == "spinbutton":
		low, high := limit(e, "min"), limit(e, "max")
		if low != "" || high != "" {
			c.limits = low + "–" + high
		}
		if value == "" {
			value = limit(e, "now")
		}
		fallthrough
	default:
		if value != "" {
			c.value, c.hasValue = d.valueText(value), true
		}
		if len(e.Options) > 0 {
			d.suggestions(e, c)
		}
	}
}

// limit is a bound or the value of a slider, native or by ARIA.
func limit(e *som.Element, what string) string {
	if v, ok := e.Attr(what); ok {
		return v
	}
	for _, a := range e.Aria {
		if a.Name == "value"+what {
			return a.Value
		}
	}
	return ""
}

func (d *doc) valueText(v string) string {
	v = d.redact(strings.TrimSpace(d.clean(v)))
	if head, rest := cutAt(v, maxValue); rest != "" {
		return head + "…"
	}
	return v
}

func (d *doc) optionsOf(e *som.Element, c *control) {
	for i := range e.Options {
		o := &e.Options[i]
		t := d.redact(strings.TrimSpace(d.clean(o.Text)))
		if t == "" {
			t = d.redact(strings.TrimSpace(d.clean(o.Value)))
		}
		c.options = append(c.options, t)
		if o.Selected {
			c.chosen = append(c.chosen, t)
		}
	}
	if len(c.chosen) > 0 {
		c.value, c.hasValue = strings.Join(c.chosen, ", "), true
		if head, rest := cutAt(c.value, maxValue); rest != "" {
			c.value = head + "…"
		}
		c.hasValue = c.value != ""
	}
}

func (d *doc) suggestions(e *som.Element, c *control) {
	for i := range e.Options {
		t := e.Options[i].Text
		if t == "" {
			t = e.Options[i].Value
		}
		c.options = append(c.options, d.attribute(t))
	}
}

// contentControl is a control that is named by its content: a link, a button.
func (d *doc) contentControl(n *html.Node, e *som.Element, c *control, s state) {
	l := d.nameLine(n, s)
	content := strings.TrimSpace(l.name.String())
	if n.DataAtom == atom.Input {
		content = ""
	}
	if e.Role == "link" {
		c.url = d.linkTarget(e)
	}
	rest := d.nameControl(n, e, c, content, l)
	if d.line.naming { // a control within a control: both are printed
		if c.content {
			d.line.text(c.name)
		}
		d.line.run = append(append(d.line.run, piece{ctl: c, space: true}), l.run...)
		return
	}
	if c.name == "" && content == "" && !c.named && len(l.run) > 0 {
		d.line.run = append(d.line.run, l.run...) // a wrapper around controls
		return
	}
	c.warn = d.misleads(c, content)
	d.place(c, rest, l)
}

// nameLine walks the content of a control.
func (d *doc) nameLine(n *html.Node, s state) *line {
	outer := d.line
	d.line = line{naming: true}
	s.spoken = true
	if n.DataAtom != atom.Input {
		d.kids(n, s)
	}
	d.line.endPart(0)
	l := d.line
	d.line = outer
	return &l
}

// endPart closes a block of text within a name.
func (l *line) endPart(level int) {
	from := 0
	if k := len(l.parts); k > 0 {
		from = l.parts[k-1].to
	}
	if strings.TrimSpace(l.name.String()[from:]) != "" {
		l.parts = append(l.parts, part{from, l.name.Len(), level})
	}
}

// nameControl decides the name. What of the content is not in it is returned.
func (d *doc) nameControl(n *html.Node, e *som.Element, c *control, content string, l *line) (rest string) {
	own := e.Label
	aria := has(n, "aria-label") && strings.TrimSpace(attr(n, "aria-label")) != "" || has(n, "aria-labelledby") && own != ""
	switch {
	case n.DataAtom == atom.Input:
		name := e.Label
		if name == "" {
			name = e.Text
		}
		c.name, c.named = short(d.attribute(name)), name != ""
	case aria && own != "":
		c.name, c.named = short(d.attribute(own)), true
		if c.name != removedMark && missing(own, content) > 3 {
			rest = content
		}
	case content != "":
		c.name, c.named, c.content = content, true, true
	default:
		name := strings.TrimSpace(l.pics.String())
		if name == "" {
			name = own
		}
		if name == "" {
			name = e.Text
		}
		if name == "" {
			name = attr(n, "title")
		}
		c.name, c.named = short(d.attribute(name)), name != ""
	}
	return rest
}

// missing counts the words of text that are not in name.
func missing(name, text string) int {
	name = strings.ToLower(name)
	n := 0
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(name, w) {
			n++
		}
	}
	return n
}

// place puts a named control into the line. A link around a whole card is its
// heading, or its first words, and then the rest.
func (d *doc) place(c *control, rest string, l *line) {
	if c.content {
		if k := l.heading(); k >= 0 && d.sink == toBlocks {
			d.card(c, l, k)
			return
		}
		if clean, _ := hygiene.Clean(c.name); len(clean) > maxName {
			var head string
			if head, rest = cutAt(strings.TrimSpace(clean), maxName); rest != "" {
				c.name = head
			}
		}
	}
	d.line.control(c)
	if rest != "" {
		d.line.space = true
		d.line.text(rest)
	}
	if len(l.run) > 0 {
		d.line.run = append(d.line.run, l.run...)
	}
}

// heading is the index of the one heading in a name; -1 if there is none, or several.
func (l *line) heading() int {
	at := -1
	for i, p := range l.parts {
		if p.level > 0 {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// card prints a link that holds a heading and more: what is before, the heading
// with the link, what is after.
func (d *doc) card(c *control, l *line, k int) {
	all := l.name.String()
	h := l.parts[k]
	d.flush()
	for _, p := range l.parts[:k] {
		d.line.text(all[p.from:p.to])
		d.flush()
	}
	c.name = strings.TrimSpace(all[h.from:h.to])
	r := run{{ctl: c}}
	if clean, _ := hygiene.Clean(c.name); len(clean) > maxName {
		if head, rest := cutAt(strings.TrimSpace(clean), maxName); rest != "" {
			c.name = head
			r = append(r, piece{text: " " + rest})
		}
	}
	d.emit(heading, h.level, r)
	for _, p := range l.parts[k+1:] {
		d.line.text(all[p.from:p.to])
		d.flush()
	}
	d.line.run = append(d.line.run, l.run...)
}

// statesOf lists the states of an element in the order of the grammar.
func statesOf(e *som.Element, inert bool) []string {
	on := map[string]bool{}
	for _, k := range [...]string{"checked", "required", "disabled", "readonly"} {
		if v, _ := e.Attr(k); v == "true" {
			on[k] = true
		}
	}
	for _, a := range e.Aria {
		switch {
		case a.Name == "expanded":
			on["expanded"], on["collapsed"] = a.Value == "true", a.Value == "false"
		case a.Name == "checked" && a.Value == "mixed":
			on["mixed"] = true
		case a.Name == "pressed" && a.Value == "mixed":
			on["mixed"] = true
		case a.Name == "current" && a.Value != "false", a.Name == "invalid" && a.Value != "false":
			on[a.Name] = true
		case a.Value == "true":
			on[a.Name] = true
		}
	}
	if e.Flags&(som.FlagDisabled|som.FlagInert) != 0 || inert {
		on["disabled"] = true
	}
	on["multiline"] = on["multiline"] || e.Role == "textarea"
	var out []string
	for _, s := range stateOrder() {
		if on[s] {
			out = append(out, s)
		}
	}
	return out
}

func stateOrder() [14]string {
	return [14]string{"checked", "mixed", "disabled", "expanded", "collapsed", "selected", "current", "pressed", "required",
		"invalid", "readonly", "focused", "multiline", "offscreen"}
}
