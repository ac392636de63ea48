package som

import (
	"strings"
	"unicode/utf8"
)

const asciiSpace = " \t\n\f\r"

// text adds a text node to the line.
func (c *compiler) text(s string) {
	if c.pre {
		c.preText(s)
		return
	}
	i := 0
	for i < len(s) {
		b := s[i]
		if isSpace(b) {
			c.space = true
			i++
			continue
		}
		// Up to the next white space that is not a single blank.
		j := i + 1
		for j < len(s) {
			if s[j] > ' ' {
				j++
				continue
			}
			if !isSpace(s[j]) || (s[j] == ' ' && j+1 < len(s) && s[j+1] > ' ') {
				j++
				continue
			}
			break
		}
		c.word(s[i:j])
		i = j
	}
}

// word writes text that begins and ends without white space and has only
// single blanks inside.
func (c *compiler) word(s string) {
	if !c.run.open {
		c.beginRun()
	}
	if c.space && len(c.txt) > 0 {
		c.txt = append(c.txt, ' ')
	}
	c.space = false
	c.txt = append(c.txt, s...)
	c.nonspace += int32(len(s))
}

// preText keeps line breaks and indentation.
func (c *compiler) preText(s string) {
	if !c.run.open {
		if strings.Trim(s, asciiSpace) == "" {
			return
		}
		if k := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\r' }); k > 0 {
			s = s[k:]
		}
		c.beginRun()
		if len(c.txt) > 0 {
			c.txt = append(c.txt, '\n')
		}
		c.run.start = int32(len(c.txt))
		c.space = false
	} else if c.space && len(c.txt) > 0 {
		c.txt = append(c.txt, '\n')
		c.space = false
	}
	for i := 0; i < len(s); i++ {
		switch b := s[i]; b {
		case '\r':
		default:
			c.txt = append(c.txt, b)
			if !isSpace(b) {
				c.nonspace++
			}
		}
	}
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\n' || b == '\t' || b == '\r' || b == '\f'
}

func (c *compiler) beginRun() { c.beginRunAt(len(c.kids)) }

// beginRunAt starts a line whose inline elements are those from kids on.
func (c *compiler) beginRunAt(kids int) {
	if c.run.open {
		return
	}
	c.run = run{start: int32(len(c.txt)), kids: int32(kids), nonspace: c.nonspace, before: int32(c.box.before), open: true}
	if c.cover.depth > 0 {
		c.cover.nonspace = c.nonspace
	}
}

// beginCover marks the text that follows as the text of an inline element: a
// line that has no other text needs no paragraph.
func (c *compiler) beginCover() {
	if c.cover.depth == 0 {
		c.cover.nonspace = c.nonspace
	}
	c.cover.depth++
}

func (c *compiler) endCover() {
	c.cover.depth--
	if c.cover.depth == 0 {
		c.run.covered += c.nonspace - c.cover.nonspace
	}
}

// flush ends the line, at a block border.
func (c *compiler) flush() {
	c.space = true
	if !c.run.open || c.inLine {
		return // a block in an inline link or button does not end the line around it
	}
	r := c.run
	if c.cover.depth > 0 {
		r.covered += c.nonspace - c.cover.nonspace
		c.cover.nonspace = c.nonspace
	}
	c.run = run{}
	if c.absorb > 0 || c.inCell && c.item == nil {
		return
	}
	start, end := c.trim(r.start, int32(len(c.txt)), c.box.flags&FlagPre != 0)
	if c.item != nil {
		if start < end && !blank(c.txt[start:end]) {
			c.item.start, c.item.end = start, end
			c.item.mixed = c.nonspace-r.nonspace != r.covered
			c.item = nil
		}
		return
	}
	if c.nonspace-r.nonspace == r.covered || blank(c.txt[start:end]) {
		return
	}
	c.paragraph(r, start, end)
}

// blank reports whether text has nothing to see: no-break and zero-width spaces.
func blank(text []byte) bool {
	for len(text) > 0 {
		if len(text) > 256 {
			return false
		}
		r, size := utf8.DecodeRune(text)
		switch r {
		case ' ', '\n', '\t', '\u00a0', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad':
		default:
			return false
		}
		text = text[size:]
	}
	return true
}

// trim narrows a range of the text to what is not white space.
func (c *compiler) trim(start, end int32, pre bool) (int32, int32) {
	for end > start && isSpace(c.txt[end-1]) {
		end--
	}
	for start < end && isSpace(c.txt[start]) && !pre {
		start++
	}
	return start, end
}

// paragraph makes an element of the line r.
func (c *compiler) paragraph(r run, start, end int32) {
	e := c.make(rolePar, nil, c.box.node)
	path := c.path[:c.box.pathLen]
	if c.box.own {
		c.box.own = false // further lines of the same element are bare text
		e.HTMLID = c.htmlID(c.box.node)
	} else {
		e.Flags |= FlagBareText
		c.runPath = append(append(c.runPath[:0], path...), '/', '#')
		c.runPath = appendInt(c.runPath, int(r.before))
		path = c.runPath
	}
	e.Flags |= c.box.flags
	e.Start, e.End = start, end
	e.Children = c.take(int(r.kids))
	c.finish(e, "", path)
}

// collapse trims s and turns runs of ASCII white space into one blank.
func collapse(s string) string {
	s = strings.Trim(s, asciiSpace)
	clean := true
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' && isSpace(s[i]) && (s[i] != ' ' || s[i+1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if !isSpace(s[i]) {
			b = append(b, s[i])
		} else if b[len(b)-1] != ' ' {
			b = append(b, ' ')
		}
	}
	return string(b)
}
