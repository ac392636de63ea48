package policy

import "strings"

// URLKey gives spellings of one URL the same key, by which a crawl knows what
// it has seen: the fragment is dropped and escapes of unreserved characters are
// undone, the other escapes get digits in upper case. url is as the URL
// Standard serialises it, which has settled the rest: scheme, host and port,
// dot segments, empty path. Slashes, a lone question mark, letter case of the
// path and the order of parameters stay: they tell resources apart.
//
// The key is for comparing. What is asked for is the URL as it was serialised.
//
// Spec: RFC 3986 §6.2.2; RFC 9110 §4.2.3.
func URLKey(url string) string {
	if i := strings.IndexByte(url, '#'); i >= 0 {
		url = url[:i]
	}
	i := strings.IndexByte(url, '%')
	if i < 0 {
		return url
	}
	out := append(make([]byte, 0, len(url)), url[:i]...)
	for ; i < len(url); i++ {
		if url[i] != '%' || i+2 >= len(url) || !isHex(url[i+1]) || !isHex(url[i+2]) {
			out = append(out, url[i])
			continue
		}
		if c := unhex(url[i+1])<<4 | unhex(url[i+2]); unreserved(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', upper(url[i+1]), upper(url[i+2]))
		}
		i += 2
	}
	return string(out)
}
