package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"plasmate/messages"
)

// call is one tool call under way.
type call struct {
	client  *client
	tool    string
	session messages.SessionID
	page    messages.PageID // the one the session looks at
	args    json.RawMessage
	request *sdk.CallToolRequest
}

// handler runs a tool. Whatever goes wrong is a result that a model can read
// and act on, not an error of the protocol.
func (c *client) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		session, page, err := c.opened(ctx, r.Session)
		if err != nil {
			return result(failure(t.name, err)), nil
		}
		told, err := t.run(ctx, &call{client: c, tool: t.name, session: session, page: page, args: r.Params.Arguments, request: r})
		if err != nil {
			told = failure(t.name, err)
		}
		return result(told), nil
	}
}

func result(t messages.Told) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: t.Text}}, IsError: t.Failed}
}

// failure is the error line of a call that did not reach a page.
func failure(tool string, err error) messages.Told {
	var bad *badArgument
	code, text := "unsupported", err.Error()
	var e *messages.Error
	switch {
	case errors.As(err, &bad):
		code = "invalid-args"
	case errors.As(err, &e):
		code = codes[e.Code]
	}
	return messages.Told{Text: "✗ " + tool + ": " + code + " " + strings.Join(strings.Fields(text), " "), Failed: true}
}

// codes are the text protocol's codes (§4) for those of messages.
var codes = map[messages.Code]string{
	messages.Invalid:          "invalid-args",
	messages.NotFound:         "not-found",
	messages.Timeout:          "timeout",
	messages.Canceled:         "timeout",
	messages.Blocked:          "blocked",
	messages.NavigationFailed: "navigation-failed",
	messages.ElementNotFound:  "not-found",
	messages.NotActionable:    "invalid-args",
	messages.Ambiguous:        "invalid-args",
	messages.NeedsConfirm:     "needs-confirm",
	messages.Limit:            "blocked",
	messages.Unsupported:      "unsupported",
	messages.Internal:         "unsupported",
}

// badArgument says what is wrong with a call's arguments.
type badArgument struct{ text string }

func (b *badArgument) Error() string { return b.text }

func bad(format string, args ...any) error { return &badArgument{fmt.Sprintf(format, args...)} }

// decode reads a call's arguments. Unknown ones are an error that names them:
// a model that guesses wrong should learn it.
func decode[A any](c *call) (A, error) {
	var a A
	raw := c.args
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return a, bad("%s must be %s", kind.Field, kind.Type)
		}
		return a, bad("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return a, nil
}

// ask sends a request of the text protocol to the call's session.
func (c *call) ask(ctx context.Context, m messages.Request[messages.Told]) (messages.Told, error) {
	return messages.Ask(ctx, c.client.cfg.Asker, c.session, m)
}

// tell reports progress to a client that asked for it.
func (c *call) tell(ctx context.Context, done, total int, text string) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: token, Progress: float64(done), Total: float64(total), Message: text,
	}) // a client that cannot be told still gets the result
}
