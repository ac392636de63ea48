package textview

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The grammar of an observation as a parser (text protocol §3.2), independent
// of the code that prints. It reads a whole observation and gives its refs, or
// says which line is none of the grammar.

type parsed struct {
	header string
	notes  []string
	lines  []parsedLine
}

type parsedLine struct {
	depth    int
	kind     string // container, heading, block, item, row, fold
	text     string
	controls []parsedControl
	ref      int // of a container
	foldRef  int // of a fold
	foldTool string
	more     []int // refs of controls with more options
}

type parsedControl struct {
	ref        int
	role, name string
}

const (
	quotedPattern = `"(?:[^"\\]|\\["\\])*"`
	statePattern  = `(?:checked|mixed|disabled|expanded|collapsed|selected|current|pressed|required|invalid|readonly|focused|multiline|offscreen)`
)

var (
	headerLine = regexp.MustCompile(`^# (.+) · (\S+|\[\d+\].*)( · (↑\d+\.\d)?( ?↓\d+\.\d)?)?( · tab \d+)?$`)
	subHeader  = regexp.MustCompile(`^# \[\d+\] [a-z]+.* · \S*$`)
	placeLine  = regexp.MustCompile(`^(?:\[([1-9]\d*)\] )?(header|nav|main|aside|footer|search|form|dialog|section|list|table|frame|group|toolbar|tablist|menu|tree|scroll)( ` +
		quotedPattern + `)?( ` + statePattern + `)*( \d+×\d+)?$`)
	frameLine   = regexp.MustCompile(`^\[([1-9]\d*)\] frame( ` + quotedPattern + `)?( \S+)?( \(not loaded\))?$`)
	foldLine    = regexp.MustCompile(`^… \+(\d+) more [a-z ]+(?: \((?:behind dialog; )?(observe ref (\d+)(?: offset \d+)?(?: budget \d+)?|observe offset \d+|observe full|extract text|extract table (\d+))\))$`)
	headingLine = regexp.MustCompile(`^h[1-6] (.*)$`)
	controlHead = regexp.MustCompile(`^\[([1-9]\d*)\] (link|button|textbox|searchbox|spinbutton|combobox|listbox|checkbox|radio|switch|slider|file|color|date|tab|menuitem|option|treeitem|gridcell)( ` + quotedPattern + `)?`)
	controlTail = regexp.MustCompile(`^(?: = ` + quotedPattern + `)?(?: \((?:[^()\\]|\\.)*\))?(?: ` + statePattern + `\b)*(?: ⚿(?:password|otp|card|cvc|ssn|iban|secret))?(?: → \S+)?`)
	moreOptions = regexp.MustCompile(` \+\d+\)`)
	imagePiece  = regexp.MustCompile(`^img ` + quotedPattern)
	liveLine    = regexp.MustCompile(`^(alert|status|log): `)
)

// parseView reads an observation. controls says whether the mode prints them.
func parseView(s string) (*parsed, error) {
	lines := strings.Split(s, "\n")
	p := &parsed{header: lines[0]}
	if !headerLine.MatchString(lines[0]) && !subHeader.MatchString(lines[0]) {
		return nil, fmt.Errorf("header %q", lines[0])
	}
	i := 1
	for ; i < len(lines) && (strings.HasPrefix(lines[i], "⚠ ") || strings.HasPrefix(lines[i], "⚿ ") || strings.HasPrefix(lines[i], "⏸ ")); i++ {
		p.notes = append(p.notes, lines[i])
	}
	for ; i < len(lines); i++ {
		l, err := parseLine(lines[i])
		if err != nil {
			return nil, fmt.Errorf("line %d %q: %w", i+1, lines[i], err)
		}
		p.lines = append(p.lines, l)
	}
	return p, nil
}

func parseLine(s string) (parsedLine, error) {
	t := strings.TrimLeft(s, " ")
	l := parsedLine{depth: len(s) - len(t), text: t}
	switch {
	case t == "":
		return l, fmt.Errorf("blank line")
	case strings.HasSuffix(t, " "), strings.ContainsAny(t, "\t\r"):
		return l, fmt.Errorf("white space")
	}
	if m := foldLine.FindStringSubmatch(t); m != nil {
		l.kind, l.foldTool = "fold", m[2]
		l.foldRef, _ = strconv.Atoi(m[3] + m[4])
		return l, nil
	}
	if m := placeLine.FindStringSubmatch(t); m != nil {
		l.kind = "container"
		l.ref, _ = strconv.Atoi(m[1])
		return l, nil
	}
	if m := frameLine.FindStringSubmatch(t); m != nil {
		l.kind = "container"
		l.ref, _ = strconv.Atoi(m[1])
		return l, nil
	}
	if m := headingLine.FindStringSubmatch(t); m != nil {
		l.kind = "heading"
		return l, l.run(m[1], false)
	}
	if strings.HasPrefix(t, "- ") {
		l.kind = "item"
		for _, part := range splitParts(t[2:]) {
			if err := l.run(part, false); err != nil {
				return l, err
			}
		}
		return l, nil
	}
	l.kind = "block"
	if m := liveLine.FindString(t); m != "" {
		return l, l.run(t[len(m):], false)
	}
	for _, mark := range []string{"#", "⚠", "⚿", "⏸", "…", "Δ", "✓", "✗", "→", "!", "⧉", "↧", "@", "+", "−", "~", "-", "ai:"} {
		if strings.HasPrefix(t, mark) {
			return l, fmt.Errorf("begins with the mark %s", mark)
		}
	}
	return l, l.run(t, true)
}

// splitParts divides an item at " · " outside of quotes.
func splitParts(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], " · ") {
			out = append(out, s[start:i])
			i += len(" · ") - 1
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// run reads pieces: controls, pictures and text in any order.
func (l *parsedLine) run(s string, first bool) error {
	for s != "" {
		if m := controlHead.FindStringSubmatch(s); m != nil {
			n, _ := strconv.Atoi(m[1])
			c := parsedControl{ref: n, role: m[2]}
			if m[3] != "" {
				c.name = unquote(strings.TrimSpace(m[3]))
			}
			l.controls = append(l.controls, c)
			s = s[len(m[0]):]
			tail := controlTail.FindString(s)
			if moreOptions.MatchString(tail) {
				l.more = append(l.more, n)
			}
			s = s[len(tail):]
			s = strings.TrimPrefix(s, " ")
			continue
		}
		if m := imagePiece.FindString(s); m != "" {
			s = strings.TrimPrefix(s[len(m):], " ")
			continue
		}
		// text goes up to the next control or picture
		k := nextPiece(s)
		t := s[:k]
		if m := regexp.MustCompile(`(^|[^\\])\[\d+\]`).FindString(t); m != "" {
			return fmt.Errorf("text holds the ref mark %q", m)
		}
		if strings.Contains(t, "⚿") {
			return fmt.Errorf("text holds a mark of a sensitive field")
		}
		s = strings.TrimPrefix(s[k:], " ")
	}
	return nil
}

// nextPiece is where text ends: before a control or a picture.
func nextPiece(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i-1] == ' ' && (s[i] == '[' && controlHead.MatchString(s[i:]) || s[i] == 'i' && imagePiece.MatchString(s[i:])) {
			return i
		}
	}
	return len(s)
}

func unquote(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(s)
}
