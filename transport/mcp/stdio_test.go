package mcp_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"plasmate/transport/mcp"
)

// TestStdioSurvivesBadLines (UD-019): a line that is no message is answered, or nothing
// is, and the next one is read; only JSON objects go out (MCP base protocol,
// stdio; JSON-RPC 2.0 §4.1, §5.1).
func TestStdioSurvivesBadLines(t *testing.T) {
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`this line is not JSON`,
		``,
		`[1,2]`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/no_such"}`,
		`{"jsonrpc":"2.0","id":7,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":"a","method":"ping","params":{"_meta":{"x":1}},"extra":true}`,
		`{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":8,`,
	}, "\n") + "\n"
	var out bytes.Buffer
	if err := mcp.Serve(t.Context(), config(t), strings.NewReader(in), &out); err != nil {
		t.Errorf("serve: %v", err)
	}
	errors := map[float64]int{}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var m struct {
			JSONRPC string
			ID      json.RawMessage
			Error   *struct{ Code float64 }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			t.Errorf("stdout has %q", line)
		}
		if m.Error != nil && string(m.ID) == "null" {
			errors[m.Error.Code]++
		}
	}
	if errors[-32700] != 2 || errors[-32600] != 2 {
		t.Errorf("errors without an id: %v, want two each of -32700 and -32600", errors)
	}
	if !strings.Contains(out.String(), `"id":1,`) {
		t.Errorf("initialize was not answered: %s", out.String())
	}
}
