package metadata

import "strings"

// isOpenGraph says that a name is of the OpenGraph vocabularies about content.
// fb: and al: name applications and are left out.
func isOpenGraph(name string) bool {
	prefix, rest, ok := strings.Cut(name, ":")
	if !ok || rest == "" {
		return false
	}
	switch prefix {
	case "og", "article", "product", "book", "profile", "video", "music", "place", "business", "event":
		return true
	}
	return false
}

// isMetaName is the list of meta names that say something about the page.
// Verification tokens, layout hints and the settings of tools are not on it.
func isMetaName(name string) bool {
	switch name {
	case "description", "keywords", "author", "robots", "googlebot", "generator",
		"application-name", "theme-color", "color-scheme", "title", "subject", "abstract",
		"summary", "topic", "category", "section", "classification", "copyright", "license",
		"rights", "creator", "publisher", "owner", "contact", "reply-to", "language", "locale",
		"date", "pubdate", "publishdate", "publish-date", "publish_date", "publication_date",
		"published", "created", "modified", "updated", "last-modified", "lastmod", "revised",
		"revision", "expires", "unavailable_after", "news_keywords", "tags", "rating",
		"thumbnail", "byl", "edition", "identifier-url", "url", "canonical", "version", "refresh":
		return true
	}
	for _, p := range [...]string{"dc.", "dc:", "dcterms.", "dcterms:", "citation_", "sailthru.", "parsely-", "geo.", "prism."} {
		if strings.HasPrefix(name, p) {
			return name != "parsely-metadata"
		}
	}
	return false
}

// leads says that one of the link types in rel leads to another document or
// stands for this one; stylesheets, hints for loading and endpoints do not.
func leads(rel string) bool {
	found := false
	for _, t := range strings.Fields(rel) {
		switch t {
		case "stylesheet":
			return false
		case "canonical", "alternate", "icon", "shortcut", "apple-touch-icon",
			"apple-touch-icon-precomposed", "mask-icon", "image_src", "next", "prev", "previous",
			"first", "last", "up", "index", "contents", "start", "author", "license", "copyright",
			"help", "search", "manifest", "amphtml", "shortlink", "me", "publisher",
			"privacy-policy", "terms-of-service", "payment", "bookmark", "cite-as", "describedby":
			found = true
		}
	}
	return found
}
