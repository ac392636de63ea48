package forms

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/unicode/bidi"
)

// Entry is one name and value of a form's entry list; File is not nil for the
// entries of file inputs, and then Value is unused.
type Entry struct {
	Name, Value string
	File        *File
}

// File is an uploaded file. The zero File stands for "no file chosen".
type File struct {
	Name string // without folders
	Type string // MIME type; empty is application/octet-stream
	Data []byte
}

// FileOpener reads a file that a user chose for a file input.
type FileOpener func(path string) (File, error)

// EntryList collects what a submission of form by submitter carries. submitter
// may be nil. encoding is the name that _charset_ gets. An error comes from open
// only.
//
// Spec: HTML, Constructing the entry list.
func (d *Document) EntryList(form, submitter *html.Node, encoding string, open FileOpener) ([]Entry, error) {
	var list []Entry
	for _, c := range d.Controls(form) {
		entries, err := d.entriesOf(c, submitter, encoding, open)
		if err != nil {
			return nil, err
		}
		list = append(list, entries...)
	}
	return list, nil
}

func (d *Document) entriesOf(c, submitter *html.Node, encoding string, open FileOpener) ([]Entry, error) {
	if !is(c, "button", "input", "select", "textarea") || // submittable elements
		closest(c.Parent, "datalist") != nil || Disabled(c) ||
		IsButton(c) && c != submitter {
		return nil, nil
	}
	kind, name := Type(c), Attr(c, "name")
	switch kind {
	case "checkbox", "radio":
		if !d.Checked(c) {
			return nil, nil
		}
	case "image":
		return imageEntries(name), nil
	}
	if name == "" {
		return nil, nil
	}
	switch {
	case is(c, "select"):
		return d.selectEntries(c, name), nil
	case kind == "file":
		return fileEntries(name, d.state(c).Files, open)
	case kind == "hidden" && asciiLower(name) == "_charset_":
		return []Entry{{Name: name, Value: encoding}}, nil
	}
	list := []Entry{{Name: name, Value: d.submittedValue(c)}}
	if dirname := Attr(c, "dirname"); dirname != "" && isAutoDirectional(c) {
		list = append(list, Entry{Name: dirname, Value: d.direction(c)})
	}
	return list, nil
}

// imageEntries: the selected coordinate is 0,0, as when a button is pressed by key.
func imageEntries(name string) []Entry {
	if name != "" {
		name += "."
	}
	return []Entry{{Name: name + "x", Value: "0"}, {Name: name + "y", Value: "0"}}
}

func (d *Document) selectEntries(sel *html.Node, name string) []Entry {
	var list []Entry
	options := Options(sel)
	for _, i := range d.Selected(sel) {
		if i >= 0 && i < len(options) && !Disabled(options[i]) {
			list = append(list, Entry{Name: name, Value: DefaultValue(options[i])})
		}
	}
	return list
}

func fileEntries(name string, paths []string, open FileOpener) ([]Entry, error) {
	if len(paths) == 0 || open == nil {
		return []Entry{{Name: name, File: &File{}}}, nil
	}
	var list []Entry
	for _, p := range paths {
		f, err := open(p)
		if err != nil {
			return nil, err
		}
		list = append(list, Entry{Name: name, File: &f})
	}
	return list, nil
}

func (d *Document) submittedValue(c *html.Node) string {
	v := d.Value(c)
	if is(c, "textarea") && asciiLower(Attr(c, "wrap")) == "hard" {
		return wrapHard(v, columns(c))
	}
	return v
}

func columns(c *html.Node) int {
	n := 0
	for _, r := range strings.TrimLeft(Attr(c, "cols"), asciiSpace) {
		if r < '0' || r > '9' || n > 1<<20 {
			break
		}
		n = n*10 + int(r-'0')
	}
	if n == 0 {
		return 20
	}
	return n
}

// wrapHard breaks lines so that none is longer than width: at the last space
// that fits, else in the word (HTML, textarea wrapping transformation, which
// leaves the places to the user agent).
func wrapHard(v string, width int) string {
	lines := strings.Split(v, "\n")
	for i, line := range lines {
		var parts []string
		runes := []rune(line)
		for len(runes) > width {
			cut := width
			for j := width; j > 0; j-- {
				if runes[j-1] == ' ' {
					cut = j
					break
				}
			}
			parts = append(parts, string(runes[:cut]))
			runes = runes[cut:]
		}
		lines[i] = strings.Join(append(parts, string(runes)), "\n")
	}
	return strings.Join(lines, "\n")
}

// isAutoDirectional: HTML, auto-directionality form-associated elements.
func isAutoDirectional(c *html.Node) bool {
	switch Type(c) {
	case "hidden", "submit", "reset", "button":
		return true
	}
	return isTextual(c) || is(c, "textarea")
}

// direction is the directionality of a control: "ltr" or "rtl".
func (d *Document) direction(c *html.Node) string {
	switch asciiLower(Attr(c, "dir")) {
	case "ltr":
		return "ltr"
	case "rtl":
		return "rtl"
	case "auto":
		return firstStrong(d.Value(c))
	}
	if Type(c) == "tel" {
		return "ltr"
	}
	for n := c.Parent; n != nil; n = n.Parent {
		switch dir := asciiLower(Attr(n, "dir")); {
		case dir == "ltr" || dir == "rtl":
			return dir
		case dir == "auto", dir == "" && is(n, "bdi"):
			return firstStrong(Text(n))
		}
	}
	return "ltr"
}

// firstStrong: the first character with a strong direction decides.
func firstStrong(s string) string {
	for i := 0; i < len(s); {
		p, size := bidi.LookupString(s[i:])
		switch p.Class() {
		case bidi.L:
			return "ltr"
		case bidi.R, bidi.AL:
			return "rtl"
		}
		i += max(size, 1)
	}
	return "ltr"
}

// PickEncoding is the name of the encoding that a submission of form is made
// in: the first known one of accept-charset, else the document's; UTF-16 gives UTF-8.
//
// Spec: HTML, picking an encoding for the form; Encoding, get an output encoding.
func (d *Document) PickEncoding(form *html.Node) string {
	labels, ok := lookup(form, "accept-charset")
	if !ok {
		return encodingName(d.Encoding)
	}
	for _, label := range strings.FieldsFunc(labels, func(r rune) bool { return strings.ContainsRune(asciiSpace, r) }) {
		if e, _ := charset.Lookup(label); e != nil {
			return encodingName(label)
		}
	}
	return "UTF-8"
}

// encodingName is an encoding's name as the Encoding Standard writes it, of the
// output encoding of a label; UTF-8 for unknown labels.
func encodingName(label string) string {
	e, name := charset.Lookup(label)
	if e == nil {
		return "UTF-8"
	}
	switch name {
	case "utf-8", "utf-16be", "utf-16le", "replacement":
		return "UTF-8"
	case "big5":
		return "Big5"
	case "shift_jis":
		return "Shift_JIS"
	case "gb18030", "macintosh", "x-mac-cyrillic", "x-user-defined":
		return name
	}
	if strings.HasPrefix(name, "windows-") {
		return name
	}
	return strings.ToUpper(name) // IBM866, ISO-8859-2, KOI8-R, GBK, EUC-JP, ISO-2022-JP, EUC-KR
}
