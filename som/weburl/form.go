package weburl

// A Field is one name and value of a form's entry list.
type Field struct{ Name, Value string }

// AppendForm appends fields as application/x-www-form-urlencoded in the encoding
// of that label (see [QueryEncoding]; "" is UTF-8). Line breaks are encoded as
// they are: making them CRLF belongs to the form's entry list.
//
// Spec: URL Standard, application/x-www-form-urlencoded serializing.
func AppendForm(dst []byte, fields []Field, encoding string) []byte {
	enc := newQueryEncoder(encoding)
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = appendForm(dst, f.Name, enc)
		dst = append(dst, '=')
		dst = appendForm(dst, f.Value, enc)
	}
	return dst
}

// appendForm leaves spaces to the end: no encoding uses the byte of a space for
// anything else, and a '+' of the value is encoded.
func appendForm(dst []byte, s string, enc *queryEncoder) []byte {
	start := len(dst)
	dst = enc.append(dst, s, formSet)
	for i := start; i < len(dst); i++ {
		if dst[i] == ' ' {
			dst[i] = '+'
		}
	}
	return dst
}
