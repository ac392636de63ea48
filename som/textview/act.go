package textview

import (
	"strings"
	"unicode"

	"plasmate/policy/hygiene"
	"plasmate/policy/privacy"
)

// Result is what an act did, in the order of its answer (text protocol §7.2).
type Result struct {
	Steps   []Step
	NotRun  int    // steps behind one that failed
	From    string // address before, if the tab navigated
	To      string // address after
	Title   string // of the document it navigated to
	Dialogs []Dialog
	Tabs    []TabChange
	Files   []Download
	Loading bool   // the page was still loading when it was read
	Confirm string // reason why the act needs a confirmation; nothing was done then
}

// Step is one action.
type Step struct {
	Do     string
	Target Target  // as of after the action; Ref 0: none
	Typed  *string // text that was typed, tokens not resolved
	Value  *string // text of the option that was selected
	Code   string  // of the failure; "": done
	Reason string  // and what to do next
}

// Dialog is a dialog of the page that was answered.
type Dialog struct {
	Kind     string // alert, confirm, prompt, beforeunload
	Text     string
	Accepted bool
}

// TabChange is a tab that was opened or closed.
type TabChange struct {
	Index          int
	Closed, Active bool
}

// Download is a file that was saved.
type Download struct{ Name, Path string }

// Text is the answer's lines before the diff or observation. The vault, if
// there is one, redacts what the page or the caller wrote.
func (r *Result) Text(v *privacy.Vault) string {
	mask := func(s string) string {
		if v == nil {
			return s
		}
		return v.Mask(s)
	}
	var lines []string
	add := func(s string) { lines = append(lines, s) }
	for i := range r.Steps {
		add(r.Steps[i].text(mask))
	}
	if r.NotRun > 0 {
		add("… " + itoa(r.NotRun) + " steps not run")
	}
	if r.Confirm != "" {
		add("! needs confirm: " + r.Confirm + " (repeat the action with confirm:true)")
	}
	if r.To != "" {
		s := "→ " + Compact(mask(r.From)) + " → " + Compact(mask(r.To))
		if r.Title != "" {
			s += " · " + hygiene.Quoted(mask(pageText(r.Title)))
		}
		add(s)
	}
	for _, d := range r.Dialogs {
		add(d.text(mask))
	}
	for _, t := range r.Tabs {
		add(t.text())
	}
	for _, f := range r.Files {
		name, path := hygiene.FileName(mask(f.Name)), mask(f.Path)
		if strings.Contains(path, " ") {
			path = hygiene.Quoted(path)
		}
		add("↧ downloaded " + name + " → " + path)
	}
	if r.Loading {
		add("… page still loading")
	}
	return strings.Join(lines, "\n")
}

// pageText is text of the page as it stands in quotes.
func pageText(s string) string {
	s, _ = hygiene.Clean(s)
	s, _ = hygiene.Neutral(strings.TrimSpace(s))
	return short(s)
}

func (s *Step) text(mask func(string) string) string {
	if s.Code != "" {
		return "✗ " + s.Do + ": " + s.Code + " " + mask(s.Reason)
	}
	t := "✓ " + s.Do
	if s.Target.Ref > 0 {
		t += " " + s.Target.Echo()
	}
	if s.Typed != nil {
		text := mask(*s.Typed)
		if head, rest := cutAt(text, maxValue); rest != "" {
			text = head + "…"
		}
		t += " " + hygiene.Quoted(text)
	}
	if s.Value != nil {
		t += " = " + bare(mask(pageText(*s.Value)))
	}
	return t
}

// bare is a value without quotes if it is only letters, digits and blanks.
func bare(s string) string {
	for _, r := range s {
		if r != ' ' && !isWordRune(r) {
			return hygiene.Quoted(s)
		}
	}
	if strings.TrimSpace(s) != s || s == "" {
		return hygiene.Quoted(s)
	}
	return s
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (d *Dialog) text(mask func(string) string) string {
	s := "! " + d.Kind + " " + hygiene.Quoted(mask(pageText(d.Text)))
	if d.Accepted {
		return s + " accepted"
	}
	return s + " dismissed (repeat the action with confirm:true to accept)"
}

func (t *TabChange) text() string {
	if t.Closed {
		return "⧉ closed tab " + itoa(t.Index)
	}
	s := "⧉ new tab " + itoa(t.Index) + " opened"
	if t.Active {
		s += " (now active)"
	}
	return s
}

// Answer is a whole answer to an act: what was done, then what changed.
func Answer(r *Result, base, next *View, v *privacy.Vault) string {
	head := r.Text(v)
	if next == nil {
		return head
	}
	return head + "\n" + next.Diff(base)
}
