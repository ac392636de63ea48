package audit

import (
	"sort"
	"strings"

	"plasmate/bench/audit/reader"
)

// Count is how many of a kind of thing were to be found and were.
type Count struct {
	Required int `json:"required"`
	Found    int `json:"found"`
}

// Share is the share found; 1 where nothing is required.
func (c Count) Share() float64 { return share(c.Found, c.Required) }

func (c *Count) add(ok bool) {
	c.Required++
	if ok {
		c.Found++
	}
}

func (c *Count) plus(d Count) {
	c.Required += d.Required
	c.Found += d.Found
}

// FieldScore compares the controls of a SOM with those of the oracle. Each of
// Label, Type, Required and Options counts the controls where it is right.
type FieldScore struct {
	Fields   Count `json:"fields"`
	Label    Count `json:"label"`
	Type     Count `json:"type"`
	Required Count `json:"required"`
	Options  Count `json:"options"`
}

// scoreLinks counts distinct places that links lead to. Links without anything
// to see, hidden from assistive technology or in closed details are not required.
func scoreLinks(o *Oracle, v *View) (Count, []string) {
	have := map[string]bool{}
	for _, l := range v.Links {
		have[linkKey(l.URL)] = true
		have[linkKey(l.Href)] = true
	}
	var c Count
	var missing []string
	seen := map[string]bool{}
	for _, l := range o.Links {
		if l.Quiet || l.Kind == "empty" || l.Kind == "details" {
			continue
		}
		k := l.URL
		if k == "" {
			k = l.Href
		}
		if seen[k] {
			continue
		}
		seen[k] = true
		ok := have[linkKey(l.URL)] && l.URL != "" || have[linkKey(l.Href)]
		c.add(ok)
		if !ok {
			missing = append(missing, l.Kind+" "+l.Href+" ("+l.Text+")")
		}
	}
	return c, missing
}

// linkKey is a link's address as two of them are compared.
func linkKey(s string) string {
	return strings.TrimSpace(strings.NewReplacer("\n", "", "\t", "", "\r", "", "\\_", "_", "\\*", "*").Replace(s))
}

// scoreHeadings counts headings by level and words.
func scoreHeadings(o *Oracle, v *View) (Count, []string) {
	have := map[string]int{}
	for _, h := range v.Headings {
		have[headingKey(h)]++
	}
	var c Count
	var missing []string
	for _, h := range o.Headings {
		if h.Quiet {
			continue
		}
		k := headingKey(h)
		ok := have[k] > 0
		have[k]--
		c.add(ok)
		if !ok {
			missing = append(missing, strings.Repeat("#", h.Level)+" "+h.Text)
		}
	}
	return c, missing
}

func headingKey(h reader.Heading) string {
	return string(rune('0'+min(h.Level, 6))) + strings.ReplaceAll(key(h.Text), " ", "")
}

// scoreFields pairs the controls in order: the same name and label first, then
// the same label, then the same name, then any of that kind.
func scoreFields(o *Oracle, v *View) (FieldScore, []string) {
	var s FieldScore
	var missing []string
	used := make([]bool, len(v.Fields))
	want := make([]reader.Field, 0, len(o.Fields))
	for _, f := range o.Fields {
		if !f.Quiet && !f.Details {
			want = append(want, f)
		}
	}
	paired := make([]int, len(want))
	for i := range paired {
		paired[i] = -1
	}
	for level := range 4 {
		for i, f := range want {
			if paired[i] < 0 {
				paired[i] = pick(f, v.Fields, used, level)
			}
		}
	}
	for i, f := range want {
		if paired[i] < 0 {
			s.Fields.add(false)
			missing = append(missing, "no "+f.Tag+"/"+f.Type+" "+f.Label+" name="+f.Name)
			continue
		}
		got := v.Fields[paired[i]]
		s.Fields.add(true)
		note := func(c *Count, ok bool, what, detail string) {
			c.add(ok)
			if !ok {
				missing = append(missing, what+" of "+f.Tag+"/"+f.Type+" name="+f.Name+": "+detail)
			}
		}
		note(&s.Label, f.Label == "" || sameLabel(f.Label, got.Label), "label", "got "+got.Label+" want "+f.Label)
		if f.Tag != "button" {
			note(&s.Type, typeFits(f, got), "type", "got "+got.Role+"/"+got.Type)
			note(&s.Required, f.Required == got.Required, "required", "")
		}
		if f.Tag == "select" {
			note(&s.Options, sameOptions(f.Options, got.Options), "options", strings.Join(got.Options, "|"))
		}
	}
	return s, missing
}

// pick finds the first unused control that fits f at a level and marks it.
func pick(f reader.Field, have []Field, used []bool, level int) int {
	for i, g := range have {
		if used[i] || !kindFits(f, g) {
			continue
		}
		label, name := sameLabel(f.Label, g.Label), f.Name != "" && f.Name == g.Name
		if level == 0 && label && name || level == 1 && label && f.Label != "" || level == 2 && name || level == 3 && (g.Name == "" || f.Name == "") {
			used[i] = true
			return i
		}
	}
	return -1
}

func sameLabel(want, got string) bool {
	return strings.ReplaceAll(key(want), " ", "") == strings.ReplaceAll(key(got), " ", "")
}

// kindFits says whether a SOM role may stand for the control.
func kindFits(f reader.Field, g Field) bool {
	switch f.Tag {
	case "select":
		return g.Role == "select" || g.Role == "combobox" || g.Role == "listbox"
	case "textarea":
		return g.Role == "textarea"
	case "button":
		return g.Role == "button" || f.Role != "button" && fieldRoles[g.Role]
	}
	switch f.Type {
	case "checkbox":
		return g.Role == "checkbox" || g.Role == "switch" || g.Role == "button" && f.Role != "checkbox"
	case "radio":
		return g.Role == "radio"
	case "submit", "button", "reset", "image":
		return g.Role == "button" || f.Role != "button" && fieldRoles[g.Role]
	}
	return g.Role != "button" && g.Role != "select" && g.Role != "textarea" && g.Role != "checkbox" && g.Role != "radio" ||
		f.Type == "file" && g.Role == "button"
}

func typeFits(f reader.Field, g Field) bool {
	switch f.Tag {
	case "select", "textarea":
		return true
	}
	switch f.Type {
	case "checkbox", "radio", "submit", "button", "reset", "image":
		return true // the role says it
	}
	return g.Type == f.Type || g.Type == "" && f.Type == "text"
}

func sameOptions(want, got []string) bool {
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if !sameLabel(want[i], got[i]) {
			return false
		}
	}
	return true
}

// quantile is the q-quantile of xs, by nearest rank from below; 1 for none.
func quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return 1
	}
	s := append([]float64(nil), xs...)
	sort.Float64s(s)
	return s[int(q*float64(len(s)-1))]
}
