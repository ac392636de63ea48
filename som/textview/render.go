package textview

import (
	"strconv"
	"strings"

	"plasmate/policy/hygiene"
	"plasmate/policy/privacy"
	"plasmate/som"
)

// Mode says what an observation is for.
type Mode string

// The modes (text protocol §6.1).
const (
	Actions Mode = "actions" // what can be done, and where
	Full    Mode = "full"    // all of the page
	Read    Mode = "read"    // its text, without controls
)

// Options are what an observation is asked with. The zero value is a view for acting.
type Options struct {
	Mode   Mode
	Budget int  // tokens; 0: the mode's default
	Ref    int  // of what is shown alone, with folding relaxed; 0: the whole page
	Offset int  // items of the ref's list, or lines of the page, to leave out
	Links  bool // print where links lead to

	At      At
	Vault   *privacy.Vault      // nil: nothing is redacted
	Secrets map[som.NodeID]bool // fields that received a resolved token
	Focus   som.NodeID          // the focused element; 0 (the root) and NoNode are none
	Touched []som.NodeID        // elements that the last act was on
	Tab     int                 // printed in the header if it is not 0
	// Nonce, eight hex digits that no page can know, puts the page's part
	// between boundaries; "" does not.
	Nonce string
}

// View is one printed observation.
type View struct {
	Text   string
	Safety Safety
	Mode   Mode
	Tokens int // estimate for Text
	Err    *RefError

	at    At
	lines []out
	head  string
	notes []string
	full  bool // of the whole page, not cut short
}

// The bounds of a budget, in tokens.
const (
	minBudget = 200
	maxBudget = 20_000
)

func budgetOf(o Options) int {
	b := o.Budget
	if b == 0 {
		switch o.Mode {
		case Full:
			return 8000
		case Read:
			return 4000
		}
		return 2000
	}
	return min(max(b, minBudget), maxBudget)
}

// Estimate is how many tokens a text is taken for (§6.3).
func Estimate(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return (ascii*10+31)/32 + other
}

// Render prints a page. The refs learn which elements the page has, and which
// the caller has read of.
func Render(page *som.Page, refs *Refs, o Options) View {
	if o.Mode == "" {
		o.Mode = Actions
	}
	d := read(page, o.Vault, o.Secrets)
	d.focus(o.Focus)
	refs.bind(d, o.At)
	return d.render(refs, o)
}

func (d *doc) render(refs *Refs, o Options) View {
	lim := limitsOf(o.Mode)
	lim.links = o.Links
	root := d.root
	v := View{Mode: o.Mode, at: o.At}
	if o.Ref != 0 {
		b, err := d.subtree(refs, o.Ref)
		if err != nil {
			v.Err = err
			v.Text = "✗ observe: " + err.Code + " " + err.Text
			return v
		}
		root = b
		lim.root, lim.items, lim.aside, lim.prose = b, 100, -1, 0
		lim.controls = true
		if b.folds || b.kind != place { // of items, of options; else of lines
			lim.from, o.Offset = o.Offset, 0
		}
		if b == d.root { // behind a dialog: the page as in full mode
			at := limitsOf(Full)
			at.links = o.Links
			lim = at
		}
	}
	s := session{d: d, refs: refs, o: o, root: root, budget: budgetOf(o)}
	s.byID = map[som.NodeID]candidate{}
	for _, c := range d.candidates() {
		s.byID[c.id] = c
	}
	p := s.fit(lim)
	p.commit()
	d.settle(p)
	v.Safety = d.safety
	v.lines = p.lines
	v.head, v.notes = s.header(p), d.safety.notes()
	v.full = o.Ref == 0 && o.Offset == 0
	v.Text = v.join(d.origin, o.Nonce)
	v.Tokens = Estimate(v.Text)
	return v
}

// subtree is the block that a ref stands for.
func (d *doc) subtree(refs *Refs, n int) (*block, *RefError) {
	t, err := refs.Resolve(n)
	if err != nil {
		return nil, err
	}
	var found *block
	d.root.walk(func(b *block) bool {
		if b.id == t.Node && b.kind == place && found == nil {
			found = b
		}
		return found == nil
	})
	if found == nil {
		d.root.walk(func(b *block) bool {
			for _, r := range b.runs {
				for _, q := range r {
					if q.ctl != nil && q.ctl.id == t.Node && found == nil {
						found = b
					}
				}
			}
			return found == nil
		})
	}
	if found == nil {
		return nil, &RefError{"stale", t.Echo() + " (gone)"}
	}
	return found, nil
}

// settle completes what is known only now that lines are printed.
func (d *doc) settle(p *printer) {
	d.safety.Spoof += len(p.spoofs)
	for _, x := range d.suspicions {
		s := Suspicion{Region: x.block.region, Rules: x.Rules, Score: x.Score}
		x.block.controls(func(c *control) {
			if e := p.refs.current[c.id]; e != nil && s.Ref == 0 {
				s.Ref = e.n
			}
		})
		d.safety.Suspicious = append(d.safety.Suspicious, s)
	}
}

// header is the first line.
func (s *session) header(p *printer) string {
	d := s.d
	address := d.address()
	if s.root != d.root {
		name := s.root.alias
		if name == "" {
			name = "list"
		}
		if s.root.kind != place {
			name = "line"
			if t, err := s.refs.Resolve(s.o.Ref); err == nil {
				name = roleName(t.Role, t.Name)
			}
		} else if s.root.name != "" {
			name += " " + quote(s.root.name)
		}
		return "# [" + itoa(s.o.Ref) + "] " + name + " · " + address
	}
	if s.o.Ref != 0 {
		return "# [" + itoa(s.o.Ref) + "] page · " + address
	}
	h := "# " + d.title + " · " + address
	if n := len(p.lines); n > screen {
		h += " · ↓" + strconv.FormatFloat(float64(n-screen)/screen, 'f', 1, 64)
	}
	if s.o.Tab > 0 {
		h += " · tab " + itoa(s.o.Tab)
	}
	return h
}

// address is the page's, redacted before anything is cut.
func (d *doc) address() string {
	clean := d.redact(d.page.URL)
	if clean == d.page.URL {
		clean = Compact(clean)
	} else {
		clean = shortAddress(strings.TrimPrefix(clean, "https://"))
	}
	if d.vault == nil {
		clean, _ = hygiene.Neutral(clean)
	}
	return clean
}

// join puts a view's lines together.
func (v *View) join(origin, nonce string) string {
	var w strings.Builder
	if nonce != "" {
		w.WriteString("⟪page " + nonce + " " + origin + "⟫\n")
	}
	w.WriteString(v.head)
	for _, n := range v.notes {
		w.WriteString("\n" + n)
	}
	for _, l := range v.lines {
		w.WriteByte('\n')
		for range l.depth {
			w.WriteByte(' ')
		}
		w.WriteString(l.text)
	}
	if nonce != "" {
		w.WriteString("\n⟪/page " + nonce + "⟫")
	}
	return w.String()
}

// Orientation is the short answer to a navigation: what the page is, its
// headings and how much there is to act on, in at most 150 tokens.
func (v *View) Orientation() string {
	var w strings.Builder
	w.WriteString(v.shortHead())
	for _, n := range v.notes {
		w.WriteString("\n" + n)
	}
	controls := 0
	var heads []string
	for _, l := range v.lines {
		controls += len(l.refs)
		if l.kind == "heading" && len(heads) < 5 {
			if h, _ := cutAt(l.text, 50); h != "" {
				heads = append(heads, h)
			}
		}
		if l.keep && strings.HasPrefix(l.text, "alert: ") {
			heads = append(heads, l.text)
		}
	}
	tail := "… +" + itoa(len(v.lines)) + " more lines, " + itoa(controls) + " controls (observe)"
	for _, h := range heads {
		if Estimate(w.String()+"\n"+h+"\n"+tail) > orientation {
			break
		}
		w.WriteString("\n" + h)
	}
	w.WriteString("\n" + tail)
	return w.String()
}

// orientation is how many tokens an orientation is estimated at, at most. Real
// counts are up to a sixth higher.
const orientation = 120

// shortHead is the header with a title that leaves room for more.
func (v *View) shortHead() string {
	title, rest, ok := strings.Cut(strings.TrimPrefix(v.head, "# "), " · ")
	if !ok || Estimate(v.head) <= orientation/2 {
		return v.head
	}
	if head, more := cutAt(title, 40); more != "" {
		title = head + "…"
	}
	if r := []rune(rest); len(r) > 60 {
		rest = string(r[:59]) + "…"
	}
	return "# " + title + " · " + rest
}

// focus marks the control that has the focus.
func (d *doc) focus(id som.NodeID) {
	if id <= 0 {
		return
	}
	d.root.controls(func(c *control) {
		if c.id == id && !c.is("focused") {
			c.states = append(c.states, "focused")
		}
	})
}

func itoa(n int) string { return strconv.Itoa(n) }

func quote(s string) string { return hygiene.Quoted(s) }
