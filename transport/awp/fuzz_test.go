package awp

import (
	"encoding/json"
	"testing"

	"plasmate/messages"
)

// FuzzReceive: whatever a client sends, the codec answers with frames that are
// JSON or makes one call for the frame, never both and never neither.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","type":"request","method":"awp.hello","params":{"awp_version":"0.1"}}`,
		`{"id":"2","method":"session.create","params":{"locale":"de-DE","timeout_ms":1.5}}`,
		`{"id":"3","method":"page.navigate","params":{"session_id":"s_1","url":"http://a.test/"}}`,
		`{"id":"4","method":"page.act","params":{"session_id":"s_1","intent":{"action":"click","target":{"ref":"e_1","fallback":{"text":"x","fallback":{"css":"a"}}}}}}`,
		`{"id":"5","method":"page.act","params":{"session_id":"s_1","intent":{"action":"select","target":{"css":"a"},"value":["a","b"]}}}`,
		`{"id":"6","method":"page.act","params":{"session_id":"s_1","intent":{"action":"back"}}}`,
		`{"id":"7","method":"page.extract","params":{"session_id":"s_1","fields":{"t":{"role":"heading","level":1,"props":["text"]}}}}`,
		`{"id":"8","method":"page.observe","params":{"session_id":"s_1","format":"markdown","ref":"e_1","mode":"mutations"}}`,
		`{"id":"9","method":"session.cookies.set","params":{"session_id":"s_1","cookies":[{"name":"a","domain":"b","expires":1e99}]}}`,
		`{"id":"\ud800","method":"page.close","params":{"session_id":"s","page_id":"p_1"}}`,
		`[`, `null`, `{"id":1}`, `{"id":"x","method":"page.extract","params":{"session_id":"s","fields":{"":{}}}}`,
	} {
		f.Add([]byte(seed), false)
	}
	f.Add([]byte{0x81, 0xa2}, true)
	f.Fuzz(func(t *testing.T, data []byte, binary bool) {
		c := NewConn(Config{})
		c.greeted, c.session = true, "s_1"
		step := c.Receive(messages.Frame{Data: data, Binary: binary})
		asked := 0
		for _, call := range step.Calls {
			if _, quiet := call.Request.(messages.CloseSession); !quiet || call.Tag.(tag).encode != nil {
				asked++
			}
		}
		if len(step.Frames)+asked != 1 {
			t.Fatalf("%d frames and %d calls for %q", len(step.Frames), asked, data)
		}
		for _, frame := range step.Frames {
			if !json.Valid(frame) {
				t.Fatalf("answer %q to %q is not JSON", frame, data)
			}
		}
		for _, call := range step.Calls {
			answer := c.Answer(call, nil, messages.Errorf(messages.Internal, "x"))
			for _, frame := range answer.Frames {
				if !json.Valid(frame) {
					t.Fatalf("answer %q to %q is not JSON", frame, data)
				}
			}
		}
	})
}

// TestEveryCodeHasACode: a new messages.Code must get its place in the protocol.
func TestEveryCodeHasACode(t *testing.T) {
	for _, code := range messages.Codes {
		if codes[code] == "" {
			t.Errorf("%s has no AWP code", code)
		}
	}
	if len(codes) != len(messages.Codes) {
		t.Errorf("%d codes are mapped, %d exist", len(codes), len(messages.Codes))
	}
}
