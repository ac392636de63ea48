// Package style says what a page's own CSS does to the visibility of its
// elements: their display, visibility and content-visibility, and whether they
// are blocks. It reads the user agent rules of HTML, the hidden attribute, style
// attributes and the style elements in the page (of the document and of
// declarative shadow roots). It never loads a sheet, and it does no layout.
//
// A walker asks in tree order and hands down what it got for the parent:
//
//	c := style.Compute(root)
//	var walk func(n *html.Node, parent style.Box)
//	walk = func(n *html.Node, parent style.Box) {
//		box := c.Of(n, parent) // n is an element; the zero Box stands above the root
//		if box.Display == style.None {
//			return // the whole subtree is not rendered: do not ask for its elements
//		}
//		… own text of n is visible if box.Visible (descendants may be visible again) …
//		… contents of n are not rendered if box.SkipContents (the box itself is) …
//		… words separate around n if box.Display.SeparatesWords() …
//		for each child element: walk(child, box)
//	}
//
// A caller that has met the style elements on a walk of its own passes them to
// ComputeStyles instead.
//
// In a flattened shadow tree the parent is the parent in that tree: the shadow
// host for the children of its shadow root, the slot for slotted nodes. The
// content of a template with shadowrootmode is asked for like any other node;
// the template's own display is none.
//
// What only state or script decides is left to the caller: the content of a
// closed details element, and a dialog or details whose open state differs from
// its attribute. noscript is display: none, as with scripting. If everything on
// a page comes out hidden, the page waits for its script: show it anyway.
//
// Rules whose condition or selector cannot be decided without layout or state
// (@container, @scope, :valid, ::slotted, :host-context) have no effect;
// :hover and its like never match; :defined always does, as the page's scripts
// would see to it; animations are not run. Differs from browsers: a form in the
// wrong place in a table, which they do not render, keeps its display, because
// its fields are rendered; MathML is inline throughout.
//
// Spec: CSS Syntax 3, Selectors 4, CSS Cascade 5, Media Queries 5, HTML Rendering.
package style
