package som

import (
	"sync"

	"golang.org/x/net/html"
)

// Page is one analysed document. It is immutable and safe for concurrent use.
type Page struct {
	URL     string
	Title   string
	Lang    string
	BaseURL string // document base URL (HTML 2.4.3)
	Regions []*Region
	Meta    Meta
	Root    *html.Node // the tree the page was made from; read only, nil after WithoutTree

	structured []byte // structured_data object, nil if there is none
	text       string // all text of the page; every Element.Text of page content is cut out of it
	json       []byte
	memory     int
	hidden     bool // compiled with what is not rendered
	tree       *treeSource

	byIDOnce sync.Once
	byID     map[string]*Element
}

// Meta is the SOM's meta object.
type Meta struct {
	HTMLBytes, SOMBytes, ElementCount, InteractiveCount int
}

// Region is a top-level area of a page (SOM §4).
type Region struct {
	ID, Role, Label string
	Action, Method  string // of form regions
	Elements        []*Element
	Node            NodeID // the landmark element; NoNode for content regions
	Attrs           []Attr // further members of form regions: target, enctype, novalidate …
}

// Element is one thing a reader can see or use (SOM §4).
type Element struct {
	ID, Role, Text, Label string
	Children              []*Element
	Node                  NodeID

	// HTMLID is the id attribute of the source element.
	HTMLID string
	// Attrs are the role's attributes in the order of the JSON.
	Attrs []Attr
	// Start and End are where Text lies in the text of the page; a child that
	// lies within its parent's range is part of the parent's Text. Both are 0
	// if Text is not page text (values, file names).
	Start, End int32
	Flags      Flags
	// List, Table and Options are set for the roles that have them.
	List    *List
	Table   *Table
	Options []Option
	Aria    []Attr   // attrs.aria
	Hints   []string // semantic hints read from class tokens
}

// Flags are facts of an element that have no member of their own in the JSON.
type Flags uint16

// The flags.
const (
	FlagHidden    Flags = 1 << iota // inside a closed details: kept, marked, not actionable
	FlagInert                       // inert: shown, not actionable
	FlagDisabled                    // a disabled control
	FlagReadOnly                    // a control whose value cannot be edited
	FlagInline                      // stands within a line of text
	FlagPre                         // text has its own line breaks
	FlagOpen                        // details is open
	FlagOffscreen                   // placed far beyond the edge of the page by CSS
	FlagBareText                    // a run of text that has no element of its own
)

// List is the extra content of a list.
type List struct {
	Ordered bool
	Start   int // number of the first item of an ordered list
	Items   []Item
}

// Item is one item of a list. Its own text is the first line of text in it;
// everything else in it is among the list's Children[From:To].
type Item struct {
	Text       string
	Term       bool // dt of a description list
	From, To   int32
	start, end int32
	mixed      bool
}

// Table is the extra content of a data table, spans expanded.
type Table struct {
	Caption string
	Headers []string
	Rows    [][]string // all rows, without those that Headers was read from
	cells   []cell
	head    int

	start, end int32 // where its cells lie in the text of the page
}

// Option is one choice of a select.
type Option struct {
	Value, Text, Group string
	Selected, Disabled bool
}

// JSON is the page's SOM as compact JSON. The caller must not change it.
func (p *Page) JSON() []byte { return p.json }

// Link is one distinct place in the page that leads somewhere.
type Link struct{ Text, URL, Href string }

// ElementByID finds an element by its SOM id.
func (p *Page) ElementByID(id string) *Element {
	p.byIDOnce.Do(func() {
		p.byID = make(map[string]*Element, p.Meta.ElementCount)
		p.Walk(func(e *Element, _ *Region) bool { p.byID[e.ID] = e; return true })
	})
	return p.byID[id]
}

// Walk calls f for every element in document order with the region it is in.
// If f returns false the element's children are left out.
func (p *Page) Walk(f func(e *Element, r *Region) bool) {
	for _, r := range p.Regions {
		walkElements(r.Elements, r, f)
	}
}

func walkElements(es []*Element, r *Region, f func(*Element, *Region) bool) {
	for _, e := range es {
		if f(e, r) {
			walkElements(e.Children, r, f)
		}
	}
}

// Bytes estimates the memory that the page keeps alive, the tree apart.
func (p *Page) Bytes() int { return p.memory }
