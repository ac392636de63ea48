// Package audit measures how much of what a person could read or use on a page
// is in its SOM, and how much is there that a person could not see.
//
// It compares a *som.Page with an oracle that shares no code with som: what a
// real Chromium shows of the page with scripts off ([FromSeen], golden data in
// testdata/oracle), or where there is none the document's text without scripts
// and styles ([Approximate]), which every report then says. It measures only:
// nothing here changes what som does.
package audit
