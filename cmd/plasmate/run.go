package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the command was understood and did not succeed
	exitUsage  = 2 // wrong flags or arguments; nothing was done
)

// app is what every command shares.
type app struct {
	in       io.Reader
	out, err io.Writer
	log      logFlags
	started  bool // the command line was understood
}

// usageError is a fault in the command line that its parser cannot see.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported ends a command whose failures were printed already.
var errReported = errors.New("reported already")

// Run executes one command line and returns the exit code. Output for programs
// goes to stdout, everything else to stderr. When ctx is done the command ends.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{in: stdin, out: stdout, err: stderr}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailed
	case !a.started || errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s %v\nRun 'plasmate help' or 'plasmate COMMAND --help' for usage.\n", a.bad("plasmate:"), err)
		return exitUsage
	}
	fmt.Fprintf(stderr, "%s %v\n", a.bad("plasmate:"), err)
	return exitFailed
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "plasmate",
		Short: "A browser engine for software agents",
		Long: `Plasmate fetches web pages, compiles them into a Semantic Object Model (SOM)
and lets agents navigate, observe, act and extract over AWP, a JSON protocol
on WebSocket.

Exit codes: 0 ok, 1 failed, 2 wrong usage. Results go to stdout, logs to stderr.
A flag marked (env NAME) can be given by that environment variable instead.`,
		Example: `  plasmate serve
  plasmate fetch https://example.com --format text
  plasmate demo`,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := applyEnv(cmd.Flags()); err != nil {
				return err
			}
			if err := a.log.check(); err != nil {
				return err
			}
			a.started = true
			return nil
		},
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().SortFlags = false
	a.log.register(root.PersistentFlags())
	root.AddCommand(
		a.serveCommand(), a.fetchCommand(), a.compileCommand(), a.benchCommand(), a.crawlCommand(), a.mcpCommand(), a.browseCommand(),
		a.auditCommand(), a.demoCommand(), a.doctorCommand(), a.versionCommand(),
	)
	for _, c := range root.Commands() {
		c.Flags().SortFlags = false
	}
	return root
}
