package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plasmate/som"
)

// The formats of a page.
const (
	formatSOM      = "som"
	formatCompact  = "compact"
	formatText     = "text"
	formatView     = "observation"
	formatMarkdown = "markdown"
	formatLinks    = "links"
	formatHTML     = "html"
)

// outputFlags say how a page is printed, and where.
type outputFlags struct{ format, file string }

func (o *outputFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.format, "format", formatSOM, "som (JSON), compact (JSON with short keys and folds), text, observation (what a model reads), markdown, links (URL and text, tab separated) or html (the source as UTF-8)")
	fs.StringVarP(&o.file, "output", "o", "", "write to `FILE` instead of stdout")
}

func (o *outputFlags) check() error {
	if !slices.Contains([]string{formatSOM, formatCompact, formatText, formatView, formatMarkdown, formatLinks, formatHTML}, o.format) {
		return usagef("--format is som, compact, text, observation, markdown, links or html, not %q", o.format)
	}
	return nil
}

// printer writes pages: to a file when all are there, to stdout as they come.
type printer struct {
	outputFlags
	w        io.Writer
	held     *bytes.Buffer // for the file
	sections bool          // several pages: name each
	pretty   bool
	printed  int
}

func (a *app) printer(o outputFlags, several bool) *printer {
	p := &printer{outputFlags: o, w: a.out, sections: several && o.format != formatSOM && o.format != formatCompact}
	if o.file != "" && o.file != "-" {
		p.held = new(bytes.Buffer)
		p.w = p.held
		return p
	}
	p.pretty = o.format == formatSOM && !several && onTerminal(a.out)
	return p
}

// print writes one page. It ends with a line break.
func (p *printer) print(url string, page []byte) error {
	var b bytes.Buffer
	if p.sections {
		if p.printed > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "==> %s <==\n", url)
	}
	p.printed++
	if p.pretty {
		if err := json.Indent(&b, page, "", "  "); err != nil {
			return fmt.Errorf("indent SOM: %w", err)
		}
	} else {
		b.Write(page)
	}
	if n := b.Len(); n > 0 && b.Bytes()[n-1] != '\n' {
		b.WriteByte('\n')
	}
	_, err := p.w.Write(b.Bytes())
	return err
}

// close writes the file, if there is one and something to write.
func (p *printer) close() error {
	if p.held == nil || p.printed == 0 {
		return nil
	}
	return os.WriteFile(p.file, p.held.Bytes(), 0o644)
}

// linkLines prints a link a line: URL, tab, text.
func linkLines(links []som.Link) []byte {
	var b bytes.Buffer
	for _, l := range links {
		fmt.Fprintf(&b, "%s\t%s\n", l.URL, strings.Join(strings.Fields(l.Text), " "))
	}
	return b.Bytes()
}
