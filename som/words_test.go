package som

import (
	"strings"
	"testing"
)

// What is seen is said and what is not seen is not: each row as Chromium, with
// scripts off, shows it. A word that begins with "no" must be missing.
func TestWordsAreSeen(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"text before an inline link with a block in it", `a <a href=x><em style="display:flex">b</em></a>`, "a b"},
		{"text before a button with a float in it", `a<button><cite style="float:left">b</cite></button>`, "a b"},
		{"an unseen legend names nothing", `<fieldset><legend style="visibility:hidden">no1</legend>a</fieldset>`, "a"},
		{"an unseen summary", `<details open><summary style="visibility:hidden">no1</summary>a</details>`, "a"},
		{"foreign content in a drawing", `<svg><foreignObject><p>a</p></foreignObject></svg>`, "a"},
		{"words of a drawing", `<svg><text>a<tspan>b</tspan></text><g><text>c</text></g><desc>no1</desc></svg>`, "ab c"},
		{"words of a drawing that is styled away", `<style>.x{display:none}</style><svg><text class=x>no1</text><text>a</text></svg>`, "a"},
		{"a link in a drawing", `<svg><a href=x><text>a</text></a></svg>`, "a"},
		{"tokens of a formula", `<math><mi>a</mi><mo>+</mo><mn>b</mn></math>`, "a b"},
		{"a formula with an alternative that says all", `<math alttext="a_{b}"><mi>a</mi><mn>b</mn></math>`, "a b"},
		{"a formula with an alternative that does not", `<math alttext="\alpha"><mi>ä</mi></math>`, "ä"},
		{"canvas without scripts", `<canvas>a</canvas>`, "a"},
		{"video", `<video src=x>no1</video>a`, "a"},
		{"a separator with words", `<div role=separator>a</div>`, "a"},
		{"an image by role with words", `<div role=img aria-label=l>a</div>`, "a"},
		{"a label that is named otherwise", `<label aria-label=l>a<input></label>`, "a"},
		{"a button named by its label", `<label>a b<button></button></label>`, "a b"},
		{"a dialog by CSS alone", `<dialog style="display:block">a</dialog><dialog>no1</dialog>`, "a"},
		{"an unseen dialog", `<dialog open style="visibility:hidden">no1</dialog>a`, "a"},
		{"what a slot takes and CSS hides", `<div><template shadowrootmode=open><style>::slotted(b){display:none}</style><slot></slot></template><b>no1</b><i>a</i></div>`, "a"},
		{"a block image between words", `a<img src=x style="display:block">b`, "a b"},
		{"a select between words", `a<select><option>c</select>b`, "a b"},
		{"no-break space at the end of a link", "<a href=x>a\u00a0</a>b", "a b"},
		{"a list in a heading", `<h2><section><a href=x>a</a></section></h2>`, "a"},
	} {
		p := compile(t, "https://example.test/", "<!doctype html>"+tc.src)
		text := p.Text()
		for _, w := range strings.Fields(tc.want) {
			if !hasWord(text, w) {
				t.Errorf("%s: %q is missing in %q", tc.name, w, text)
			}
		}
		if strings.Contains(text+string(p.JSON()), "no1") {
			t.Errorf("%s: %q shows what is not seen: %s", tc.name, text, p.JSON())
		}
	}
}

func hasWord(text, word string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n\u00a0[](){}_-+", r) }) {
		if w == word {
			return true
		}
	}
	return false
}
