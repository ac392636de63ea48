package static

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
	"plasmate/fetch/charset"
	"plasmate/som"
	"plasmate/som/dom"
	"plasmate/som/weburl"
)

// savedPage is a page as another process takes it over. Of the visits before
// and after the current one only the addresses are kept.
type savedPage struct {
	Document savedDocument `json:"document"`
	Back     []savedVisit  `json:"back,omitempty"`
	Forward  []savedVisit  `json:"forward,omitempty"`
}

type savedVisit struct {
	URL    string `json:"url"`
	Posted bool   `json:"posted,omitempty"`
}

type savedDocument struct {
	URL         string                `json:"url"`
	Status      int                   `json:"status"`
	ContentType string                `json:"content_type"`
	Encoding    string                `json:"encoding"`
	Bytes       int                   `json:"html_bytes"`
	Incomplete  bool                  `json:"incomplete,omitempty"`
	Posted      bool                  `json:"posted,omitempty"`
	Policy      string                `json:"referrer_policy,omitempty"`
	Source      string                `json:"source"`
	Sheets      map[som.NodeID]string `json:"sheets,omitempty"`
	Controls    []savedControl        `json:"controls,omitempty"`
}

// savedControl is a control that differs from the source.
type savedControl struct {
	Node     som.NodeID `json:"node"` // position among the elements of the document
	Value    *string    `json:"value,omitempty"`
	Checked  *bool      `json:"checked,omitempty"`
	Selected *[]int     `json:"selected,omitempty"` // positions of options; empty is none of them
	Open     *bool      `json:"open,omitempty"`
	Files    []string   `json:"files,omitempty"`
}

// Export is the page with the document's source, the state of its controls and
// its history, as JSON. It implements engine.Portable.
func (p *page) Export() ([]byte, error) {
	if p.doc == nil {
		return nil, nil
	}
	d := p.doc
	saved := savedPage{
		Document: savedDocument{
			URL: d.url, Status: d.status, ContentType: d.contentType, Encoding: d.encoding, Bytes: d.received,
			Incomplete: d.incomplete, Posted: d.posted, Policy: d.policy, Source: string(d.source), Sheets: d.sheets,
		},
		Back: savedVisits(p.history.back), Forward: savedVisits(p.history.forward),
	}
	for id, c := range d.state {
		s := savedControl{Node: id, Value: c.Value, Checked: c.Checked, Open: c.Open, Files: c.Files}
		if c.Selected != nil {
			s.Selected = &c.Selected
		}
		saved.Document.Controls = append(saved.Document.Controls, s)
	}
	slices.SortFunc(saved.Document.Controls, func(a, b savedControl) int { return cmp.Compare(a.Node, b.Node) })
	return json.Marshal(saved)
}

func savedVisits(visits []visit) []savedVisit {
	out := make([]savedVisit, len(visits))
	for i, v := range visits {
		out[i] = savedVisit{v.url, v.posted}
	}
	return out
}

// Import takes what Export gave and fetches nothing. The state may come from
// anywhere: what a page could not have is refused.
func (p *page) Import(_ context.Context, state []byte) (engine.Loaded, error) {
	var saved savedPage
	if err := json.Unmarshal(state, &saved); err != nil {
		return engine.Loaded{}, fmt.Errorf("read the state of a page: %w", err)
	}
	doc, err := saved.Document.document()
	if err != nil {
		return engine.Loaded{}, err
	}
	back, err := visits(saved.Back)
	if err != nil {
		return engine.Loaded{}, err
	}
	forward, err := visits(saved.Forward)
	if err != nil {
		return engine.Loaded{}, err
	}
	p.doc, p.history = doc, history{back: back, forward: forward}
	p.trim()
	return doc.loaded(), nil
}

func visits(saved []savedVisit) ([]visit, error) {
	out := make([]visit, len(saved))
	for i, v := range saved {
		if err := loadable(v.URL); err != nil {
			return nil, err
		}
		out[i] = visit{url: v.URL, posted: v.Posted}
	}
	return out, nil
}

// loadable refuses addresses that no page of this engine can have.
func loadable(address string) error {
	u, err := weburl.Parse(address)
	if err != nil {
		return fmt.Errorf("%q is no URL of a page", clip(address))
	}
	switch u.Scheme() {
	case "http", "https", "data", "about":
		return nil
	}
	return fmt.Errorf("%q is no URL of a page", clip(address))
}

func (s savedDocument) document() (*document, error) {
	if err := loadable(s.URL); err != nil {
		return nil, err
	}
	encoding, ok := charset.Canonical(s.Encoding)
	if !ok {
		return nil, fmt.Errorf("%q is no encoding", clip(s.Encoding))
	}
	if familyOf(essenceOf(s.ContentType)) == binaryFamily || !utf8.ValidString(s.Source) || s.Status < 200 || s.Status > 599 {
		return nil, fmt.Errorf("status %d and content type %q are no page's", s.Status, clip(s.ContentType))
	}
	doc := &document{
		loading: new(loading), url: s.URL, status: s.Status, header: http.Header{"Content-Type": {s.ContentType}}, contentType: s.ContentType,
		source: []byte(s.Source), encoding: encoding, received: max(s.Bytes, 0), incomplete: s.Incomplete,
		policy: validPolicy(s.Policy), posted: s.Posted,
	}
	// Not the hash of what a server sent: an imported document must never stand
	// in for one of those among the compiled pages.
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "imported\n%s\n%s\n%d\n", s.ContentType, encoding, doc.received)
	h.Write(doc.source)
	h.Sum(doc.hash[:0])
	doc.setSheets(s.Sheets)
	doc.refresh = findRefresh(doc)
	if isMarkup(doc.contentType) {
		doc.needsJS = RecognizeScripts(doc.source, doc.header, doc.status)
	}
	var err error
	doc.state, err = s.state(doc)
	return doc, err
}

// state checks each control against the element that it belongs to.
func (s savedDocument) state(doc *document) (som.State, error) {
	if len(s.Controls) == 0 {
		return nil, nil
	}
	nodes := elements(doc.tree())
	state := make(som.State, len(s.Controls))
	for _, c := range s.Controls {
		if c.Node < 0 || int(c.Node) >= len(nodes) || !c.fits(nodes[c.Node]) {
			return nil, fmt.Errorf("the state of node %d does not fit the document", c.Node)
		}
		control := som.Control{Value: c.Value, Checked: c.Checked, Open: c.Open, Files: c.Files}
		if c.Selected != nil {
			control.Selected = append([]int{}, *c.Selected...)
		}
		state[c.Node] = control
	}
	return state, nil
}

// tree is the document's tree as the compiler makes it, which NodeIDs are of.
func (d *document) tree() *html.Node {
	if familyOf(essenceOf(d.contentType)) == htmlFamily {
		return dom.Parse(d.source).Root
	}
	return som.Analyze(som.Input{URL: d.url, ContentType: d.contentType, Source: d.source, HTMLBytes: d.received}, som.Options{}).Tree()
}

// elements are the elements of a tree by their som.NodeID.
func elements(root *html.Node) []*html.Node {
	var nodes []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// fits says whether a user could have brought an element into this state.
func (c savedControl) fits(n *html.Node) bool {
	box := forms.Type(n) == "checkbox" || forms.Type(n) == "radio"
	switch {
	case c.Value != nil && !forms.IsEditable(n) && !isEditingHost(n),
		c.Checked != nil && !box,
		c.Open != nil && !isElement(n, "details", "dialog") && !forms.HasAttr(n, "popover"),
		len(c.Files) > 0 && forms.Type(n) != "file":
		return false
	}
	if c.Value != nil && forms.IsEditable(n) && forms.Sanitize(n, *c.Value) != *c.Value {
		return false
	}
	if c.Selected == nil {
		return true
	}
	limit := len(forms.Options(n))
	return isElement(n, "select") && slices.IsSorted(*c.Selected) && len(slices.Compact(slices.Clone(*c.Selected))) == len(*c.Selected) &&
		!slices.ContainsFunc(*c.Selected, func(i int) bool { return i < 0 || i >= limit })
}
