package mime

import (
	"net/http"
	"strings"
	"testing"
)

// UD-061, and MIME Sniffing §7.
func TestClassify(t *testing.T) {
	const page = "<!doctype html><title>T</title><a href=/x>link</a> text"
	for _, c := range []struct {
		name, contentType, body string
		want                    Kind
		essence                 string
	}{
		{"json", "application/json", `{"a":"<a href=/x>y</a>"}`, JSON, "application/json"},
		{"text/plain", "text/plain", page, Text, "text/plain"},
		{"no type", "", page, HTML, "text/html"},
		{"no type, nosniff", "nosniff", page, Text, "text/plain"},
		{"no type, starts as text", "", "hello <b>x</b> <a href=/q>q</a>", Text, "text/plain"},
		{"no type, white space then tag", "", "  \n<HTML><title>T2</title>", HTML, "text/html"},
		{"xhtml", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml">`, XHTML, "application/xhtml+xml"},
		{"xml", "text/xml", `<?xml version="1.0"?><r/>`, XML, "text/xml"},
		{"declared html, body is json", "text/html", `{"a":1}`, HTML, "text/html"},
		{"upper case and quoted charset", `TEXT/HTML;CHARSET="utf-8"`, page, HTML, "text/html"},
		{"pdf", "application/pdf", "%PDF-1.4", Binary, "application/pdf"},
		{"png", "image/png", "\x89PNG\r\n\x1a\n", Binary, "image/png"},
		{"epub", "application/epub+zip", "PK\x03\x04", Binary, "application/epub+zip"},
		{"no type, pdf", "", "%PDF-1.4", Binary, "application/pdf"},
		{"no type, xml", "", "<?xml version='1.0'?><r/>", XML, "text/xml"},
		{"no type, rss", "", "<?xml version='1.0'?><rss version=2>", Feed, "text/xml"},
		{"no type, a tag must end", "", "<bold>", Text, "text/plain"},
		{"no type, comment", "", "<!-- x -->", HTML, "text/html"},
		{"no type, png", "", "\x89PNG\r\n\x1a\n", Binary, "image/png"},
		{"no type, webp", "", "RIFF\x00\x00\x00\x00WEBPVP8 ", Binary, "image/webp"},
		{"no type, mp4", "", "\x00\x00\x00\x18ftypmp42", Binary, "video/mp4"},
		{"no type, bytes", "", "abc\x01", Binary, "application/octet-stream"},
		{"no type, UTF-16", "", "\xff\xfea\x00", Text, "text/plain"},
		{"no type, nothing", "", "", Text, "text/plain"},
		{"*/*", "*/*", page, HTML, "text/html"},
		{"an invalid type is none", "html", page, HTML, "text/html"},
		{"old Apache's text, is text", "text/plain; charset=UTF-8", "K\xc3\xa4se", Text, "text/plain"},
		{"old Apache's text, is none", "text/plain", "\x1f\x8b\x08\x00", Binary, "application/x-gzip"},
		{"old Apache's text never becomes a page", "text/plain", page + "\x00", Binary, "application/octet-stream"},
		{"text that names its charset is believed", "text/plain;charset=utf-8", "a\x00", Text, "text/plain"},
		{"rss as html", "text/html", "<?xml?><!-- x --><!DOCTYPE rss><rss version='2.0'>", Feed, "application/rss+xml"},
		{"atom as html", "text/html", "\xef\xbb\xbf<feed xmlns='http://www.w3.org/2005/Atom'>", Feed, "application/atom+xml"},
		{"rdf as html", "text/html", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>", Feed, "application/rss+xml"},
		{"feedback is no feed", "text/html", "<feedback>", HTML, "text/html"},
		{"rss", "application/rss+xml; charset=utf-8", "", Feed, "application/rss+xml"},
		{"atom as xml", "application/xml", "<?xml version='1.0'?>\n<feed xmlns='x'>", Feed, "application/xml"},
		{"svg", "image/svg+xml", "<svg/>", XML, "image/svg+xml"},
		{"problem json", "application/problem+json", "{}", JSON, "application/problem+json"},
		{"script", "text/javascript", "alert(1)", Text, "text/javascript"},
		{"markdown", "text/markdown", "# x", Text, "text/markdown"},
		{"octets are not looked into", "application/octet-stream", page, Binary, "application/octet-stream"},
		{"the last of several counts", "text/html, application/json", "", JSON, "application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			switch c.contentType {
			case "nosniff":
				h.Set("X-Content-Type-Options", "NoSniff")
			case "":
			default:
				h.Set("Content-Type", c.contentType)
			}
			if got := Classify(h, []byte(c.body)); got != (Type{c.want, c.essence}) {
				t.Errorf("got %v, want %s %s", got, c.want, c.essence)
			}
		})
	}
}

// RFC 6266.
func TestAttachment(t *testing.T) {
	for _, c := range []struct {
		value, name string
		ok          bool
	}{
		{"", "", false},
		{"inline", "", false},
		{"INLINE; filename=x.pdf", "x.pdf", false},
		{"attachment", "", true},
		{"Attachment; filename=a.csv", "a.csv", true},
		{`attachment; filename="a \"b\"; c.csv"; x=y`, `a "b"; c.csv`, true},
		{"attachment; filename=a.csv; filename*=UTF-8''K%C3%A4se.csv", "Käse.csv", true},
		{"attachment; filename*=iso-8859-1'de'K%E4se.csv", "Käse.csv", true},
		{"attachment; filename=a.csv; filename*=klingon''x", "a.csv", true},
		{"attachment; filename=a.csv; filename*=UTF-8''%ff", "a.csv", true},
		{`attachment; filename="../../etc/passwd"`, "passwd", true},
		{`attachment; filename="C:\\x\\y.txt"`, "y.txt", true},
		{"attachment; filename=..", "", true},
		{"attachment; filename=\"a\tb\"", "ab", true},
		{"form-data; name=x", "", true},
		{"filename=x", "", false},
		{"attachment; filename=" + strings.Repeat("é", 200), strings.Repeat("é", 127), true},
	} {
		h := http.Header{"Content-Disposition": {c.value}}
		if name, ok := Attachment(h); name != c.name || ok != c.ok {
			t.Errorf("%q: %q %v, want %q %v", c.value, name, ok, c.name, c.ok)
		}
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("text/html, a/b", "nosniff", "attachment; filename*=UTF-8''x", []byte("<!-- <rss>"))
	f.Add("", "", `attachment; filename="\`, []byte("<?xml ?><feed"))
	f.Fuzz(func(t *testing.T, contentType, options, disposition string, body []byte) {
		h := http.Header{"Content-Type": {contentType}, "X-Content-Type-Options": {options}, "Content-Disposition": {disposition}}
		if got := Classify(h, body); got.Kind == "" || got.Essence == "" {
			t.Fatalf("no type: %v", got)
		}
		if name, _ := Attachment(h); strings.ContainsAny(name, "/\\\x00\r\n") || len(name) > 255 {
			t.Fatalf("unsafe name %q", name)
		}
	})
}
