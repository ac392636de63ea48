package textview

import (
	"testing"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// A full view of each page of the corpus, with a vault.
func BenchmarkRender(b *testing.B) {
	pages := corpusPages(b)
	docs := make([]*som.Page, len(pages))
	size := 0
	for i := range pages {
		docs[i] = analyse(&pages[i])
		size += len(pages[i].Body)
	}
	b.SetBytes(int64(size))
	b.ResetTimer()
	for range b.N {
		for _, d := range docs {
			Render(d, &Refs{}, Options{Mode: Full, Vault: privacy.NewVault(privacy.Detectors{})})
		}
	}
}
