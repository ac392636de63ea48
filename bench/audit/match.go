package audit

// WordScore compares the words of a view with those of the oracle.
type WordScore struct {
	Required int `json:"required"`  // words a person sees
	Found    int `json:"found"`     // of these, in the view
	Split    int `json:"split"`     // of Found, written there as two or more words, as an element ends inside
	Got      int `json:"got"`       // words of the view
	Known    int `json:"known"`     // of these, visible, or a name, value or alternative of the page
	Hidden   int `json:"hidden"`    // of these, at least: words of hidden text only
	Repeats  int `json:"repeats"`   // of these, more often than the page has them anywhere
	HiddenUp int `json:"hidden_up"` // of these, at most: repeats that hidden text has too

	Missing Bag `json:"-"` // words not found
	Foreign Bag `json:"-"` // words the page does not show
}

// Recall is the share of required words that were found; 1 where none is required.
func (s WordScore) Recall() float64 { return share(s.Found, s.Required) }

// Precision is the share of the view's words that the page shows or says.
func (s WordScore) Precision() float64 { return share(s.Known, s.Got) }

// HiddenShare is the share of the view's words that only hidden text has.
func (s WordScore) HiddenShare() float64 {
	if s.Got == 0 {
		return 0
	}
	return float64(s.Hidden) / float64(s.Got)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// scoreWords compares a view's words with an oracle's.
func scoreWords(o *Oracle, got Bag) WordScore {
	required := o.Visible.Minus(o.Quiet)
	s := WordScore{Required: required.Size(), Got: got.Size()}
	s.Missing = required.Minus(got)
	spare := got.Minus(required)
	s.Found = s.Required - s.Missing.Size()
	used := Bag{}
	s.Split = credit(s.Missing, spare, used)
	s.Found += s.Split

	anywhere := o.Visible.Plus(o.Allowed).Plus(o.Details)
	hidden := o.Hidden
	s.Foreign = Bag{}
	for w, n := range got {
		n -= used[w]
		s.Known += used[w]
		if anywhere[w] == 0 {
			if n > 0 {
				s.Foreign[w] = n
				s.Hidden += min(n, hidden[w])
			}
			continue
		}
		s.Known += n
		if over := n - anywhere[w]; over > 0 {
			s.Repeats += over
			s.HiddenUp += min(over, hidden[w])
		}
	}
	s.HiddenUp += s.Hidden
	return s
}

// credit takes missing words that spare has in parts ("foobar" as "foo", "bar",
// which are two links without a space between) out of both and counts the parts
// in used; it returns how many words it took.
func credit(missing, spare, used Bag) int {
	n := 0
	for _, w := range missing.Top(len(missing)) {
		c := missing[w]
		for ; c > 0; c-- {
			parts := cut([]rune(w), spare, 12)
			if parts == nil {
				break
			}
			for _, p := range parts {
				used[p]++
				if spare[p]--; spare[p] == 0 {
					delete(spare, p)
				}
			}
			n++
		}
		if c == 0 {
			delete(missing, w)
		} else {
			missing[w] = c
		}
	}
	return n
}

// cut writes w as at most limit words of the bag, longest first; nil if it cannot.
func cut(w []rune, bag Bag, limit int) []string {
	if len(w) > 200 {
		return nil
	}
	failed := map[int]bool{}
	var try func(at, left int) []string
	try = func(at, left int) []string {
		if at == len(w) {
			return []string{}
		}
		if left == 0 || failed[at] {
			return nil
		}
		for end := len(w); end > at; end-- {
			p := string(w[at:end])
			if bag[p] == 0 || at == 0 && end == len(w) {
				continue
			}
			if rest := try(end, left-1); rest != nil {
				return append([]string{p}, rest...)
			}
		}
		failed[at] = true
		return nil
	}
	return try(0, limit)
}
