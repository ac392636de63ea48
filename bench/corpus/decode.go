package corpus

import (
	"bytes"
	"mime"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// Decode turns a document's bytes into UTF-8: byte order mark, then the header's
// charset, then the declaration in the first 1024 bytes, then UTF-8 if the bytes
// are valid UTF-8, then windows-1252.
//
// Spec: HTML "determining the character encoding"; the last two steps are the
// product's, as short unlabelled UTF-8 is otherwise taken for windows-1252.
func Decode(body []byte, contentType string) []byte {
	if enc, skip := bom(body); enc != nil {
		return run(enc, body[skip:])
	}
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		if enc, _ := charset.Lookup(params["charset"]); enc != nil {
			return run(enc, body)
		}
	}
	enc, name, certain := charset.DetermineEncoding(body, "")
	if !certain && name == "windows-1252" && utf8.Valid(body) {
		return body
	}
	return run(enc, body)
}

// bom is the encoding that a byte order mark names, and the mark's length.
func bom(b []byte) (encoding.Encoding, int) {
	switch {
	case bytes.HasPrefix(b, []byte{0xEF, 0xBB, 0xBF}):
		return unicode.UTF8, 3
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	}
	return nil, 0
}

// run decodes b; what cannot be decoded becomes U+FFFD.
func run(enc encoding.Encoding, b []byte) []byte {
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return out
}
