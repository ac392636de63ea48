package weburl

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxBase is the length in bytes beyond which a base URL joins nothing: each
// link of a page repeats its base, so that a long one would multiply the page.
const MaxBase = 16 << 10

// A Resolver joins the hrefs of one document to its base URL. It is not safe
// for concurrent use: it keeps scratch space between calls.
type Resolver struct {
	base base
	href string      // the base, serialized; "" if it is no URL
	full *whatwg.Url // the same, once it is needed
	enc  *queryEncoder
	buf  []byte
}

// An Option changes how a [Resolver] works.
type Option func(*Resolver)

// QueryEncoding sets the document's character encoding by its label, such as
// "windows-1251": the queries of links to http, https, ftp and file URLs are
// percent-encoded in it (URL Standard, query state). UTF-8 is the default, and
// stands in for unknown labels and for UTF-16.
func QueryEncoding(label string) Option {
	return func(r *Resolver) { r.enc = newQueryEncoder(label) }
}

// NewResolver is a resolver for a document whose base URL is base. If base is
// no absolute URL, or longer than [MaxBase], only absolute hrefs resolve.
func NewResolver(base string, opts ...Option) *Resolver {
	r := &Resolver{buf: make([]byte, 0, 1024)}
	for _, o := range opts {
		o(r)
	}
	if len(base) > MaxBase {
		return r
	}
	u, err := Parse(base)
	if err != nil {
		return r
	}
	r.href = u.href
	r.base = *newBase(u)
	return r
}

// Resolve is href as an absolute URL; ok is false if it is none, as for
// "http://[", and then abs is "".
func (r *Resolver) Resolve(href string) (abs string, ok bool) {
	if r.enc != nil {
		href = r.enc.encodeQuery(href, r.scheme())
	}
	if abs, ok = r.base.fastJoin(r.buf[:0], href); ok {
		return abs, true
	}
	if r.full == nil && r.href != "" {
		r.full, _ = slowParse(r.href)
	}
	if r.full == nil {
		u, err := slowParse(href)
		if err != nil {
			return "", false
		}
		return u.Href(false), true
	}
	abs, err := slowJoinTo(r.full, href)
	return abs, err == nil
}

func (r *Resolver) scheme() string {
	scheme, _, _ := strings.Cut(r.href, ":")
	return scheme
}
