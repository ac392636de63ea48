package som

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// table prints a data table: the header row, then the others.
func (v *view) table(e *Element) {
	t := e.Table
	if t == nil {
		v.blocks(e.Children)
		return
	}
	if t.Caption != "" {
		v.block(v.bold(v.escape(t.Caption)))
	}
	rows := append([][]string{t.Headers}, t.Rows...)
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	cells := tableCells{v: v, kids: unwrap(e.Children, true)}
	at := v.cellRanges(cells.kids, rows)
	var lines []string
	for i, r := range rows {
		s := cells.row(r, at[i])
		for i == 0 && v.md && len(s) < width {
			s = append(s, "")
		}
		if i > 0 || t.Headers != nil || v.md {
			lines = append(lines, v.row(s))
		}
		if i == 0 && v.md {
			lines = append(lines, "|"+strings.Repeat(" --- |", width))
		}
	}
	if width > 0 {
		v.block(strings.Join(lines, "\n"))
	}
	v.blocks(cells.rest())
}

// textRange is a piece of the page's text.
type textRange struct{ start, end int32 }

// maxTries is at how many places of the page a table is looked for.
const maxTries = 64

// cellRanges finds where the texts of a table's cells lie in the page's text, as
// far as elements in them have to be put in their places. The cells follow each
// other there, with white space between; copies made by spans have no range.
func (v *view) cellRanges(es []*Element, rows [][]string) [][]textRange {
	none := make([][]textRange, len(rows))
	first := ""
	for i := 0; i < len(rows) && first == ""; i++ {
		for j := 0; j < len(rows[i]) && first == ""; j++ {
			first = rows[i][j]
		}
	}
	var kids []*Element
	for _, k := range es {
		if k.Start < k.End {
			kids = append(kids, k)
		}
	}
	if first == "" || len(kids) == 0 {
		return none
	}
	low, high := int(v.pos), min(int(kids[0].Start)+len(first), len(v.p.text))
	if low > int(kids[0].Start) {
		low = 0
	}
	for range maxTries {
		if high <= low {
			break
		}
		i := strings.LastIndex(v.p.text[low:high], first)
		if i < 0 {
			break
		}
		if at, ok := v.place(rows, int32(low+i), kids); ok {
			return at
		}
		high = low + i + len(first) - 1
	}
	return none
}

// place lays the cells out from a position on and reports whether every one of
// kids lies in a cell.
func (v *view) place(rows [][]string, pos int32, kids []*Element) ([][]textRange, bool) {
	text := v.p.text
	out := make([][]textRange, len(rows))
	k := 0
	for i, r := range rows {
		out[i] = make([]textRange, len(r))
		for j, s := range r {
			for int(pos) < len(text) && isSpace(text[pos]) {
				pos++
			}
			end := int(pos) + len(s)
			if s == "" || !strings.HasPrefix(text[pos:], s) || end < len(text) && !isSpace(text[end]) {
				continue
			}
			out[i][j] = textRange{pos, int32(end)}
			for k < len(kids) && kids[k].Start >= pos && int(kids[k].End) <= end {
				k++
			}
			pos = int32(end)
		}
		if k < len(kids) && kids[k].Start < pos {
			return nil, false
		}
	}
	return out, k == len(kids)
}

// row is one line of a table. Missing cells at the end are empty without being
// written, but for the header row, whose cells count.
func (v *view) row(cells []string) string {
	if !v.md {
		return strings.Join(cells, " | ")
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// tableCells gives each cell the elements that stand in it.
type tableCells struct {
	v    *view
	kids []*Element
	used int
	left []*Element
}

// row prints the cells of a row. at has the ranges of their texts, which are
// in document order; a copy made by a span has none.
func (c *tableCells) row(texts []string, at []textRange) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		if i < len(at) && at[i].end > 0 {
			s = c.v.run(at[i].start, at[i].end, s, c.in(at[i]))
		} else {
			s = c.v.escape(s)
		}
		out[i] = strings.Join(strings.Fields(s), " ")
	}
	return out
}

// in takes the elements of a cell; those before it are left for after the
// table. One without text is where its neighbours are.
func (c *tableCells) in(at textRange) []*Element {
	var cell, waiting []*Element
	for ; c.used < len(c.kids); c.used++ {
		switch k := c.kids[c.used]; {
		case k.Start >= k.End && len(cell) > 0 && c.v.sameCell(k, cell[0]):
			cell = append(cell, k)
		case k.Start >= k.End:
			waiting = append(waiting, k)
		case k.End <= at.start:
			c.left = append(append(c.left, waiting...), k)
			waiting = nil
		case k.End <= at.end:
			for _, w := range waiting {
				if c.v.sameCell(w, k) {
					cell = append(cell, w)
				} else {
					c.left = append(c.left, w)
				}
			}
			cell, waiting = append(cell, k), nil
		default:
			c.used -= len(waiting)
			return cell
		}
	}
	c.used -= len(waiting)
	return cell
}

// sameCell reports whether two elements are in the same cell of the tree.
func (v *view) sameCell(a, b *Element) bool {
	x := cellOf(v.p.Node(a.Node))
	return x != nil && x == cellOf(v.p.Node(b.Node))
}

func cellOf(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
			return n
		}
	}
	return nil
}

// rest are the elements that no cell's text has in it. In plain text, links
// whose text is in a cell say nothing more.
func (c *tableCells) rest() []*Element {
	rest := append(c.left, c.kids[c.used:]...)
	if c.v.md {
		return rest
	}
	var out []*Element
	for _, k := range rest {
		if k.Start == k.End {
			out = append(out, k)
		}
	}
	return out
}
