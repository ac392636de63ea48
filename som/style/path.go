package style

import "golang.org/x/net/html"

// A bloom is a set of strings that may say yes too often.
type bloom [4]uint64

func (b *bloom) add(kind byte, s string) {
	h := uint32(2166136261) ^ uint32(kind)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	b[h>>6&3] |= 1 << (h & 63)
	b[h>>14&3] |= 1 << (h >> 8 & 63)
}

// holds says that everything in need may be in b.
func (b *bloom) holds(need *bloom) bool {
	return need[0]&^b[0]|need[1]&^b[1]|need[2]&^b[2]|need[3]&^b[3] == 0
}

// A frame is an element on the way from the root to the element that is asked
// for, with what it and the elements above it make possible below.
type frame struct {
	node     *html.Node
	have     bloom
	possible []*bucket
}

// above brings the path to n's parent and returns its frame. In tree order this
// pops and pushes a frame or two; otherwise the path is built anew.
func (c *Computed) above(n *html.Node, sc *scope) *frame {
	if c.pathScope != sc {
		c.path, c.pathScope = c.path[:0], sc
	}
	parent := parentElement(n)
	for len(c.path) > 0 && c.path[len(c.path)-1].node != parent {
		c.path = c.path[:len(c.path)-1]
	}
	if parent != nil && len(c.path) == 0 {
		var chain []*html.Node
		for p := parent; p != nil; p = parentElement(p) {
			chain = append(chain, p)
		}
		for i := len(chain) - 1; i >= 0; i-- {
			c.push(chain[i], sc)
		}
	}
	if len(c.path) == 0 {
		return &frame{}
	}
	return &c.path[len(c.path)-1]
}

// push adds n below the top of the path.
func (c *Computed) push(n *html.Node, sc *scope) {
	f := frame{node: n}
	if len(c.path) > 0 {
		top := &c.path[len(c.path)-1]
		f.have = top.have
		f.possible = top.possible[:len(top.possible):len(top.possible)]
	}
	tag := n.Data
	if n.Namespace != "" {
		tag = lower(tag)
	}
	f.have.add('<', tag)
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "id":
			f.add(sc, '#', foldIf(sc.quirks, a.Val))
		case "class":
			words(foldIf(sc.quirks, a.Val), func(class string) { f.add(sc, '.', class) })
		}
	}
	c.path = append(c.path, f)
}

func (f *frame) add(sc *scope, kind byte, name string) {
	f.have.add(kind, name)
	if len(sc.index.byAncestor) == 0 {
		return
	}
	var room [64]byte
	key := append(append(room[:0], kind), name...)
	b := sc.index.byAncestor[string(key)] // no allocation for a look-up
	if b == nil {
		return
	}
	for _, have := range f.possible {
		if have == b {
			return
		}
	}
	f.possible = append(f.possible, b)
}
