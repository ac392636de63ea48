package forms

import (
	"strings"

	"golang.org/x/net/html"

	"plasmate/som/weburl"
)

// Submission is what submitting a form comes to.
type Submission struct {
	// Dialog is the dialog to close for method=dialog; nothing else is set then.
	Dialog *html.Node
	// Nothing says why there is nothing to send; nothing else is set then.
	Nothing string

	Method      string // GET or POST
	URL         string // absolute
	ContentType string // of Body
	Body        []byte // nil for GET
	Target      string // browsing context asked for, as written
}

// Submit works out the submission of form by submitter, the form itself or a
// submit button of it. Validation is the caller's ([Document.Invalid]).
// boundary delimits a multipart body. An error is a file that cannot be read or
// an action that is no URL.
//
// Spec: HTML, Form submission algorithm, from its step "picking an encoding".
func (d *Document) Submit(form, submitter *html.Node, boundary string, open FileOpener) (Submission, error) {
	method := submissionAttr(form, submitter, "method")
	if method == "dialog" {
		return d.submitDialog(form), nil
	}
	encoding := d.PickEncoding(form)
	list, err := d.EntryList(form, submitter, encoding, open)
	if err != nil {
		return Submission{}, err
	}
	action, err := d.action(form, submitter)
	if err != nil {
		return Submission{}, err
	}
	s := Submission{Method: "GET", URL: action.String(), Target: d.target(form, submitter)}
	if method == "post" {
		s.Method = "POST"
	}
	switch scheme := action.Scheme(); {
	case scheme == "mailto", scheme == "javascript":
		return Submission{Nothing: "the form's action is a " + scheme + ": address, which is not fetched"}, nil
	case scheme == "data" && method == "post":
		s.Method = "GET" // get action URL
	case method != "post":
		s.URL = action.WithQuery(string(URLEncoded(list, encoding))).String()
	default:
		s.ContentType, s.Body = body(submissionAttr(form, submitter, "enctype"), list, encoding, boundary)
	}
	return s, nil
}

// submitDialog: a form outside every dialog does nothing.
func (d *Document) submitDialog(form *html.Node) Submission {
	dialog := closest(form, "dialog")
	if dialog == nil {
		return Submission{Nothing: "the form's method is dialog, and it is in none"}
	}
	if !d.Open(dialog) {
		return Submission{Nothing: "the dialog is closed already"}
	}
	return Submission{Dialog: dialog}
}

func body(enctype string, list []Entry, encoding, boundary string) (contentType string, body []byte) {
	switch enctype {
	case "multipart/form-data":
		return enctype + "; boundary=" + boundary, Multipart(list, encoding, boundary)
	case "text/plain":
		return enctype, PlainText(list, encoding)
	}
	return "application/x-www-form-urlencoded", nonNil(URLEncoded(list, encoding))
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// submissionAttr is the state of method or enctype: the submitter's form-
// attribute where it has one, else the form's. Unknown values are the default, "".
func submissionAttr(form, submitter *html.Node, name string) string {
	v := Attr(form, name)
	if submitter != nil && submitter != form {
		if own, ok := lookup(submitter, "form"+name); ok {
			v = own
		}
	}
	switch v = asciiLower(v); v {
	case "post", "dialog", "multipart/form-data", "text/plain":
		return v
	}
	return ""
}

// action is the submission's address. An empty one means the document's own,
// not its base.
func (d *Document) action(form, submitter *html.Node) (*weburl.URL, error) {
	v := Attr(form, "action")
	if submitter != nil && submitter != form {
		if own, ok := lookup(submitter, "formaction"); ok {
			v = own
		}
	}
	base := d.Base
	if v == "" {
		v, base = d.URL, d.URL
	}
	return resolve(base, d.Encoding, v)
}

// target: the submitter's formtarget, else the form's target, else the base
// element's.
func (d *Document) target(form, submitter *html.Node) string {
	if submitter != nil && submitter != form {
		if v, ok := lookup(submitter, "formtarget"); ok {
			return v
		}
	}
	return d.Target(form)
}

// Target is the target of a link or form: its own, else that of the first base
// element that has one.
func (d *Document) Target(n *html.Node) string {
	if v, ok := lookup(n, "target"); ok {
		return v
	}
	for _, b := range d.nodes {
		if is(b, "base") && HasAttr(b, "target") {
			return Attr(b, "target")
		}
	}
	return ""
}

// Resolve is an address of the document as an absolute URL, its query encoded in
// the document's encoding (HTML, encoding-parse a URL). The error is a value
// that is no URL.
func (d *Document) Resolve(href string) (*weburl.URL, error) {
	return resolve(d.Base, d.Encoding, href)
}

// A badURL is the error of an address that cannot be parsed.
type badURL string

func (e badURL) Error() string {
	return "parse URL " + strings.ToValidUTF8(string(e), "\uFFFD") + ": not valid"
}

func resolve(base, encoding, ref string) (*weburl.URL, error) {
	abs, ok := weburl.NewResolver(base, weburl.QueryEncoding(encoding)).Resolve(ref)
	if !ok {
		return nil, badURL(ref)
	}
	u, err := weburl.Parse(abs)
	if err != nil {
		return nil, badURL(ref)
	}
	return u, nil
}

// DefaultButton is the first submit button in tree order that form owns; nil if
// there is none (HTML, Implicit submission).
func (d *Document) DefaultButton(form *html.Node) *html.Node {
	for _, c := range d.Controls(form) {
		if IsSubmitButton(c) {
			return c
		}
	}
	return nil
}

// blockingFields counts the form's fields that block implicit
// submission without a submit button; more than one stops it.
func (d *Document) blockingFields(form *html.Node) int {
	n := 0
	for _, c := range d.Controls(form) {
		switch Type(c) {
		case "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local", "number":
			n++
		}
	}
	return n
}

// ImplicitSubmitter says what Enter in a field of form submits with: its default
// button, or the form itself. why is not empty if nothing is submitted.
//
// Spec: HTML, Implicit submission.
func (d *Document) ImplicitSubmitter(form *html.Node) (submitter *html.Node, why string) {
	if b := d.DefaultButton(form); b != nil {
		if Disabled(b) {
			return nil, "the form's default button is disabled"
		}
		return b, ""
	}
	if d.blockingFields(form) > 1 {
		return nil, "the form has no submit button and more than one field"
	}
	return form, ""
}
