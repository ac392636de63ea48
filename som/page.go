package som

import "golang.org/x/net/html"

// Page is one analysed document. It is immutable and safe for concurrent use.
type Page struct {
	URL         string
	Title       string
	Lang        string
	BaseURL     string // document base URL (HTML 2.4.3)
	Regions     []*Region
	Meta        Meta
	Root        *html.Node // the tree the page was made from; read only
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
}

// Element is one thing a reader can see or use (SOM §4).
type Element struct {
	ID, Role, Text, Label string
	Children              []*Element
	Node                  NodeID
}

// Analyze compiles a document. It never fails: broken HTML gives what a browser would show.
func Analyze(in Input, opts Options) *Page { return &Page{URL: in.URL} }

// JSON is the page's SOM as compact JSON. The caller must not change it.
func (p *Page) JSON() []byte { return nil }

// Text is the page as plain readable text (UTF-8, one block a line).
func (p *Page) Text() string { return "" }

// Markdown is the page as CommonMark with tables, links resolved.
func (p *Page) Markdown() string { return "" }

// Link is one distinct place in the page that leads somewhere.
type Link struct{ Text, URL, Href string }

// Links lists the page's links in document order, resolved.
func (p *Page) Links() []Link { return nil }

// ElementByID finds an element by its SOM id.
func (p *Page) ElementByID(id string) *Element { return nil }

// Subtree is a SOM document holding only the element or region with that id.
func (p *Page) Subtree(id string) ([]byte, bool) { return nil, false }

// Node is the tree node of an id; nil if there is none.
func (p *Page) Node(id NodeID) *html.Node { return nil }

// NodeID is the id of an element node of Root; NoNode for others.
func (p *Page) NodeID(n *html.Node) NodeID { return NoNode }

// Bytes estimates the memory that the page keeps alive.
func (p *Page) Bytes() int { return 0 }
