package textview

import (
	"sort"
	"strconv"
	"strings"

	"plasmate/policy/hygiene"
)

// Safety is what a page tried, or may have tried, to do to its reader.
type Safety struct {
	Level                 int // of visibility that was computed: 0 inline styles, 1 style sheets, 2 layout
	Paused                bool
	Challenge             string // name of a bot challenge
	HiddenBlocks          int
	HiddenInstructions    int
	InvisibleRemoved      int
	InvisibleInstructions bool
	Suspicious            []Suspicion
	AttributesRemoved     int
	Spoof                 int      // lines that imitated the protocol
	Sensitive             []string // kinds of sensitive fields on the page
	AriaIgnored           bool     // aria-hidden on most of the page was ignored

	smuggled bool // removed characters that are reported however few
	loud     int  // other removed characters that ordinary pages do not have
}

// Suspicion is visible text that reads like instructions to a model.
type Suspicion struct {
	Ref    int // of a control in it; 0: none
	Region string
	Rules  []string
	Score  int
}

// suspicion is a Suspicion before its ref is known.
type suspicion struct {
	hygiene.Finding
	block *block
}

// removed counts what was cleaned out of one text.
func (s *Safety) removed(raw, clean string, gone hygiene.Removed) {
	if gone.Invisible == 0 {
		return
	}
	s.InvisibleRemoved += gone.Invisible
	s.loud += gone.Invisible - gone.Soft
	if gone.Smuggled() {
		s.smuggled = true
	}
	for _, p := range gone.Payloads {
		if hygiene.Scan(p).Score >= hygiene.Concealed {
			s.InvisibleInstructions = true
		}
	}
	if hygiene.Spelled(raw, clean) {
		s.InvisibleInstructions = true
	}
}

// Trusted reports whether nothing on the page asks for more care than usual.
func (s *Safety) Trusted() bool {
	return s.HiddenInstructions == 0 && !s.InvisibleInstructions && len(s.Suspicious) == 0
}

// loudly is how many unseen characters other than line break and direction
// hints are worth a note.
const loudly = 10

// notes are the lines under the header, in the order of the spec.
func (s *Safety) notes() []string {
	var out []string
	add := func(parts ...string) { out = append(out, strings.Join(parts, "")) }
	if s.Challenge != "" {
		add("⚠ bot challenge: ", s.Challenge, " (wait user)")
	}
	if s.HiddenInstructions > 0 {
		add("⚠ hidden instructions removed: ", strconv.Itoa(s.HiddenInstructions), " of ", strconv.Itoa(s.HiddenBlocks), " hidden blocks")
	}
	if s.smuggled || s.InvisibleInstructions || s.loud >= loudly {
		note := "⚠ invisible characters removed: " + strconv.Itoa(s.InvisibleRemoved)
		if s.InvisibleInstructions {
			note += ", they spelled instructions"
		}
		add(note)
	}
	if n := len(s.Suspicious); n > 0 {
		add("⚠ instruction-like text: ", strconv.Itoa(n), s.places())
	}
	if s.AttributesRemoved > 0 {
		add("⚠ attribute text removed: ", strconv.Itoa(s.AttributesRemoved))
	}
	if s.Spoof > 0 {
		add("⚠ page imitates this format: ", strconv.Itoa(s.Spoof), " lines escaped")
	}
	if s.AriaIgnored {
		add("⚠ aria-hidden on most of the page ignored")
	}
	if len(s.Sensitive) > 0 {
		add("⚿ sensitive page: ", strings.Join(s.Sensitive, ", "))
	}
	return out
}

// Notes are the note lines of an observation, without the header.
func (s *Safety) Notes() []string { return s.notes() }

// places says where instruction-like text stands: at most three places.
func (s *Safety) places() string {
	var at []string
	seen := map[string]bool{}
	for _, x := range s.Suspicious {
		p := x.Region
		if x.Ref > 0 {
			p = "[" + strconv.Itoa(x.Ref) + "]"
		}
		if p != "" && !seen[p] && len(at) < 3 {
			seen[p] = true
			at = append(at, p)
		}
	}
	if len(at) == 0 {
		return ""
	}
	return " (near " + strings.Join(at, ", ") + ")"
}

func (s *Safety) sensitive(kind string) {
	i := sort.SearchStrings(s.Sensitive, kind)
	if i == len(s.Sensitive) || s.Sensitive[i] != kind {
		s.Sensitive = append(s.Sensitive, "")
		copy(s.Sensitive[i+1:], s.Sensitive[i:])
		s.Sensitive[i] = kind
	}
}
