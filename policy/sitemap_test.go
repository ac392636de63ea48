package policy

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func readSitemap(body []byte) ([]SitemapEntry, error) {
	var all []SitemapEntry
	err := ReadSitemap(body, func(e SitemapEntry) bool {
		all = append(all, e)
		return true
	})
	return all, err
}

func gzipped(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadSitemap(t *testing.T) {
	const ns = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"`
	tests := []struct {
		rule string
		body []byte
		want []string // "+" marks sitemaps
		err  error
	}{
		{"entities are undone and space around is dropped",
			[]byte("<?xml version='1.0'?><urlset" + ns + "><url><loc>\n http://a.test/g?x=1&amp;y=2 </loc><lastmod>2024</lastmod></url></urlset>"),
			[]string{"http://a.test/g?x=1&y=2"}, nil},
		{"an index names sitemaps", []byte("<sitemapindex" + ns + "><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>"),
			[]string{"+http://a.test/1.xml"}, nil},
		{"gzip is known by its first bytes", gzipped(t, "<urlset><url><loc>http://a.test/z</loc></url></urlset>"), []string{"http://a.test/z"}, nil},
		{"CDATA is text", []byte("<urlset><url><loc><![CDATA[http://a.test/c?a&b]]></loc></url></urlset>"), []string{"http://a.test/c?a&b"}, nil},
		{"what came before a fault stands", []byte("<urlset><url><loc>http://a.test/h</loc></url><url></urlset>"), []string{"http://a.test/h"}, ErrSitemapMalformed},
		{"locs of pictures are no pages",
			[]byte("<urlset" + ns + "><url><loc>http://a.test/p</loc><image:image><image:loc>http://a.test/i.png</image:loc></image:image></url></urlset>"),
			[]string{"http://a.test/p"}, nil},
		{"text: an address a line, byte order mark, any line end", []byte("\xef\xbb\xbfhttp://a.test/t1\r\nhttp://a.test/t2\n\n"),
			[]string{"http://a.test/t1", "http://a.test/t2"}, nil},
		{"RSS: link of each item", []byte("<rss><channel><link>http://a.test/</link><item><link>http://a.test/1</link></item></channel></rss>"), []string{"http://a.test/1"}, nil},
		{"Atom: alternate link of each entry", []byte("<feed><link href='http://a.test/'/><entry><link rel='self' href='http://a.test/x'/><link href='http://a.test/1'/></entry></feed>"),
			[]string{"http://a.test/1"}, nil},
		{"the encoding that is declared", []byte("<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>http://a.test/\xe4</loc></url></urlset>"), []string{"http://a.test/ä"}, nil},
		{"entities of its own are off", []byte("<!DOCTYPE x [<!ENTITY e 'boom'>]><urlset><url><loc>http://a.test/&e;</loc></url></urlset>"), nil, ErrSitemapMalformed},
		{"broken gzip", append(gzipped(t, "<urlset>")[:12], 0), nil, ErrSitemapMalformed},
		{"nothing", nil, nil, nil},
	}
	for _, tt := range tests {
		all, err := readSitemap(tt.body)
		var got []string
		for _, e := range all {
			mark := ""
			if e.Index {
				mark = "+"
			}
			got = append(got, mark+e.Loc)
		}
		if d := cmp.Diff(got, tt.want); d != "" {
			t.Errorf("%s (-got +want):\n%s", tt.rule, d)
		}
		if !errors.Is(err, tt.err) || err != nil && tt.err == nil {
			t.Errorf("%s: error %v, want %v", tt.rule, err, tt.err)
		}
	}
}

func TestSitemapLimits(t *testing.T) {
	var b strings.Builder
	for i := range MaxSitemapURLs + 5 {
		fmt.Fprintf(&b, "http://a.test/%d\n", i)
	}
	all, err := readSitemap([]byte(b.String()))
	if len(all) != MaxSitemapURLs || !errors.Is(err, ErrSitemapFull) {
		t.Errorf("%d addresses and %v, want %d and %v", len(all), err, MaxSitemapURLs, ErrSitemapFull)
	}
	bomb := gzipped(t, "<urlset>"+strings.Repeat(" ", MaxSitemapBytes)+"<url><loc>http://a.test/</loc></url></urlset>")
	if all, err := readSitemap(bomb); len(all) != 0 || !errors.Is(err, ErrSitemapLarge) {
		t.Errorf("a bomb of %d bytes gives %d addresses and %v", len(bomb), len(all), err)
	}
}

func FuzzReadSitemap(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>http://a.test/</loc></url></urlset>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = readSitemap(body) // must neither panic nor hang
	})
}
