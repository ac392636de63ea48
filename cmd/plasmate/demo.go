package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plasmate/bench"
	"plasmate/clients/awp"
	"plasmate/testdata/site"
)

// demoHost is the name under which the demo site is reached.
const demoHost = "lantern.test"

func (a *app) demoCommand() *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole protocol on a built-in site, without network",
		Long: `Demo serves a small shop on loopback, starts the server on a free port and
drives it through a WebSocket as an agent would: hello, create a session,
navigate, observe, extract, click a link, fill a form and submit it. Every
answer is checked; the exit code is 1 if one is not as expected.`,
		Example: "  plasmate demo\n  plasmate demo --raw",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			return a.demo(ctx, raw)
		},
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "print messages whole")
	return cmd
}

// demo starts the site, the server and a client, and takes the tour.
func (a *app) demo(ctx context.Context, raw bool) (err error) {
	shop, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serve the demo site: %w", err)
	}
	pages := &tee{next: site.Handler()}
	web := &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second}
	go web.Serve(shop) // ends with Close
	defer web.Close()

	server, err := a.start(demoServer(shop.Addr()))
	if err != nil {
		return err
	}
	defer func() {
		if e := server.stop(); err == nil {
			err = e
		}
	}()
	count, err := bench.NewCounter()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "The shop http://%s/ is served on %s, the engine on %s\n", demoHost, shop.Addr(), server.URL())
	t := &tour{app: a, raw: raw, pages: pages, count: count}
	t.client, err = awp.Dial(ctx, server.URL(), awp.Options{Seen: t.show})
	if err != nil {
		return err
	}
	defer t.client.Close()
	return t.run(ctx)
}

// demoServer is `plasmate serve --port 0 --resolve lantern.test=SHOP`, other defaults untouched.
func demoServer(shop net.Addr) *serveFlags {
	f := &serveFlags{}
	f.register(pflag.NewFlagSet("serve", pflag.ContinueOnError)) // sets the defaults
	f.port = 0
	f.net.Resolve = []string{demoHost + "=" + shop.String()}
	return f
}
