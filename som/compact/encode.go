package compact

import (
	"strings"

	"plasmate/som"
)

// Options say how much may be printed. The zero value is the default.
type Options struct {
	// Budget is the length of the result in bytes; 0 is a ninth of the
	// document's, at least MinBudget. Folds may exceed it by their own length.
	Budget int
}

// MinBudget is the smallest default budget in bytes.
const MinBudget = 1500

// Encode is the page in compact JSON. The same page and options give the same bytes.
func Encode(p *som.Page, o Options) []byte {
	budget := o.Budget
	if budget <= 0 {
		budget = max(MinBudget, p.Meta.HTMLBytes/9)
	}
	head := som.AppendString([]byte(`{"v":"`+som.Version+`c","url":`), p.URL)
	head = som.AppendString(append(head, `,"title":`...), p.Title)
	head = append(head, `,"r":[`...)
	regions := make([]*node, len(p.Regions))
	for i, r := range p.Regions {
		regions[i] = regionNode(r)
	}
	share(regions, budget-len(head)-2)
	for i, n := range regions {
		if i > 0 {
			head = append(head, ',')
		}
		head = n.print(head, n.budget)
	}
	return append(head, "]}"...)
}

// priority is the order in which regions get their part of the budget.
var priority = map[string]int{"dialog": 0, "main": 1, "content": 1, "form": 1, "header": 2, "navigation": 3, "aside": 4, "footer": 5}

// share gives regions their budgets: each enough to say that it is there, then
// the more important ones all they want.
func share(regions []*node, budget int) {
	for _, n := range regions {
		n.budget = min(n.size, n.least())
		budget -= n.budget + 1
	}
	for level := 0; level <= 5; level++ {
		for _, n := range regions {
			if priority[n.role] == level && budget > 0 {
				more := min(n.size-n.budget, budget)
				n.budget += more
				budget -= more
			}
		}
	}
}

func regionNode(r *som.Region) *node {
	n := &node{id: r.ID, role: r.Role, tail: "]}"}
	n.head = som.AppendString([]byte(`{"r":`), r.Role)
	n.head = som.AppendString(append(n.head, `,"id":`...), r.ID)
	if r.Label != "" {
		n.head = som.AppendString(append(n.head, `,"l":`...), r.Label)
	}
	n.head = append(n.head, `,"e":[`...)
	for _, e := range r.Elements {
		n.add(elementNode(e))
	}
	n.measure()
	return n
}

// node is a piece of the document that is printed whole, in part, or folded.
type node struct {
	id, role string // id: what opens a fold of it; "" if nothing does
	head     []byte
	tail     string
	kids     []*node // between head and tail, with commas
	size     int     // in bytes, printed whole
	elements int
	words    int
	budget   int // of a region
}

func leaf(json []byte, words int) *node {
	return &node{head: json, size: len(json), elements: 1, words: words}
}

func (n *node) add(kid *node) {
	if kid != nil {
		n.kids = append(n.kids, kid)
	}
}

func (n *node) addAll(es []*som.Element) {
	for _, e := range es {
		n.add(elementNode(e))
	}
}

func (n *node) measure() {
	n.size = len(n.head) + len(n.tail)
	for i, k := range n.kids {
		if i > 0 {
			n.size++
		}
		n.size += k.size
		n.elements += k.elements
		n.words += k.words
	}
}

// foldSize bounds the length of a fold.
const foldSize = 60

// least is the room a node takes when all of it is folded.
func (n *node) least() int { return len(n.head) + len(n.tail) + foldSize }

// foldable says whether part of the node can be left out: there is an id that opens it.
func (n *node) foldable() bool { return n.id != "" && len(n.kids) > 0 }

// print writes the node in about room bytes; what does not fit is behind a fold.
func (n *node) print(b []byte, room int) []byte {
	b = append(b, n.head...)
	room -= len(n.head) + len(n.tail)
	whole := n.size-len(n.head)-len(n.tail) <= room || !n.foldable()
	for i, k := range n.kids {
		if i > 0 {
			b = append(b, ',')
		}
		if whole || k.size+1 <= room-foldSize {
			b = k.print(b, k.size)
			room -= k.size + 1
			continue
		}
		rest := n.kids[i:]
		if k.foldable() && room-foldSize > 2*k.least() {
			b = k.print(b, room-foldSize)
			rest = rest[1:]
			if len(rest) > 0 {
				b = append(b, ',')
			}
		}
		if len(rest) > 0 {
			b = appendFold(b, n.id, rest)
		}
		break
	}
	return append(b, n.tail...)
}

func appendFold(b []byte, id string, rest []*node) []byte {
	elements, words := 0, 0
	for _, k := range rest {
		elements += k.elements
		words += k.words
	}
	b = som.AppendString(append(b, `{"+":`...), id)
	b = appendInt(append(b, `,"n":`...), elements)
	b = appendInt(append(b, `,"w":`...), words)
	return append(b, '}')
}

func wordsIn(s string) int { return len(strings.Fields(s)) }
