package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

func entry(n uint64, host string, late bool) Entry {
	return Entry{
		N: n, Host: host, Late: late, URL: fmt.Sprintf("%s/p%d?x=1", host, n),
		Referrer: host + "/", Depth: int(n), Chain: 3, Kind: Kind(n % 2),
	}
}

func open(t *testing.T, path string) *Bolt {
	t.Helper()
	s, err := OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t *testing.T, s Store, b Batch) {
	t.Helper()
	if err := s.Apply(b); err != nil {
		t.Fatal(err)
	}
}

func next(t *testing.T, s Store, host string, late bool, after uint64, limit int) []uint64 {
	t.Helper()
	es, err := s.Next(host, late, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	var ns []uint64
	for _, e := range es {
		if d := cmp.Diff(e, entry(e.N, host, late)); d != "" {
			t.Errorf("entry %d (-got +want):\n%s", e.N, d)
		}
		ns = append(ns, e.N)
	}
	return ns
}

func TestNextGivesWaitingEntriesOfAHostInOrder(t *testing.T) {
	const a, b = "http://a.test", "https://b.test:8443"
	for name, s := range map[string]Store{"memory": NewMemory(), "bolt": open(t, filepath.Join(t.TempDir(), "s"))} {
		t.Run(name, func(t *testing.T) {
			defer s.Close()
			held := entry(7, a, false)
			held.Held = true
			apply(t, s, Batch{Add: []Entry{entry(1, a, false), entry(2, b, false), entry(3, a, true), entry(4, a, false), entry(5, a, false), entry(6, a, false)},
				Done: []Finished{{Entry: entry(4, a, false), Outcome: "ok"}}})
			apply(t, s, Batch{Add: []Entry{entry(8, a, false)}, Marks: map[string]string{"x": "1"}})
			if d := cmp.Diff(next(t, s, a, false, 0, 2), []uint64{1, 5}); d != "" {
				t.Errorf("first two (-got +want):\n%s", d)
			}
			if d := cmp.Diff(next(t, s, a, false, 5, 9), []uint64{6, 8}); d != "" {
				t.Errorf("rest (-got +want):\n%s", d)
			}
			if d := cmp.Diff(next(t, s, a, true, 0, 9), []uint64{3}); d != "" {
				t.Errorf("late (-got +want):\n%s", d)
			}
			if d := cmp.Diff(next(t, s, b, false, 0, 9), []uint64{2}); d != "" {
				t.Errorf("other host (-got +want):\n%s", d)
			}
			if got := next(t, s, "http://c.test", false, 0, 9); got != nil {
				t.Errorf("unknown host has %v", got)
			}
			marks, err := s.Marks()
			if err != nil || marks["x"] != "1" {
				t.Errorf("marks %v, %v", marks, err)
			}
		})
	}
}

func TestMemoryForgetsWhatItsOwnerHolds(t *testing.T) {
	s := NewMemory()
	held := entry(1, "http://a.test", false)
	held.Held = true
	apply(t, s, Batch{Add: []Entry{held, entry(2, "http://a.test", false)}})
	if d := cmp.Diff(next(t, s, "http://a.test", false, 0, 9), []uint64{2}); d != "" {
		t.Errorf("waiting (-got +want):\n%s", d)
	}
}

func TestBoltKeepsWhatWasApplied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s := open(t, path)
	const a, b = "http://a.test", "http://b.test"
	apply(t, s, Batch{Add: []Entry{entry(1, a, false), entry(2, b, true)}})
	apply(t, s, Batch{Done: []Finished{{Entry: entry(1, a, false), Outcome: "http error", Content: 42}}, Marks: map[string]string{"out": "17"}})
	if _, err := OpenBolt(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second open gives %v, want %v", err, ErrLocked)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	defer s.Close()
	var got []Item
	if err := s.Load(func(i Item) error { got = append(got, i); return nil }); err != nil {
		t.Fatal(err)
	}
	want := []Item{
		{Finished: Finished{Entry: entry(2, b, true)}},
		{Finished: Finished{Entry: entry(1, a, false), Outcome: "http error", Content: 42}, Done: true},
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("loaded (-got +want):\n%s", d)
	}
	apply(t, s, Batch{Add: []Entry{entry(3, b, false)}})
	if d := cmp.Diff(next(t, s, b, false, 0, 9), []uint64{3}); d != "" {
		t.Errorf("known host after reopening (-got +want):\n%s", d)
	}
}

func TestOutputIsCutToItsMark(t *testing.T) {
	for _, name := range []string{"o.jsonl", "o.jsonl.zst"} {
		path := filepath.Join(t.TempDir(), name)
		write := func(mark string, records ...string) string {
			o, err := OpenOutput(path, mark)
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			for _, r := range records {
				if err := o.Append([][]byte{[]byte(r), []byte("\n")}); err != nil {
					t.Fatal(err)
				}
			}
			if err := o.Sync(); err != nil {
				t.Fatal(err)
			}
			return o.Mark()
		}
		mark := write("", "one", "two")
		write(mark, "lost")
		write(mark, "three")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".zst" {
			d, err := zstd.NewReader(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if data, err = d.DecodeAll(data, nil); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := string(data), "one\ntwo\nthree\n"; got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
}

func TestOutputSaysThatTheDiskIsFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	o, err := OpenOutput("/dev/full", "")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Append([][]byte{[]byte("x")}); !errors.Is(err, ErrFull) {
		t.Errorf("append gives %v, want %v", err, ErrFull)
	}
}

func TestDamagedRecordsAreErrors(t *testing.T) {
	for _, b := range [][]byte{nil, {0x80}, {1, 0, 0, 0, 200, 1}, {1, 0, 0}} {
		r := reader{b: b}
		r.entry("http://a.test")
		if !r.bad {
			t.Errorf("%v is taken for an entry", b)
		}
	}
}
