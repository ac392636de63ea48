package weburl

import (
	"errors"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxLength is the length in bytes beyond which a string that needs the full
// parser is no URL; browsers refuse to navigate beyond the same length.
const MaxLength = 2 << 20

// ErrTooLong is returned for a string longer than [MaxLength].
var ErrTooLong = errors.New("URL too long")

// Parse parses an absolute URL.
func Parse(s string) (*URL, error) {
	if href, ok := (&base{}).fastJoin(nil, s); ok {
		return index(href), nil
	}
	u, err := slowParse(s)
	if err != nil {
		return nil, err
	}
	return index(u.Href(false)), nil
}

// newParser corrects the library: the standard's path percent-encode set has
// held '^' since 2024, the library's does not.
func newParser() whatwg.Parser {
	return whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')))
}

func slowParse(s string) (*whatwg.Url, error) {
	if len(s) > MaxLength {
		return nil, ErrTooLong
	}
	return newParser().Parse(s)
}

func slowJoin(base, ref string) (*URL, error) {
	b, err := slowParse(base)
	if err != nil {
		return nil, err
	}
	href, err := slowJoinTo(b, ref)
	if err != nil {
		return nil, err
	}
	return index(href), nil
}

func slowJoinTo(base *whatwg.Url, ref string) (string, error) {
	if len(ref) > MaxLength {
		return "", ErrTooLong
	}
	u, err := base.Parse(ref)
	if err != nil {
		return "", err
	}
	return u.Href(false), nil
}

// trimInput removes what the basic URL parser removes first: C0 controls and
// spaces around the input.
func trimInput(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}
