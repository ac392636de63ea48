package forms_test

import (
	"strings"
	"testing"

	"plasmate/engine/static/forms"
	"plasmate/som"
)

// submit works out a submission of the form #f by #b, or by the form itself.
func submit(t *testing.T, d *forms.Document) forms.Submission {
	t.Helper()
	form := element(t, d, "f")
	submitter := form
	if b := d.ElementByID("b"); b != nil {
		submitter = b
	}
	s, err := d.Submit(form, submitter, "BOUNDARY", nil)
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	return s
}

// HTML, 4.10.22.4 Constructing the entry list.
func TestEntryList(t *testing.T) {
	tests := []struct{ rule, fields, want string }{
		{"fields in tree order", `<input name=a value=1><textarea name=b>2</textarea><select name=c><option>3</select>`, "a=1&b=2&c=3"},
		{"a field in a datalist is left out", `<datalist><input name=a value=1><select name=b><option>2</select></datalist><input name=c value=3>`, "c=3"},
		{"a disabled field is left out", `<input name=a value=1 disabled><input name=b value=2>`, "b=2"},
		{"a disabled fieldset disables what is in it", `<fieldset disabled><input name=a value=1></fieldset><input name=b value=2>`, "b=2"},
		{"but not what is in its first legend", `<fieldset disabled><legend><input name=a value=1></legend><legend><input name=b value=2></legend></fieldset>`, "a=1"},
		{"an outer disabled fieldset reaches into an inner legend", `<fieldset disabled><fieldset disabled><legend><input name=a value=1></legend></fieldset></fieldset>`, ""},
		{"only the submitter among the buttons", `<button name=x value=1></button><input type=submit name=y value=2><button id=b name=z value=3></button>`, "z=3"},
		{"an input button is never a submitter of its own", `<input type=button name=a value=1><input type=reset name=b value=2>`, ""},
		{"an unchecked box is left out", `<input type=checkbox name=a value=1><input type=checkbox name=b value=2 checked>`, "b=2"},
		{"a box without a value is on", `<input type=checkbox name=a checked><input type=radio name=b checked>`, "a=on&b=on"},
		{"an empty value attribute is a value", `<input type=checkbox name=a value="" checked>`, "a="},
		{"of radio buttons checked in one group the last stays", `<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>`, "r=2"},
		{"radio names are compared with their case", `<input type=radio name=r value=1 checked><input type=radio name=R value=2 checked>`, "r=1&R=2"},
		{"an image button gives coordinates", `<input id=b type=image name=go>`, "go.x=0&go.y=0"},
		{"… also without a name", `<input id=b type=image>`, "x=0&y=0"},
		{"no name, no entry", `<input value=1><input name="" value=2>`, ""},
		{"a name may be isindex", `<input name=isindex value=1>`, "isindex=1"},
		{"a list gives its selected options", `<select name=s multiple><option selected>1<option>2<option selected value=x>3</select>`, "s=1&s=x"},
		{"… but not disabled ones", `<select name=s multiple><option selected disabled>1<optgroup disabled><option selected>2</optgroup><option selected>3</select>`, "s=3"},
		{"a drop-down without a choice takes its first enabled option", `<select name=s><option disabled>1<option>2<option>3</select>`, "s=2"},
		{"… also in a group", `<select name=s><optgroup disabled label=g><option>1</optgroup><optgroup label=h><option>2</optgroup></select>`, "s=2"},
		{"of several chosen in a single list the last counts", `<select name=s><option selected>1<option selected>2<option>3</select>`, "s=2"},
		{"a single list that shows more rows has no choice of its own", `<select name=s size=3><option>1<option>2</select>`, ""},
		{"a disabled option that is chosen sends nothing", `<select name=s><option disabled selected>1<option>2</select>`, ""},
		{"an option's text is stripped and collapsed", "<select name=s><option>  a \n b  </select>", "s=a+b"},
		{"a list without options sends nothing", `<select name=s></select>`, ""},
		{"an empty file field", `<input type=file name=f>`, "f="},
		{"_charset_ in a hidden field gets the encoding", `<input type=hidden name=_CHARSET_ value=x><input name=_charset_ value=y>`, "_CHARSET_=UTF-8&_charset_=y"},
		{"a text area's first line break is dropped by the parser, others are CRLF", "<textarea name=t>\n\na\nb\rc\r\nd</textarea>", "t=%0D%0Aa%0D%0Ab%0D%0Ac%0D%0Ad"},
		{"line breaks are stripped from one-line fields", `<input name=a value="1&#10;2">`, "a=12"},
		{"but kept in hidden ones", `<input type=hidden name=a value="1&#10;2">`, "a=1%0D%0A2"},
		{"wrap=hard breaks lines at cols", `<textarea name=t wrap=hard cols=5>aaa bbb ccc</textarea>`, "t=aaa+%0D%0Abbb+%0D%0Accc"},
		{"dirname of a text field", `<input name=a value=x dirname=a.dir>`, "a=x&a.dir=ltr"},
		{"dirname follows dir", `<div dir=rtl><input name=a value=x dirname=d></div>`, "a=x&d=rtl"},
		{"dirname with dir=auto goes by the value", `<textarea name=a dir=auto dirname=d>שלום</textarea>`, "a=%D7%A9%D7%9C%D7%95%D7%9D&d=rtl"},
		{"dirname of a telephone field is ltr", `<div dir=rtl><input type=tel name=a value=1 dirname=d></div>`, "a=1&d=ltr"},
		{"an empty dirname is none", `<input name=a value=x dirname="">`, "a=x"},
		{"dirname means nothing for numbers", `<input type=number name=a value=1 dirname=d>`, "a=1"},
		{"a read-only field is sent", `<input name=a value=1 readonly>`, "a=1"},
		{"a hidden attribute changes nothing", `<input name=a value=1 hidden>`, "a=1"},
		{"an object or output is not submittable", `<object name=o></object><output name=p>1</output>`, ""},
		{"what is no number is empty", `<input type=number name=n value="1a"><input type=number name=m value="-1.5e2">`, "n=&m=-1.5e2"},
		{"what is no date is empty", `<input type=date name=d value="2024-02-30"><input type=date name=e value="2024-02-29">`, "d=&e=2024-02-29"},
		{"weeks and months", `<input type=week name=w value=2020-W53><input type=week name=v value=2021-W53><input type=month name=m value=2024-13>`, "w=2020-W53&v=&m="},
		{"local dates and times are normalized", `<input type=datetime-local name=d value="2024-01-02 03:04:00.000">`, "d=2024-01-02T03%3A04"},
		{"a range always has a value", `<input type=range name=r><input type=range name=s min=10 max=20 value=99><input type=range name=u min=0 max=10 step=3 value=5>`, "r=50&s=20&u=6"},
		{"a colour always has one", `<input type=color name=c><input type=color name=d value=#ABCDEF>`, "c=%23000000&d=%23abcdef"},
		{"e-mail and URL fields are trimmed", `<input type=email name=e value=" a@b.c "><input type=email multiple name=m value=" a@b , c@d "><input type=url name=u value=" http://x ">`, "e=a%40b.c&m=a%40b%2Cc%40d&u=http%3A%2F%2Fx"},
		{"an unknown type is text", `<input type=foo name=a value=1>`, "a=1"},
	}
	for _, tt := range tests {
		d := parse(t, "<form id=f method=post action=/go>"+tt.fields+"</form>")
		if got := string(submit(t, d).Body); got != tt.want {
			t.Errorf("%s: got %q, want %q\n%s", tt.rule, got, tt.want, tt.fields)
		}
	}
}

// HTML, 4.10.22.3 Form submission algorithm.
func TestSubmit(t *testing.T) {
	const field = `<input name=q value="a b">`
	tests := []struct{ rule, src, want string }{
		{"get replaces the query", `<form id=f action="/s?x=1">` + field + `</form>`, "GET http://a.test/s?q=a+b"},
		{"… and keeps the fragment", `<form id=f action="/s?x=1#y">` + field + `</form>`, "GET http://a.test/s?q=a+b#y"},
		{"get without fields leaves a bare question mark", `<form id=f action=/s></form>`, "GET http://a.test/s?"},
		{"post keeps the query", `<form id=f method=post action="/s?x=1">` + field + `</form>`, "POST http://a.test/s?x=1"},
		{"no action is the document's own address", `<base href=/b/><form id=f method=post>` + field + `</form>`, "POST http://a.test/p"},
		{"white space alone resolves to it too, by the base", `<form id=f method=post action=" ">` + field + `</form>`, "POST http://a.test/p"},
		{"formaction of the submitter", `<form id=f action=/s><button id=b formaction=/t></button></form>`, "GET http://a.test/t?"},
		{"an empty formaction is the document", `<form id=f action=/s><button id=b formaction=""></button></form>`, "GET http://a.test/p?"},
		{"formmethod of the submitter", `<form id=f action=/s method=post><button id=b formmethod=get></button></form>`, "GET http://a.test/s?"},
		{"an unknown formmethod is get", `<form id=f action=/s method=post><button id=b formmethod=put></button></form>`, "GET http://a.test/s?"},
		{"methods are compared without case", `<form id=f action=/s method=PoSt></form>`, "POST http://a.test/s"},
		{"a method with spaces is unknown", `<form id=f action=/s method=" post"></form>`, "GET http://a.test/s?"},
		{"mailto is not fetched", `<form id=f action=mailto:a@b.test></form>`, "nothing"},
		{"javascript is not run", `<form id=f action="javascript:x()"></form>`, "nothing"},
		{"dialog without a dialog", `<form id=f method=dialog></form>`, "nothing"},
		{"dialog in one that is open", `<dialog open><form id=f method=dialog></form></dialog>`, "dialog"},
		{"formmethod=dialog", `<dialog open><form id=f><button id=b formmethod=dialog></button></form></dialog>`, "dialog"},
	}
	for _, tt := range tests {
		s := submit(t, parse(t, tt.src))
		got := s.Method + " " + s.URL
		switch {
		case s.Nothing != "":
			got = "nothing"
		case s.Dialog != nil:
			got = "dialog"
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s\n%s", tt.rule, got, tt.want, tt.src)
		}
	}
}

func TestSubmitRefusesAnActionThatIsNoURL(t *testing.T) {
	d := parse(t, `<form id=f action="http://["></form>`)
	if _, err := d.Submit(element(t, d, "f"), nil, "B", nil); err == nil {
		t.Error("no error")
	}
}

func TestTarget(t *testing.T) {
	tests := []struct{ rule, src, want string }{
		{"the submitter's formtarget", `<form id=f target=x><button id=b formtarget=y></button></form>`, "y"},
		{"else the form's target", `<base target=z><form id=f target=x><button id=b></button></form>`, "x"},
		{"else the first base's", `<base href=/><base target=z><base target=w><form id=f></form>`, "z"},
	}
	for _, tt := range tests {
		if got := submit(t, parse(t, tt.src)).Target; got != tt.want {
			t.Errorf("%s: target %q, want %q", tt.rule, got, tt.want)
		}
	}
}

// HTML, 4.10.22.5 Selecting a form submission encoding; Encoding Standard, 4.3.
func TestSubmissionEncoding(t *testing.T) {
	tests := []struct{ rule, document, form, want string }{
		{"the document's encoding", "windows-1252", ``, "q=%FC%80&_charset_=windows-1252"},
		{"what it lacks becomes a reference", "iso-8859-2", ``, "q=%FC%26%238364%3B&_charset_=ISO-8859-2"},
		{"accept-charset wins", "windows-1252", `accept-charset=utf-8`, "q=%C3%BC%E2%82%AC&_charset_=UTF-8"},
		{"its first known label counts", "utf-8", `accept-charset="klingon  latin1 utf-8"`, "q=%FC%80&_charset_=windows-1252"},
		{"without a known one it is UTF-8", "windows-1252", `accept-charset=klingon`, "q=%C3%BC%E2%82%AC&_charset_=UTF-8"},
		{"an empty one too", "windows-1252", `accept-charset=""`, "q=%C3%BC%E2%82%AC&_charset_=UTF-8"},
		{"UTF-16 is sent as UTF-8", "utf-16le", ``, "q=%C3%BC%E2%82%AC&_charset_=UTF-8"},
		{"names are spelled as in the standard", "sjis", ``, "q=%26%23252%3B%26%238364%3B&_charset_=Shift_JIS"},
		{"… gbk", "gb2312", ``, "q=%A8%B9%80&_charset_=GBK"},
		{"… euc-kr", "ks_c_5601-1987", ``, "q=%26%23252%3B%A2%E6&_charset_=EUC-KR"},
		{"… koi8-r", "koi8", ``, "q=%26%23252%3B%26%238364%3B&_charset_=KOI8-R"},
	}
	for _, tt := range tests {
		src := "<form id=f method=post " + tt.form + "><input name=q value=ü€><input type=hidden name=_charset_></form>"
		if got := string(submit(t, parseAs(t, src, tt.document, nil)).Body); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.rule, got, tt.want)
		}
	}
}

func TestActionQueryIsInTheDocumentsEncoding(t *testing.T) {
	d := parseAs(t, `<form id=f method=post action="/ü?ü"></form>`, "windows-1252", nil)
	if got, want := submit(t, d).URL, "http://a.test/%C3%BC?%FC"; got != want {
		t.Errorf("URL %s, want %s", got, want)
	}
}

// HTML, 4.10.22.7 and 4.10.22.8: multipart/form-data and text/plain.
func TestEnctype(t *testing.T) {
	const fields = "<input name='q\"x' value='v\"'><textarea name=t>a\nb</textarea><input type=file name=f>"
	const parts = "--BOUNDARY\r\nContent-Disposition: form-data; name=\"q%22x\"\r\n\r\nv\"\r\n" +
		"--BOUNDARY\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\na\r\nb\r\n" +
		"--BOUNDARY\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n" +
		"--BOUNDARY--\r\n"
	tests := []struct{ rule, form, button, wantType, wantBody string }{
		{"multipart", `enctype=multipart/form-data`, ``, "multipart/form-data; boundary=BOUNDARY", parts},
		{"text/plain", `enctype=text/plain`, ``, "text/plain", "q\"x=v\"\r\nt=a\r\nb\r\nf=\r\n"},
		{"unknown is urlencoded", `enctype=foo/bar`, ``, "application/x-www-form-urlencoded", "q%22x=v%22&t=a%0D%0Ab&f="},
		{"formenctype of the submitter", `enctype=text/plain`, `formenctype=Multipart/Form-Data`, "multipart/form-data; boundary=BOUNDARY", parts},
		{"an unknown formenctype is urlencoded", `enctype=text/plain`, `formenctype=x`, "application/x-www-form-urlencoded", "q%22x=v%22&t=a%0D%0Ab&f="},
	}
	for _, tt := range tests {
		s := submit(t, parse(t, "<form id=f method=post "+tt.form+">"+fields+"<button id=b "+tt.button+"></button></form>"))
		if s.ContentType != tt.wantType || string(s.Body) != tt.wantBody {
			t.Errorf("%s: got %q\n%q, want %q\n%q", tt.rule, s.ContentType, s.Body, tt.wantType, tt.wantBody)
		}
	}
}

func TestUploadedFilesAreParts(t *testing.T) {
	src := `<form id=f method=post enctype=multipart/form-data><input id=i type=file name=f></form>`
	state := som.State{idOf(t, src, "i"): {Files: []string{"a\"b.txt"}}}
	d := parseAs(t, src, "utf-8", state)
	open := func(path string) (forms.File, error) {
		return forms.File{Name: path, Type: "text/plain", Data: []byte("x\ny")}, nil
	}
	s, err := d.Submit(element(t, d, "f"), nil, "B", open)
	if err != nil {
		t.Fatal(err)
	}
	want := "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22b.txt\"\r\nContent-Type: text/plain\r\n\r\nx\ny\r\n--B--\r\n"
	if string(s.Body) != want {
		t.Errorf("body %q, want %q", s.Body, want)
	}
}

// idOf is the id of an element before a document with state is made.
func idOf(t *testing.T, src, id string) som.NodeID {
	t.Helper()
	d := parse(t, src)
	return d.ID(element(t, d, id))
}

// HTML, 4.10.22.2 Implicit submission.
func TestImplicitSubmitter(t *testing.T) {
	tests := []struct{ rule, src, want string }{
		{"the first submit button in tree order", `<form id=f><input><button id=x></button><button id=y></button></form>`, "x"},
		{"even outside the form", `<button id=x form=f></button><form id=f><button id=y></button></form>`, "x"},
		{"other buttons are none", `<form id=f><button type=button></button><input type=reset><input type=image id=x></form>`, "x"},
		{"a disabled default button stops it", `<form id=f><button disabled></button><button id=y></button></form>`, ""},
		{"without one, a single field submits the form", `<form id=f><input><input type=checkbox></form>`, "f"},
		{"two fields stop it", `<form id=f><input><input type=date></form>`, ""},
		{"fields that do not block", `<form id=f><input><input type=hidden><input type=color><input type=range><textarea></textarea><select></select></form>`, "f"},
	}
	for _, tt := range tests {
		d := parse(t, tt.src)
		n, why := d.ImplicitSubmitter(element(t, d, "f"))
		got := ""
		if n != nil {
			got = forms.Attr(n, "id")
		}
		if got != tt.want || (got == "") != (why != "") {
			t.Errorf("%s: submitter %q (%s), want %q", tt.rule, got, why, tt.want)
		}
	}
}

// HTML, 4.10.4 The label element.
func TestLabeledControl(t *testing.T) {
	tests := []struct{ rule, src, want string }{
		{"the first labelable descendant", `<label id=l><a href=#></a><input type=hidden><select id=x></select><input></label>`, "x"},
		{"the element that for names", `<label id=l for=x><input></label><input id=x>`, "x"},
		{"which may be no control", `<label id=l for=x></label><p id=x></p>`, ""},
		{"an empty for names nothing", `<label id=l for=""><input></label>`, ""},
	}
	for _, tt := range tests {
		d := parse(t, tt.src)
		got := ""
		if c := d.LabeledControl(element(t, d, "l")); c != nil {
			got = forms.Attr(c, "id")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, got, tt.want)
		}
	}
}

func TestLabelOfAControl(t *testing.T) {
	tests := []struct{ src, want string }{
		{`<label>Your <b>name</b>: <input id=c></label>`, "Your name:"},
		{`<label for=c>A</label><input id=c aria-label=B>`, "A"},
		{`<input id=c aria-label=B placeholder=C>`, "B"},
		{`<input id=c placeholder=C name=d>`, "C"},
		{`<input id=c name=d>`, "d"},
	}
	for _, tt := range tests {
		d := parse(t, tt.src)
		if got := d.Label(element(t, d, "c")); got != tt.want {
			t.Errorf("%s: label %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestManyControlsTakeLittleTime(t *testing.T) {
	src := "<form id=f method=post>" + strings.Repeat("<input type=radio name=r value=1 checked>", 3000) + "</form>"
	if got := string(submit(t, parse(t, src)).Body); got != "r=1" {
		t.Errorf("body %.40q, want r=1", got)
	}
}
