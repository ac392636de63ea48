package textview

import (
	"sort"
	"strconv"
	"strings"
	"unicode"

	"plasmate/policy/hygiene"
	"plasmate/policy/privacy"
	"plasmate/som"
)

// Refs are the numbers that a session has given to controls and containers.
// They count from 1 over all tabs and documents and are never given twice.
// The zero value is ready. It is not safe for concurrent use.
type Refs struct {
	next  int
	known map[int]*ref

	at      At
	doc     *doc
	current map[som.NodeID]*ref // of the tab that was bound last
}

// At says which document of the session a page is.
type At struct {
	Tab int // 0 and 1: the first
	// Load counts the documents that the tab has loaded. Pages of one load are
	// states of one document.
	Load int
	// Tree names the parsed tree. NodeIDs mean the same elements in pages of
	// one tree; "" is the tree of the load.
	Tree string
	// Identity gives nodes an identity that outlives changes of the tree, where
	// the engine has one. 0 is none.
	Identity func(som.NodeID) int64
}

// ref is one number and what it stands for.
type ref struct {
	n        int
	tab      int
	load     int
	tree     string
	id       som.NodeID
	identity int64
	somID    string
	role     string
	name     string
	place    string // nearest named container
	origin   string
	lost     bool
	sent     string // role and name as the model last read them
}

// maxRefs bounds the table; the oldest tombstones go first.
const maxRefs = 50_000

// candidate is something in the page that can have a ref.
type candidate struct {
	id                       som.NodeID
	somID, role, name, place string
	ctl                      *control
	blk                      *block
}

func (d *doc) candidates() []candidate {
	var out []candidate
	seen := map[som.NodeID]bool{}
	var walk func(b *block, in string)
	walk = func(b *block, in string) {
		if b.kind == place && b.id != som.NoNode && !seen[b.id] {
			seen[b.id] = true
			role := b.alias
			switch {
			case b == d.root:
				role = "page"
			case role == "":
				role = "list"
			}
			out = append(out, candidate{id: b.id, somID: d.somID(b.id), role: role, name: b.name, place: in, blk: b})
			if b.alias != "" {
				in = b.alias + " " + b.name
			}
		}
		for _, r := range b.runs {
			for i := range r {
				if c := r[i].ctl; c != nil && !seen[c.id] {
					seen[c.id] = true
					out = append(out, candidate{id: c.id, somID: d.somID(c.id), role: c.role, name: c.name, place: in, ctl: c, blk: b})
				}
			}
		}
		for _, k := range b.kids {
			walk(k, in)
		}
	}
	walk(d.root, "")
	return out
}

func (d *doc) somID(id som.NodeID) string {
	if e := d.elements[id]; e != nil {
		return e.ID
	}
	if r := d.regions[id]; r != nil {
		return r.ID
	}
	return ""
}

// bind finds the elements of a page that the session's refs stand for.
func (r *Refs) bind(d *doc, at At) {
	if r.known == nil {
		r.known = map[int]*ref{}
	}
	r.at, r.doc = at, d
	r.current = map[som.NodeID]*ref{}
	all := d.candidates()
	byID := make(map[som.NodeID]int, len(all))
	byIdentity := map[int64]int{}
	for i, c := range all {
		byID[c.id] = i
		if at.Identity != nil {
			if k := at.Identity(c.id); k != 0 {
				byIdentity[k] = i
			}
		}
	}
	taken := make([]bool, len(all))
	var open []*ref
	for _, e := range r.ofTab(at.Tab) {
		i, ok := -1, false
		if e.load == at.Load {
			switch {
			case at.Identity != nil && e.identity != 0:
				i, ok = lookup(byIdentity, e.identity)
			case at.Tree == e.tree:
				i, ok = lookup(byID, e.id)
			}
		}
		if ok && !taken[i] {
			taken[i] = true
			r.keep(e, all[i], at, d.origin)
			continue
		}
		if e.load == at.Load || e.origin == d.origin {
			open = append(open, e)
		} else {
			e.lost = true
		}
	}
	r.rebind(open, all, taken, at, d.origin)
}

// Bind finds the elements of a page that the refs stand for, as Render does,
// but nothing counts as read: before an action, where the page may have changed
// since it was last shown. The vault may be nil.
func (r *Refs) Bind(page *som.Page, at At, vault *privacy.Vault) {
	r.bind(read(page, vault, nil), at)
}

func lookup[K comparable](m map[K]int, k K) (int, bool) { i, ok := m[k]; return i, ok }

func (r *Refs) ofTab(tab int) []*ref {
	var out []*ref
	for _, e := range r.known {
		if e.tab == tab {
			out = append(out, e)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].n < out[j].n })
	return out
}

// rebind matches lost refs with elements that have none: by SOM id, then by
// role, name and place, then by role and name; each only where both are unique.
func (r *Refs) rebind(open []*ref, all []candidate, taken []bool, at At, origin string) {
	type key func(somID, role, name, place string) string
	steps := []key{
		func(somID, _, _, _ string) string { return somID },
		func(_, role, name, place string) string { return role + "\x00" + name + "\x00" + place },
		func(_, role, name, _ string) string { return role + "\x00" + name },
	}
	for step, k := range steps {
		lostBy := map[string][]*ref{}
		for _, e := range open {
			if e == nil || step > 0 && (e.load != at.Load || e.lost || e.name == "") {
				continue
			}
			if s := k(e.somID, e.role, e.name, e.place); s != "" {
				lostBy[s] = append(lostBy[s], e)
			}
		}
		if len(lostBy) == 0 {
			continue
		}
		freeBy := map[string][]int{}
		for i, c := range all {
			if s := k(c.somID, c.role, c.name, c.place); !taken[i] && s != "" && lostBy[s] != nil {
				freeBy[s] = append(freeBy[s], i)
			}
		}
		for s, es := range lostBy {
			if free := freeBy[s]; len(es) == 1 && len(free) == 1 {
				taken[free[0]] = true
				r.keep(es[0], all[free[0]], at, origin)
				for i, e := range open {
					if e == es[0] {
						open[i] = nil
					}
				}
			}
		}
	}
	for _, e := range open {
		if e != nil {
			e.lost = true
		}
	}
}

func (r *Refs) keep(e *ref, c candidate, at At, origin string) {
	e.lost = false
	e.load, e.tree, e.id, e.somID, e.role, e.name, e.place, e.origin = at.Load, at.Tree, c.id, c.somID, c.role, c.name, c.place, origin
	if at.Identity != nil {
		e.identity = at.Identity(c.id)
	}
	r.current[c.id] = e
}

// add gives a number to an element of the bound page.
func (r *Refs) add(c candidate) *ref {
	r.next++
	e := &ref{n: r.next, tab: r.at.Tab}
	r.keep(e, c, r.at, r.doc.origin)
	r.known[e.n] = e
	if len(r.known) > maxRefs {
		r.forget()
	}
	return e
}

// forget drops the oldest tombstones, or the oldest refs if there are none.
func (r *Refs) forget() {
	var lost []int
	for n, e := range r.known {
		if e.lost {
			lost = append(lost, n)
		}
	}
	sort.Ints(lost)
	for _, n := range lost[:min(len(lost), maxRefs/10)] {
		delete(r.known, n)
	}
}

// Count is how many numbers were given.
func (r *Refs) Count() int { return r.next }

// A Target is what a ref stands for.
type Target struct {
	Ref        int
	Tab        int
	Node       som.NodeID
	ID         string // SOM id; "" for elements that are none of the SOM
	Role, Name string
}

// Echo is the target as results name it.
func (t Target) Echo() string { return echo(t.Ref, t.Role, t.Name) }

func echo(n int, role, name string) string {
	s := "[" + strconv.Itoa(n) + "] " + role
	if name != "" {
		s += " " + hygiene.Quoted(name)
	}
	return s
}

// A RefError says why a ref cannot be used. Nothing may be acted on then.
type RefError struct {
	Code string // "stale" or "not-found"
	Text string
}

// Error is the explanation, without the code.
func (e *RefError) Error() string { return e.Text }

// Resolve finds what a ref stands for in the page that was last rendered for
// its tab. A ref whose element is gone, or is another one by now for whoever
// read it, is stale: it never stands for anything else.
func (r *Refs) Resolve(n int) (Target, *RefError) {
	e := r.known[n]
	switch {
	case e == nil:
		return Target{}, &RefError{"not-found", "[" + strconv.Itoa(n) + "] was never given (observe the page)"}
	case e.lost || e.tab != r.at.Tab && r.current != nil && r.current[e.id] == e:
		return Target{}, &RefError{"stale", echo(n, e.sentRole(), e.sentName()) + " (gone)" + r.similar(e)}
	case e.sent != "" && digitless(e.sent) != digitless(e.role+"\x00"+e.name):
		return Target{}, &RefError{"stale", "[" + strconv.Itoa(n) + "] was " + roleName(e.sentRole(), e.sentName()) + ", now " + roleName(e.role, e.name)}
	}
	return Target{Ref: n, Tab: e.tab, Node: e.id, ID: e.somID, Role: e.role, Name: e.name}, nil
}

func (e *ref) sentRole() string {
	if role, _, ok := strings.Cut(e.sent, "\x00"); ok {
		return role
	}
	return e.role
}

func (e *ref) sentName() string {
	if _, name, ok := strings.Cut(e.sent, "\x00"); ok {
		return name
	}
	return e.name
}

func roleName(role, name string) string { return strings.TrimSpace(role + " " + quotedOrNothing(name)) }

func quotedOrNothing(s string) string {
	if s == "" {
		return ""
	}
	return hygiene.Quoted(s)
}

// similar lists up to three elements that a stale ref may be replaced by.
func (r *Refs) similar(e *ref) string {
	if r.doc == nil || e.tab != r.at.Tab {
		return ""
	}
	type scored struct {
		c candidate
		s int
	}
	var best []scored
	for _, c := range r.doc.candidates() {
		if c.role == e.sentRole() && c.ctl != nil {
			if s := likeness(c.name, e.sentName()); s > 0 {
				best = append(best, scored{c, s})
			}
		}
	}
	sort.SliceStable(best, func(i, j int) bool { return best[i].s > best[j].s })
	var out []string
	for _, b := range best[:min(len(best), 3)] {
		x := r.current[b.c.id]
		if x == nil {
			x = r.add(b.c)
		}
		x.sent = x.role + "\x00" + x.name
		out = append(out, echo(x.n, x.role, x.name))
	}
	if len(out) == 0 {
		return ""
	}
	return "; similar: " + strings.Join(out, ", ")
}

// likeness is how much two names have in common, in per cent of their letter pairs.
func likeness(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return 101
	}
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	pairs := map[string]int{}
	for i := 0; i+1 < len(a); i++ {
		pairs[a[i:i+2]]++
	}
	n := 0
	for i := 0; i+1 < len(b); i++ {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			n++
		}
	}
	if s := 200 * n / (len(a) + len(b) - 2); s >= 30 {
		return s
	}
	return 0
}

// digitless is s without digits: names that differ in digits only are the same.
func digitless(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}
