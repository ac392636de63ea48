package textview

import (
	"strings"
	"unicode/utf8"

	"plasmate/policy/hygiene"
)

// line collects a run while the document is walked.
type line struct {
	run   run
	space bool // white space is due before the next piece
	// naming: the text becomes the name of a control. Controls within it are
	// kept apart, in run, the text in name.
	naming bool
	name   strings.Builder
	pics   strings.Builder // names of pictures within, used if there is no text
	parts  []part          // text block by block
}

// part is one block of text within a name.
type part struct {
	from, to int
	level    int // of a heading; 0: none
}

// text adds a text node as it stands in the document.
func (l *line) text(s string) {
	if s == "" {
		return
	}
	if l.naming {
		if l.space && l.name.Len() > 0 {
			l.name.WriteByte(' ')
		}
		l.space = false
		l.name.WriteString(s)
		return
	}
	if k := len(l.run) - 1; k >= 0 && l.run[k].ctl == nil && !l.run[k].img {
		if l.space {
			l.run[k].text += " "
		}
		l.run[k].text += s
		l.space = false
		return
	}
	if l.space {
		s = " " + s
		l.space = false
	}
	l.run = append(l.run, piece{text: s})
}

func (l *line) control(c *control) {
	l.run = append(l.run, piece{ctl: c, space: l.space})
	l.space = false
}

func (l *line) picture(name string) {
	if l.naming {
		l.pics.WriteString(name)
		l.pics.WriteByte(' ')
		return
	}
	l.run = append(l.run, piece{text: name, img: true})
}

// finish cleans, scans and redacts a run: all the text that a reader sees in
// one line together, whatever elements it is split over.
func (d *doc) finish(r run, where *block) run {
	var texts []string
	var raw strings.Builder
	for i := range r {
		p := &r[i]
		switch {
		case p.ctl == nil && !p.img:
			raw.WriteString(p.text)
			texts = append(texts, d.clean(p.text))
		case p.ctl != nil && p.ctl.content:
			raw.WriteString(p.ctl.name)
			texts = append(texts, d.clean(p.ctl.name))
		}
	}
	if len(texts) > 0 {
		d.scanVisible(texts, where)
		texts = d.redactAll(texts)
	}
	out := r[:0]
	k := 0
	for _, p := range r {
		switch {
		case p.img:
		case p.ctl == nil:
			p.text = texts[k]
			k++
			p.space = strings.HasPrefix(p.text, " ")
			trimmed := strings.TrimSpace(p.text)
			if trimmed == "" {
				if len(out) > 0 {
					out[len(out)-1].after(p.text)
				}
				continue
			}
			p.text = strings.TrimPrefix(p.text, " ")
		case p.ctl.content:
			p.ctl.name = strings.TrimSpace(texts[k])
			k++
		}
		out = append(out, p)
	}
	return out
}

// after notes white space behind a piece that is no text.
func (p *piece) after(s string) {
	if p.ctl == nil && !p.img && s != "" && !strings.HasSuffix(p.text, " ") {
		p.text += " "
	}
}

// clean is hygiene for one string of the page.
func (d *doc) clean(s string) string {
	c, gone := hygiene.Clean(s)
	d.safety.removed(s, c, gone)
	c, spoofs := hygiene.Neutral(c)
	if spoofs {
		d.safety.Spoof++
	}
	return c
}

// scanVisible notes visible text that reads like instructions. It stays.
func (d *doc) scanVisible(texts []string, where *block) {
	s := texts[0]
	if len(texts) > 1 {
		s = strings.Join(texts, "")
	}
	if f := hygiene.Scan(s); f.Score >= hygiene.Visible {
		x := &suspicion{Finding: f, block: where}
		d.suspicions = append(d.suspicions, x)
	}
}

func (d *doc) redactAll(texts []string) []string {
	if d.vault == nil {
		return texts
	}
	return d.vault.RedactPieces(texts, d.origin)
}

func (d *doc) redact(s string) string {
	if d.vault == nil || s == "" {
		return s
	}
	return d.vault.Redact(s, d.origin)
}

// removedMark is what stands for attribute text that was removed.
const removedMark = "[removed]"

// attribute is text of an attribute as it may be shown: cleaned, and replaced
// if it reads like instructions.
func (d *doc) attribute(s string) string {
	if s == "" {
		return ""
	}
	s = strings.TrimSpace(d.clean(s))
	if hygiene.Scan(s).Score >= hygiene.Visible {
		d.safety.AttributesRemoved++
		return removedMark
	}
	return d.redact(s)
}

// cutAt is s cut at a word after at most n characters; rest is what is left.
func cutAt(s string, n int) (head, rest string) {
	if utf8.RuneCountInString(s) <= n {
		return s, ""
	}
	i, k := 0, 0
	for i = range s {
		if k == n {
			break
		}
		k++
	}
	if b := strings.LastIndexByte(s[:i+1], ' '); b > i/2 {
		i = b
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i:])
}
