package som

import (
	"strings"
	"testing"
)

// What a page repeats must not be multiplied by what it says once.
func TestOutputsAreBoundedByTheirDocument(t *testing.T) {
	for name, in := range map[string]Input{
		"deep JSON": {ContentType: "application/json", Source: []byte(strings.Repeat("[", 9000) + strings.Repeat("]", 9000))},
		"long base": {Source: []byte("<base href='http://x.test/" + strings.Repeat("a", 8000) + "/'>" + strings.Repeat("<a href=y>z</a><img src=i alt=p>", 20_000))},
	} {
		t.Run(name, func(t *testing.T) {
			in.URL, in.HTMLBytes = "http://a.test/", len(in.Source)
			page := Analyze(in, Options{})
			for form, size := range map[string]int{"SOM": len(page.JSON()), "text": len(page.Text()), "Markdown": len(page.Markdown())} {
				if limit := 16*len(in.Source) + 4<<20; size > limit {
					t.Errorf("%s of %d bytes for a document of %d", form, size, len(in.Source))
				}
			}
		})
	}
}
