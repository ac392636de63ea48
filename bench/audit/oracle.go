package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plasmate/bench/audit/reader"
)

// Oracle is what a person sees of a page, as an audit needs it.
type Oracle struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256,omitempty"` // of the page it was read from
	Source string `json:"source"`           // who says so
	// Approximate oracles do not know what is hidden, and give no fields or kinds of links.
	Approximate bool `json:"approximate,omitempty"`

	Title string `json:"title,omitempty"`
	Lang  string `json:"lang,omitempty"`
	// Text is kept only for pages that are in the repository themselves.
	Text string `json:"text,omitempty"`

	Visible Bag `json:"visible,omitempty"` // words on the page; made from Text where that is kept
	Quiet   Bag `json:"quiet,omitempty"`   // of these, inside aria-hidden elements: may be left out
	Details Bag `json:"details,omitempty"` // words of closed details elements
	Hidden  Bag `json:"hidden,omitempty"`  // words of text nodes that are not shown
	Allowed Bag `json:"allowed,omitempty"` // words of names, values, alternatives

	Links    []reader.Link    `json:"links,omitempty"`
	Headings []reader.Heading `json:"headings,omitempty"`
	Fields   []reader.Field   `json:"fields,omitempty"`
	Tree     []reader.Node    `json:"tree,omitempty"`

	// PlaywrightBytes is the length of a Playwright accessibility snapshot of the page; 0 if not recorded.
	PlaywrightBytes int `json:"playwright_bytes,omitempty"`
}

// FromSeen makes an oracle of what a browser showed.
func FromSeen(file, source string, s *reader.Seen, keepText bool) *Oracle {
	o := &Oracle{
		File: file, Source: source, Title: s.Title, Lang: s.Lang,
		Visible: BagOf(s.Text), Quiet: BagOf(s.Quiet), Details: BagOf(s.Details),
		Hidden: BagOf(s.Hidden), Allowed: BagOf(s.Allowed, s.Title),
		Links: s.Links, Headings: s.Headings, Fields: s.Fields, Tree: s.Tree,
	}
	for w, n := range BagOf(s.Spoken) { // closed shadow trees, generated content
		if o.Visible[w] == 0 && o.Allowed[w] == 0 {
			o.Allowed[w] = n
		}
	}
	if keepText {
		o.Text = s.Text
	}
	return o
}

// Approximate makes an oracle without a browser: the text of the body without
// scripts, styles and templates, its links and headings. It cannot tell what a
// style sheet hides, so its recall is too low and its hidden share always 0.
func Approximate(file, base string, doc []byte) *Oracle {
	o := &Oracle{File: file, Source: "document text (approximate: style sheets not applied)", Approximate: true,
		Quiet: Bag{}, Details: Bag{}, Hidden: Bag{}, Allowed: Bag{}}
	root, err := html.ParseWithOptions(bytes.NewReader(doc), html.ParseOptionEnableScripting(false))
	if err != nil {
		root = &html.Node{Type: html.DocumentNode}
	}
	var text strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.DataAtom == atom.Title && o.Title == "" {
			o.Title = flat(deepText(n))
		}
	}
	visit(root, &text, o)
	o.Visible = BagOf(text.String())
	o.Allowed.Add(Words(o.Title))
	return o
}

// visit appends n's text and notes its links and headings.
func visit(n *html.Node, text *strings.Builder, o *Oracle) {
	switch {
	case n.Type == html.TextNode:
		text.WriteString(n.Data)
		return
	case n.Type == html.ElementNode:
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Head, atom.Iframe, atom.Noembed, atom.Noframes, atom.Textarea:
			return
		case atom.A, atom.Area:
			if href, ok := attr(n, "href"); ok {
				o.Links = append(o.Links, reader.Link{Href: href, Text: flat(deepText(n)), Kind: "text"})
			}
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			if t := flat(deepText(n)); t != "" {
				o.Headings = append(o.Headings, reader.Heading{Level: int(n.Data[1] - '0'), Text: t})
			}
		}
		for _, a := range []string{"alt", "title", "placeholder", "aria-label", "value", "label", "summary"} {
			if v, ok := attr(n, a); ok {
				o.Allowed.Add(Words(v))
			}
		}
	}
	breaks := n.Type == html.ElementNode && !inline[n.DataAtom]
	if breaks {
		text.WriteByte('\n')
	}
	for c := range n.ChildNodes() {
		visit(c, text, o)
	}
	if breaks {
		text.WriteByte('\n')
	}
}

// inline are the elements that do not separate words.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true,
	atom.Code: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true,
	atom.Kbd: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true,
	atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true,
	atom.Var: true, atom.Wbr: true, atom.Label: true,
}

func deepText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// Save writes oracles as zstd compressed JSON lines, in the order of their files.
func Save(path string, oracles map[string]*Oracle) error {
	files := make([]string, 0, len(oracles))
	for f := range oracles {
		files = append(files, f)
	}
	sort.Strings(files)
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	for _, f := range files {
		o := *oracles[f]
		if o.Text != "" {
			o.Visible = nil
		}
		if err := enc.Encode(&o); err != nil {
			return fmt.Errorf("encode oracle of %s: %w", f, err)
		}
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(32<<20))
	if err != nil {
		return fmt.Errorf("compress oracles: %w", err)
	}
	return os.WriteFile(path, w.EncodeAll(plain.Bytes(), nil), 0o644)
}

// LoadOracles reads what Save wrote, by file.
func LoadOracles(path string) (map[string]*Oracle, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read oracles: %w", err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return nil, fmt.Errorf("read oracles: %w", err)
	}
	defer r.Close()
	plain, err := r.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack oracles: %w", err)
	}
	out := map[string]*Oracle{}
	dec := json.NewDecoder(bytes.NewReader(plain))
	for dec.More() {
		o := new(Oracle)
		if err := dec.Decode(o); err != nil {
			return nil, fmt.Errorf("decode oracles: %w", err)
		}
		if o.Visible == nil {
			o.Visible = BagOf(o.Text)
		}
		out[o.File] = o
	}
	return out, nil
}
