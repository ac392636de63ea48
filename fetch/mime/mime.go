// Package mime says what kind of document a response is, by its Content-Type
// and, where that is missing or known to lie, by its first bytes.
//
// Spec: MIME Sniffing §5 (reading the resource header), §7 (the computed MIME
// type); Fetch, extract a MIME type; RFC 6266 (Content-Disposition).
package mime

import (
	"bytes"
	"net/http"
	"strings"
)

// Kind is how a document has to be read.
type Kind string

// The kinds.
const (
	HTML   Kind = "html"
	XHTML  Kind = "xhtml"
	XML    Kind = "xml"
	Feed   Kind = "feed" // RSS, Atom
	JSON   Kind = "json"
	Text   Kind = "text"
	Binary Kind = "binary" // no document
)

// Type is a computed media type.
type Type struct {
	Kind    Kind
	Essence string // type/subtype in lower case
}

// headBytes is how much of a body sniffing looks at (§5).
const headBytes = 1445

// Classify is the type of a response with that header and decoded body.
func Classify(h http.Header, body []byte) Type {
	head := body[:min(len(body), headBytes)]
	supplied, apache := extract(h.Values("Content-Type"))
	noSniff := nosniff(h.Values("X-Content-Type-Options"))
	essence := supplied
	switch {
	case supplied == "", supplied == "unknown/unknown", supplied == "application/unknown", supplied == "*/*":
		essence = unknown(head, !noSniff)
	case noSniff:
	case apache:
		essence = textOrBinary(head)
	case supplied == "text/html":
		if feed := feedType(head); feed != "" {
			essence = feed
		}
	}
	return Type{Kind: kindOf(essence, head), Essence: essence}
}

// extract is the last valid Content-Type, without parameters. apache tells
// that it has one of the forms that old servers send for anything.
func extract(values []string) (essence string, apache bool) {
	for _, value := range values {
		for v := range strings.SplitSeq(value, ",") { // a quoted comma does no harm here
			v = strings.TrimSpace(v)
			e, _, _ := strings.Cut(v, ";")
			if e = strings.ToLower(strings.TrimSpace(e)); !valid(e) {
				continue
			}
			essence = e
			switch v {
			case "text/plain", "text/plain; charset=ISO-8859-1", "text/plain; charset=iso-8859-1", "text/plain; charset=UTF-8":
				apache = true
			default:
				apache = false
			}
		}
	}
	return essence, apache
}

// valid is type/subtype of HTTP tokens.
func valid(s string) bool {
	t, sub, ok := strings.Cut(s, "/")
	return ok && token(t) && token(sub)
}

func token(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}) < 0
}

// nosniff is Fetch, determine nosniff: the first value counts.
func nosniff(values []string) bool {
	if len(values) == 0 {
		return false
	}
	first, _, _ := strings.Cut(values[0], ",")
	return strings.EqualFold(strings.TrimSpace(first), "nosniff")
}

func kindOf(essence string, head []byte) Kind {
	major, minor, _ := strings.Cut(essence, "/")
	switch essence {
	case "text/html":
		return HTML
	case "application/xhtml+xml":
		return XHTML
	case "application/rss+xml", "application/atom+xml":
		return Feed
	case "application/javascript", "application/x-javascript", "application/ecmascript",
		"application/x-ndjson", "application/yaml", "application/x-yaml", "application/toml",
		"application/sql", "application/graphql", "application/x-sh":
		return Text
	}
	switch {
	case minor == "xml" && (major == "text" || major == "application"), strings.HasSuffix(minor, "+xml"):
		if feedType(head) != "" {
			return Feed
		}
		return XML
	case minor == "json" && (major == "text" || major == "application"), strings.HasSuffix(minor, "+json"):
		return JSON
	case major == "text":
		return Text
	}
	return Binary
}

// textOrBinary is §7.2.
func textOrBinary(b []byte) string {
	if bom(b) || !binaryBytes(b) {
		return "text/plain"
	}
	return unknown(b, false)
}

func bom(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xfe\xff")) || bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xef\xbb\xbf"))
}

// binaryBytes finds a binary data byte (§3).
func binaryBytes(b []byte) bool {
	for _, c := range b {
		if c <= 0x08 || c == 0x0b || c >= 0x0e && c <= 0x1a || c >= 0x1c && c <= 0x1f {
			return true
		}
	}
	return false
}

// unknown is §7.1. What can run scripts is only looked for if scriptable.
func unknown(b []byte, scriptable bool) string {
	if scriptable {
		if t := markup(b); t != "" {
			return t
		}
	}
	for _, p := range []struct{ magic, essence string }{
		{"%!PS-Adobe-", "application/postscript"},
		{"\xfe\xff", "text/plain"}, {"\xff\xfe", "text/plain"}, {"\xef\xbb\xbf", "text/plain"},
		{"\x00\x00\x01\x00", "image/x-icon"}, {"\x00\x00\x02\x00", "image/x-icon"},
		{"BM", "image/bmp"}, {"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
		{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"},
		{"ID3", "audio/mpeg"}, {"OggS\x00", "application/ogg"}, {"MThd\x00\x00\x00\x06", "audio/midi"},
		{"\x1a\x45\xdf\xa3", "video/webm"},
		{"\x1f\x8b\x08", "application/x-gzip"}, {"PK\x03\x04", "application/zip"}, {"Rar \x1a\x07\x00", "application/x-rar-compressed"},
		{"\x00\x01\x00\x00", "font/ttf"}, {"OTTO", "font/otf"}, {"ttcf", "font/collection"},
		{"wOFF", "font/woff"}, {"wOF2", "font/woff2"},
	} {
		if bytes.HasPrefix(b, []byte(p.magic)) {
			return p.essence
		}
	}
	if t := container(b); t != "" {
		return t
	}
	if binaryBytes(b) {
		return "application/octet-stream"
	}
	return "text/plain"
}

// container finds formats that have a length before their name.
func container(b []byte) string {
	if len(b) < 12 {
		return ""
	}
	switch head, name := string(b[:4]), string(b[8:12]); {
	case head == "RIFF" && name == "WEBP":
		return "image/webp"
	case head == "RIFF" && name == "WAVE":
		return "audio/wave"
	case head == "RIFF" && name == "AVI ":
		return "video/avi"
	case head == "FORM" && name == "AIFF":
		return "audio/aiff"
	case string(b[4:8]) == "ftyp":
		return "video/mp4"
	}
	return ""
}

// markup is the scriptable part of §7.1's table.
func markup(b []byte) string {
	b = bytes.TrimLeft(b, "\t\n\f\r ")
	for _, tag := range []string{
		"<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE",
		"<A", "<STYLE", "<TITLE", "<B", "<BODY", "<BR", "<P",
	} {
		if n := len(tag); len(b) > n && (b[n] == ' ' || b[n] == '>') && strings.EqualFold(string(b[:n]), tag) {
			return "text/html"
		}
	}
	switch {
	case bytes.HasPrefix(b, []byte("<!--")):
		return "text/html"
	case bytes.HasPrefix(b, []byte("<?xml")):
		return "text/xml"
	case bytes.HasPrefix(b, []byte("%PDF-")):
		return "application/pdf"
	}
	return ""
}

// feedType is §7.3, sniffing a mislabeled feed; "" if it is none.
func feedType(b []byte) string {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	for {
		b = bytes.TrimLeft(b, "\t\n\r ")
		if len(b) == 0 || b[0] != '<' {
			return ""
		}
		b = b[1:]
		var end string
		switch {
		case bytes.HasPrefix(b, []byte("!--")):
			end = "-->"
		case bytes.HasPrefix(b, []byte("!")):
			end = ">"
		case bytes.HasPrefix(b, []byte("?")):
			end = "?>"
		case hasName(b, "rss"):
			return "application/rss+xml"
		case hasName(b, "feed"):
			return "application/atom+xml"
		case hasName(b, "rdf:RDF"):
			if bytes.Contains(b, []byte("http://purl.org/rss/1.0/")) && bytes.Contains(b, []byte("http://www.w3.org/1999/02/22-rdf-syntax-ns#")) {
				return "application/rss+xml"
			}
			return ""
		default:
			return ""
		}
		_, rest, ok := bytes.Cut(b, []byte(end))
		if !ok {
			return ""
		}
		b = rest
	}
}

// hasName is stricter than the standard, which takes any element that starts so.
func hasName(b []byte, name string) bool {
	if !bytes.HasPrefix(b, []byte(name)) {
		return false
	}
	return len(b) == len(name) || bytes.IndexByte([]byte("\t\n\f\r />"), b[len(name)]) >= 0
}
