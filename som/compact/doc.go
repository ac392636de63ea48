// Package compact prints a page as JSON with short keys and a budget, for
// readers who pay by the byte. Everything the SOM holds is there or behind a
// fold, which names the id that `observe` with `ref` opens and counts what is
// behind it. It is pure.
//
// The document is {"v","url","title","r":[region …]}; a region is
// {"r":role,"id","l":label?,"e":[element …]}. An element is
//
//	"text"                         a paragraph or a run of text
//	["text",{element},"text" …]    a line of text with elements in it
//	{"h2":"text"}                  a heading, by level
//	{"a":"text","i":id}            a link
//	{"b":"text","i":id}            a button
//	{"in":"label","i":id, …}       a text field: "ty" type unless text, "v" value, "ph" placeholder
//	{"ta":"label","i":id, …}       a textarea
//	{"sel":"label","i":id,"o":[…]} a select: "o" option texts, "v" the chosen ones
//	{"cb":"label","i":id,"c":1?}   a checkbox; "c": ticked
//	{"ra":"label","i":id,"c":1?}   a radio button
//	{"img":"alt"}                  an image that says something
//	{"ul":[…]}, {"ol":[…]}         a list; an item is an element or an array of them; "l" name
//	{"tb":[[…]…],"cap":?}          a table, rows of cell texts, the header row first; "l" name
//	{"role":"…","l":?,"i":?,"e":?} anything else: role, name, id, text and children
//	{"+":id,"n":elements,"w":words} a fold
//
// Flags on controls: "req" required, "dis" disabled, "ro" read-only.
package compact
