package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// recorder notes a failure instead of having one.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestCheck(t *testing.T) {
	if Update() {
		return // would write what it is to compare with
	}
	path := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(path, []byte("a\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got  string
		want bool
	}{{"a\nb\n", false}, {"a\nc\n", true}, {"a\nb", true}} {
		r := recorder{TB: t}
		Check(&r, path, []byte(c.got))
		if r.failed != c.want {
			t.Errorf("%q: failed is %v, want %v", c.got, r.failed, c.want)
		}
	}
}
