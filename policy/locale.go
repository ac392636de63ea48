package policy

import (
	"regexp"
	"strings"
)

// languageTag matches the well-formed language tags that a locale can be
// (BCP 47 §2.1 without its grandfathered tags).
var languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// ValidLocale says whether locale is a well-formed language tag.
func ValidLocale(locale string) bool { return len(locale) <= 64 && languageTag.MatchString(locale) }

// AcceptLanguage is the Accept-Language header of a locale: the tag, then its
// primary language at a lower weight ("de-DE" gives "de-DE,de;q=0.9").
func AcceptLanguage(locale string) string {
	primary, _, regional := strings.Cut(locale, "-")
	if !regional {
		return locale
	}
	return locale + "," + primary + ";q=0.9"
}

// ValidHeaderValue says whether s may stand as an HTTP field value
// (RFC 9110 §5.5): no control characters but tab.
func ValidHeaderValue(s string) bool {
	for _, b := range []byte(s) {
		if b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return true
}
