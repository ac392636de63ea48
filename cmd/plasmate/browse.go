package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plasmate"
	"plasmate/transport/mcp"
)

func (a *app) browseCommand() *cobra.Command {
	var n networkFlags
	var m modelFlags
	cmd := &cobra.Command{
		Use:   "browse [URL]",
		Short: "Use pages by hand, with a model's tools",
		Long: `Browse reads commands and answers with exactly what a model would read: the
tools of plasmate mcp. Help lists the commands. On a terminal lines can be
edited, the arrow keys go through earlier ones and Tab completes.`,
		Example: `  plasmate browse https://example.com
  printf 'go https://example.com\nfind role:link\n' | plasmate browse`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.browse(cmd.Context(), n, m, args) },
	}
	n.register(cmd.Flags(), plasmateSession)
	m.register(cmd.Flags())
	return cmd
}

// plasmateSession leaves the user agent to the session's default.
const plasmateSession = ""

func (a *app) browse(ctx context.Context, n networkFlags, m modelFlags, args []string) error {
	if err := n.check(); err != nil {
		return err
	}
	secrets, err := m.readSecrets()
	if err != nil {
		return err
	}
	engine, err := plasmate.New(plasmate.Config{Network: n.NetworkConfig, Secrets: secrets, Log: a.logger()})
	if err != nil {
		return usageError{err}
	}
	defer func() { _ = closeEngine(engine) }() // nothing depends on how it ends
	tools, err := mcp.Dial(ctx, m.config(engine, n))
	if err != nil {
		return err
	}
	defer func() { _ = tools.Close() }()
	lines, restore, err := a.lines()
	if err != nil {
		return err
	}
	defer restore()
	b := &browser{tools: tools, out: lines}
	if len(args) == 1 {
		b.run(ctx, "go "+args[0])
	}
	for ctx.Err() == nil {
		line, err := lines.ReadLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read a command: %w", err)
		}
		if b.run(ctx, line) {
			break
		}
	}
	if b.failed && !lines.terminal {
		return errors.New("a command failed")
	}
	return nil
}

// console reads lines, edited where there is a terminal.
type console struct {
	io.Writer
	ReadLine func() (string, error)
	terminal bool
}

func (a *app) lines() (*console, func(), error) {
	in, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || !onTerminal(a.out) {
		s := bufio.NewScanner(a.in)
		s.Buffer(nil, 1<<20)
		return &console{Writer: a.out, ReadLine: func() (string, error) {
			if s.Scan() {
				return s.Text(), nil
			}
			if s.Err() != nil {
				return "", s.Err()
			}
			return "", io.EOF
		}}, func() {}, nil
	}
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, nil, fmt.Errorf("set up the terminal: %w", err)
	}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, a.out}, "> ")
	t.AutoCompleteCallback = completeCommand
	restore := func() { _ = term.Restore(int(in.Fd()), state) }
	return &console{Writer: t, ReadLine: t.ReadLine, terminal: true}, restore, nil
}

// completeCommand completes the first word of a line.
func completeCommand(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' || strings.Contains(line[:pos], " ") {
		return "", 0, false
	}
	var fit []string
	for _, c := range browseCommands {
		if strings.HasPrefix(c.name, line[:pos]) {
			fit = append(fit, c.name)
		}
	}
	if len(fit) != 1 {
		return "", 0, false
	}
	done := fit[0] + " " + line[pos:]
	return done, len(fit[0]) + 1, true
}

// browser runs commands.
type browser struct {
	tools  *mcp.Local
	out    io.Writer
	failed bool
}

// run does one line; true ends the session.
func (b *browser) run(ctx context.Context, line string) (quit bool) {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return false
	}
	i := slices.IndexFunc(browseCommands, func(c browseCommand) bool { return c.name == words[0] })
	switch {
	case words[0] == "quit" || words[0] == "exit":
		return true
	case words[0] == "help":
		for _, c := range browseCommands {
			fmt.Fprintf(b.out, "%-8s %-22s %s\n", c.name, c.usage, c.help)
		}
		return false
	case i < 0:
		b.say(fmt.Sprintf("✗ %s: no such command (help lists them)", words[0]), true)
		return false
	}
	c := browseCommands[i]
	args, err := c.args(words[1:])
	if err != nil {
		b.say(fmt.Sprintf("✗ %s: %v; usage: %s %s", c.name, err, c.name, c.usage), true)
		return false
	}
	text, failed, err := b.tools.Call(ctx, c.tool, args)
	if err != nil {
		text, failed = "✗ "+err.Error(), true
	}
	b.say(text, failed)
	return false
}

func (b *browser) say(text string, failed bool) {
	b.failed = b.failed || failed
	fmt.Fprintln(b.out, text)
}

// browseCommand is a short form of a tool.
type browseCommand struct {
	name, usage, help, tool string
	args                    func(words []string) (map[string]any, error)
}

var browseCommands = []browseCommand{
	{"go", "URL or words", "open a page, or search", "navigate", rest("url")},
	{"back", "", "go back", "navigate", fixed("url", "back")},
	{"forward", "", "go forward", "navigate", fixed("url", "forward")},
	{"reload", "", "load the page again", "navigate", fixed("url", "reload")},
	{"observe", "[actions|full|read]", "show the page", "observe", observeArgs},
	{"show", "REF", "show one part", "observe", refOnly},
	{"click", "REF", "click", "act", deed("click")},
	{"type", "REF TEXT", "replace a field's text", "act", deed("type")},
	{"append", "REF TEXT", "add to a field's text", "act", deed("append")},
	{"clear", "REF", "empty a field", "act", deed("clear")},
	{"select", "REF OPTION", "choose an option", "act", deed("select")},
	{"check", "REF", "tick a box", "act", deed("check")},
	{"uncheck", "REF", "untick a box", "act", deed("uncheck")},
	{"press", "REF KEY", "press Enter or Space", "act", deed("press")},
	{"submit", "REF", "send the field's form", "act", deed("submit")},
	{"find", "WORDS", "find words, role:NAME or css:SELECTOR", "find", rest("q")},
	{"extract", "table|list|text|meta", "take out rows, text or metadata", "extract", rest("kind")},
	{"tabs", "", "list the tabs", "tabs", func([]string) (map[string]any, error) { return map[string]any{"op": "list"}, nil }},
	{"open", "URL", "open a page in a new tab", "tabs", func(w []string) (map[string]any, error) {
		return map[string]any{"op": "open", "url": strings.Join(w, " ")}, nil
	}},
	{"tab", "N", "switch to a tab", "tabs", tabOp("switch")},
	{"close", "N", "close a tab", "tabs", tabOp("close")},
	{"wait", "TEXT", "wait for a text", "wait", rest("text")},
	{"help", "", "this list", "", nil},
	{"quit", "", "end", "", nil},
}

func rest(name string) func([]string) (map[string]any, error) {
	return func(w []string) (map[string]any, error) {
		if len(w) == 0 {
			return nil, errors.New("something is missing")
		}
		return map[string]any{name: strings.Join(w, " ")}, nil
	}
}

func fixed(name, value string) func([]string) (map[string]any, error) {
	return func([]string) (map[string]any, error) { return map[string]any{name: value}, nil }
}

func observeArgs(w []string) (map[string]any, error) {
	if len(w) == 0 {
		return nil, nil
	}
	return map[string]any{"mode": w[0]}, nil
}

func refOnly(w []string) (map[string]any, error) {
	n, _, err := refAndText(w)
	return map[string]any{"ref": n, "mode": "full"}, err
}

// deed is an act on a ref; "confirm" as the last word confirms it.
func deed(do string) func([]string) (map[string]any, error) {
	return func(w []string) (map[string]any, error) {
		args := map[string]any{"do": do}
		if len(w) > 1 && w[len(w)-1] == "confirm" {
			args["confirm"] = true
			w = w[:len(w)-1]
		}
		n, text, err := refAndText(w)
		args["ref"] = n
		if text != "" {
			args["text"] = text
		}
		return args, err
	}
}

func refAndText(w []string) (int, string, error) {
	if len(w) == 0 {
		return 0, "", errors.New("the ref is missing")
	}
	n, err := strconv.Atoi(strings.Trim(w[0], "[]"))
	if err != nil {
		return 0, "", fmt.Errorf("%q is no ref", w[0])
	}
	return n, strings.Join(w[1:], " "), nil
}

func tabOp(op string) func([]string) (map[string]any, error) {
	return func(w []string) (map[string]any, error) {
		n, _, err := refAndText(w)
		return map[string]any{"op": op, "index": n}, err
	}
}
