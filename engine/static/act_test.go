package static_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plasmate/engine"
	"plasmate/engine/static"
	"plasmate/engine/static/forms"
	"plasmate/som"
	"plasmate/som/dom"
)

const pageURL = "http://a.test/p"

// openPage loads html at pageURL; every other address gives a small page.
func openPage(t testing.TB, html string, change ...func(*static.Config)) (tab, *site) {
	t.Helper()
	s := newSite(t, pages(map[string]answer{"/p": {body: html}}))
	p := open(t, s, change...)
	p.load(pageURL)
	s.take()
	return p, s
}

// document is the page with the state of its controls.
func (p tab) document() *forms.Document {
	p.t.Helper()
	in, err := p.Snapshot(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return forms.New(forms.Source{Root: dom.Parse(in.Source).Root, HTML: in.Source, URL: in.URL, State: in.State})
}

// controls lists the state of the elements with those ids: value, or on/off, or
// the selected indices, or open/closed.
func (p tab) controls(ids string) string {
	p.t.Helper()
	d := p.document()
	var list []string
	for _, id := range strings.Fields(ids) {
		n := d.ElementByID(id)
		s := d.Value(n)
		switch {
		case forms.Type(n) == "checkbox" || forms.Type(n) == "radio":
			s = map[bool]string{true: "on", false: "off"}[d.Checked(n)]
		case n.Data == "details" || n.Data == "dialog" || forms.HasAttr(n, "popover"):
			s = map[bool]string{true: "open", false: "closed"}[d.Open(n)]
		case n.Data == "select":
			s = ""
			for _, i := range d.Selected(n) {
				s += string(rune('0' + i))
			}
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func reason(err error) string {
	var e *engine.NotActionable
	if errors.As(err, &e) {
		return e.Reason
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// AWP §3, page.act: what a click does to controls. HTML, activation behavior.
func TestClickChangesControls(t *testing.T) {
	tests := []struct{ rule, src, click, ids, want string }{
		{"a checkbox toggles", `<input type=checkbox id=c>`, "c", "c", "on"},
		{"… off again", `<input type=checkbox id=c checked>`, "c", "c", "off"},
		{"a radio button unchecks its group", `<input type=radio name=r id=a checked><input type=radio name=r id=b>`, "b", "a b", "off on"},
		{"… but not another form's", `<form><input type=radio name=r id=a checked></form><form><input type=radio name=r id=b></form>`, "b", "a b", "on on"},
		{"… its group reaches into other places by form=", `<form id=f><input type=radio name=r id=a checked></form><input type=radio name=r id=b form=f>`, "b", "a b", "off on"},
		{"a checked radio button stays so", `<input type=radio name=r id=a checked>`, "a", "a", "on"},
		{"a label's click goes to the control in it", `<label id=l>x<input type=checkbox id=c></label>`, "l", "c", "on"},
		{"… or named by it", `<label id=l for=c>x</label><input type=checkbox id=c>`, "l", "c", "on"},
		{"… from an element inside it", `<label><b id=l>x</b><input type=checkbox id=c></label>`, "l", "c", "on"},
		{"a click on the control in a label is one click", `<label>x<input type=checkbox id=c></label>`, "c", "c", "on"},
		{"summary opens its details", `<details id=d><summary id=s>x</summary>y</details>`, "s", "d", "open"},
		{"… and closes it", `<details id=d open><summary><b id=s>x</b></summary>y</details>`, "s", "d", "closed"},
		{"only the first summary does", `<details id=d open><summary>x</summary><summary id=s>y</summary></details>`, "s", "d", "open"},
		{"opening one details closes the others of its name", `<details id=a name=n open><summary>x</summary></details><details id=b name=n><summary id=s>y</summary></details>`, "s", "a b", "closed open"},
		{"an option is chosen", `<select id=c><option>1<option id=o>2</select>`, "o", "c", "1"},
		{"… added to a list of several", `<select id=c multiple><option selected>1<option id=o>2</select>`, "o", "c", "01"},
		{"… and taken away", `<select id=c multiple><option selected>1<option id=o selected>2</select>`, "o", "c", "0"},
		{"popovertarget opens", `<button id=b popovertarget=d></button><div popover id=d></div>`, "b", "d", "open"},
		{"commandfor opens a dialog", `<button id=b commandfor=d command=show-modal></button><dialog id=d></dialog>`, "b", "d", "open"},
		{"a button in a form with a command does not submit it", `<form><button id=b commandfor=d command=show-modal></button></form><dialog id=d></dialog>`, "b", "d", "open"},
		{"method=dialog closes the dialog", `<dialog id=d open><form method=dialog><button id=b>x</button></form></dialog>`, "b", "d", "closed"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			p, s := openPage(t, tt.src)
			before := p.controls(tt.ids)
			acted := p.mustAct(engine.Click, "#"+tt.click)
			if got := p.controls(tt.ids); got != tt.want {
				t.Errorf("controls %q, want %q", got, tt.want)
			}
			if want := before != tt.want; acted.Changed != want || acted.Loaded != nil {
				t.Errorf("acted %+v, want Changed %v", acted, want)
			}
			if got := s.take(); len(got) > 0 {
				t.Errorf("requests %v, want none", lines(got))
			}
		})
	}
}

func TestResetGivesBackWhatTheSourceSays(t *testing.T) {
	p, _ := openPage(t, `<form><input id=a value=1><input type=checkbox id=b checked><select id=c><option>1<option selected>2</select>
		<textarea id=d>x</textarea><button type=reset id=r>reset</button></form><input id=e>`)
	p.mustAct(engine.Type, "#a", "9")
	p.mustAct(engine.Click, "#b")
	p.mustAct(engine.Select, "#c", "1")
	p.mustAct(engine.Clear, "#d")
	p.mustAct(engine.Type, "#e", "outside")
	if got, want := p.controls("a b c d e"), "9 off 0  outside"; got != want {
		t.Fatalf("controls %q, want %q", got, want)
	}
	if acted := p.mustAct(engine.Click, "#r"); !acted.Changed {
		t.Error("reset changed nothing")
	}
	if got, want := p.controls("a b c d e"), "1 on 1 x outside"; got != want {
		t.Errorf("controls %q, want %q", got, want)
	}
	if acted := p.mustAct(engine.Click, "#r"); acted.Changed || acted.Note == "" {
		t.Errorf("a second reset is %+v, want no change and a note", acted)
	}
}

// AWP §3, page.act: type. HTML, value sanitization algorithms and maxlength.
func TestType(t *testing.T) {
	tests := []struct{ rule, field, text, want, refused string }{
		{"replaces what is there", `<input id=c value=old>`, "new", "new", ""},
		{"line breaks do not go into one line", `<input id=c>`, "a\r\nb", "ab", ""},
		{"they do into a text area, as line feeds", `<textarea id=c></textarea>`, "a\r\nb\rc", "a\nb\nc", ""},
		{"no more than maxlength", `<input id=c maxlength=3>`, "abcdef", "abc", ""},
		{"counted in UTF-16", `<input id=c maxlength=3>`, "a😀b", "a😀", ""},
		{"a number", `<input id=c type=number>`, "-1.5e3", "-1.5e3", ""},
		{"what is no number", `<input id=c type=number value=5>`, "five", "5", "invalid_value"},
		{"a date", `<input id=c type=date>`, "2024-02-29", "2024-02-29", ""},
		{"no date", `<input id=c type=date>`, "29.2.2024", "", "invalid_value"},
		{"a colour", `<input id=c type=color>`, "#FF0000", "#ff0000", ""},
		{"no colour", `<input id=c type=color>`, "red", "#000000", "invalid_value"},
		{"a range is put on its step", `<input id=c type=range min=0 max=10 step=5>`, "7", "5", ""},
		{"e-mail is trimmed", `<input id=c type=email>`, " a@b ", "a@b", ""},
		{"the value need not be valid", `<input id=c type=email>`, "a", "a", ""},
		{"read-only", `<input id=c value=old readonly>`, "x", "old", "readonly"},
		{"disabled", `<input id=c value=old disabled>`, "x", "old", "disabled"},
		{"in a disabled fieldset", `<fieldset disabled><input id=c value=old></fieldset>`, "x", "old", "disabled"},
		{"aria-disabled", `<input id=c value=old aria-disabled=true>`, "x", "old", "disabled"},
		{"inert", `<div inert><input id=c value=old></div>`, "x", "old", "inert"},
		{"hidden", `<div hidden><input id=c value=old></div>`, "x", "old", "hidden"},
		{"not displayed", `<div style="color:red; DISPLAY : none !important"><input id=c value=old></div>`, "x", "old", "hidden"},
		{"hidden by a sheet", `<style>.h{display:none}</style><div class=h><input id=c value=old></div>`, "x", "old", "hidden"},
		{"invisible", `<div style="visibility:hidden"><input id=c value=old></div>`, "x", "old", "hidden"},
		{"visible again", `<div style="visibility:hidden"><input id=c value=old style="visibility:visible"></div>`, "x", "x", ""},
		{"in a closed dialog", `<dialog><input id=c value=old></dialog>`, "x", "old", "hidden"},
		{"in a closed details", `<details><summary>s</summary><input id=c value=old></details>`, "x", "old", "hidden"},
		{"a hidden field", `<input type=hidden id=c value=old>`, "x", "old", "hidden"},
		{"a checkbox", `<input type=checkbox id=c>`, "x", "off", "not_editable"},
		{"a button", `<button id=c value=old>b</button>`, "x", "old", "not_editable"},
		{"a file field", `<input type=file id=c>`, "x", "", "not_editable"},
		{"a list", `<select id=c><option>1</select>`, "x", "0", "not_editable"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			p, _ := openPage(t, tt.field)
			acted, err := p.act(engine.Type, "#c", tt.text)
			if got := reason(err); got != tt.refused {
				t.Errorf("refused %q, want %q", got, tt.refused)
			}
			if got := p.controls("c"); got != tt.want {
				t.Errorf("value %q, want %q", got, tt.want)
			}
			if err == nil && (acted.Value == nil || *acted.Value != tt.want) {
				t.Errorf("read back %v, want %q", acted.Value, tt.want)
			}
		})
	}
}

func TestTypeAppends(t *testing.T) {
	p, _ := openPage(t, `<input id=c value=ab><label id=l for=c>x</label>`)
	if _, err := p.do("#c", engine.Action{Kind: engine.Type, Value: "cd", Append: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.do("#l", engine.Action{Kind: engine.Type, Value: "e", Append: true}); err != nil {
		t.Fatal(err)
	}
	if got := p.controls("c"); got != "abcde" {
		t.Errorf("value %q, want abcde", got)
	}
}

func TestPasswordsAreNotReadBack(t *testing.T) {
	p, _ := openPage(t, `<input id=c type=password>`)
	if acted := p.mustAct(engine.Type, "#c", "secret"); acted.Value != nil || !acted.Changed {
		t.Errorf("acted %+v, want a change without value", acted)
	}
}

// AWP §3, page.act: select.
func TestSelect(t *testing.T) {
	const list = `<select id=c><option value=1>One<option value=2 selected>Two<option value=Two>Three<option disabled>No<option value="">none</select>`
	tests := []struct {
		rule, src string
		values    []string
		want      string
		refused   string
	}{
		{"by value", list, []string{"1"}, "0", ""},
		{"by value before text", list, []string{"Two"}, "2", ""},
		{"by text", list, []string{"Three"}, "2", ""},
		{"by text in other letters", list, []string{" one "}, "0", ""},
		{"the empty value", list, []string{""}, "4", ""},
		{"no such option", list, []string{"9"}, "1", "no_such_option"},
		{"a disabled option", list, []string{"No"}, "1", "disabled"},
		{"two of a single list", list, []string{"1", "2"}, "1", "not_multiple"},
		{"several", `<select id=c multiple><option>1<option selected>2<option>3</select>`, []string{"3", "1"}, "02", ""},
		{"none of several", `<select id=c multiple><option>1<option selected>2</select>`, []string{}, "", ""},
		{"one of several is unknown", `<select id=c multiple><option>1<option selected>2</select>`, []string{"1", "9"}, "1", "no_such_option"},
		{"a disabled list", `<select id=c disabled><option>1<option>2</select>`, []string{"2"}, "0", "disabled"},
		{"an option in a disabled group", `<select id=c><option>1<optgroup disabled><option>2</optgroup></select>`, []string{"2"}, "0", "disabled"},
		{"no list", `<input id=c value=x>`, []string{"x"}, "x", "not_selectable"},
		{"a suggestion", `<input id=c list=l><datalist id=l><option value=a label=Alpha><option>b</datalist>`, []string{"Alpha"}, "a", ""},
		{"not a suggestion", `<input id=c list=l><datalist id=l><option>b</datalist>`, []string{"x"}, "", "no_such_option"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			p, _ := openPage(t, tt.src)
			_, err := p.do("#c", engine.Action{Kind: engine.Select, Values: tt.values})
			if got := reason(err); got != tt.refused {
				t.Errorf("refused %q, want %q", got, tt.refused)
			}
			if got := p.controls("c"); got != tt.want {
				t.Errorf("selected %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSelectListsTheOptionsItHas(t *testing.T) {
	p, _ := openPage(t, `<select id=c><option value=1>One<option value=2 label=Zwei>Two</select>`)
	_, err := p.act(engine.Select, "#c", "9")
	var e *engine.NotActionable
	if !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]engine.Option{{Value: "1", Text: "One"}, {Value: "2", Text: "Zwei"}}, e.Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func TestSelectOfRadioButtons(t *testing.T) {
	const group = `<fieldset id=g><label>Red <input type=radio name=r value=1 id=a></label><label>Blue <input type=radio name=r value=2 id=b></label></fieldset>`
	tests := []struct{ rule, target, value, want, refused string }{
		{"the button itself", "a", "", "on off", ""},
		{"one of its group by value", "a", "2", "off on", ""},
		{"by label", "a", "Blue", "off on", ""},
		{"from the group's fieldset", "g", "Red", "on off", ""},
		{"no such button", "a", "3", "off off", "no_such_option"},
	}
	for _, tt := range tests {
		p, _ := openPage(t, group)
		_, err := p.do("#"+tt.target, engine.Action{Kind: engine.Select, Value: tt.value})
		if got := reason(err); got != tt.refused {
			t.Errorf("%s: refused %q, want %q", tt.rule, got, tt.refused)
		}
		if got := p.controls("a b"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, got, tt.want)
		}
	}
}

func TestToggleAndClear(t *testing.T) {
	tests := []struct {
		rule string
		kind engine.ActionKind
		src  string
		want string
		err  string
	}{
		{"a checkbox", engine.Toggle, `<input type=checkbox id=c>`, "on", ""},
		{"a details", engine.Toggle, `<details id=c><summary>x</summary></details>`, "open", ""},
		{"an unchecked radio button", engine.Toggle, `<input type=radio id=c>`, "on", ""},
		{"a checked one", engine.Toggle, `<input type=radio id=c checked>`, "on", "radio"},
		{"a role without scripts", engine.Toggle, `<div id=c role=checkbox>x</div>`, "", "not_checkable"},
		{"text", engine.Clear, `<input id=c value=x>`, "", ""},
		{"a date", engine.Clear, `<input type=date id=c value=2024-01-01>`, "", ""},
		{"choices of several", engine.Clear, `<select multiple id=c><option selected>1</select>`, "", ""},
		{"a range has no empty value", engine.Clear, `<input type=range id=c value=3>`, "3", "not_editable"},
		{"a checkbox is not cleared", engine.Clear, `<input type=checkbox id=c checked>`, "on", "not_editable"},
	}
	for _, tt := range tests {
		p, _ := openPage(t, tt.src)
		_, err := p.act(tt.kind, "#c")
		if got := reason(err); got != tt.err {
			t.Errorf("%s: refused %q, want %q", tt.rule, got, tt.err)
		}
		if got := p.controls("c"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, got, tt.want)
		}
	}
}

// HTML, interactively validate the constraints: a form that is not valid is not sent.
func TestInvalidFormIsNotSent(t *testing.T) {
	p, s := openPage(t, `<form action=/go><label>Name <input name=a required></label><input name=b type=email value=x aria-label=Mail>
		<button id=b>go</button><button id=n formnovalidate>go</button></form>`)
	_, err := p.act(engine.Click, "#b")
	var e *engine.NotActionable
	if !errors.As(err, &e) || e.Reason != "invalid" {
		t.Fatalf("error %v, want one of reason invalid", err)
	}
	if len(e.Invalid) == 2 {
		e.Invalid[0].Node, e.Invalid[1].Node = 0, 0
	}
	want := []engine.Invalid{{Label: "Name", Reason: "required"}, {Label: "Mail", Reason: "not an e-mail address"}}
	if diff := cmp.Diff(want, e.Invalid); diff != "" {
		t.Errorf("invalid (-want +got):\n%s", diff)
	}
	if got := s.take(); len(got) > 0 {
		t.Errorf("requests %v, want none", lines(got))
	}
	p.mustAct(engine.Click, "#n")
	if diff := cmp.Diff([]string{"GET a.test/go?a=&b=x"}, lines(s.take())); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// HTML, Implicit submission.
func TestTypeAndSubmit(t *testing.T) {
	p, s := openPage(t, `<form action=/go><input id=c name=q value=old><button name=k value=1>go</button></form>`)
	acted, err := p.do("#c", engine.Action{Kind: engine.Type, Value: "new", Submit: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"GET a.test/go?q=new&k=1"}, lines(s.take())); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if acted.Loaded == nil || acted.Loaded.URL != "http://a.test/go?q=new&k=1" {
		t.Errorf("loaded %+v", acted.Loaded)
	}
}

func TestTypeAndSubmitSaysWhyNothingWasSent(t *testing.T) {
	p, s := openPage(t, `<form action=/go><input id=c name=q><input name=r></form>`)
	acted, err := p.do("#c", engine.Action{Kind: engine.Type, Value: "new", Submit: true})
	if err != nil || acted.Note == "" || !acted.Changed || acted.Loaded != nil {
		t.Errorf("acted %+v, %v; want a change and a note", acted, err)
	}
	if got := s.take(); len(got) > 0 {
		t.Errorf("requests %v, want none", lines(got))
	}
}

func TestUpload(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.txt")
	for name, text := range map[string]string{filepath.Join(dir, "a.txt"): "hello", outside: "secret"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	const form = `<form action=/go method=post enctype=multipart/form-data><input type=file name=f id=f><button id=b>go</button></form>`
	allowed := func(c *static.Config) { c.UploadDir = dir; c.Boundary = func() string { return "B" } }
	p, s := openPage(t, form, allowed)
	for _, bad := range []string{"../" + filepath.Base(filepath.Dir(outside)) + "/secret.txt", outside, "link.txt", "none.txt", "."} {
		if _, err := p.do("#f", engine.Action{Kind: engine.Upload, Values: []string{bad}}); reason(err) != "upload" {
			t.Errorf("upload of %s: %v, want it refused", bad, err)
		}
	}
	for _, good := range []string{"a.txt", filepath.Join(dir, "a.txt")} {
		if _, err := p.do("#f", engine.Action{Kind: engine.Upload, Values: []string{good}}); err != nil {
			t.Errorf("upload of %s: %v", good, err)
		}
	}
	p.mustAct(engine.Click, "#b")
	got := s.take()
	want := "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--B--\r\n"
	if len(got) != 1 || got[0].body != want {
		t.Errorf("requests %q, want body %q", got, want)
	}
	off, _ := openPage(t, form)
	if _, err := off.do("#f", engine.Action{Kind: engine.Upload, Values: []string{"a.txt"}}); reason(err) != "upload" {
		t.Errorf("upload without a folder: %v, want it refused", err)
	}
}

func TestActOnWhatIsNotThere(t *testing.T) {
	p, _ := openPage(t, `<p>x</p>`)
	if _, err := p.Act(t.Context(), p.analysis(), engine.Action{Kind: engine.Click, Node: 99}); reason(err) != "detached" {
		t.Errorf("error %v, want detached", err)
	}
	empty := tab{t, static.New(static.Config{}).NewPage(engine.Profile{})}
	if _, err := empty.Act(t.Context(), &som.Page{}, engine.Action{Kind: engine.Click}); reason(err) != "no_page" {
		t.Errorf("error %v, want no_page", err)
	}
	if acted, err := p.Act(t.Context(), p.analysis(), engine.Action{Kind: engine.Scroll, Node: som.NoNode}); err != nil || acted.Changed {
		t.Errorf("scroll gives %+v, %v", acted, err)
	}
}
