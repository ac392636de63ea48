package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plasmate"
	"plasmate/actors"
	"plasmate/messages"
	"plasmate/transport/mcp"
)

// modelFlags are the flags of commands that talk to models.
type modelFlags struct {
	search  string
	idle    time.Duration
	secrets []string
}

func (m *modelFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&m.search, "search-url", "", "`URL` that words instead of an address lead to, with %s for the words")
	fs.DurationVar(&m.idle, "mcp-idle", 30*time.Minute, "time after which an unused MCP session over HTTP is closed")
	fs.StringArrayVar(&m.secrets, "secret", nil, "`NAME=env:VAR[@HOST,…]`: a value that models may type as ‹secret:NAME› on these hosts; repeatable")
	withEnv(fs, "search-url", "mcp-idle")
}

// readSecrets takes the values from the environment, so that they stand in no
// command line.
func (m *modelFlags) readSecrets() ([]actors.Secret, error) {
	var list []actors.Secret
	for _, s := range m.secrets {
		name, rest, ok := strings.Cut(s, "=env:")
		variable, hosts, bound := strings.Cut(rest, "@")
		if !ok || name == "" || variable == "" {
			return nil, usagef("--secret %q is not NAME=env:VAR or NAME=env:VAR@HOST", s)
		}
		value, ok := os.LookupEnv(variable)
		if !ok {
			return nil, usagef("--secret %s: the environment variable %s is not set", name, variable)
		}
		secret := actors.Secret{Name: name, Value: value}
		if bound {
			secret.Hosts = strings.Split(hosts, ",")
		}
		list = append(list, secret)
	}
	return list, nil
}

func (m *modelFlags) config(engine *plasmate.Engine, n networkFlags) mcp.Config {
	return mcp.Config{
		Asker: engine.Asker(), Version: plasmate.Version, Session: messages.OpenSession(n.session()),
		Idle: m.idle, SearchURL: m.search,
	}
}

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	serveFlags
	transport string
}

func (a *app) mcpCommand() *cobra.Command {
	f := &mcpFlags{}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve a model over the Model Context Protocol",
		Long: `Mcp speaks the Model Context Protocol with one client on stdin and stdout, or,
with --transport http, with many on http://HOST:PORT/mcp, where plasmate serve
has it too. Pages come as short text with refs [n]; what changed comes as a
difference. On stdio nothing but the protocol goes to stdout.`,
		Example: `  plasmate mcp
  plasmate mcp --transport http --port 9223
  SHOP_PW=… plasmate mcp --secret SHOP=env:SHOP_PW@shop.example`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context(), f) },
	}
	cmd.Flags().StringVar(&f.transport, "transport", "stdio", "stdio or http")
	f.register(cmd.Flags())
	return cmd
}

func (a *app) mcp(ctx context.Context, f *mcpFlags) error {
	switch f.transport {
	case "http":
		return a.serve(ctx, &f.serveFlags)
	case "stdio":
	default:
		return usagef("--transport is stdio or http, not %q", f.transport)
	}
	if err := f.check(); err != nil {
		return err
	}
	secrets, err := f.models.readSecrets()
	if err != nil {
		return err
	}
	engine, err := plasmate.New(plasmate.Config{
		Network: f.net.NetworkConfig, Limits: f.engine, Files: f.files, Secrets: secrets, Log: a.logger(),
	})
	if err != nil {
		return usageError{err}
	}
	cfg := f.models.config(engine, f.net)
	cfg.Log = a.logger()
	err = mcp.Serve(ctx, cfg, a.in, a.out)
	if ctx.Err() != nil {
		err = nil // a signal is the other way to end it
	}
	if err != nil {
		err = fmt.Errorf("serve MCP: %w", err)
	}
	return errors.Join(err, closeEngine(engine))
}
