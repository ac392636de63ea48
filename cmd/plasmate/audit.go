package main

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plasmate/bench/audit"
	"plasmate/messages"
)

// auditFlags are the flags of audit.
type auditFlags struct {
	net         networkFlags
	corpus      bool
	asJSON      bool
	chromium    string
	contentType string
}

func (a *app) auditCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit FILE|URL...",
		Short: "Measure how much of a page its SOM, text and markdown keep",
		Long: `Audit compares what plasmate says of a page with what a real browser shows of
it: words, links, headings and form fields, kept and invented. Where Chromium
is installed it is asked (scripts off, nothing loaded); otherwise the
document's own text stands in, and the report says so.`,
		Example: `  plasmate audit page.html
  plasmate audit https://example.com --json
  plasmate audit --corpus`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.corpus {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.net.check(); err != nil {
				return err
			}
			return a.audit(cmd.Context(), args, f)
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.corpus, "corpus", false, "audit the page corpus: that of PLASMATE_CORPUS, or the repository's")
	fs.BoolVar(&f.asJSON, "json", false, "print a JSON object")
	fs.StringVar(&f.chromium, "chromium", findChromium(), "Chromium to ask; empty asks none")
	fs.StringVar(&f.contentType, "content-type", "", "Content-Type of FILEs")
	f.net.register(fs, messages.DefaultUserAgent)
	fs.Lookup("chromium").DefValue = "" // differs between machines
	return cmd
}

func (a *app) audit(ctx context.Context, args []string, f auditFlags) error {
	var report audit.Report
	var err error
	if f.corpus {
		var pages []audit.Page
		var which string
		if pages, which, err = audit.Corpus(); err == nil {
			fmt.Fprintf(a.err, "corpus: %s, %d pages\n", which, len(pages))
			report = audit.Run(pages)
		}
	} else {
		var targets []audit.Target
		if targets, err = a.targets(ctx, args, f); err == nil {
			report, err = audit.Documents(ctx, targets, f.chromium)
		}
	}
	if err != nil {
		return err
	}
	if f.asJSON {
		_, err = fmt.Fprintf(a.out, "%s\n", report.JSON())
		return err
	}
	_, err = fmt.Fprint(a.out, report.Markdown())
	return err
}

// targets reads files and fetches URLs.
func (a *app) targets(ctx context.Context, args []string, f auditFlags) ([]audit.Target, error) {
	client, err := newClient(f.net)
	if err != nil {
		return nil, usageError{err}
	}
	defer client.Close()
	var targets []audit.Target
	for _, arg := range args {
		if u, err := url.Parse(arg); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			r, err := fetchSource(ctx, client, arg, f.net)
			if err != nil {
				return nil, err
			}
			targets = append(targets, audit.Target{Name: arg, URL: r.URL, ContentType: r.Header.Get("Content-Type"), Body: r.Body})
			continue
		}
		t, err := fileTarget(arg, f.contentType)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func fileTarget(name, contentType string) (audit.Target, error) {
	body, err := os.ReadFile(name)
	if err != nil {
		return audit.Target{}, err
	}
	if contentType == "" {
		contentType = "text/html"
		if t := mime.TypeByExtension(filepath.Ext(name)); strings.Contains(t, "xhtml") {
			contentType = "application/xhtml+xml"
		}
	}
	if len(body) == 0 {
		return audit.Target{}, errors.New(name + " is empty")
	}
	return audit.Target{Name: name, URL: "https://file.test/" + url.PathEscape(filepath.Base(name)), ContentType: contentType, Body: body}, nil
}
