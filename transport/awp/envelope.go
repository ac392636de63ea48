package awp

import (
	"bytes"
	"encoding/json"

	"plasmate/messages"
)

// envelopeID is a request's id as text and as the client wrote it.
type envelopeID struct {
	text string
	raw  json.RawMessage
}

// noID stands in answers to frames without a usable id.
var noID = envelopeID{raw: json.RawMessage(`""`)}

// envelope is one request frame (AWP §2).
type envelope struct {
	id     envelopeID
	method string
	params map[string]json.RawMessage
}

// decodeEnvelope reads a frame. The envelope's id is set even with an error, where there is one.
func decodeEnvelope(data []byte) (envelope, *messages.Error) {
	env := envelope{id: noID}
	if !json.Valid(data) {
		return env, invalid("the frame is not JSON")
	}
	fields, ok := object(data)
	if !ok {
		return env, invalid("the frame is not a JSON object")
	}
	if text, ok := text(fields["id"]); ok && text != "" {
		env.id = envelopeID{text: text, raw: fields["id"]}
	} else {
		return env, badParam("id", "non-empty string")
	}
	if raw, ok := fields["type"]; ok && !isNull(raw) {
		if kind, ok := text(raw); !ok || kind != "request" {
			return env, badParam("type", `"request"`)
		}
	}
	method, ok := text(fields["method"])
	if !ok || method == "" {
		return env, badParam("method", "name of a method")
	}
	env.method = method
	if raw, ok := fields["params"]; ok && !isNull(raw) {
		if env.params, ok = object(raw); !ok {
			return env, badParam("params", "object")
		}
	}
	return env, nil
}

// object reads a JSON object's members; of equal names the last counts.
func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var m map[string]json.RawMessage
	return m, json.Unmarshal(raw, &m) == nil
}

func text(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(raw, &s) == nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// encodeResult is a response frame with the given result.
func encodeResult(id envelopeID, result any) []byte {
	return append(appendJSON(openResult(id, 256), result), '}')
}

// openResult is the beginning of a response frame, up to its result's value.
func openResult(id envelopeID, room int) []byte {
	b := make([]byte, 0, len(id.raw)+room+64)
	b = append(b, `{"id":`...)
	b = append(b, id.raw...)
	return append(b, `,"type":"response","result":`...)
}

// appendJSON appends v as compact JSON in which <, > and & stay.
func appendJSON(b []byte, v any) []byte {
	w := bytes.NewBuffer(b)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // only our own structs come here
		return append(b, "null"...)
	}
	return bytes.TrimSuffix(w.Bytes(), []byte("\n"))
}
