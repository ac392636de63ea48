package awp

import (
	"plasmate/messages"
)

// method is a row of the method table.
type method struct {
	decode func(*params) (request, *messages.Error)
}

// request is a decoded request, the session it goes to and the encoder of its answer.
type request struct {
	session messages.SessionID
	message any
	encode  func(id envelopeID, answer any) []byte
}

// methods is the codec's table of contents. awp.hello is not here: it is
// answered by the connection itself.
var methods = map[string]*method{
	"session.create":        row(decodeCreate, encodeCreated),
	"session.close":         row(decodeClose, encodeClosed),
	"session.cookies.get":   row(decodeGetCookies, encodeCookiesGot),
	"session.cookies.set":   row(decodeSetCookies, encodeCookiesSet),
	"session.cookies.clear": row(decodeClearCookies, encodeCookiesCleared),
	"session.export":        row(decodeExport, encodeExported),
	"session.import":        row(decodeImport, encodeImported),
	"session.set_network":   row(decodeSetNetwork, encodeNetworkSet),
	"page.create":           row(decodeCreatePage, encodePageOpened),
	"page.close":            row(decodeClosePage, encodePageClosed),
	"page.navigate":         row(decodeNavigate, encodeNavigated),
	"page.observe":          frameRow(decodeObserve, encodeObserved),
	"page.act":              {decode: decodeAnyAct},
	"page.extract":          frameRow(decodeExtract, encodeExtracted),
}

// row pairs a decoder with the encoder of what answers its message: a wrong
// pair does not compile.
func row[M messages.Request[A], A, R any](decode func(*params) (messages.SessionID, M), encode func(A) R) *method {
	return frameRow(decode, func(id envelopeID, a A) []byte { return encodeResult(id, encode(a)) })
}

// frameRow is row for results that are bytes already.
func frameRow[M messages.Request[A], A any](decode func(*params) (messages.SessionID, M), encode func(envelopeID, A) []byte) *method {
	return &method{
		decode: func(p *params) (request, *messages.Error) {
			session, m := decode(p)
			return request{session: session, message: m, encode: func(id envelopeID, answer any) []byte {
				a, ok := answer.(A)
				if !ok {
					return encodeError(id, messages.Errorf(messages.Internal, "internal error"))
				}
				return encode(id, a)
			}}, p.err
		},
	}
}
