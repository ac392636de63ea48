package style

// Box is the part of an element's computed style that decides what is read.
// The zero Box stands for the parent of the root element.
type Box struct {
	Display Display
	// Flags are hints on text that is rendered but not seen. They hide nothing:
	// text for screen readers is moved out of sight by the same means.
	Flags Flags
	// SkipContents says that the element's contents are not rendered, though
	// its own box is: content-visibility: hidden, hidden=until-found.
	SkipContents bool
	// Visible is false for visibility: hidden and collapse. It is inherited,
	// and a descendant may be visible again.
	Visible bool

	styled bool // distinguishes the zero Box, which hands down no visibility
	items  bool // children are flex or grid items
}

// Display is the computed value of display, blockified where CSS asks for it
// (floats, absolute positions, flex and grid items, the root).
type Display uint8

// The values of Display. Inline is the initial value.
const (
	Inline Display = iota
	None
	Contents
	Block
	FlowRoot
	ListItem
	Flex
	Grid
	Table
	InlineBlock
	InlineFlex
	InlineGrid
	InlineTable
	TableRowGroup
	TableHeaderGroup
	TableFooterGroup
	TableRow
	TableCell
	TableCaption
	TableColumn
	TableColumnGroup
	Ruby
	RubyText
)

// IsBlockLevel says that a box starts and ends a line: block, flow-root,
// list-item, flex, grid and table boxes, and table captions.
func (d Display) IsBlockLevel() bool { return d >= Block && d <= Table || d == TableCaption }

// IsTablePart says that the box is a part of a table: a row group, a row, a
// cell, a caption or a column.
func (d Display) IsTablePart() bool { return d >= TableRowGroup && d <= TableColumnGroup }

// SeparatesWords says that text before, in and after the box never reads as one
// word: the box is block-level or a part of a table. Atomic inlines, such as
// inline-block, do not separate words (HTML, rendered text collection steps).
func (d Display) SeparatesWords() bool { return d.IsBlockLevel() || d.IsTablePart() }

// String is the value as CSS writes it.
func (d Display) String() string {
	for name, v := range displayNames {
		if v == d {
			return name
		}
	}
	return "inline"
}

// displayNames are the single-keyword values. Ruby bases and the math layout
// have no meaning here and read as inline.
var displayNames = map[string]Display{
	"inline": Inline, "none": None, "contents": Contents, "block": Block,
	"flow-root": FlowRoot, "list-item": ListItem, "flex": Flex, "grid": Grid,
	"table": Table, "inline-block": InlineBlock, "inline-flex": InlineFlex,
	"inline-grid": InlineGrid, "inline-table": InlineTable,
	"table-row-group": TableRowGroup, "table-header-group": TableHeaderGroup,
	"table-footer-group": TableFooterGroup, "table-row": TableRow,
	"table-cell": TableCell, "table-caption": TableCaption,
	"table-column": TableColumn, "table-column-group": TableColumnGroup,
	"ruby": Ruby, "ruby-text": RubyText,
}

// Flags are bits on how an element's text may be out of sight.
type Flags uint8

// The flags. They cover the element itself; all but Transparent, which the
// caller may take as covering its descendants too, are not handed down.
const (
	// Offscreen: positioned, or indented, far beyond the edge of the page.
	Offscreen Flags = 1 << iota
	// Clipped: clipped to nothing, or a box of at most 1px that cuts what overflows.
	Clipped
	// Transparent: opacity is 0.
	Transparent
	// Tiny: font-size is at most 1px.
	Tiny
)
