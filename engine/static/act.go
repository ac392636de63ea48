package static

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
	"plasmate/som"
)

// effect is what an action comes to. At most one of follow, submit and dialog
// is set; nothing is done until all of it is known.
type effect struct {
	changes map[som.NodeID]som.Control // new state of these controls; the zero Control forgets it
	changed bool                       // a value, check, choice or open state is another one now
	idle    bool                       // a button was pressed that does nothing
	note    string
	value   *string
	follow  *link
	submit  *submission
}

// link is a hyperlink to follow.
type link struct {
	href, target, policy string
	download             *string // its name, where the link is to be saved
}

// submission is a form to submit.
type submission struct{ form, submitter *html.Node }

// Act performs an action on the current document. An error leaves the document
// and the state of its controls as they were.
func (p *page) Act(ctx context.Context, doc *som.Page, a engine.Action) (engine.Acted, error) {
	if p.doc == nil {
		return engine.Acted{}, refuse("no_page", "no page is loaded; navigate first")
	}
	switch a.Kind {
	case engine.Scroll:
		return engine.Acted{Note: "the page has no viewport here; all of it is visible already"}, nil
	case engine.Back:
		return arrived(p.Back(ctx))
	case engine.Forward:
		return arrived(p.Forward(ctx))
	case engine.Reload:
		return arrived(p.Reload(ctx))
	}
	d := p.index(doc)
	n := d.Node(a.Node)
	if n == nil {
		return engine.Acted{}, refuse("detached", "the element is no longer in the page; observe again")
	}
	shown := doc.ElementFor(a.Node)
	if reason, msg := d.Refusal(n, shown != nil && !shown.Is(som.FlagHidden)); reason != "" {
		return engine.Acted{}, refuse(reason, "%s", msg)
	}
	e, err := perform(d, n, a, p.engine.config.UploadDir)
	if err != nil {
		return engine.Acted{}, err
	}
	return p.apply(ctx, d, e)
}

func arrived(l engine.Loaded, err error) (engine.Acted, error) {
	if err != nil {
		return engine.Acted{}, err
	}
	return engine.Acted{Loaded: &l}, nil
}

func (p *page) index(doc *som.Page) *forms.Document {
	root := doc.Tree()
	return forms.New(forms.Source{
		Root: root, HTML: p.doc.source, URL: p.doc.url, Base: baseURL(root, p.doc.url),
		Encoding: p.doc.encoding, State: p.doc.state,
	})
}

// perform works out an action. It is pure but for a look at upload files.
func perform(d *forms.Document, n *html.Node, a engine.Action, uploadDir string) (effect, error) {
	switch a.Kind {
	case engine.Click:
		return click(d, n)
	case engine.Type:
		return typeText(d, retarget(d, n), a)
	case engine.Clear:
		return clearControl(d, retarget(d, n))
	case engine.Select:
		return choose(d, retarget(d, n), a)
	case engine.Toggle:
		return toggle(d, retarget(d, n))
	case engine.Check, engine.Uncheck:
		return check(d, retarget(d, n), a.Kind == engine.Check)
	case engine.Press:
		return press(d, n, a.Value)
	case engine.Upload:
		return upload(d, retarget(d, n), values(a), uploadDir)
	}
	return effect{}, refuse("unsupported", "the static engine cannot %q", a.Kind)
}

// values is what an action chooses: Values, or Value alone.
func values(a engine.Action) []string {
	if a.Values == nil && a.Value != "" {
		return []string{a.Value}
	}
	return a.Values
}

// retarget takes a label for the control that it labels.
func retarget(d *forms.Document, n *html.Node) *html.Node {
	if isElement(n, "label") {
		if c := d.LabeledControl(n); c != nil {
			return c
		}
	}
	return n
}

func refuse(reason, format string, args ...any) *engine.NotActionable {
	return &engine.NotActionable{Reason: reason, Msg: fmt.Sprintf(format, args...)}
}

// disabled refuses a control that a click was led to, such as a label's.
func disabled(n *html.Node) error {
	if forms.Disabled(n) || strings.EqualFold(forms.Attr(n, "aria-disabled"), "true") {
		return refuse("disabled", "the %s is disabled", describe(n))
	}
	return nil
}

// describe names an element in a message.
func describe(n *html.Node) string {
	switch {
	case forms.IsButton(n):
		return "button"
	case isElement(n, "input"):
		return forms.Type(n) + " field"
	case isElement(n, "select"):
		return "list"
	case isElement(n, "textarea"):
		return "text area"
	}
	return n.Data + " element"
}

func isElement(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode || n.Namespace != "" {
		return false
	}
	for _, name := range names {
		if n.Data == name {
			return true
		}
	}
	return false
}

// next is the document's state after the changes, with no entry for controls
// that are as the source has them.
func (e effect) next(old som.State) som.State {
	if len(e.changes) == 0 {
		return old
	}
	state := make(som.State, len(old)+len(e.changes))
	for id, c := range old {
		state[id] = c
	}
	for id, c := range e.changes {
		if isZero(c) {
			delete(state, id)
		} else {
			state[id] = c
		}
	}
	return state
}

func isZero(c som.Control) bool {
	return c.Value == nil && c.Checked == nil && c.Selected == nil && c.Open == nil && c.Files == nil
}

// set notes a control's new state.
func (e *effect) set(id som.NodeID, c som.Control) {
	if e.changes == nil {
		e.changes = map[som.NodeID]som.Control{}
	}
	e.changes[id] = c
	e.changed = true
}

// open notes the new open state of a details, dialog or popover.
func (e *effect) open(d *forms.Document, n *html.Node, open bool) {
	c := d.State[d.ID(n)]
	c.Open = &open
	e.set(d.ID(n), c)
}
