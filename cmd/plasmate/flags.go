package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"plasmate"
	"plasmate/messages"
)

// envKey marks a flag that an environment variable can give.
const envKey = "env"

// withEnv lets PLASMATE_NAME stand in for the named flags.
func withEnv(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		f := fs.Lookup(name)
		if f == nil {
			continue
		}
		env := "PLASMATE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		f.Usage += " (env " + env + ")"
		f.Annotations = map[string][]string{envKey: {env}}
	}
}

// applyEnv sets the flags that the command line left alone from the environment.
func applyEnv(fs *pflag.FlagSet) (err error) {
	fs.VisitAll(func(f *pflag.Flag) {
		env := f.Annotations[envKey]
		if len(env) == 0 || f.Changed || err != nil {
			return
		}
		if v := os.Getenv(env[0]); v != "" {
			if e := fs.Set(f.Name, v); e != nil {
				err = fmt.Errorf("environment variable %s: %w", env[0], e)
			}
		}
	})
	return err
}

// networkFlags are the flags of every command that fetches.
type networkFlags struct {
	plasmate.NetworkConfig
	timeout   time.Duration
	userAgent string
}

func (n *networkFlags) register(fs *pflag.FlagSet, userAgent string) {
	fs.StringSliceVar(&n.Resolve, "resolve", nil, "dial `PATTERN=ADDR[:PORT]` for hosts that fit PATTERN, such as *.test=127.0.0.1:8080; repeatable")
	fs.BoolVar(&n.AllowPrivate, "allow-private-network", false, "reach loopback and private addresses too")
	fs.StringVar(&n.CAFile, "ca-file", "", "PEM `FILE` of further certificate authorities")
	fs.StringSliceVar(&n.Insecure, "insecure", nil, "`HOST` whose certificate is not verified; repeatable")
	fs.StringVar(&n.Proxy, "proxy", "", "reach the web through `URL`: http://, https:// or socks5://HOST:PORT")
	fs.StringSliceVar(&n.NoProxy, "no-proxy", nil, "`HOST` that is reached without the proxy; repeatable")
	fs.BoolVar(&n.NoCache, "no-cache", false, "keep no HTTP cache")
	fs.BoolVar(&n.Styles, "styles", false, "fetch external style sheets, which say what is hidden")
	fs.DurationVar(&n.timeout, "timeout", messages.DefaultTimeout, "time for one navigation")
	fs.StringVar(&n.userAgent, "user-agent", userAgent, "User-Agent header")
	withEnv(fs, "resolve", "allow-private-network", "ca-file", "insecure", "proxy", "no-proxy", "no-cache", "styles", "timeout", "user-agent")
}

func (n *networkFlags) check() error {
	if n.timeout <= 0 {
		return usagef("--timeout must be positive")
	}
	return nil
}

func (n *networkFlags) session() plasmate.SessionOptions {
	return plasmate.SessionOptions{UserAgent: n.userAgent, Timeout: n.timeout}
}

// logFlags say what goes to stderr, and how.
type logFlags struct{ format, level string }

func (l *logFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&l.format, "log-format", "text", "logs as text or json")
	fs.StringVar(&l.level, "log-level", "warn", "least severe log level: debug, info, warn or error")
	withEnv(fs, "log-format", "log-level")
}

func (l *logFlags) check() error {
	if l.format != "text" && l.format != "json" {
		return usagef("--log-format is text or json, not %q", l.format)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.level)); err != nil {
		return usagef("--log-level is debug, info, warn or error, not %q", l.level)
	}
	return nil
}

func (a *app) logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(a.log.level)) // checked before
	o := &slog.HandlerOptions{Level: level}
	if a.log.format == "json" {
		return slog.New(slog.NewJSONHandler(a.err, o))
	}
	return slog.New(slog.NewTextHandler(a.err, o))
}

// onTerminal says whether a person reads w.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colours says whether w may be coloured (https://no-color.org).
func colours(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && onTerminal(w)
}

func paint(w io.Writer, code, s string) string {
	if !colours(w) {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// bad is s in red where stderr is a terminal.
func (a *app) bad(s string) string { return paint(a.err, "31", s) }

// heading is s in bold where stdout is a terminal.
func (a *app) heading(s string) string { return paint(a.out, "1", s) }
