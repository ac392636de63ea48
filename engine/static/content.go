package static

import (
	"bytes"
	"encoding/base64"
	"mime"
	"net/http"
	"path"
	"strings"

	"plasmate/engine"
	"plasmate/fetch"
	"plasmate/som/weburl"
)

// family is what a body is read as.
type family int

const (
	htmlFamily family = iota
	xmlFamily         // XHTML and feeds too
	jsonFamily
	textFamily
	binaryFamily
)

// content is the type that a body is taken for.
type content struct {
	family      family
	contentType string // as declared, or as found where nothing is declared
}

// classify finds what a body is by its declared type, and by its first bytes
// where none is declared or where servers are known to declare it by mistake.
//
// Spec: MIME Sniffing §7, as far as documents go.
func classify(h http.Header, body []byte) content {
	declared := strings.TrimSpace(h.Get("Content-Type"))
	essence := essenceOf(declared)
	switch essence {
	case "", "unknown/unknown", "application/unknown", "*/*":
		if strings.EqualFold(strings.TrimSpace(h.Get("X-Content-Type-Options")), "nosniff") {
			return byBytes(body)
		}
		return sniff(body)
	case "text/plain":
		if c := byBytes(body); c.family == binaryFamily {
			return c
		}
	}
	return content{familyOf(essence), declared}
}

// essenceOf is type/subtype in lower case; "" if the value is no MIME type.
func essenceOf(contentType string) string {
	essence, _, _ := strings.Cut(contentType, ";")
	essence = strings.ToLower(strings.TrimSpace(essence))
	if i := strings.IndexByte(essence, '/'); i <= 0 || i == len(essence)-1 || strings.ContainsAny(essence, " \t,") {
		return ""
	}
	return essence
}

// isMarkup says whether documents of a type are read as a page is written: HTML,
// and XHTML, which is XML in name.
func isMarkup(contentType string) bool {
	essence := essenceOf(contentType)
	return essence == "application/xhtml+xml" || familyOf(essence) == htmlFamily
}

func familyOf(essence string) family {
	kind, sub, _ := strings.Cut(essence, "/")
	switch {
	case essence == "text/html":
		return htmlFamily
	case sub == "xml" && (kind == "text" || kind == "application"), strings.HasSuffix(sub, "+xml") && kind != "image":
		return xmlFamily
	case sub == "json" && (kind == "text" || kind == "application"), strings.HasSuffix(sub, "+json"),
		essence == "application/manifest", essence == "application/x-json":
		return jsonFamily
	case kind == "text":
		return textFamily
	}
	switch sub {
	case "javascript", "x-javascript", "ecmascript", "x-ndjson", "ndjson", "jsonl", "yaml", "x-yaml", "toml", "sql", "x-sh", "x-httpd-php", "graphql":
		return textFamily
	}
	return binaryFamily
}

// sniff: MIME Sniffing, identifying a resource with an unknown MIME type.
func sniff(body []byte) content {
	head := bytes.TrimLeft(body[:min(len(body), 1445)], "\t\n\f\r ")
	for _, tag := range []string{
		"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p",
	} {
		if len(head) > len(tag) && bytes.EqualFold(head[:len(tag)], []byte(tag)) && (head[len(tag)] == ' ' || head[len(tag)] == '>') {
			return content{htmlFamily, "text/html"}
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("<!--")):
		return content{htmlFamily, "text/html"}
	case bytes.HasPrefix(head, []byte("<?xml")):
		return content{xmlFamily, "text/xml"}
	case bytes.HasPrefix(body, []byte("%PDF-")):
		return content{binaryFamily, "application/pdf"}
	}
	return byBytes(body)
}

// byBytes: text, unless there are bytes that no text has.
func byBytes(body []byte) content {
	head := body[:min(len(body), 1445)]
	if bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		return content{textFamily, "text/plain"}
	}
	for _, b := range head {
		if b <= 0x08 || b == 0x0b || b >= 0x0e && b <= 0x1a || b >= 0x1c && b <= 0x1f {
			kind := http.DetectContentType(head)
			if familyOf(essenceOf(kind)) != binaryFamily {
				kind = "application/octet-stream"
			}
			return content{binaryFamily, kind}
		}
	}
	return content{textFamily, "text/plain"}
}

// attachment describes a response that asks to be saved; nil if it does not.
//
// Spec: RFC 6266.
func attachment(resp *fetch.Response) *engine.Download {
	v := resp.Header.Get("Content-Disposition")
	kind, params, err := mime.ParseMediaType(v)
	if err != nil { // a broken parameter does not make it inline
		kind, _, _ = strings.Cut(v, ";")
	}
	kind = strings.ToLower(strings.TrimSpace(kind))
	if kind == "" || kind == "inline" || strings.HasPrefix(kind, "filename") {
		return nil
	}
	return download(resp, resp.Header.Get("Content-Type"), params)
}

// download describes a body that is to be saved, named by the parameters of its
// Content-Disposition or by its address.
func download(resp *fetch.Response, contentType string, params map[string]string) *engine.Download {
	name := path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	if name == "." || name == "/" {
		name = "download"
		if u, err := weburl.Parse(resp.URL); err == nil {
			if last := u.Path()[strings.LastIndexByte(u.Path(), '/')+1:]; last != "" && u.Scheme() != "data" {
				name = string(percentDecode(last))
			}
		}
	}
	essence := essenceOf(contentType)
	if essence == "" {
		essence = "application/octet-stream"
	}
	return &engine.Download{URL: resp.URL, Name: strings.ToValidUTF8(name, "_"), ContentType: essence, Size: int64(len(resp.Body))}
}

// dataResponse is a data: URL as a response.
//
// Spec: Fetch, data: URL processor.
func dataResponse(u *weburl.URL) (*fetch.Response, error) {
	kind, data, ok := strings.Cut(strings.TrimPrefix(u.WithoutFragment().String(), "data:"), ",")
	if !ok {
		return nil, &fetch.Error{URL: clip(u.String()), Reason: fetch.UnsupportedScheme, Phase: "url", Msg: "a data: URL needs a comma before its data"}
	}
	body := percentDecode(data)
	kind = strings.Trim(kind, " ")
	if i := strings.LastIndexByte(kind, ';'); i >= 0 && strings.EqualFold(strings.TrimSpace(kind[i+1:]), "base64") {
		kind = kind[:i]
		var err error
		if body, err = forgivingBase64(body); err != nil {
			return nil, &fetch.Error{URL: clip(u.String()), Reason: fetch.UnsupportedScheme, Phase: "url", Err: err, Msg: "the data: URL holds no valid base64"}
		}
	}
	if strings.HasPrefix(kind, ";") {
		kind = "text/plain" + kind
	}
	if essenceOf(kind) == "" {
		kind = "text/plain;charset=US-ASCII"
	}
	return &fetch.Response{URL: u.String(), Status: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: body}, nil
}

func percentDecode(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// forgivingBase64: Infra, forgiving-base64 decode.
func forgivingBase64(b []byte) ([]byte, error) {
	s := strings.Map(func(r rune) rune {
		if strings.ContainsRune(asciiSpace, r) {
			return -1
		}
		return r
	}, string(b))
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	}
	return base64.RawStdEncoding.DecodeString(s)
}
