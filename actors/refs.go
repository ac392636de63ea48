package actors

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plasmate/messages"
	"plasmate/som"
)

// maxPastRefs bounds the ids that are remembered of earlier documents: 16 KiB.
const maxPastRefs = 4096

// pastRefs remembers which elements earlier documents of a page had, by the
// first digits of their ids, so that a reference to one can be told from a
// reference to nothing.
type pastRefs struct{ docs [][]uint32 } // the latest last

// elementID begins an element's id in a SOM's JSON; in a string its quotes
// would be escaped.
var elementID = []byte(`"id":"e_`)

// add remembers the elements of a document by its SOM.
func (p *pastRefs) add(page []byte) {
	var ids []uint32
	for len(ids) < maxPastRefs {
		i := bytes.Index(page, elementID)
		if i < 0 {
			break
		}
		page = page[i+len(elementID):]
		if id, ok := refNumber(string(page[:min(8, len(page))])); ok {
			ids = append(ids, id)
		}
	}
	p.docs = append(p.docs, slices.Clip(slices.Clone(ids)))
	total := 0
	for i := len(p.docs) - 1; i >= 0; i-- {
		if total += len(p.docs[i]); total > maxPastRefs {
			p.docs = append([][]uint32(nil), p.docs[i+1:]...)
			return
		}
	}
}

func (p *pastRefs) has(ref string) bool {
	digits, ok := strings.CutPrefix(ref, "e_")
	if !ok || len(digits) < 8 {
		return false
	}
	id, ok := refNumber(digits[:8])
	if !ok {
		return false
	}
	return slices.ContainsFunc(p.docs, func(doc []uint32) bool { return slices.Contains(doc, id) })
}

func refNumber(digits string) (uint32, bool) {
	n, err := strconv.ParseUint(digits, 16, 32)
	return uint32(n), err == nil
}

// stale says whether a reference was given out for an earlier document and does
// not mean anything in this one. An id may be good for several documents, since
// it is made of origin, role, name and place; but after an action has led to
// another path, nobody can have meant an element there that he has not seen.
func (t *tab) stale(doc *som.Page, ref string) bool {
	if ref == "" || doc.ElementByID(ref) != nil && (t.told || !t.strayed) {
		return false
	}
	return t.past.has(ref)
}

// withoutStale is a target without its stale references, nil if nothing is
// left; ref is the first of them.
func (t *tab) withoutStale(doc *som.Page, target *som.Target, depth int) (kept *som.Target, ref string) {
	if target == nil || depth > maxTargetDepth {
		return target, ""
	}
	copied := *target
	if t.stale(doc, copied.Ref) {
		ref, copied.Ref = copied.Ref, ""
	}
	fallback, other := t.withoutStale(doc, copied.Fallback, depth+1)
	copied.Fallback = fallback
	if ref == "" {
		ref = other
	}
	if ref == "" {
		return target, ""
	}
	if copied.Ref == "" && copied.Text == "" && copied.Role == "" && copied.CSS == "" && copied.Fallback == nil {
		return nil, ref
	}
	return &copied, ref
}

// maxTargetDepth is beyond what som resolves, which has the say.
const maxTargetDepth = 10

// resolve finds the element that a target means in the current document.
func (t *tab) resolve(doc *som.Page, target *som.Target) (som.Match, error) {
	kept, stale := t.withoutStale(doc, target, 0)
	if kept == nil {
		t.told = true
		return som.Match{}, t.staleRef(stale)
	}
	match, err := doc.Resolve(*kept)
	if err == nil {
		return match, nil
	}
	t.told = true // by its suggestions
	if stale != "" && err.Kind == som.NotFound {
		return som.Match{}, t.staleRef(stale)
	}
	return som.Match{}, err
}

// samePath says whether two addresses differ in query and fragment at most.
func samePath(a, b string) bool {
	path := func(s string) string {
		if i := strings.IndexAny(s, "?#"); i >= 0 {
			return s[:i]
		}
		return s
	}
	return path(a) == path(b)
}

func (t *tab) staleRef(ref string) *messages.Error {
	return &messages.Error{
		Code:   messages.ElementNotFound,
		Msg:    fmt.Sprintf("%s is of an earlier document; this page has another document now, %s: observe again", ref, t.loaded.URL),
		Detail: messages.TargetDetail{Reason: "stale_ref", Attempted: []som.Attempt{{Strategy: "ref", Query: ref, Reason: "the element belongs to an earlier document of this page"}}},
	}
}
