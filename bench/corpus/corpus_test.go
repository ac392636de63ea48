package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"
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
		if !utf8.Valid(p.UTF8()) {
			t.Errorf("%s: decoded text is not UTF-8", p.File)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, body, contentType, want string }{
		{"a byte order mark wins over the header", "\xEF\xBB\xBFé", "text/html; charset=windows-1252", "é"},
		{"UTF-16 little endian by its mark, which is no text", "\xFF\xFEa\x00", "text/html", "a"},
		{"the header wins over meta", "<meta charset=euc-kr>é", "text/html; charset=utf-8", "<meta charset=euc-kr>é"},
		{"meta where the header says nothing", "<meta charset=windows-1252>\xe9", "text/html", "<meta charset=windows-1252>é"},
		{"unlabelled UTF-8 is UTF-8", "café", "text/html", "café"},
		{"unlabelled other bytes are windows-1252", "caf\xe9", "text/html", "café"},
		{"an unknown label is ignored", "café", "text/html; charset=nonsense", "café"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(Decode([]byte(c.body), c.contentType)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestManifestWithoutAColumnIsAnError(t *testing.T) {
	if _, err := parseManifest("file\tkind\na\tb\n"); err == nil || !strings.Contains(err.Error(), "no column") {
		t.Errorf("got %v, want an error naming the column", err)
	}
}
