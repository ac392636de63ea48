package som

import (
	"strings"

	"golang.org/x/net/html"
)

// states writes attrs.aria and what else comes from ARIA attributes.
func (c *compiler) states(e *Element, n *html.Node, id NodeID) {
	f := c.idx.facts[id]
	if f&hasRole != 0 && interactive(e.Role) && !c.wrote("source_role") {
		if r := explicitRole(n, c.idx, id); r != e.Role && r != "none" && sourceRole(r) != "" {
			c.str("source_role", r)
		}
	}
	if f&hasAria == 0 {
		return
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		if len(a.Key) < 6 || a.Key[:5] != "aria-" {
			continue
		}
		if e.Role == roleHeading && a.Key == "aria-level" {
			continue // attrs.level says it
		}
		if s, ok := ariaState(a.Key[5:], collapse(a.Val)); ok {
			e.Aria = append(e.Aria, s)
		}
	}
	if len(e.Aria) > 0 {
		c.kind("aria", attrAria)
	}
}

// wrote reports whether the element being made has an attribute.
func (c *compiler) wrote(name string) bool {
	for i := range c.attrs {
		if c.attrs[i].Name == name {
			return true
		}
	}
	return false
}

// ariaState is how a state or property is written: true and false as booleans,
// tokens as strings. Names, references used up by names and defaults are left out.
func ariaState(key, v string) (Attr, bool) {
	if v == "" {
		return Attr{}, false
	}
	lower := strings.ToLower(v)
	switch key {
	case "expanded", "selected", "checked", "pressed", "invalid", "current", "haspopup", "disabled", "readonly",
		"busy", "multiselectable", "multiline", "modal", "grabbed", "atomic":
		switch lower {
		case "undefined":
			return Attr{}, false
		case "true", "false":
			if lower == "false" && !falseMatters(key) {
				return Attr{}, false
			}
			return Attr{Name: key, Value: lower, Kind: AttrBool}, true
		}
		return Attr{Name: key, Value: lower}, true
	case "level", "posinset", "setsize", "valuemin", "valuemax", "valuenow", "valuetext", "sort", "orientation",
		"autocomplete", "controls", "placeholder", "roledescription", "keyshortcuts", "live", "errormessage",
		"owns", "colcount", "rowcount", "colindex", "rowindex":
		return Attr{Name: key, Value: v}, true
	case "activedescendant":
		return Attr{Name: "active_descendant", Value: v}, true
	}
	return Attr{}, false
}

// falseMatters: for these states false is not the same as absent.
func falseMatters(key string) bool {
	switch key {
	case "expanded", "selected", "checked", "pressed":
		return true
	}
	return false
}

// hints writes what a button's class tokens say about its weight. Tokens are
// compared whole, by their parts between dashes.
func (c *compiler) hints(e *Element, n *html.Node, id NodeID) {
	if c.idx.facts[id]&hasClass == 0 {
		return
	}
	for tok := range strings.FieldsSeq(attr(n, "class")) {
		for part := range strings.FieldsFuncSeq(tok, func(r rune) bool { return r == '-' || r == '_' }) {
			if h := hint(part); h != "" && !hasString(e.Hints, h) {
				e.Hints = append(e.Hints, h)
			}
		}
	}
}

func hint(part string) string {
	switch part {
	case "primary", "secondary", "danger", "success", "warning", "active":
		return part
	}
	return ""
}

func hasString(ss []string, s string) bool {
	for _, x := range ss {
		if x == s {
			return true
		}
	}
	return false
}
