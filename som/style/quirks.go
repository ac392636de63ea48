package style

import (
	"strings"

	"golang.org/x/net/html"
)

// isQuirks says that a document is in quirks mode, as far as its doctype tells:
// ids and classes then match whatever their case. A tree that is no whole
// document is not. Spec: HTML, the initial insertion mode.
func isQuirks(root *html.Node) bool {
	if root == nil || root.Type != html.DocumentNode {
		return false
	}
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.DoctypeNode {
			return isQuirksDoctype(c)
		}
	}
	return true
}

func isQuirksDoctype(d *html.Node) bool {
	if !strings.EqualFold(d.Data, "html") {
		return true
	}
	public, system := lower(attr(d, "public")), lower(attr(d, "system"))
	switch {
	case system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd",
		public == "-//w3o//dtd w3 html strict 3.0//en//", public == "-/w3c/dtd html 4.0 transitional/en", public == "html":
		return true
	case strings.HasPrefix(public, "-//w3c//dtd html 4.01 frameset//"), strings.HasPrefix(public, "-//w3c//dtd html 4.01 transitional//"):
		return !hasAttr(d, "system")
	}
	for _, p := range []string{
		"-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
		"-//w3c//dtd html experimental", "-//w3c//dtd w3 html", "-//w3o//dtd w3 html 3.0//",
		"-//ietf//dtd html", "-//netscape comm. corp.//dtd", "-//microsoft//dtd internet explorer",
		"-//as//dtd html 3.0", "-//sun microsystems corp.//dtd hot", "-//softquad", "-//spyglass//dtd html",
		"-//sq//dtd html", "-//webtechs//dtd mozilla", "-//o'reilly and associates//dtd html", "-//metrius//dtd metrius",
		"-//advasoft ltd//dtd html 3.0", "+//silmaril//dtd html pro",
	} {
		if strings.HasPrefix(public, p) {
			return true
		}
	}
	return false
}
