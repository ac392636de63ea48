package som

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bounds of a Target.
const (
	maxFallback   = 8    // AWP §3
	maxSelector   = 1024 // bytes
	maxCandidates = 10
	maxSuggested  = 3
)

// Resolve finds the element that t means: by ref, else by text and role, else
// by css, else by its fallback (AWP §3). What is not rendered or inert is never
// found by text or role.
func (p *Page) Resolve(t Target) (Match, *ResolveError) {
	var tried []Attempt
	query := ""
	for depth := 0; ; depth++ {
		if depth > maxFallback {
			return Match{}, &ResolveError{Kind: BadTarget, Msg: "target has more than 8 fallbacks", Attempted: tried}
		}
		if t.Ref == "" && t.Text == "" && t.Role == "" && t.CSS == "" && t.Fallback == nil {
			return Match{}, &ResolveError{Kind: BadTarget, Msg: "target is empty: give ref, text, role or css", Attempted: tried}
		}
		if query == "" {
			query = t.Text
		}
		m, err := p.resolveOne(t, &tried)
		if err != nil || m.Element != nil {
			return m, err
		}
		if t.Fallback == nil {
			break
		}
		t = *t.Fallback
	}
	return Match{}, &ResolveError{
		Kind: NotFound, Msg: "no element on the page fits the target",
		Attempted: tried, Suggestions: p.suggest(query, t.Role),
	}
}

// resolveOne tries the strategies of one target; the zero Match is not found.
func (p *Page) resolveOne(t Target, tried *[]Attempt) (Match, *ResolveError) {
	if t.Ref != "" {
		if e := p.ElementByID(t.Ref); e != nil {
			return Match{Element: e, Node: e.Node}, nil
		}
		*tried = append(*tried, Attempt{"ref", t.Ref, "no element of the page has this id"})
	}
	if t.Text != "" || t.Role != "" {
		if m, err := p.byText(t); err != nil || m.Element != nil {
			return m, err
		}
		strategy, q := "text", t.Text
		if t.Text == "" {
			strategy, q = "role", t.Role
		} else if t.Role != "" {
			strategy, q = "text+role", t.Role+" "+strconv.Quote(t.Text)
		}
		*tried = append(*tried, Attempt{strategy, q, "no visible element matches"})
	}
	if t.CSS != "" {
		m, err := p.byCSS(t)
		if err != nil || m.Element != nil {
			return m, err
		}
		*tried = append(*tried, Attempt{"css", t.CSS, "the selector matches no element that is in the SOM"})
	}
	return Match{}, nil
}

// The levels of text matching, best first.
const (
	byName = iota
	byText
	byFold
	bySubstring
	levels
)

// byText finds elements by text and role: the first in document order at the
// best level that has any.
func (p *Page) byText(t Target) (Match, *ResolveError) {
	q := newTextQuery(t.Text)
	var found [levels][]*Element
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Flags&FlagHidden != 0 {
			return false
		}
		if e.Flags&FlagInert == 0 && hasRoleName(e, t.Role) {
			if l := q.level(e); l < levels {
				found[l] = append(found[l], e)
			}
		}
		return true
	})
	for _, es := range found {
		if len(es) > 0 {
			return p.choose(outermost(es), t.Strict)
		}
	}
	return Match{}, nil
}

func (p *Page) choose(es []*Element, strict bool) (Match, *ResolveError) {
	if len(es) == 1 {
		return Match{Element: es[0], Node: es[0].Node}, nil
	}
	if strict {
		return Match{}, p.ambiguous(es)
	}
	return Match{Element: es[0], Node: es[0].Node, Ambiguous: len(es)}, nil
}

func (p *Page) ambiguous(es []*Element) *ResolveError {
	err := &ResolveError{Kind: Ambiguous, Msg: strconv.Itoa(len(es)) + " elements fit the target equally well"}
	for _, e := range es[:min(len(es), maxCandidates)] {
		err.Candidates = append(err.Candidates, p.candidate(e))
	}
	return err
}

// candidate names an element to a caller who has to choose.
func (p *Page) candidate(e *Element) Candidate {
	return Candidate{ElementID: e.ID, Role: e.Role, Text: cut(e.shownName()), Nearby: p.nearby(e)}
}

// outermost drops elements that only repeat the text of one they are in, such
// as the heading inside a link. A control in a text is meant rather than the text.
func outermost(es []*Element) []*Element {
	out := es[:0:0]
	for _, e := range es {
		if k := len(out) - 1; k >= 0 && within(e, out[k]) {
			if interactive(e.Role) && !interactive(out[k].Role) {
				out[k] = e
			}
			continue
		}
		out = append(out, e)
	}
	return out
}

func within(e, outer *Element) bool {
	return e.Start < e.End && outer.Start <= e.Start && e.End <= outer.End && e != outer
}

// textQuery is a text to be found, in the forms that the levels compare.
type textQuery struct{ text, fold string }

func newTextQuery(s string) textQuery {
	s = normal(s)
	return textQuery{s, strings.ToLower(s)}
}

func (q textQuery) level(e *Element) int {
	if q.text == "" {
		return byName
	}
	name, text := normal(head(e.Name())), normal(head(e.Text))
	switch {
	case name == q.text || cutOf(name, q.text):
		return byName
	case text == q.text || cutOf(text, q.text):
		return byText
	}
	name, text = strings.ToLower(name), strings.ToLower(text)
	switch {
	case name == q.fold || text == q.fold:
		return byFold
	case strings.Contains(name, q.fold) || strings.Contains(text, q.fold):
		return bySubstring
	}
	return levels
}

// maxCompared is how much of a text is compared with what is looked for.
const maxCompared = 64 << 10

func head(s string) string { return s[:min(len(s), maxCompared)] }

// cutOf reports whether q is s as a snapshot shows it, cut.
func cutOf(s, q string) bool {
	return len(q) > maxText && strings.HasSuffix(q, "...") && strings.HasPrefix(s, q[:len(q)-3])
}

// normal is s with all white space collapsed, no-break spaces too.
func normal(s string) string {
	if strings.Contains(s, "\u00a0") || strings.ContainsAny(s, "\n\t\r\f") {
		return strings.Join(strings.Fields(s), " ")
	}
	return collapse(s)
}

// Name is the element's accessible name.
func (e *Element) Name() string {
	if e.Label != "" {
		return e.Label
	}
	if e.Text != "" {
		return e.Text
	}
	for _, k := range [...]string{"alt", "section_label", "summary", "legend", "caption"} {
		if v, ok := e.Attr(k); ok {
			return v
		}
	}
	return ""
}

func (e *Element) shownName() string {
	if e.Text != "" {
		return e.Text
	}
	return e.Name()
}

func cut(s string) string {
	if len(s) <= maxText || utf8.RuneCountInString(s) <= maxText {
		return s
	}
	n := 0
	for i := range s {
		if n == maxText {
			return s[:i] + "..."
		}
		n++
	}
	return s
}

// hasRoleName reports whether an element has a role, by SOM's name or ARIA's.
func hasRoleName(e *Element, role string) bool {
	if role == "" || e.Role == role {
		return true
	}
	if s, ok := e.Attr("source_role"); ok && s == role {
		return true
	}
	switch role {
	case "textbox":
		return e.Role == roleInput || e.Role == roleTextarea
	case "searchbox":
		t, _ := e.Attr("input_type")
		return e.Role == roleInput && t == "search"
	case "combobox", "listbox":
		return e.Role == roleSelect
	case "img":
		return e.Role == roleImage
	}
	return false
}

// byCSS finds the elements that a selector matches.
func (p *Page) byCSS(t Target) (Match, *ResolveError) {
	nodes, err := p.query(t.CSS)
	if err != nil {
		return Match{}, &ResolveError{Kind: BadTarget, Msg: err.Error()}
	}
	var first Match
	var all []*Element
	tree := p.index()
	lookup := p.elementsByNode()
	for _, n := range nodes {
		if c := tree.labelled(n); c != nil {
			n = c // acting on a label is acting on its control
		}
		id := tree.ids[n]
		e := lookup.nearest(tree, n, id)
		if e == nil {
			continue
		}
		if e.Node > id && interactive(e.Role) {
			id = e.Node // a control in it: what is said to be acted on is
		}
		if first.Element == nil {
			first = Match{Element: e, Node: id}
		}
		all = append(all, e)
	}
	if len(all) > 1 {
		if t.Strict {
			return Match{}, p.ambiguous(all)
		}
		first.Ambiguous = len(all)
	}
	return first, nil
}

type selectorError string

func (e selectorError) Error() string { return string(e) }

// query is every element of the tree that a selector matches, in tree order.
func (p *Page) query(css string) ([]*html.Node, error) {
	if len(css) > maxSelector {
		return nil, selectorError("selector is longer than " + strconv.Itoa(maxSelector) + " bytes")
	}
	if strings.Count(css, ":has(")+strings.Count(css, ":haschild(") > 2 {
		return nil, selectorError("selector has more than two :has")
	}
	sel, err := cascadia.ParseGroup(css)
	if err != nil {
		return nil, selectorError("invalid selector: " + err.Error())
	}
	t := p.index()
	if t.tooCostly(css) {
		return nil, selectorError("the selector is too costly for a page of this size")
	}
	var out []*html.Node
	for _, n := range t.nodes {
		if sel.Match(n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// The sizes of pages up to which selectors that look at all siblings, or at all
// that is in an element, are tried on every element.
const (
	maxSiblings = 10_000
	maxNodes    = 200_000
)

// tooCostly reports whether matching would take more than linear time on a
// page that is large in the way that matters.
func (t *treeIndex) tooCostly(css string) bool {
	low := strings.ToLower(css)
	if len(t.nodes) > maxNodes {
		for _, s := range [...]string{":has", ":contains", ":matches"} {
			if strings.Contains(low, s) {
				return true
			}
		}
	}
	if strings.Contains(low, "~") || strings.Contains(low, "-child") || strings.Contains(low, "-of-type") {
		return t.siblings() > maxSiblings
	}
	return false
}

// siblings is the largest number of children of one node.
func (t *treeIndex) siblings() int {
	most := 0
	for _, n := range t.nodes {
		k := 0
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			k++
		}
		most = max(most, k)
	}
	return most
}

// nodeOrder lists a page's elements by the tree position of their nodes.
type nodeOrder []*Element

func (p *Page) elementsByNode() nodeOrder {
	var es nodeOrder
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Node != NoNode {
			es = append(es, e)
		}
		return true
	})
	sort.SliceStable(es, func(i, j int) bool { return es[i].Node < es[j].Node })
	return es
}

func (o nodeOrder) from(id NodeID) int {
	return sort.Search(len(o), func(i int) bool { return o[i].Node >= id })
}

// nearest is the element that stands for a node: its own, else the control it
// is in, else a control in it, else the nearest element around or in it.
func (o nodeOrder) nearest(t *treeIndex, n *html.Node, id NodeID) *Element {
	i := o.from(id)
	var around, inside *Element
	for ; i < len(o) && o[i].Node == id; i++ {
		if o[i].Flags&FlagBareText == 0 {
			return o[i]
		}
		if inside == nil {
			inside = o[i] // text of the node: less than a control in it
		}
	}
	for p := n.Parent; p != nil && p.Type == html.ElementNode && around == nil; p = p.Parent {
		pid := t.ids[p]
		for k := o.from(pid); k < len(o) && o[k].Node == pid && around == nil; k++ {
			if o[k].Flags&FlagBareText == 0 { // text beside it is not around it
				around = o[k]
			}
		}
	}
	if around != nil && interactive(around.Role) {
		return around
	}
	end := t.after(n)
	for ; i < len(o) && o[i].Node < end; i++ {
		if interactive(o[i].Role) {
			return o[i]
		}
		if inside == nil {
			inside = o[i]
		}
	}
	if inside != nil {
		return inside
	}
	return around
}

// labelled is the control that a label is for; nil if n is no label or has none.
//
// Spec: HTML, the label element, labeled control.
func (t *treeIndex) labelled(n *html.Node) *html.Node {
	if n.DataAtom != atom.Label {
		return nil
	}
	target, named := "", false
	for _, a := range n.Attr {
		if a.Key == "for" {
			target, named = a.Val, true
		}
	}
	id := t.ids[n]
	nodes := t.nodes[id+1 : t.after(n)]
	if named {
		nodes = t.nodes
	}
	for _, c := range nodes {
		switch c.DataAtom {
		case atom.Button, atom.Input, atom.Meter, atom.Output, atom.Progress, atom.Select, atom.Textarea:
		default:
			if !named {
				continue
			}
		}
		if !named && nodeAttr(c, "type") != "hidden" || named && target != "" && nodeAttr(c, "id") == target {
			return c
		}
	}
	return nil
}

func nodeAttr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// after is the id that follows the last descendant of n.
func (t *treeIndex) after(n *html.Node) NodeID {
	for ; n != nil; n = n.Parent {
		for s := n.NextSibling; s != nil; s = s.NextSibling {
			if s.Type == html.ElementNode {
				return t.ids[s]
			}
		}
	}
	return NodeID(len(t.nodes))
}

// suggest lists the elements whose names are most like a text.
func (p *Page) suggest(text, role string) []Candidate {
	type scored struct {
		e *Element
		s int
	}
	want := bigrams(strings.ToLower(normal(text)))
	var best []scored
	seen := 0
	p.Walk(func(e *Element, _ *Region) bool {
		if e.Flags&(FlagHidden|FlagInert) != 0 || seen > 5000 {
			return false
		}
		seen++
		s := 0
		if text != "" {
			s = 100 * overlap(want, strings.ToLower(normal(cut(e.Name()))))
		}
		if interactive(e.Role) {
			s = s*5/4 + 1
		}
		if role != "" && hasRoleName(e, role) {
			s = s*5/4 + 2
		}
		if s > 0 {
			best = append(best, scored{e, s})
		}
		return true
	})
	sort.SliceStable(best, func(i, j int) bool { return best[i].s > best[j].s })
	var out []Candidate
	for _, b := range best[:min(len(best), maxSuggested)] {
		out = append(out, p.candidate(b.e))
	}
	return out
}

func bigrams(s string) map[string]bool {
	m := map[string]bool{}
	for i := 0; i+1 < len(s) && i < 400; i++ {
		m[s[i:i+2]] = true
	}
	return m
}

// overlap is the percentage of letter pairs that two texts share.
func overlap(want map[string]bool, s string) int {
	if len(want) == 0 || len(s) < 2 {
		return 0
	}
	n := 0
	for i := 0; i+1 < len(s); i++ {
		if want[s[i:i+2]] {
			n++
		}
	}
	if share := 200 * n / (len(want) + len(s) - 1); share >= 30 {
		return share
	}
	return 0
}
