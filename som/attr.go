package som

// AttrKind says how an attribute's value is written.
type AttrKind uint8

// The kinds of attributes.
const (
	AttrString   AttrKind = iota
	AttrBool              // "true" or "false"
	AttrInt               // decimal digits
	attrItems             // Element.List's items
	attrOptions           // Element.Options
	attrAria              // Element.Aria
	attrTable             // Element.Table: headers, rows, row_count
	attrSelected          // values of the selected Options
)

// Attr is one member of an element's attrs.
type Attr struct {
	Name, Value string
	Kind        AttrKind
}

// Attr is the value of a plain attribute of an element.
func (e *Element) Attr(name string) (value string, ok bool) {
	for i := range e.Attrs {
		if a := &e.Attrs[i]; a.Name == name && a.Kind <= AttrInt {
			return a.Value, true
		}
	}
	return "", false
}

// Is reports whether all of f's flags are set.
func (e *Element) Is(f Flags) bool { return e.Flags&f == f }
