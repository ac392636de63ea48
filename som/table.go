package som

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/som/style"
)

// cell is a data cell: where its text lies and how far it spans.
type cell struct {
	start, end       int32
	row, col         int32
	rowspan, colspan int32
	header           bool
}

// tableFrame is a data table that is being filled.
type tableFrame struct {
	cells   []cell
	row     int32
	caption owned
	aria    bool  // made of elements with roles
	thead   int32 // rows in thead
	inHead  bool
}

// table compiles a table: a data table is one element, the cells of a layout
// table are blocks.
func (c *compiler) table(n *html.Node, id NodeID) {
	if c.absorb > 0 || !c.isData(n, id) {
		c.block(n, id, false)
		return
	}
	f := c.enter(n, id)
	outer := c.tab
	t := &tableFrame{row: -1}
	c.tab = t
	c.tableParts(n, id)
	c.leave(f)
	c.tab = outer
	if len(t.cells) == 0 && len(c.kids) == f.base && t.caption.start == t.caption.end {
		return
	}
	caption := string(c.txt[t.caption.start:t.caption.end])
	label := caption
	if g := c.idx.facts[id]; g&(hasAria|hasTitle) != 0 {
		label = c.names.name(n, id)
	}
	e := c.make(roleTable, n, id)
	e.Children = c.take(f.base)
	e.Table = &Table{Caption: caption, cells: t.cells, head: int(t.thead)}
	if caption != "" {
		c.str("caption", caption)
	}
	c.kind("", attrTable)
	c.states(e, n, id)
	c.finish(e, label, c.path)
	if e.Label == caption {
		e.Label = ""
	}
}

// tableParts walks rows and cells; whatever else is in a table is walked as it is.
func (c *compiler) tableParts(n *html.Node, id NodeID) {
	child := id + 1
	pathLen := len(c.path)
	before := 0
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		c.path = appendIndex(c.path, before)
		c.now = child + 1
		c.tablePart(k, child)
		c.path = c.path[:pathLen]
		before++
		child = NodeID(c.idx.end[child])
		c.now = child
	}
}

func (c *compiler) tablePart(n *html.Node, id NodeID) {
	f := c.idx.facts[id]
	switch n.DataAtom {
	case atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Td, atom.Th, atom.Caption:
	default:
		c.element(n, id)
		return
	}
	css, unseen, flags := c.css, c.unseen, c.flags
	b := c.boxOf(n, f, tagBlock)
	if b.Display == style.None || f&hasAriaHidden != 0 && equalFold(attr(n, "aria-hidden"), "true") {
		c.events++
		c.css = css
		return
	}
	c.unseen = !b.Visible
	t := c.tab
	switch n.DataAtom {
	case atom.Thead:
		t.inHead = true
		c.tableParts(n, id)
		t.inHead = false
	case atom.Tr:
		t.row++
		if t.inHead {
			t.thead = t.row + 1
		}
		c.tableParts(n, id)
	case atom.Td, atom.Th:
		c.cell(n, id)
	case atom.Caption:
		t.caption = c.covered(n, id)
	default:
		c.tableParts(n, id)
	}
	c.css, c.unseen, c.flags = css, unseen, flags
}

func (c *compiler) cell(n *html.Node, id NodeID) {
	c.flush()
	t := c.tab
	k := cell{row: max(t.row, 0), rowspan: span(n, "rowspan"), colspan: span(n, "colspan"), header: n.DataAtom == atom.Th, col: -1}
	box, inCell := c.box, c.inCell
	c.box = newBox(id, len(c.path), c.pre)
	k.start = int32(len(c.txt))
	c.inCell = true
	c.children(n)
	c.flush()
	c.inCell = inCell
	k.start, k.end = c.trim(k.start, int32(len(c.txt)), false)
	c.box = box
	c.tab = t
	t.cells = append(t.cells, k)
}

// ariaTable compiles a table or grid that is made by roles.
func (c *compiler) ariaTable(n *html.Node, id NodeID, role string) {
	if c.absorb > 0 {
		c.block(n, id, false)
		return
	}
	f := c.enter(n, id)
	outer := c.tab
	t := &tableFrame{row: -1, aria: true}
	c.tab = t
	c.children(n)
	c.leave(f)
	c.tab = outer
	if len(t.cells) == 0 {
		return // what is in it stands for itself
	}
	label := c.names.authorName(n, id)
	e := c.make(roleTable, n, id)
	e.Children = c.take(f.base)
	e.Table = &Table{cells: t.cells}
	c.kind("", attrTable)
	if role != "table" {
		c.str("source_role", role)
	}
	c.states(e, n, id)
	c.finish(e, label, c.path)
}

func (c *compiler) ariaTablePart(n *html.Node, id NodeID, role string) {
	t := c.tab
	if role == "row" {
		t.row++
		c.block(n, id, false)
		return
	}
	c.cell(n, id)
	k := &t.cells[len(t.cells)-1]
	k.header = role == "columnheader"
	k.colspan = max(k.colspan, int32(min(max(atoi(attr(n, "aria-colspan"), 1), 1), maxSpan)))
	k.rowspan = max(k.rowspan, int32(min(max(atoi(attr(n, "aria-rowspan"), 1), 1), maxSpan)))
}

// maxSpan bounds what a hostile colspan can make of one cell.
const maxSpan = 100

func span(n *html.Node, key string) int32 {
	v := atoi(attr(n, key), 1)
	return int32(min(max(v, 1), maxSpan))
}

// isData tells data tables from layout tables by what they hold.
func (c *compiler) isData(n *html.Node, id NodeID) bool {
	if c.idx.facts[id]&hasRole != 0 {
		switch attr(n, "role") {
		case "presentation", "none":
			return false
		case "table", "grid", "treegrid":
			return true
		}
	}
	if has(n, "summary") && attr(n, "summary") != "" {
		return true
	}
	s := tableScan{c: c}
	s.rows(n)
	return s.data()
}

// tableScan looks at a table without its nested tables, so that each element
// is looked at once for its nearest table.
type tableScan struct {
	c                       *compiler
	rowCount, cells, filled int
	maxCols, minCols        int
	byCells                 [16]int // rows by their number of cells
	headers, nested, blocks int
	caption, marked, long   bool
}

func (s *tableScan) rows(n *html.Node) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		switch k.DataAtom {
		case atom.Caption:
			s.caption = k.FirstChild != nil
		case atom.Thead, atom.Tfoot:
			s.marked = s.marked || k.FirstChild != nil
			s.rows(k)
		case atom.Tbody:
			s.rows(k)
		case atom.Tr:
			s.row(k)
		}
	}
}

func (s *tableScan) row(n *html.Node) {
	cols, own := 0, 0
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode || k.DataAtom != atom.Td && k.DataAtom != atom.Th {
			continue
		}
		if k.DataAtom == atom.Th {
			s.headers++
		}
		cols += int(span(k, "colspan"))
		s.cells++
		own++
		w := cellScan{}
		w.walk(k, 0)
		if w.text > 0 {
			s.filled++
		}
		if w.text > 400 {
			s.long = true
		}
		s.nested += w.tables
		s.blocks += w.blocks
	}
	if cols == 0 {
		return
	}
	s.rowCount++
	s.byCells[min(own, len(s.byCells)-1)]++
	if s.rowCount == 1 || cols < s.minCols {
		s.minCols = cols
	}
	s.maxCols = max(s.maxCols, cols)
}

type cellScan struct{ text, tables, blocks int }

func (w *cellScan) walk(n *html.Node, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			w.text += len(collapse(k.Data))
		case html.ElementNode:
			switch k.DataAtom {
			case atom.Script, atom.Style, atom.Template, atom.Noscript:
				continue
			case atom.Table:
				w.tables++
				continue
			case atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Nav, atom.Section, atom.Article, atom.Fieldset, atom.Iframe:
				w.blocks++
			}
			if depth < maxDepth {
				w.walk(k, depth+1)
			}
		}
	}
}

func (s *tableScan) data() bool {
	switch {
	case s.nested > 0 || s.blocks > 0:
		return (s.caption || s.marked) && s.headers > 0 && s.nested == 0
	case s.headers > 0 || s.caption || s.marked:
		return s.cells > 0
	case s.long:
		return false
	}
	most := 0
	for _, n := range s.byCells[2:] {
		most = max(most, n)
	}
	// A grid without headers is data if its rows are alike and filled.
	return s.rowCount >= 2 && s.minCols == s.maxCols && 10*most >= 8*s.rowCount && 2*s.filled > s.cells
}

// room gives the rows of a grid room for their cells out of two pieces.
func (t *Table) room(grid [][]string, taken [][]bool) {
	widths, widest := make([]int, len(grid)), 0
	for _, k := range t.cells {
		widths[k.row] += int(k.colspan)
		widest = max(widest, widths[k.row])
	}
	if widest > 64 || widest*len(grid) > 8*len(t.cells)+64 {
		return // spans make it sparse
	}
	texts, flags := make([]string, widest*len(grid)), make([]bool, widest*len(grid))
	for i := range grid {
		grid[i] = texts[i*widest : i*widest : (i+1)*widest]
		taken[i] = flags[i*widest : i*widest : (i+1)*widest]
	}
}

// layout places the cells in the grid, spans expanded (HTML "forming a table"),
// and gives them their text.
func (t *Table) layout(text string) {
	if len(t.cells) == 0 {
		return
	}
	t.start, t.end = t.cells[0].start, t.cells[len(t.cells)-1].end
	rows := int(t.cells[len(t.cells)-1].row) + 1
	grid := make([][]string, rows)
	taken := make([][]bool, rows)
	t.room(grid, taken)
	heads := make([]int, rows)
	counts := make([]int, rows)
	next := make([]int, rows)        // first column of each row that may be free
	budget := 16*len(t.cells) + 4096 // what spans may add
	for _, k := range t.cells {
		r := int(k.row)
		col := next[r]
		for col < len(taken[r]) && taken[r][col] {
			col++
		}
		counts[r]++
		if k.header {
			heads[r]++
		}
		if budget < 0 {
			k.rowspan, k.colspan = 1, 1
		}
		next[r] = col + int(k.colspan)
		for y := r; y < min(r+int(k.rowspan), rows); y++ {
			for x := col; x < col+int(k.colspan); x++ {
				budget--
				for len(grid[y]) <= x {
					grid[y] = append(grid[y], "")
					taken[y] = append(taken[y], false)
				}
				if !taken[y][x] {
					grid[y][x], taken[y][x] = text[k.start:k.end], true
				}
			}
		}
	}
	from := 0
	if heads[0] > 0 && heads[0] == counts[0] || t.head > 0 {
		t.Headers, from = grid[0], 1
	}
	for _, r := range grid[from:] {
		if len(r) > 0 {
			t.Rows = append(t.Rows, r)
		}
	}
	t.cells = nil
}
