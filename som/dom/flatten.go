package dom

// depthLimit is how many elements may be open at once in rewritten source. The
// parser behind gives up at 512 and opens a few (html, body, tbody …) itself.
const depthLimit = 480

func costly(src []byte) bool { return false }

func flatten(src []byte, limit int) []byte { return src }
