package som

// Target says which element is meant (AWP §3 page.act). Ref is tried first,
// then Text and Role, then CSS, then Fallback, to a depth of 8.
type Target struct {
	Ref, Text, Role, CSS string
	Strict               bool
	Fallback             *Target
}

// Match is what a Target resolved to.
type Match struct {
	Element   *Element
	Node      NodeID // the DOM element to act on; for CSS it may lie below or above Element's
	Ambiguous int    // how many fitted equally well; 0 if just this one
}

// Attempt is one strategy that found nothing.
type Attempt struct{ Strategy, Query, Reason string }

// Candidate is an element named to the caller instead of taken.
type Candidate struct {
	ElementID, Role, Text string
	Nearby                string // text around it that tells it from others, shortened; may be empty
}

// ResolveError says why a Target could not be resolved. Its Kind decides the protocol's code.
type ResolveError struct {
	Kind        ResolveKind
	Msg         string
	Attempted   []Attempt   // NotFound
	Suggestions []Candidate // NotFound: up to 3 look-alikes
	Candidates  []Candidate // Ambiguous
}

// ResolveKind is the kind of a ResolveError.
type ResolveKind int

// The kinds of ResolveError.
const (
	NotFound ResolveKind = iota
	Ambiguous
	BadTarget // invalid selector, empty target, fallback too deep
)

func (e *ResolveError) Error() string { return e.Msg }
