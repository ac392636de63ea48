package som

// readable is the source as HTML.
func readable(in Input) []byte { return in.Source }

func baseURL(url, href string) string { return url }
