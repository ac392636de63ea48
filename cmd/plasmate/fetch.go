package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plasmate"
	"plasmate/fetch"
	"plasmate/fetch/charset"
	"plasmate/fetch/cookie"
	"plasmate/fetch/mime"
	"plasmate/messages"
)

func (a *app) fetchCommand() *cobra.Command {
	var n networkFlags
	var o outputFlags
	cmd := &cobra.Command{
		Use:   "fetch URL...",
		Short: "Fetch pages and print what is on them",
		Long: `Fetch loads each URL in a session of its own and prints the page.

Several URLs: a SOM a line (JSON lines), or sections headed ==> URL <==.
A URL that fails is reported on stderr, the others are printed, and the exit
code is 1. A page with an HTTP error status is a page.`,
		Example: `  plasmate fetch https://example.com
  plasmate fetch https://example.com --format markdown --output page.md
  plasmate fetch http://shop.test/ --resolve shop.test=127.0.0.1:8080
  plasmate fetch https://example.com https://example.org | jq .title`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, urls []string) error {
			if err := errors.Join(n.check(), o.check()); err != nil {
				return err
			}
			return a.fetch(cmd.Context(), urls, n, o)
		},
	}
	o.register(cmd.Flags())
	n.register(cmd.Flags(), messages.DefaultUserAgent)
	return cmd
}

// view gets one URL's page in the format asked for.
type view func(ctx context.Context, url string) ([]byte, error)

func (a *app) fetch(ctx context.Context, urls []string, n networkFlags, o outputFlags) error {
	get, closeAll, err := a.viewer(n, o.format)
	if err != nil {
		return usageError{err}
	}
	p := a.printer(o, len(urls) > 1)
	failed := false
	for _, url := range urls {
		page, err := get(ctx, url)
		if err != nil {
			failed = true
			hint := ""
			if !strings.Contains(url, ":") {
				hint = "; write https://" + url
			}
			fmt.Fprintf(a.err, "%s %s: %v%s\n", a.bad("plasmate:"), url, err, hint)
			continue
		}
		if err := p.print(url, page); err != nil {
			return errors.Join(err, closeAll())
		}
	}
	if err := errors.Join(closeAll(), p.close()); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// viewer makes the view of a format and what ends it. The source of a page is
// none of a session's answers, so it is fetched without one.
func (a *app) viewer(n networkFlags, format string) (view, func() error, error) {
	if format == formatHTML {
		client, err := newClient(n)
		if err != nil {
			return nil, nil, err
		}
		source := func(ctx context.Context, url string) ([]byte, error) {
			r, err := fetchSource(ctx, client, url, n)
			if err != nil {
				return nil, err
			}
			if t := mime.Classify(r.Header, r.Body); t.Kind == mime.Binary {
				return nil, fmt.Errorf("the body is %s, not text", cmp.Or(r.Header.Get("Content-Type"), "binary"))
			}
			text, _ := charset.Decode(r.Body, r.Header.Get("Content-Type"))
			return text, nil
		}
		return source, func() error { client.Close(); return nil }, nil
	}
	engine, err := plasmate.New(plasmate.Config{Network: n.NetworkConfig, Log: a.logger()})
	if err != nil {
		return nil, nil, err
	}
	page := func(ctx context.Context, url string) ([]byte, error) {
		s, err := engine.Open(ctx, n.session())
		if err != nil {
			return nil, err
		}
		defer s.Close(ctx) // nothing depends on how it ends
		if _, err := s.Navigate(ctx, url); err != nil {
			return nil, err
		}
		return observe(ctx, s, format)
	}
	return page, func() error { return closeEngine(engine) }, nil
}

func observe(ctx context.Context, s *plasmate.Session, format string) ([]byte, error) {
	switch format {
	case formatText:
		text, err := s.Text(ctx)
		return []byte(text), err
	case formatMarkdown:
		text, err := s.Markdown(ctx)
		return []byte(text), err
	case formatLinks:
		links, err := s.Links(ctx)
		return linkLines(links), err
	case formatView:
		text, err := s.View(ctx, messages.View{})
		return []byte(text), err
	case formatCompact:
		return s.Compact(ctx, 0)
	}
	return s.Observe(ctx)
}

func newClient(n networkFlags) (*fetch.Client, error) {
	var rules []fetch.HostRule
	for _, r := range n.Resolve {
		rule, err := fetch.ParseHostRule(r)
		if err != nil {
			return nil, fmt.Errorf("resolve rule %q: %w", r, err)
		}
		rules = append(rules, rule)
	}
	return fetch.New(fetch.Config{
		AllowPrivateNetwork: n.AllowPrivate, Resolve: rules, CAFile: n.CAFile, InsecureHosts: n.Insecure,
	})
}

// fetchSource gets a document as a session would, with cookies and redirects.
func fetchSource(ctx context.Context, c *fetch.Client, url string, n networkFlags) (*fetch.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, n.timeout)
	defer cancel()
	r, _, err := fetch.Follow(ctx, c, fetch.Navigation{URL: url, UserAgent: n.userAgent, Jar: new(cookie.Jar)})
	return r, err
}
