package style

import (
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/css"
)

// pseudoKind is a pseudo-class that is decided by the tree alone.
type pseudoKind uint8

const (
	psFalse  pseudoKind = iota // state that a page has not got: hover, focus, target
	psTrue                     // :defined: the page's scripts would define its elements
	psAnchor                   // the implied subject of a relative selector
	psIs
	psWhere
	psNot
	psHas
	psRoot
	psEmpty
	psNthChild
	psNthLastChild
	psNthOfType
	psNthLastOfType
	psOnlyChild
	psOnlyOfType
	psLink
	psLang
	psEnabled
	psDisabled
	psChecked
	psRequired
	psOptional
	psReadOnly
	psReadWrite
	psPlaceholderShown
	psOpen
	psHost    // the host of a shadow tree, from inside
	psSlotted // ::slotted(): what is assigned to the slot
)

// pseudoClass are the pseudo-classes without arguments.
func pseudoClass(name string) (pseudo, verdict) {
	switch name {
	case "root", "scope":
		return pseudo{kind: psRoot}, valid
	case "empty":
		return pseudo{kind: psEmpty}, valid
	case "first-child":
		return pseudo{kind: psNthChild, b: 1}, valid
	case "last-child":
		return pseudo{kind: psNthLastChild, b: 1}, valid
	case "first-of-type":
		return pseudo{kind: psNthOfType, b: 1}, valid
	case "last-of-type":
		return pseudo{kind: psNthLastOfType, b: 1}, valid
	case "only-child":
		return pseudo{kind: psOnlyChild}, valid
	case "only-of-type":
		return pseudo{kind: psOnlyOfType}, valid
	case "link", "any-link", "-webkit-any-link":
		return pseudo{kind: psLink}, valid
	case "enabled":
		return pseudo{kind: psEnabled}, valid
	case "disabled":
		return pseudo{kind: psDisabled}, valid
	case "checked":
		return pseudo{kind: psChecked}, valid
	case "required":
		return pseudo{kind: psRequired}, valid
	case "optional":
		return pseudo{kind: psOptional}, valid
	case "read-only":
		return pseudo{kind: psReadOnly}, valid
	case "read-write":
		return pseudo{kind: psReadWrite}, valid
	case "placeholder-shown":
		return pseudo{kind: psPlaceholderShown}, valid
	case "open":
		return pseudo{kind: psOpen}, valid
	case "host":
		return pseudo{kind: psHost}, valid
	case "defined":
		return pseudo{kind: psTrue}, valid
	case "hover", "active", "focus", "focus-visible", "focus-within", "visited",
		"target", "target-within", "fullscreen", "-webkit-full-screen", "modal",
		"popover-open", "picture-in-picture", "autofill", "-webkit-autofill",
		"paused", "seeking", "buffering", "stalled", "user-valid", "user-invalid",
		"current", "past", "future", "interest-source", "interest-target":
		return pseudo{kind: psFalse}, valid
	case "valid", "invalid", "in-range", "out-of-range", "indeterminate", "default",
		"playing", "muted", "volume-locked", "first", "left", "right", "blank",
		"window-inactive", "local-link", "has-slotted", "target-current",
		"active-view-transition", "before", "after", "first-line", "first-letter":
		return pseudo{}, never
	}
	return pseudo{}, invalid
}

// parsePseudo parses the pseudo-class or pseudo-element at the start of t and
// says how many tokens it took.
func (p *selectorParser) parsePseudo(t []token, c *compound) (used int, v verdict) {
	if len(t) < 2 {
		return 0, invalid
	}
	if t[1].typ == css.ColonToken {
		if len(t) > 2 && t[2].function() == "slotted" {
			return p.slotted(t, c)
		}
		return pseudoElement(t)
	}
	if n := t[1].ident(); n != "" {
		ps, v := pseudoClass(n)
		if v == valid {
			c.pseudos = append(c.pseudos, ps)
		}
		return 2, v
	}
	fn := t[1].function()
	if fn == "" {
		return 0, invalid
	}
	end := blockEnd(t, 1)
	ps, v := p.functional(fn, args(t, 1, end))
	if v == valid {
		c.pseudos = append(c.pseudos, ps)
	}
	return end, v
}

// pseudoElement: no rule for one says anything about an element. Unknown ones
// make a list invalid, but for the -webkit- ones (Selectors 4, Compatibility).
func pseudoElement(t []token) (used int, v verdict) {
	if len(t) < 3 {
		return 0, invalid
	}
	if t[2].typ == css.FunctionToken {
		switch t[2].function() {
		case "part", "cue", "highlight", "picker", "scroll-button",
			"view-transition-group", "view-transition-image-pair", "view-transition-old",
			"view-transition-new", "column":
			return blockEnd(t, 2), never
		}
		return 0, invalid
	}
	n := t[2].ident()
	if strings.HasPrefix(n, "-webkit-") {
		return 3, never
	}
	switch n {
	case "before", "after", "first-line", "first-letter", "marker", "placeholder",
		"selection", "backdrop", "file-selector-button", "cue", "details-content",
		"target-text", "spelling-error", "grammar-error", "view-transition",
		"scroll-marker", "scroll-marker-group", "column", "checkmark", "picker-icon",
		"search-text", "interest-hint":
		return 3, never
	}
	return 0, invalid
}

// functional parses a functional pseudo-class.
func (p *selectorParser) functional(fn string, t []token) (pseudo, verdict) {
	switch fn {
	case "is", "where", "-webkit-any":
		list, ok, _ := p.parseList(t, forgiving)
		if !ok {
			return pseudo{}, invalid
		}
		kind := psIs
		if fn == "where" {
			kind = psWhere
		}
		return pseudo{kind: kind, args: list}, valid
	case "not":
		list, ok, exact := p.parseList(t, plain)
		return listed(psNot, list, ok, exact)
	case "has":
		if inHas(t) {
			return pseudo{}, invalid
		}
		list, ok, _ := p.parseList(t, relative)
		return listed(psHas, list, ok, true)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		return p.nth(fn, t)
	case "lang":
		return parseLang(t)
	case "host":
		list, ok, exact := p.parseList(t, plain)
		return listed(psHost, list, ok && len(list) <= 1, exact)
	case "dir", "host-context", "state", "current", "nth-col", "nth-last-col",
		"active-view-transition-type", "heading":
		return pseudo{}, never
	}
	return pseudo{}, invalid
}

// listed is a pseudo-class of a list. If it is unknown what part of the list
// matches, so it is for the pseudo-class.
func listed(kind pseudoKind, list []*selector, ok, exact bool) (pseudo, verdict) {
	switch {
	case !ok:
		return pseudo{}, invalid
	case !exact:
		return pseudo{}, never
	}
	return pseudo{kind: kind, args: list}, valid
}

// inHas: :has() may not be nested in :has().
func inHas(t []token) bool {
	for i := range t {
		if t[i].function() == "has" {
			return true
		}
	}
	return false
}

func parseLang(t []token) (pseudo, verdict) {
	ps := pseudo{kind: psLang}
	for _, part := range splitCommas(t) {
		switch {
		case len(part) == 1 && part[0].typ == css.StringToken:
			ps.lang = append(ps.lang, lower(part[0].str()))
		case len(part) == 1 && part[0].ident() != "":
			ps.lang = append(ps.lang, part[0].ident())
		default:
			return pseudo{}, invalid
		}
	}
	return ps, valid
}

// nth parses An+B and an of-clause.
func (p *selectorParser) nth(fn string, t []token) (pseudo, verdict) {
	kind := map[string]pseudoKind{
		"nth-child": psNthChild, "nth-last-child": psNthLastChild,
		"nth-of-type": psNthOfType, "nth-last-of-type": psNthLastOfType,
	}[fn]
	ps := pseudo{kind: kind}
	var formula strings.Builder
	for i := range t {
		if i > 0 && t[i].ident() == "of" && (kind == psNthChild || kind == psNthLastChild) {
			list, ok, exact := p.parseList(t[i+1:], plain)
			if !ok || len(list) == 0 && exact {
				return pseudo{}, invalid
			}
			if !exact {
				return pseudo{}, never
			}
			ps.args = list
			break
		}
		formula.WriteString(lower(t[i].text))
	}
	var ok bool
	ps.a, ps.b, ok = parseNth(formula.String())
	if !ok {
		return pseudo{}, invalid
	}
	return ps, valid
}

// parseNth parses the text of An+B. White space is looser here than in CSS.
func parseNth(s string) (a, b int, ok bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, hasN := strings.Cut(s, "n")
	if !hasN {
		b, err := strconv.Atoi(s)
		return 0, b, err == nil
	}
	switch before {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		n, err := strconv.Atoi(before)
		if err != nil {
			return 0, 0, false
		}
		a = n
	}
	if after != "" {
		if after[0] != '+' && after[0] != '-' {
			return 0, 0, false
		}
		n, err := strconv.Atoi(after)
		if err != nil {
			return 0, 0, false
		}
		b = n
	}
	return a, b, true
}

func (ps *pseudo) spec() uint32 {
	switch ps.kind {
	case psWhere, psAnchor:
		return 0
	case psIs, psNot, psHas:
		return maxSpec(ps.args)
	case psSlotted:
		return addSpec(1, maxSpec(ps.args))
	}
	return addSpec(specOf(0, 1), maxSpec(ps.args))
}
