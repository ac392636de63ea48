package textview

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/policy/privacy"
	"plasmate/som"
	"plasmate/som/weburl"
)

// Deed is what of an action decides whether it must be confirmed. It converts
// to policy.Action, field by field.
type Deed struct {
	Do, Key, Role, Name   string
	InListItem, Untrusted bool
	Form                  *DeedForm // nil: none
}

// DeedForm is what counts of the form that an action may send. It converts to policy.FormFacts.
type DeedForm struct {
	Submits    bool // the action sends it
	Unsafe     bool // by a method other than GET
	Card       bool // it has a field for a card
	Passwords  int  // fields for passwords
	Message    bool // it has a message field that is not empty
	PageSecure bool // the page came over https
	Secure     bool // and so is the form's target
}

// DeedOf reads an action's facts off the element that a ref stands for now,
// and not off what the caller says of it.
func DeedOf(page *som.Page, t Target, do, key string, s *Safety) Deed {
	a := Deed{Do: do, Key: key, Role: t.Role, Name: t.Name, Untrusted: s != nil && !s.Trusted()}
	n := page.Node(t.Node)
	if n == nil {
		return a
	}
	if do == "press" && key == "Enter" && fills(t.Role) {
		// Enter in a field sends the form as its button would.
		if b := submitterOf(n); b != nil {
			a.Role, a.Name = "button", buttonName(page, b)
			a.Do = "submit"
		}
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Li || attr(p, "role") == "listitem" {
			a.InListItem = true
		}
	}
	if f := formOf(n); f != nil {
		a.Form = formFacts(page, f, n, a)
	}
	return a
}

func fills(role string) bool { return role == "textbox" || role == "searchbox" || role == "spinbutton" }

// formOf is the form that a control belongs to: the one it names, else the one around it.
func formOf(n *html.Node) *html.Node {
	if id := attr(n, "form"); id != "" {
		root := n
		for root.Parent != nil {
			root = root.Parent
		}
		for k := range root.Descendants() {
			if k.DataAtom == atom.Form && attr(k, "id") == id {
				return k
			}
		}
		return nil
	}
	for p := n; p != nil; p = p.Parent {
		if p.DataAtom == atom.Form {
			return p
		}
	}
	return nil
}

// submits reports whether a click on a node sends its form.
func submits(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button:
		kind := strings.ToLower(attr(n, "type"))
		return kind != "button" && kind != "reset"
	case atom.Input:
		kind := strings.ToLower(attr(n, "type"))
		return kind == "submit" || kind == "image"
	}
	return false
}

// submitterOf is the first button that sends the form of a field.
func submitterOf(n *html.Node) *html.Node {
	f := formOf(n)
	if f == nil {
		return nil
	}
	for k := range f.Descendants() {
		if submits(k) {
			return k
		}
	}
	return nil
}

func buttonName(page *som.Page, n *html.Node) string {
	if e := page.ElementFor(page.NodeID(n)); e != nil {
		return e.Name()
	}
	return strings.Join(strings.Fields(readable(n)), " ")
}

func formFacts(page *som.Page, f, n *html.Node, a Deed) *DeedForm {
	facts := &DeedForm{Submits: submits(n) || a.Do == "submit" || a.Do == "press" && a.Key == "Enter"}
	method, action := attr(f, "method"), attr(f, "action")
	if submits(n) {
		if m := attr(n, "formmethod"); m != "" {
			method = m
		}
		if x := attr(n, "formaction"); x != "" {
			action = x
		}
	}
	facts.Unsafe = strings.EqualFold(method, "post")
	facts.PageSecure = strings.HasPrefix(page.URL, "https:")
	facts.Secure = facts.PageSecure
	if u, ok := weburl.NewResolver(page.BaseURL).Resolve(action); ok && action != "" {
		facts.Secure = strings.HasPrefix(u, "https:")
	}
	fields := map[som.NodeID]bool{}
	for k := range f.Descendants() {
		if k.Type == html.ElementNode && (k.DataAtom == atom.Input || k.DataAtom == atom.Textarea) {
			fields[page.NodeID(k)] = true
		}
	}
	page.Walk(func(e *som.Element, _ *som.Region) bool {
		if !fields[e.Node] {
			return true
		}
		k := page.Node(e.Node)
		kind, _ := e.Attr("input_type")
		switch privacy.FieldKind(privacy.Field{Type: kind, Autocomplete: attr(k, "autocomplete"), Words: []string{e.Label, attr(k, "name"), attr(k, "id")}}) {
		case "card", "cvc":
			facts.Card = true
		case "password":
			facts.Passwords++
		}
		value, _ := e.Attr("value")
		name := strings.ToLower(e.Label + " " + attr(k, "name"))
		if value != "" && (e.Role == "textarea" || strings.Contains(name, "message") || strings.Contains(name, "comment")) {
			facts.Message = true
		}
		return true
	})
	return facts
}
