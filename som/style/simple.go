package style

// parseSimple compiles a list of selectors of types, classes, ids and
// combinators, as most are, straight from the text; ok is false for any other,
// which is then parsed from tokens. Both must agree (TestSimpleSelectors).
func (p *selectorParser) parseSimple(s string) (list []*selector, ok bool) {
	parts := p.parts[:0] // of the current selector, leftmost first
	defer func() { p.parts = parts[:0] }()
	comb := byte(0)
	idle := false // the current selector matches nothing
	end := func() bool {
		if len(parts) == 0 || comb != 0 || len(parts) > maxParts || len(list) == maxList {
			return false
		}
		if idle {
			parts, idle = parts[:0], false
			return true
		}
		sel := p.newSelector(len(parts))
		for i := range parts {
			sel.parts[len(parts)-1-i] = parts[i]
			sel.spec = addSpec(sel.spec, parts[i].spec())
		}
		list = append(list, sel)
		parts = parts[:0]
		return true
	}
	for i := 0; ; {
		start := i
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		if i == len(s) {
			return list, end()
		}
		switch s[i] {
		case ',':
			if !end() {
				return nil, false
			}
			i++
			continue
		case '>', '+', '~':
			if len(parts) == 0 || comb != 0 {
				return nil, false
			}
			comb = s[i]
			i++
			continue
		}
		c := compound{comb: comb}
		if comb == 0 && len(parts) > 0 {
			if i == start {
				return nil, false
			}
			c.comb = ' '
		}
		if i = p.simpleCompound(s, i, &c); i < 0 {
			return nil, false
		}
		if i < len(s) && s[i] == ':' {
			if i, idle = idlePseudo(s, i, &c); i < 0 {
				return nil, false
			}
		}
		parts = append(parts, c)
		comb = 0
	}
}

// simpleCompound reads a compound at i and returns its end; -1 if it is not
// simple.
func (p *selectorParser) simpleCompound(s string, i int, c *compound) int {
	start := i
	switch {
	case s[i] == '*':
		i++
	case s[i] != '.' && s[i] != '#' && s[i] != ':':
		if i = simpleName(s, i); i < 0 {
			return -1
		}
		c.tag = lower(s[start:i])
	}
	for i < len(s) && (s[i] == '.' || s[i] == '#') {
		kind, from := s[i], i+1
		if i = simpleName(s, from); i < 0 {
			return -1
		}
		if name := p.fold(s[from:i]); kind == '.' {
			c.classes = p.addName(c.classes, name)
		} else {
			c.ids = p.addName(c.ids, name)
		}
	}
	if i < len(s) && s[i] != ':' && !endsSimple(s[i]) {
		return -1
	}
	return i
}

func endsSimple(c byte) bool {
	return isSpace(c) || c == ',' || c == '>' || c == '+' || c == '~'
}

// idlePseudo reads the most frequent pseudo-classes and -elements at i, all of
// which match nothing: states that a page has not got, and pseudo-elements that
// end the selector, for which never is true. The end is -1 for all others.
func idlePseudo(s string, i int, c *compound) (end int, never bool) {
	for i < len(s) && s[i] == ':' {
		element := i+1 < len(s) && s[i+1] == ':'
		if element {
			i++
		}
		start := i + 1
		if i = simpleName(s, start); i < 0 {
			return -1, false
		}
		switch lower(s[start:i]) {
		case "before", "after":
			rest := trim(s[i:])
			if rest != "" && rest[0] != ',' {
				return -1, false
			}
			return i, true
		case "hover", "active", "focus", "visited", "focus-within", "focus-visible":
			if element {
				return -1, false
			}
			c.pseudos = append(c.pseudos, pseudo{kind: psFalse})
		default:
			return -1, false
		}
	}
	if i < len(s) && !endsSimple(s[i]) {
		return -1, false
	}
	return i, false
}

// simpleName is the end of an identifier of ASCII letters, digits, hyphens and
// underscores that starts with a letter or an underscore, or a hyphen before one;
// -1 if there is none.
func simpleName(s string, i int) int {
	start := i
	for i < len(s) && isName(s[i]) && s[i] < 0x80 {
		i++
	}
	name := s[start:i]
	if name != "" && name[0] == '-' {
		name = name[1:]
	}
	if name == "" || name[0]|0x20 < 'a' && name[0] != '_' || name[0]|0x20 > 'z' {
		return -1
	}
	if i < len(s) && (s[i] == '\\' || s[i] >= 0x80) {
		return -1
	}
	return i
}
