package som

import "golang.org/x/net/html/atom"

// tag is what the compiler does with an HTML element that has no explicit role.
type tag uint8

const (
	tagInline tag = iota
	tagBlock
	tagSkip // never rendered, or read elsewhere
	tagBreak
	tagRule
	tagLink
	tagImage
	tagInput
	tagButton
	tagSelect
	tagTextarea
	tagHeading
	tagParagraph
	tagPre
	tagList
	tagDescriptions
	tagTable
	tagSection
	tagRegion
	tagForm
	tagDialog
	tagDetails
	tagFieldset
	tagFigure
	tagLabel
	tagFrame
	tagMedia
	tagGauge
	tagQuote
	tagItem
	tagArea
	tagNoscript
)

func tagOf(a atom.Atom) tag {
	switch a {
	case atom.Li, atom.Dt, atom.Dd:
		return tagItem
	case atom.Div, atom.Address, atom.Center, atom.Body, atom.Html,
		atom.Hgroup, atom.Summary, atom.Legend, atom.Figcaption, atom.Optgroup, atom.Option,
		atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Frameset:
		return tagBlock
	case atom.Script, atom.Style, atom.Head, atom.Template, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Basefont,
		atom.Param, atom.Source, atom.Track, atom.Col, atom.Colgroup, atom.Noembed, atom.Datalist, atom.Rp, atom.Noframes:
		return tagSkip
	case atom.Noscript:
		return tagNoscript
	case atom.Area:
		return tagArea
	case atom.Br:
		return tagBreak
	case atom.Hr:
		return tagRule
	case atom.A:
		return tagLink
	case atom.Img, atom.Image:
		return tagImage
	case atom.Input:
		return tagInput
	case atom.Button:
		return tagButton
	case atom.Select:
		return tagSelect
	case atom.Textarea:
		return tagTextarea
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return tagHeading
	case atom.P:
		return tagParagraph
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		return tagPre
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		return tagList
	case atom.Dl:
		return tagDescriptions
	case atom.Table:
		return tagTable
	case atom.Section, atom.Article:
		return tagSection
	case atom.Nav, atom.Main, atom.Aside, atom.Header, atom.Footer:
		return tagRegion
	case atom.Form:
		return tagForm
	case atom.Dialog:
		return tagDialog
	case atom.Details:
		return tagDetails
	case atom.Fieldset:
		return tagFieldset
	case atom.Figure:
		return tagFigure
	case atom.Label:
		return tagLabel
	case atom.Iframe, atom.Frame:
		return tagFrame
	case atom.Video, atom.Audio, atom.Object, atom.Embed, atom.Canvas:
		return tagMedia
	case atom.Meter, atom.Progress:
		return tagGauge
	case atom.Blockquote:
		return tagQuote
	}
	return tagInline
}

// lineTag says that an element stands in a line of text without being text: if
// it is a block, it only keeps apart the words around it.
func lineTag(t tag) bool {
	switch t {
	case tagImage, tagInput, tagSelect, tagTextarea, tagGauge, tagMedia:
		return true
	}
	return false
}

// blockTag says that an element is a block by the user agent's own rules.
func blockTag(t tag) bool {
	switch t {
	case tagBlock, tagRule, tagHeading, tagParagraph, tagPre, tagList, tagDescriptions, tagTable, tagSection,
		tagRegion, tagForm, tagDialog, tagDetails, tagFieldset, tagFigure, tagQuote, tagItem:
		return true
	}
	return false
}
