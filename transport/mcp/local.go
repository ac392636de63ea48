package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Local is a client of a server in the same process: what it reads is what a
// model reads. It is safe for concurrent use.
type Local struct {
	session *sdk.ClientSession
	stop    context.CancelFunc
	ended   chan struct{}
}

// Dial starts a server for one local client and connects to it.
func Dial(ctx context.Context, cfg Config) (*Local, error) {
	here, there := sdk.NewInMemoryTransports()
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &Local{stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(l.ended)
		_ = NewServer(cfg).Run(run, there) // the client sees its end
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "plasmate", Version: cfg.Version}, nil).Connect(ctx, here, nil)
	if err != nil {
		stop()
		return nil, fmt.Errorf("connect to the tools: %w", err)
	}
	l.session = session
	return l, nil
}

// Call uses a tool. failed says that the text is an error line.
func (l *Local) Call(ctx context.Context, tool string, args map[string]any) (text string, failed bool, err error) {
	r, err := l.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", true, fmt.Errorf("call %s: %w", tool, err)
	}
	var parts []string
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			parts = append(parts, t.Text)
		}
	}
	return strings.Join(parts, "\n"), r.IsError, nil
}

// Close ends the session and the server.
func (l *Local) Close() error {
	err := l.session.Close()
	l.stop()
	<-l.ended
	return err
}
