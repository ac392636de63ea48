package forms

import (
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"plasmate/som/weburl"
)

// URLEncoded is an entry list as application/x-www-form-urlencoded.
//
// Spec: URL Standard, urlencoded serializing; HTML, converting an entry list to
// a list of name-value pairs.
func URLEncoded(list []Entry, encoding string) []byte {
	return weburl.AppendForm(nil, pairs(list), encoding)
}

// pairs makes line breaks CRLF and puts a file's name in place of the file.
func pairs(list []Entry) []weburl.Field {
	fields := make([]weburl.Field, len(list))
	for i, e := range list {
		v := e.Value
		if e.File != nil {
			v = e.File.Name
		}
		fields[i] = weburl.Field{Name: normalizeCRLF(e.Name), Value: normalizeCRLF(v)}
	}
	return fields
}

// Multipart is an entry list as multipart/form-data. boundary must not occur in
// any value.
//
// Spec: HTML, the multipart/form-data encoding algorithm; RFC 7578.
func Multipart(list []Entry, encoding, boundary string) []byte {
	encode := encoder(encoding)
	var b strings.Builder
	for _, e := range list {
		b.WriteString("--" + boundary + "\r\nContent-Disposition: form-data; name=\"")
		b.WriteString(escapeParameter(encode(normalizeCRLF(e.Name))))
		b.WriteByte('"')
		if e.File == nil {
			b.WriteString("\r\n\r\n" + encode(normalizeCRLF(e.Value)) + "\r\n")
			continue
		}
		mime := e.File.Type
		if mime == "" {
			mime = "application/octet-stream"
		}
		b.WriteString("; filename=\"" + escapeParameter(encode(e.File.Name)) + "\"\r\nContent-Type: " + mime + "\r\n\r\n")
		b.Write(e.File.Data)
		b.WriteString("\r\n")
	}
	b.WriteString("--" + boundary + "--\r\n")
	return []byte(b.String())
}

// escapeParameter: HTML, escape a multipart form data name.
func escapeParameter(s string) string {
	return strings.NewReplacer("\n", "%0A", "\r", "%0D", `"`, "%22").Replace(s)
}

// PlainText is an entry list as text/plain.
//
// Spec: HTML, the text/plain encoding algorithm.
func PlainText(list []Entry, encoding string) []byte {
	var b strings.Builder
	for _, f := range pairs(list) {
		b.WriteString(f.Name + "=" + f.Value + "\r\n")
	}
	return []byte(encoder(encoding)(b.String()))
}

// normalizeCRLF makes every line break CRLF.
func normalizeCRLF(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.ReplaceAll(normalizeLF(s), "\n", "\r\n")
}

// encoder encodes text; characters that the encoding lacks become &#N;
// (Encoding Standard, error mode "html").
func encoder(name string) func(string) string {
	e, canonical := charset.Lookup(name)
	if e == nil || canonical == "utf-8" {
		return func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	}
	return func(s string) string {
		out, err := encoding.HTMLEscapeUnsupported(e.NewEncoder()).String(strings.ToValidUTF8(s, "\uFFFD"))
		if err != nil {
			return s
		}
		return out
	}
}
