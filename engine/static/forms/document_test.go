package forms_test

import (
	"testing"

	"golang.org/x/net/html"

	"plasmate/engine/static/forms"
	"plasmate/som"
	"plasmate/som/dom"
)

const pageURL = "http://a.test/p"

// parse makes a document of a page at pageURL in UTF-8.
func parse(t *testing.T, src string) *forms.Document {
	t.Helper()
	return parseAs(t, src, "utf-8", nil)
}

func parseAs(t *testing.T, src, encoding string, state som.State) *forms.Document {
	t.Helper()
	return forms.New(forms.Source{
		Root: dom.Parse([]byte(src)).Root, HTML: []byte(src), URL: pageURL, Encoding: encoding, State: state,
	})
}

// element is the element with that id attribute.
func element(t *testing.T, d *forms.Document, id string) *html.Node {
	t.Helper()
	n := d.ElementByID(id)
	if n == nil {
		t.Fatalf("no element #%s", id)
	}
	return n
}

func TestElementsAreNumberedInTreeOrder(t *testing.T) {
	d := parse(t, "<p id=a><template><i></i></template><b id=b>")
	for i, name := range []string{"html", "head", "body", "p", "template", "i", "b"} {
		n := d.Node(som.NodeID(i))
		if n == nil || n.Data != name {
			t.Errorf("Node(%d) = %v, want %s", i, n, name)
			continue
		}
		if got := d.ID(n); got != som.NodeID(i) {
			t.Errorf("ID(%s) = %d, want %d", name, got, i)
		}
	}
	if d.Node(7) != nil || d.Node(som.NoNode) != nil {
		t.Error("a Node beyond the elements is not nil")
	}
}

// anywhere finds an element in shadow trees too.
func anywhere(d *forms.Document, id string) *html.Node {
	for i := som.NodeID(0); ; i++ {
		if n := d.Node(i); n == nil || forms.Attr(n, "id") == id {
			return n
		}
	}
}

func TestFormOwner(t *testing.T) {
	tests := []struct{ rule, src, want string }{
		{"the nearest ancestor form", `<form id=f><p><input id=c></form>`, "f"},
		{"without a form around it there is none", `<form id=f></form><input id=c>`, ""},
		{"the form attribute names it", `<form id=f></form><form id=g><input id=c form=f></form>`, "f"},
		{"an id that is no form gives none", `<form id=f><p id=x></p><input id=c form=x></form>`, ""},
		{"an empty form attribute gives none", `<form id=f><input id=c form=""></form>`, ""},
		{"the form attribute may point ahead", `<input id=c form=f><form id=f></form>`, "f"},
		{"the first element with that id counts", `<p id=f></p><form id=f></form><input id=c form=f>`, ""},
		{"a form in a table owns by the parser's pointer", `<table><form id=f><tr><td><input id=c></td></tr></form></table>`, "f"},
		{"… up to its end tag", `<table><form id=f><tr><td></td></tr></form><tr><td><input id=c></td></tr></table>`, ""},
		{"a form closed by its parent's end tag goes on owning", `<div><form id=f></div><input id=c>`, "f"},
		{"… up to its end tag, wherever that is", `<div><form id=f></div><p></form><input id=c>`, ""},
		{"a second start tag is ignored while the first is open", `<div><form id=f></div><form id=g><input id=c></form>`, "f"},
		{"a second form in a table takes over", `<table><form id=f><tr><td></td></tr></form><form id=g><tr><td><input id=c></td></tr></form></table>`, "g"},
		{"the pointer wins over a form that is still an ancestor", `<form id=f><div></form><div><form id=g></div><input id=c></div>`, "g"},
		{"an end tag that closes nothing leaves the ancestor", `<form id=f><div></form><input id=c></div>`, "f"},
		{"forms in templates have no pointer", `<template><form id=f></template><input id=c>`, ""},
		{"an end tag in a template leaves the pointer alone", `<div><form id=f></div><template></form></template><input id=c>`, "f"},
		{"a shadow tree has forms of its own", `<div><template shadowrootmode=open><form id=f><input id=c></form></template></div>`, "f"},
		{"a form around a shadow host does not own what is in it", `<form id=f><div><template shadowrootmode=open><input id=c></template></div></form>`, ""},
		{"an id means an element of the same tree", `<form id=f></form><div><template shadowrootmode=open><form id=f class=x></form><input id=c form=f></template></div>`, "f"},
		{"raw text holds no tags", `<div><form id=f></div><script>"</form>"</script><textarea></form></textarea><input id=c>`, "f"},
	}
	for _, tt := range tests {
		d := parse(t, tt.src)
		got := ""
		if f := d.Owner(anywhere(d, "c")); f != nil {
			got = forms.Attr(f, "id")
		}
		if got != tt.want {
			t.Errorf("%s: owner is %q, want %q\n%s", tt.rule, got, tt.want, tt.src)
		}
	}
}
