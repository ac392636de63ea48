package policy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// Limits of one sitemap file (sitemaps.org, "Sitemap index files").
const (
	MaxSitemapURLs  = 50_000
	MaxSitemapBytes = 50 << 20 // uncompressed
)

// The errors of ReadSitemap; what was read before them stands.
var (
	ErrSitemapMalformed = errors.New("not well formed")
	ErrSitemapFull      = fmt.Errorf("more than %d addresses; the rest is left out", MaxSitemapURLs)
	ErrSitemapLarge     = fmt.Errorf("more than %d bytes; the rest is left out", MaxSitemapBytes)
)

// SitemapEntry is one address of a sitemap, as written, without the space
// around it.
type SitemapEntry struct {
	Loc   string
	Index bool // the address is another sitemap's
}

// ReadSitemap reads a sitemap, sitemap index, RSS or Atom feed or a text file
// of addresses token by token, gzipped or not whatever anybody says of it, and
// gives its addresses to each, which returns false to stop.
//
// Spec: sitemaps.org protocol; RSS 2.0; RFC 4287; RFC 1952.
func ReadSitemap(body []byte, each func(SitemapEntry) bool) error {
	var src io.Reader = bytes.NewReader(body)
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(src)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSitemapMalformed, err)
		}
		src = z
	}
	limited := &io.LimitedReader{R: src, N: MaxSitemapBytes + 1}
	r := &sitemapReader{each: each}
	in := bufio.NewReaderSize(limited, 64<<10)
	var err error
	if startsXML(in) {
		err = r.xml(in)
	} else {
		err = r.text(in)
	}
	switch {
	case r.full:
		return ErrSitemapFull
	case limited.N <= 0:
		return ErrSitemapLarge
	case err != nil && !r.stopped:
		return fmt.Errorf("%w: %w", ErrSitemapMalformed, err)
	}
	return nil
}

// startsXML skips a byte order mark and looks at the first character.
func startsXML(in *bufio.Reader) bool {
	if b, _ := in.Peek(3); bytes.Equal(b, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3) // was peeked
	}
	head, _ := in.Peek(512) // shorter at the end of the file
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '<' || head[0] == 0xfe || head[0] == 0xff)
}

type sitemapReader struct {
	each          func(SitemapEntry) bool
	n             int
	full, stopped bool
}

// give passes an address on; false ends the reading.
func (r *sitemapReader) give(loc string, index bool) bool {
	if loc = strings.TrimSpace(loc); loc == "" {
		return true
	}
	if r.n++; r.n > MaxSitemapURLs {
		r.full = true
		return false
	}
	if !r.each(SitemapEntry{Loc: loc, Index: index}) {
		r.stopped = true
		return false
	}
	return true
}

func (r *sitemapReader) text(in *bufio.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<10)
	for lines.Scan() {
		if !r.give(lines.Text(), false) {
			return nil
		}
	}
	return lines.Err()
}

// xml takes the addresses from where they count: loc right below url or
// sitemap, link below an item or entry. Extensions have locs of their own.
func (r *sitemapReader) xml(in io.Reader) error {
	d := xml.NewDecoder(in)
	d.CharsetReader = charset.NewReaderLabel
	var path []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.StartElement:
			parent := ""
			if len(path) > 0 {
				parent = path[len(path)-1]
			}
			if len(path) >= 64 {
				return errors.New("nested too deep")
			}
			path = append(path, e.Name.Local)
			address, wanted := addressOf(parent, e)
			if !wanted {
				continue
			}
			if address == "" {
				if address, err = charData(d); err != nil {
					return err
				}
				path = path[:len(path)-1]
			}
			if !r.give(address, parent == "sitemap") {
				return nil
			}
		}
	}
}

// addressOf says whether an element holds an address; it is empty if that is
// the element's text.
func addressOf(parent string, e xml.StartElement) (string, bool) {
	switch parent {
	case "url", "sitemap":
		return "", e.Name.Local == "loc" && !strings.Contains(e.Name.Space, "image") && !strings.Contains(e.Name.Space, "video")
	case "item", "entry":
		if e.Name.Local != "link" {
			return "", false
		}
		rel, href := "alternate", ""
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "rel":
				rel = a.Value
			case "href":
				href = a.Value
			}
		}
		return href, rel == "alternate"
	}
	return "", false
}

// charData reads the text of the element whose start was read, and its end.
func charData(d *xml.Decoder) (string, error) {
	var text strings.Builder
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			if text.Len() < 16<<10 {
				text.Write(t)
			}
		case xml.StartElement:
			depth++
		case xml.EndElement:
			if depth == 0 {
				return text.String(), nil
			}
			depth--
		}
	}
}
