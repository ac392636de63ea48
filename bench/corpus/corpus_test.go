package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"plasmate/fetch/charset"
)

func TestLoadGivesEveryPageOfTheManifestAsItWas(t *testing.T) {
	pages, source, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pages of the %s", len(pages), source)
	for i := range pages {
		p := &pages[i]
		sum := sha256.Sum256(p.Body)
		if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
			t.Errorf("%s: sha256 %s, want %s", p.File, got, p.SHA256)
		}
		if _, name := charset.Decode(p.Body, p.ContentType()); !strings.EqualFold(name, p.Charset) && p.HTTPCharset != "" {
			t.Errorf("%s: decoded as %s, want %s", p.File, name, p.Charset)
		}
		if !utf8.Valid(p.UTF8()) {
			t.Errorf("%s: decoded text is not UTF-8", p.File)
		}
	}
}

func TestManifestWithoutAColumnIsAnError(t *testing.T) {
	if _, err := parseManifest("file\tkind\na\tb\n"); err == nil || !strings.Contains(err.Error(), "no column") {
		t.Errorf("got %v, want an error naming the column", err)
	}
}
