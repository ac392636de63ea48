package static_test

import (
	"bytes"
	"testing"

	"plasmate/engine"
)

// A page takes a shared copy of its source, and moves within the document are
// still known as such.
func TestSharedSource(t *testing.T) {
	p, _ := openPage(t, `<input id=c><a id=a href=#y>`)
	source := func() []byte {
		in, err := p.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return in.Source
	}
	own := source()
	shared, other := bytes.Clone(own), append(bytes.Clone(own), ' ')
	page, ok := p.Page.(engine.Sharing)
	if !ok {
		t.Fatal("the page does not share")
	}
	p.mustAct(engine.Click, "#a")
	page.ShareSource(other)
	if got := source(); &got[0] != &own[0] {
		t.Error("another document's source was taken")
	}
	page.ShareSource(shared)
	if got := source(); &got[0] != &shared[0] {
		t.Error("the shared source was not taken")
	}
	if loaded, err := p.Page.(engine.History).Back(t.Context()); err != nil || !loaded.SameDocument {
		t.Errorf("back within the document: %+v, %v", loaded, err)
	}
}
