package static_test

import (
	"context"
	"net/http"
	"testing"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/fetch"
	"plasmate/som"
)

// oneBody answers every request with the same document.
type oneBody []byte

func (b oneBody) Exchange(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	return &fetch.Response{URL: r.URL, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: b}, nil
}

// FuzzImport takes any state for a page's: no panic, and what is taken is given
// back the same.
func FuzzImport(f *testing.F) {
	p := static.New(static.Config{Exchanger: oneBody(`<form><input name=a><select><option>1<option>2</select><details><summary>s</summary></details><button>`)}).NewPage(engine.Profile{})
	if _, err := p.Load(f.Context(), engine.Request{URL: pageURL}); err != nil {
		f.Fatal(err)
	}
	for _, a := range []engine.Action{{Node: 4, Kind: engine.Type, Value: "x"}, {Node: 5, Kind: engine.Select, Value: "2"}, {Node: 9, Kind: engine.Click}} {
		in, _ := p.Snapshot(f.Context())
		_, _ = p.Act(f.Context(), som.Analyze(in, som.Options{}), a)
	}
	state, err := p.(engine.Portable).Export()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(state)
	f.Add([]byte(`{"document":{"url":"http://a.test/","status":200,"content_type":"application/xhtml+xml","encoding":"koi8-r","source":"<select xmlns='x'/>","controls":[{"node":3,"selected":[]}]},"back":[{"url":"about:blank"}]}`))
	f.Fuzz(func(t *testing.T, state []byte) {
		p := static.New(static.Config{}).NewPage(engine.Profile{})
		if _, err := p.(engine.Portable).Import(t.Context(), state); err != nil {
			return
		}
		in, err := p.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		first := som.Analyze(in, som.Options{}).JSON()
		once, err := p.(engine.Portable).Export()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.(engine.Portable).Import(t.Context(), once); err != nil {
			t.Fatalf("what was exported is refused: %v", err)
		}
		again, _ := p.Snapshot(t.Context())
		if second := som.Analyze(again, som.Options{}).JSON(); string(first) != string(second) {
			t.Errorf("another page\n%s\n%s", first, second)
		}
	})
}

// FuzzAct plays actions on any document: no panic, and a refused action changes
// nothing.
func FuzzAct(f *testing.F) {
	f.Add([]byte(`<form><input name=a required><select multiple><option>1</select><button>b</button></form>`), []byte{3, 0, 0, 4, 1, 0, 7, 0, 1})
	f.Add([]byte(`<table><form action="?x"><tr><td><input type=radio name=r><input type=image></form></table>`), []byte{6, 0, 0, 7, 0, 2})
	f.Add([]byte(`<dialog open><form method=dialog><button formnovalidate></form></dialog><details name=a><summary>`), []byte{4, 0, 0, 6, 0, 0})
	f.Add([]byte(`<a href="#x">a</a><label for=c>l</label><input id=c type=range min=1e308 max=-1e308 step=1e-300>`), []byte{3, 0, 0, 5, 1, 3, 6, 1, 1})
	f.Add([]byte(`<meta http-equiv=refresh content="0;url='"><input type=number pattern="(?=a" step=0 value=1e400>`), []byte{3, 1, 2, 4, 1, 4})
	kinds := []engine.ActionKind{
		engine.Click, engine.Type, engine.Select, engine.Clear, engine.Toggle, engine.Check, engine.Uncheck, engine.Press, engine.Upload,
	}
	texts := []string{"", "1", "a\nb", "Enter", "2024-01-01", "\xff😀", "x@y", "#ffffff"}
	f.Fuzz(func(t *testing.T, src, script []byte) {
		p := static.New(static.Config{Exchanger: oneBody(src)}).NewPage(engine.Profile{})
		if _, err := p.Load(t.Context(), engine.Request{URL: pageURL}); err != nil {
			return
		}
		for ; len(script) >= 3; script = script[3:] {
			before, err := p.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			text := texts[int(script[2])%len(texts)]
			a := engine.Action{
				Node: som.NodeID(script[0]), Kind: kinds[int(script[1])%len(kinds)], Value: text,
				Append: script[1]&0x80 != 0, Submit: script[2]&0x80 != 0,
			}
			_, err = p.Act(t.Context(), som.Analyze(before, som.Options{}), a)
			after, _ := p.Snapshot(t.Context())
			if err != nil && (after.URL != before.URL || len(after.State) != len(before.State)) {
				t.Fatalf("%s failed (%v) and changed the page", a.Kind, err)
			}
		}
	})
}
