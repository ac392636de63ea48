package textview

import (
	"plasmate/som"
)

// kind is what a block prints as.
type kind uint8

const (
	place   kind = iota // a container: landmark, form, list, table …
	text                // a line of text and controls
	heading             // the same after h1 to h6
	item                // an item of a list: parts
	row                 // a row of a table: cells
)

// block is a node of the line tree. Its texts are cleaned and redacted, but not
// escaped yet.
type block struct {
	kind   kind
	id     som.NodeID // the element it was made from; NoNode for anonymous lines
	alias  string     // place: nav, main, form …; "" prints nothing
	name   string
	states []string
	host   string // frame: where its content is from, or that it is not loaded
	level  int    // heading
	live   string // text: alert, status, log
	runs   []run  // one; an item's parts; a row's cells
	kids   []*block
	folds  bool // place: a list or table whose kids may be folded
	header bool // row: the header row
	prose  bool // text without a control
	size   int  // bytes of text in runs
	width  int  // table: columns
	modal  bool // dialog that is open over the page

	up     *block
	region string // alias of the nearest landmark
}

// run is a line, or a part of one.
type run []piece

// piece is a stretch of text, a picture or a control.
type piece struct {
	text  string
	img   bool // text is the name of a picture
	ctl   *control
	space bool // white space stood before it
}

// control is what can be acted on.
type control struct {
	id       som.NodeID
	el       *som.Element // nil for labels and other clickable elements
	role     string
	name     string
	named    bool // there is a name, if only an empty one
	value    string
	hasValue bool
	options  []string // texts of a select's options
	chosen   []string
	limits   string // slider and spinbutton: min–max
	states   []string
	secret   string // kind of sensitive field
	url      string // target of a link, absolute
	warn     string // host that a link leads to, though it says another
	content  bool   // the name is text of the page, not of an attribute
	block    *block
}

func (b *block) add(k *block) {
	k.up = b
	b.kids = append(b.kids, k)
}

// controls calls f for the controls in a block and below.
func (b *block) controls(f func(*control)) {
	for _, r := range b.runs {
		for i := range r {
			if r[i].ctl != nil {
				f(r[i].ctl)
			}
		}
	}
	for _, k := range b.kids {
		k.controls(f)
	}
}

// walk calls f for b and every block below it until f says no.
func (b *block) walk(f func(*block) bool) {
	if !f(b) {
		return
	}
	for _, k := range b.kids {
		k.walk(f)
	}
}

// is reports whether one of the states is s.
func (c *control) is(s string) bool {
	for _, x := range c.states {
		if x == s {
			return true
		}
	}
	return false
}

// urgent reports whether a control is never folded.
func (c *control) urgent() bool {
	return c.is("focused") || c.is("invalid")
}

// marked reports whether a control is shown before others when a list is folded.
func (c *control) marked() bool {
	return c.is("checked") || c.is("mixed") || c.is("selected") || c.is("current")
}
