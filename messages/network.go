package messages

// Network is how a session reaches the web.
type Network struct {
	UserAgent string
	Locale    string   // BCP 47 tag
	Headers   []Header // sent with every request, beside and before the engine's own
	Offline   bool     // every request fails
	Proxy     string   // URL; "": the server's, "direct": none
	NoProxy   []string // hosts that Proxy is not asked for
	Blocked   []string // patterns of URLs that are not fetched; * is anything
}

// Header is one header of a request.
type Header struct{ Name, Value string }

// SetNetwork changes how a session reaches the web, from its next request on.
// A nil field stays as it is. If one of them is wrong none is changed.
type SetNetwork struct {
	UserAgent *string // "": DefaultUserAgent
	Locale    *string // "": DefaultLocale
	Headers   *[]Header
	Offline   *bool
	Proxy     *string
	NoProxy   *[]string
	Blocked   *[]string
}

// NetworkSet answers [SetNetwork]: how it is now.
type NetworkSet struct{ Network }

func (SetNetwork) answeredBy(NetworkSet) {}
