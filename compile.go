package plasmate

import (
	"plasmate/fetch/charset"
	"plasmate/som"
)

// Compile turns one document into its SOM, without any network.
//
// body is as a server would send it; contentType decides charset and kind and
// may be empty (HTML). base is the absolute URL that links resolve against.
// Broken HTML is never an error. The page shares no memory with body.
func Compile(body []byte, base, contentType string) *som.Page {
	text, _ := charset.Decode(body, contentType)
	return som.Analyze(som.Input{URL: base, ContentType: contentType, Source: text, HTMLBytes: len(body)}, som.Options{})
}
