package hygiene

import (
	"regexp"
	"strings"
)

// Pattern of one kind each; all are anchored or bounded, so that none is slow.
var (
	tokenLike   = regexp.MustCompile(`‹\s*([\pL\pN_]+\s*:[^‹›]*)›?`)
	bracketed   = regexp.MustCompile(`\[([0-9]+)\]`)
	controlLike = regexp.MustCompile(`\[[0-9]+\] *[a-z]+ "`)
	resultLike  = regexp.MustCompile(`^(⚠ |⚿|⏸|Δ (none|[+−~]?[0-9])|[✓✗] [a-z]+(:| \\?\[)|→ \S+ → |! (alert|confirm|prompt|beforeunload|needs confirm)\b|⧉ (new|closed) tab|↧ downloaded|[@~−] (\\?\[|alert:|status:))`)
	headLike    = regexp.MustCompile(`^(h[1-6] |img ")`)
	placeLike   = regexp.MustCompile(`^(header|nav|main|aside|footer|search|form|dialog|section|list|table|frame|group|toolbar|tablist|menu|tree|scroll)` +
		`( "([^"\\]|\\.)*")?( (checked|mixed|disabled|expanded|collapsed|selected|current|pressed|required|invalid|readonly|focused|multiline|offscreen))*` +
		`( [0-9]+×[0-9]+)?$`)
)

// Neutral takes from a page's text what looks like a privacy token or a mark of
// a sensitive field (rule 3), and the brackets of boundaries. It comes before
// redaction, so that the tokens that redaction writes are the only ones.
func Neutral(s string) (out string, spoofs bool) {
	if !strings.ContainsAny(s, "‹⚿⟪⟫") {
		return s, false
	}
	out = tokenLike.ReplaceAllString(s, "<$1>")
	out = strings.ReplaceAll(out, "⚿", "*")
	spoofs = out != s
	return strings.NewReplacer("⟪", "<<", "⟫", ">>").Replace(out), spoofs
}

// Run escapes text that stands outside of quotes (rule 1).
func Run(s string) (out string, spoofs bool) {
	if strings.IndexByte(s, '[') < 0 {
		return s, false
	}
	return bracketed.ReplaceAllString(s, `\[$1]`), controlLike.MatchString(s)
}

// Start escapes the beginning of a line that begins with text (rule 2). Beyond
// the marks, what would read as a heading, picture or container is escaped.
// whole says that the line is nothing but this text. spoofs says that the text
// is not only led by a mark, as a list of features is by ticks, but goes on as
// the protocol does.
func Start(s string, whole bool) (out string, spoofs bool) {
	for _, mark := range [...]string{"⚠", "⚿", "⏸", "Δ", "✓", "✗", "→", "!", "⧉", "↧", "@", "−", "~", "#", "…", "+", "-", `\`} {
		if !strings.HasPrefix(s, mark) {
			continue
		}
		if mark == `\` && bracketed.MatchString(s[:min(len(s), 24)]) && strings.HasPrefix(s, `\[`) {
			return s, false // escaped by rule 1 already
		}
		return `\` + s, resultLike.MatchString(s)
	}
	for _, word := range [...]string{"ai:", "alert:", "status:", "log:"} {
		if strings.HasPrefix(s, word) {
			return `\` + s, true
		}
	}
	if headLike.MatchString(s) || whole && placeLike.MatchString(s) {
		return `\` + s, false
	}
	return s, false
}

// Quoted is s in quotes.
func Quoted(s string) string {
	if strings.ContainsAny(s, "\"\\\n\r") {
		s = quoter.Replace(s)
	}
	return `"` + s + `"`
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ")

// Part escapes text within one part of a list item or cell of a row (rule 4).
func Part(s string) string {
	if !strings.ContainsAny(s, "·|") {
		return s
	}
	return separators.Replace(s)
}

var separators = strings.NewReplacer(" · ", " - ", " | ", " / ")

// Option escapes the text of one option (rule 5).
func Option(s string) string {
	s, _ = Run(s)
	if strings.ContainsAny(s, ",()") {
		s = optionMarks.Replace(s)
	}
	return s
}

var optionMarks = strings.NewReplacer(",", `\,`, "(", `\(`, ")", `\)`)

// FileName is the name of a download as it may be shown (rule 5).
func FileName(s string) string {
	s, _ = Clean(s)
	s, _ = Neutral(s)
	s = strings.Trim(strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r < ' ' {
			return -1
		}
		return r
	}, s), " .")
	if s == "" {
		s = "download"
	}
	for _, r := range s {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", r) {
			s, _ = Run(s)
			return Quoted(s)
		}
	}
	return s
}
