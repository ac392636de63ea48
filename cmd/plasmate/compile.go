package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"plasmate"
	"plasmate/fetch/charset"
	"plasmate/som/compact"
	"plasmate/som/textview"
)

// compileFlags are the flags of compile.
type compileFlags struct {
	outputFlags
	url, contentType string
}

func (a *app) compileCommand() *cobra.Command {
	var f compileFlags
	cmd := &cobra.Command{
		Use:   "compile FILE|-",
		Short: "Compile a document from a file, without any network",
		Example: `  plasmate compile page.html --url https://example.com/page
  curl -s https://example.com | plasmate compile - --url https://example.com/ --format text
  plasmate compile old.html --content-type 'text/html; charset=shift_jis'`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			body, err := a.read(args[0])
			if err != nil {
				return err
			}
			p := a.printer(f.outputFlags, false)
			if err := p.print(f.url, f.render(body)); err != nil {
				return err
			}
			return p.close()
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&f.url, "url", "about:blank", "address of the document, which links are relative to")
	cmd.Flags().StringVar(&f.contentType, "content-type", "", "Content-Type header; says charset and kind, HTML if empty")
	return cmd
}

// read gives a file's bytes, or stdin's for "-".
func (a *app) read(name string) ([]byte, error) {
	if name == "-" {
		b, err := io.ReadAll(a.in)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return b, nil
	}
	return os.ReadFile(name)
}

func (f *compileFlags) render(body []byte) []byte {
	if f.format == formatHTML {
		text, _ := charset.Decode(body, f.contentType)
		return text
	}
	page := plasmate.Compile(body, f.url, f.contentType)
	switch f.format {
	case formatText:
		return []byte(page.Text())
	case formatMarkdown:
		return []byte(page.Markdown())
	case formatLinks:
		return linkLines(page.Links())
	case formatView:
		return []byte(textview.Render(page, new(textview.Refs), textview.Options{}).Text)
	case formatCompact:
		return compact.Encode(page, compact.Options{})
	}
	return page.JSON()
}
