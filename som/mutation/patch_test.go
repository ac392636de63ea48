package mutation_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/google/go-cmp/cmp"

	"plasmate/som"
	"plasmate/som/mutation"
)

// check applies the patch from a to b with another implementation.
func check(t *testing.T, a, b []byte) {
	t.Helper()
	patch, ok := mutation.Patch(a, b)
	if !ok {
		return
	}
	if len(patch) >= len(b) && string(a) != string(b) {
		t.Errorf("the patch has %d bytes, the SOM only %d", len(patch), len(b))
	}
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatalf("decode %s: %v", patch, err)
	}
	got, err := decoded.Apply(a)
	if err != nil {
		t.Fatalf("apply %s: %v", patch, err)
	}
	var gotValue, want any
	if err := json.Unmarshal(got, &gotValue); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gotValue, want); diff != "" {
		t.Errorf("the patch %s gives another SOM: got - want +\n%s", patch, diff)
	}
}

// page is a random page; change makes another one out of it.
type page []string

func randomPage(r *rand.Rand) page {
	p := make(page, r.IntN(40))
	for i := range p {
		p[i] = randomBlock(r)
	}
	return p
}

func randomBlock(r *rand.Rand) string {
	n := r.IntN(1000)
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("<h2>Heading ~%d/</h2>", n)
	case 1:
		return fmt.Sprintf("<ul><li>one %d<li><a href=/%d>two</a></ul>", n, n)
	case 2:
		return fmt.Sprintf("<form action=/%d><label>Field %d <input name=q value=%d></label><button>Go</button></form>", n, n, n)
	case 3:
		return fmt.Sprintf("<nav><a href=/%d>Link %d</a></nav>", n, n)
	case 4:
		return fmt.Sprintf("<table><tr><th>A<th>B<tr><td>%d<td>x</table>", n)
	}
	return fmt.Sprintf("<p>Text %d with <b>bold</b></p>", n)
}

func (p page) change(r *rand.Rand) page {
	q := append(page(nil), p...)
	for range r.IntN(4) {
		if len(q) == 0 {
			return append(q, randomBlock(r))
		}
		i, j := r.IntN(len(q)), r.IntN(len(q))
		switch r.IntN(4) {
		case 0:
			q[i] = randomBlock(r)
		case 1:
			q = append(q[:i:i], q[i+1:]...)
		case 2:
			q = append(q[:i:i], append(page{randomBlock(r)}, q[i:]...)...)
		case 3:
			q[i], q[j] = q[j], q[i]
		}
	}
	return q
}

func (p page) som() []byte {
	src := "<!doctype html><html lang=en><title>T</title>" + strings.Join(p, "\n")
	return som.Analyze(som.Input{URL: "http://a.test/", Source: []byte(src), HTMLBytes: len(src)}, som.Options{}).JSON()
}

func TestAppliedPatchIsTheNewSOM(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		before := randomPage(r)
		check(t, before.som(), before.change(r).som())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestPatchIsRefusedUnlessSmaller(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a, b := randomPage(r).som(), randomPage(r).som()
	if patch, ok := mutation.Patch(a, b); ok && len(patch) >= len(b) {
		t.Errorf("a patch of %d bytes for a SOM of %d", len(patch), len(b))
	}
	if patch, ok := mutation.Patch(a, a); !ok || string(patch) != "[]" {
		t.Errorf("no change gives %s, %v", patch, ok)
	}
	for _, bad := range []string{"", "{", "[", "\xff"} {
		if _, ok := mutation.Patch([]byte(bad), a); ok {
			t.Errorf("a patch from %q", bad)
		}
	}
}

func TestOneTypedFieldIsASmallPatch(t *testing.T) {
	field := func(value string) []byte {
		p := page{"<form><input name=q value='" + value + "'></form>"}
		for i := range 50 {
			p = append(p, fmt.Sprintf("<p>Paragraph %d</p>", i))
		}
		return p.som()
	}
	patch, ok := mutation.Patch(field(""), field("tea"))
	if !ok || len(patch) > 400 {
		t.Errorf("%d bytes, %v: %s", len(patch), ok, patch)
	}
}

func BenchmarkPatch(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var p page
	for range 500 {
		p = append(p, randomBlock(r))
	}
	old, new := p.som(), p.change(r).som()
	b.SetBytes(int64(len(new)))
	b.ReportAllocs()
	for b.Loop() {
		mutation.Patch(old, new)
	}
}
