package som

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"

	"plasmate/som/weburl"
)

// readable is the source as HTML, whatever its type: XHTML with its empty
// elements written out, feeds as lists of links, JSON indented, other text as it
// is (AWP §3 page.navigate, other content types).
func readable(in Input) []byte {
	kind := mimeEssence(in.ContentType)
	switch {
	case kind == "" || kind == "text/html":
		return in.Source
	case kind == "application/xhtml+xml":
		return unfoldXHTML(in.Source)
	case kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json"):
		return jsonPage(in)
	case kind == "application/xml" || kind == "text/xml" || strings.HasSuffix(kind, "+xml"):
		return xmlPage(in)
	}
	return textPage(in)
}

// mimeEssence is the type without parameters, in lower case.
func mimeEssence(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.Trim(kind, asciiSpace))
}

// fileTitle names a page that has no title by the last part of its path.
func fileTitle(url string) string {
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	return url[strings.LastIndexByte(url, '/')+1:]
}

func beginPage(b *bytes.Buffer, title string) {
	b.WriteString("<!DOCTYPE html><title>")
	b.WriteString(html.EscapeString(title))
	b.WriteString("</title><body><main>")
}

// textPage shows plain text, a paragraph for each block between blank lines.
func textPage(in Input) []byte {
	var b bytes.Buffer
	beginPage(&b, fileTitle(in.URL))
	text := strings.ReplaceAll(string(in.Source), "\r\n", "\n")
	for _, block := range strings.Split(text, "\n\n") {
		if strings.Trim(block, asciiSpace) == "" {
			continue
		}
		writePre(&b, block)
	}
	return b.Bytes()
}

func writePre(b *bytes.Buffer, text string) {
	b.WriteString("<pre>\n")
	b.WriteString(html.EscapeString(text))
	b.WriteString("</pre>")
}

func jsonPage(in Input) []byte {
	var b bytes.Buffer
	beginPage(&b, fileTitle(in.URL))
	writePre(&b, string(indented(in.Source)))
	return b.Bytes()
}

// What is indented: deeper or longer documents would grow by more than they are
// worth, a hostile one by the square of its depth.
const (
	maxIndentedJSON  = 1 << 20
	maxIndentedDepth = 32
)

// indented is a JSON document with line breaks, or as it is if it is no JSON or
// too deep or long for them.
func indented(src []byte) []byte {
	if len(src) > maxIndentedJSON || jsonDepth(src) > maxIndentedDepth {
		return src
	}
	var b bytes.Buffer
	if json.Indent(&b, src, "", "  ") != nil {
		return src
	}
	return b.Bytes()
}

// jsonDepth bounds how deep brackets are nested in a document from above:
// those in strings count too.
func jsonDepth(src []byte) int {
	depth, most := 0, 0
	for _, c := range src {
		switch c {
		case '[', '{':
			depth++
			most = max(most, depth)
		case ']', '}':
			depth--
		}
	}
	return most
}

// unfoldXHTML writes XML's empty-element tags and CDATA sections in HTML's way.
func unfoldXHTML(src []byte) []byte {
	out := make([]byte, 0, len(src)+len(src)/16)
	for len(src) > 0 {
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			break
		}
		out, src = append(out, src[:i]...), src[i:]
		switch {
		case bytes.HasPrefix(src, []byte("<![CDATA[")):
			end := bytes.Index(src, []byte("]]>"))
			if end < 0 {
				return append(out, html.EscapeString(string(src[9:]))...)
			}
			out, src = append(out, html.EscapeString(string(src[9:end]))...), src[end+3:]
		case bytes.HasPrefix(src, []byte("<!--")):
			end := bytes.Index(src, []byte("-->"))
			if end < 0 {
				return append(out, src...)
			}
			out, src = append(out, src[:end+3]...), src[end+3:]
		default:
			n := tagLength(src)
			out, src = appendUnfolded(out, src[:n]), src[n:]
		}
	}
	return append(out, src...)
}

// tagLength is the length of the tag at the start of src, quotes respected.
func tagLength(src []byte) int {
	var quote byte
	for i, c := range src {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(src)
}

func appendUnfolded(out, tag []byte) []byte {
	if len(tag) < 4 || tag[len(tag)-2] != '/' || tag[1] == '/' || tag[1] == '!' || tag[1] == '?' {
		return append(out, tag...)
	}
	name := tag[1:]
	if i := bytes.IndexAny(name, " \t\r\n\f/>"); i >= 0 {
		name = name[:i]
	}
	switch strings.ToLower(string(name)) {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return append(out, tag...)
	}
	out = append(append(out, tag[:len(tag)-2]...), "></"...)
	return append(append(out, name...), '>')
}

// baseURL is the document base URL: the first base element's href, unless that
// is no URL or of a scheme that may not be a base (HTML "set the frozen base URL").
func baseURL(url, href string) string {
	abs, ok := weburl.NewResolver(url).Resolve(strings.Trim(href, asciiSpace))
	if !ok || strings.HasPrefix(abs, "data:") || strings.HasPrefix(abs, "javascript:") {
		return url
	}
	return abs
}
