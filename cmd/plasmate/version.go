package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"plasmate"
	"plasmate/som"
	"plasmate/transport/awp"
)

// versions is what `plasmate version --json` prints.
type versions struct {
	Version  string `json:"version"`
	AWP      string `json:"awp"`
	SOM      string `json:"som"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"`
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of plasmate and its protocols",
		Example: "  plasmate version\n  plasmate version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versions{
				Version: plasmate.Version, AWP: awp.ProtocolVersion, SOM: som.Version,
				Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Revision: revision(),
			}
			if asJSON {
				return json.NewEncoder(a.out).Encode(v)
			}
			_, err := fmt.Fprintf(a.out, "plasmate %s (AWP %s, SOM %s, %s %s)\n", v.Version, v.AWP, v.SOM, v.Go, v.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// revision is the commit that was built, if the build recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
