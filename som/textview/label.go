package textview

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som"
	"plasmate/som/weburl"
)

// label walks a label. Its text is not said again if it is the name of the
// control that it labels; if that is hidden, the label stands in for it.
func (d *doc) label(n *html.Node, s state) {
	c := d.labelled(n)
	if c == nil || s.hide != nil || d.line.naming {
		d.kids(n, s)
		return
	}
	e := d.elements[d.page.NodeID(c)]
	if e == nil || d.hiddenField(c, e) {
		if role := standsFor(c); role != "" {
			d.standIn(n, c, role, s)
			return
		}
		d.kids(n, s)
		return
	}
	name := e.Label
	if name == "" {
		name = e.Text
	}
	l := d.nameLine(n, s)
	said := strings.Join(strings.Fields(l.name.String()), " ")
	if said != "" && (len(name) > maxName || !strings.Contains(strings.Join(strings.Fields(name), " "), said)) {
		if len(l.run) > 0 || d.holdsControl(n) { // text and controls as they stand
			d.kids(n, s)
			return
		}
		d.line.text(l.name.String())
	}
	d.line.run = append(d.line.run, l.run...)
	d.keepSpace(said)
}

// keepSpace notes that text was left out, which parts words.
func (d *doc) keepSpace(said string) {
	if said != "" {
		d.line.space = true
	}
}

// hiddenField reports whether a field is in the SOM, but drawn by its label.
func (d *doc) hiddenField(n *html.Node, e *som.Element) bool {
	if standsFor(n) == "" {
		return false
	}
	b := d.css.Of(n, d.css.Of(n.Parent, zeroBox()))
	s := d.sees(n, b, rootState())
	return s.sight.Faded || s.sight.Collapsed || s.sight.Aside
}

// standsFor is the role of a hidden control that its label shows.
func standsFor(n *html.Node) string {
	if n.DataAtom != atom.Input {
		return ""
	}
	switch strings.ToLower(attr(n, "type")) {
	case "radio":
		return "radio"
	case "checkbox":
		return "checkbox"
	case "file":
		return "file"
	}
	return ""
}

func (d *doc) standIn(label, field *html.Node, role string, s state) {
	l := d.nameLine(label, s)
	c := &control{id: d.page.NodeID(label), role: role, name: strings.TrimSpace(l.name.String()), named: true, content: true}
	if has(field, "checked") {
		c.states = append(c.states, "checked")
	}
	if has(field, "disabled") || s.inert {
		c.states = append(c.states, "disabled")
	}
	if c.name == "" {
		c.name, c.content = short(d.attribute(l.pics.String())), false
		if c.name == "" {
			d.line.run = append(d.line.run, l.run...)
			return
		}
	}
	d.place(c, "", l)
}

// clickable reports whether an element without a role acts as a button: it has
// a handler, or takes the focus and holds nothing else that does.
func (d *doc) clickable(n *html.Node, e *som.Element, s state) bool {
	if d.line.naming || e != nil && e.Role != "paragraph" && e.Role != "image" {
		return false
	}
	switch n.DataAtom {
	case atom.Body, atom.Html, atom.Form, atom.Table, atom.Tr, atom.Main, atom.Nav, atom.Section, atom.Article:
		return false
	}
	tab := attr(n, "tabindex")
	if !has(n, "onclick") && (tab == "" || strings.HasPrefix(tab, "-")) {
		return false
	}
	return !d.holdsControl(n) && len(strings.TrimSpace(readable(n))) <= maxName && strings.TrimSpace(readable(n)) != ""
}

func (d *doc) button(n *html.Node, id som.NodeID, s state) {
	l := d.nameLine(n, s)
	c := &control{id: id, role: "button", name: strings.TrimSpace(l.name.String()), named: true, content: true}
	if a := attr(n, "aria-label"); a != "" {
		c.name, c.content = short(d.attribute(a)), false
	}
	if c.name == "" {
		d.line.run = append(d.line.run, l.run...)
		return
	}
	d.place(c, "", l)
}

// linkTarget is where a link leads to, redacted.
func (d *doc) linkTarget(e *som.Element) string {
	url, ok := e.Attr("url")
	if !ok {
		url, _ = e.Attr("href")
	}
	return url
}

func (d *doc) resolve(href string) string {
	if href == "" {
		return ""
	}
	url, ok := weburl.NewResolver(d.page.BaseURL).Resolve(href)
	if !ok {
		return ""
	}
	return url
}

// misleads is the host a link leads to where its text names another site.
func (d *doc) misleads(c *control, content string) string {
	if c.url == "" || content == "" || strings.ContainsAny(content, " \n") && !strings.Contains(content, "://") {
		return ""
	}
	says := hostIn(content)
	goes := hostOf(c.url)
	if says == "" || goes == "" || site(says) == site(goes) {
		return ""
	}
	return goes
}
