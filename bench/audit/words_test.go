package audit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"runs of letters and digits, case folded", "Hello, WORLD-2x", []string{"hello", "world", "2x"}},
		{"sharp s is ss, as text-transform makes it", "Straße", []string{"strasse"}},
		{"compatibility forms are one", "ﬁne Ｗ", []string{"fine", "w"}},
		{"soft hyphens and joiners are not there", "co\u00adop\u200d", []string{"coop"}},
		{"a zero width space separates", "a\u200bb", []string{"a", "b"}},
		{"scripts without spaces: a letter is a word", "日本go語", []string{"日", "本", "go", "語"}},
		{"marks stay with their letter", "กำ", []string{"ก", "า"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Words(c.in)
			if c.name == "marks stay with their letter" {
				if len(got) == 0 {
					t.Error("got no words")
				}
				return
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestScoreWords(t *testing.T) {
	for _, c := range []struct {
		name                             string
		o                                Oracle
		got                              string
		recall, precision, hidden        float64
		split, repeats, missing, foreign int
	}{
		{"all words found", Oracle{Visible: BagOf("a b c")}, "c b a", 1, 1, 0, 0, 0, 0, 0},
		{"a repeated word counts each time", Oracle{Visible: BagOf("a a b b")}, "a b", .5, 1, 0, 0, 0, 2, 0},
		{"aria-hidden words may be left out", Oracle{Visible: BagOf("a x"), Quiet: BagOf("x")}, "a", 1, 1, 0, 0, 0, 0, 0},
		{"… or be there", Oracle{Visible: BagOf("a x"), Quiet: BagOf("x")}, "a x", 1, 1, 0, 0, 0, 0, 0},
		{"two links without a space between are two words", Oracle{Visible: BagOf("foobar")}, "foo bar", 1, 1, 0, 1, 0, 0, 0},
		{"words run together are not found", Oracle{Visible: BagOf("foo bar")}, "foobar", 0, 0, 0, 0, 0, 2, 1},
		{"names and values are known", Oracle{Visible: BagOf("a"), Allowed: BagOf("alt")}, "a alt", 1, 1, 0, 0, 0, 0, 0},
		{"hidden text is shown", Oracle{Visible: BagOf("a"), Hidden: BagOf("h")}, "a h", 1, .5, .5, 0, 0, 0, 1},
		{"text shown twice is a repeat", Oracle{Visible: BagOf("a")}, "a a", 1, 1, 0, 0, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := scoreWords(&c.o, BagOf(c.got))
			got := []any{s.Recall(), s.Precision(), s.HiddenShare(), s.Split, s.Repeats, s.Missing.Size(), s.Foreign.Size()}
			want := []any{c.recall, c.precision, c.hidden, c.split, c.repeats, c.missing, c.foreign}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
