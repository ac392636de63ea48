package audit

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// Perturbation is a change to a page's source that changes nothing a person sees.
type Perturbation struct {
	Name  string
	Apply func(doc []byte) []byte
}

// Perturbations are the changes that ids should survive. The last two add
// something to see, far from the rest and right before it.
func Perturbations() []Perturbation {
	return []Perturbation{
		{"white space", func(d []byte) []byte { return rewrite(d, space) }},
		{"comments", func(d []byte) []byte { return rewrite(d, comment) }},
		{"attribute order", func(d []byte) []byte { return rewrite(d, reorder) }},
		{"class names", func(d []byte) []byte { return rewrite(d, classes) }},
		{"banner after the content", func(d []byte) []byte { return insert(d, "</body", true) }},
		{"banner before the content", func(d []byte) []byte { return insert(d, "<body", false) }},
	}
}

// token is one piece of the source and where it stands.
type token struct {
	html.Token
	raw    []byte
	n      int  // its number
	pre    bool // white space counts here
	styled bool // the page has style sheets of its own
}

// rewrite passes each token of the source through f.
func rewrite(doc []byte, f func(out *bytes.Buffer, t *token)) []byte {
	var out bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(doc))
	styled := bytes.Contains(bytes.ToLower(doc), []byte("<style"))
	pre := 0
	for n := 0; ; n++ {
		kind := z.Next()
		raw := append([]byte(nil), z.Raw()...)
		if kind == html.ErrorToken {
			out.Write(raw)
			return out.Bytes()
		}
		t := token{Token: z.Token(), raw: raw, n: n, styled: styled}
		if keepsSpace(t.Data) {
			switch kind {
			case html.StartTagToken:
				pre++
			case html.EndTagToken:
				pre = max(0, pre-1)
			}
		}
		t.pre = pre > 0
		f(&out, &t)
	}
}

func keepsSpace(name string) bool {
	switch name {
	case "pre", "textarea", "script", "style", "title", "listing", "xmp", "plaintext", "svg", "math", "template", "noscript", "iframe", "select", "option":
		return true
	}
	return false
}

// space writes every run of white space in another way.
func space(out *bytes.Buffer, t *token) {
	if t.Type != html.TextToken || t.pre {
		out.Write(t.raw)
		return
	}
	in := false
	for _, b := range t.raw {
		if b == ' ' || b == '\n' || b == '\t' || b == '\r' {
			if !in {
				out.WriteString("\n\t ")
			}
			in = true
			continue
		}
		in = false
		out.WriteByte(b)
	}
}

// comment puts a comment before every fifth tag.
func comment(out *bytes.Buffer, t *token) {
	if !t.pre && t.n > 40 && t.n%5 == 0 && (t.Type == html.StartTagToken || t.Type == html.EndTagToken) {
		fmt.Fprintf(out, "<!-- note %d -->", t.n)
	}
	out.Write(t.raw)
}

// reorder writes attributes in reverse.
func reorder(out *bytes.Buffer, t *token) {
	if t.Type != html.StartTagToken || len(t.Attr) < 2 {
		out.Write(t.raw)
		return
	}
	seen := map[string]bool{}
	var attrs []html.Attribute
	for _, a := range t.Attr { // of equal names the first counts
		if !seen[a.Key] {
			seen[a.Key] = true
			attrs = append([]html.Attribute{a}, attrs...)
		}
	}
	t.Attr = attrs
	out.WriteString(t.Token.String())
}

// classes renames classes; where the page's own style sheets may use them, it
// adds one instead.
func classes(out *bytes.Buffer, t *token) {
	at := -1
	for i, a := range t.Attr {
		if a.Key == "class" && at < 0 {
			at = i
		}
	}
	if t.Type != html.StartTagToken || at < 0 {
		out.Write(t.raw)
		return
	}
	if t.styled {
		t.Attr[at].Val += " zq" + fmt.Sprint(t.n%9)
	} else {
		t.Attr[at].Val = "zq-" + strings.Join(strings.Fields(t.Attr[at].Val), " zq-")
	}
	out.WriteString(t.Token.String())
}

const banner = `<div><p>We have news for all our readers today.</p><a href="/news-for-readers">Read the news</a></div>`

// insert puts a banner before the last mark, or after the tag of the first one.
func insert(doc []byte, mark string, last bool) []byte {
	lower := bytes.ToLower(doc)
	at := bytes.Index(lower, []byte(mark))
	if last {
		at = bytes.LastIndex(lower, []byte(mark))
	}
	if at < 0 || len(lower) != len(doc) {
		return nil
	}
	if !last {
		end := bytes.IndexByte(doc[at:], '>')
		if end < 0 {
			return nil
		}
		at += end + 1
	}
	return append(append(append([]byte(nil), doc[:at]...), banner...), doc[at:]...)
}
