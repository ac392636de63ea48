package static

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
)

// typeText puts text into a field, as a user's typing would: in place of what is
// there, or after it.
func typeText(d *forms.Document, n *html.Node, a engine.Action) (effect, error) {
	if err := editable(d, n); err != nil {
		return effect{}, err
	}
	text := a.Value
	if a.Append {
		text = d.Value(n) + text
	}
	e, err := setValue(d, n, text)
	if err != nil || !a.Submit {
		return e, err
	}
	return implicitSubmission(d, n, e)
}

// editable refuses what a user cannot type into.
func editable(d *forms.Document, n *html.Node) error {
	switch {
	case forms.IsEditable(n):
	case isEditingHost(n):
		return nil
	default:
		return refuse("not_editable", "the %s takes no text; type goes into text fields only", describe(n))
	}
	if err := disabled(n); err != nil {
		return err
	}
	if forms.ReadOnly(n) {
		return refuse("readonly", "the %s is read-only", describe(n))
	}
	return nil
}

func isEditingHost(n *html.Node) bool {
	v, ok := attr(n, "contenteditable")
	v = strings.ToLower(v)
	return ok && (v == "" || v == "true" || v == "plaintext-only")
}

// setValue gives a field a value, sanitized for its type and no longer than its
// maxlength lets a user type. Text that the type cannot hold is refused.
func setValue(d *forms.Document, n *html.Node, text string) (effect, error) {
	var e effect
	v := text
	if !isEditingHost(n) || forms.IsEditable(n) {
		v = forms.Sanitize(n, text)
		if !holds(n, text, v) {
			return effect{}, refuse("invalid_value", "%q is no value for a %s", clip(text), describe(n))
		}
		if limit, ok := forms.MaxLength(n); ok {
			if short := cutUnits(v, limit); short != v {
				v = short
				e.note = "the text was cut: the field takes no more"
			}
		}
	}
	if forms.Type(n) != "password" { // secrets are not read back
		e.value = &v
	}
	same := d.Value(n) == v
	if same && e.note == "" {
		e.note = "the value is so already"
	}
	c := d.State[d.ID(n)]
	c.Value = &v // typing makes the value dirty even where it is the same (HTML, tooLong and tooShort)
	e.set(d.ID(n), c)
	e.changed = !same
	return e, nil
}

// holds says whether a field of that type can have the text as its value.
func holds(n *html.Node, text, sanitized string) bool {
	text = strings.TrimSpace(text)
	switch forms.Type(n) {
	case "number", "date", "month", "week", "time", "datetime-local":
		return text == "" || sanitized != ""
	case "color":
		return strings.EqualFold(text, sanitized)
	case "range":
		return forms.IsNumber(text)
	}
	return true
}

// cutUnits is the longest prefix of s of at most limit UTF-16 code units.
func cutUnits(s string, limit int) string {
	for i, r := range s {
		if limit -= utf16.RuneLen(r); limit < 0 {
			return s[:i]
		}
	}
	return s
}

// clearControl empties a field, a multiple list or a file input.
func clearControl(d *forms.Document, n *html.Node) (effect, error) {
	c := d.State[d.ID(n)]
	switch {
	case isElement(n, "select") && forms.HasAttr(n, "multiple"):
		if err := disabled(n); err != nil {
			return effect{}, err
		}
		return setSelected(d, n, forms.Options(n), []int{}), nil
	case forms.Type(n) == "file":
		if err := disabled(n); err != nil {
			return effect{}, err
		}
		var e effect
		if len(c.Files) > 0 {
			c.Files = nil
			e.set(d.ID(n), c)
		}
		return e, nil
	}
	if err := editable(d, n); err != nil {
		return effect{}, err
	}
	if t := forms.Type(n); t == "range" || t == "color" {
		return effect{}, refuse("not_editable", "a %s always has a value; type another one", describe(n))
	}
	return setValue(d, n, "")
}

// press is a key in an element: Enter submits from a field and activates
// buttons, links and the like; Space activates buttons and boxes.
func press(d *forms.Document, n *html.Node, key string) (effect, error) {
	field := forms.IsEditable(n) && !isElement(n, "textarea") || forms.Type(n) == "checkbox" || forms.Type(n) == "radio"
	switch strings.ToLower(key) {
	case "enter":
		if field {
			if err := disabled(n); err != nil {
				return effect{}, err
			}
			return implicitSubmission(d, n, effect{})
		}
		return click(d, n)
	case " ", "space":
		if forms.IsButton(n) || forms.Type(n) == "checkbox" || forms.Type(n) == "radio" || isSummary(n) {
			return click(d, n)
		}
	}
	return effect{}, refuse("unsupported", "pressing %q does nothing here; Enter and Space are known", clip(key))
}

// implicitSubmission is Enter in a field, after e. It is a click on the form's
// default button if there is one.
func implicitSubmission(d *forms.Document, n *html.Node, e effect) (effect, error) {
	form := d.Owner(n)
	if form == nil || isElement(n, "textarea") || isEditingHost(n) {
		e.note = join(e.note, "nothing was submitted: the field belongs to no form, or takes line breaks")
		return e, nil
	}
	submitter, why := d.ImplicitSubmitter(form)
	if submitter == nil {
		e.note = join(e.note, "nothing was submitted: "+why)
		return e, nil
	}
	e.submit = &submission{form, submitter}
	return e, nil
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
