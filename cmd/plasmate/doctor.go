package main

import (
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// finding is one thing that doctor looked at.
type finding struct {
	name     string
	ok       bool
	required bool // plasmate does not work without it
	note     string
	fix      string // how to get it, when it is not there
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine lacks, and how to get it",
		Long: `Doctor checks what plasmate and its tools need on this machine. It opens a
loopback socket and runs 'python3' and 'chromium --version'; it does not touch
the network. The exit code is 1 if something is missing that plasmate cannot do
without.`,
		Example: "  plasmate doctor",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			missing := false
			for _, f := range []finding{loopbackCheck(), rootsCheck(), namesCheck(), filesCheck(), pythonCheck(), chromiumCheck()} {
				a.report(f)
				missing = missing || f.required && !f.ok
			}
			if missing {
				return errReported
			}
			return nil
		},
	}
}

func (a *app) report(f finding) {
	mark := paint(a.out, "32", "ok     ")
	switch {
	case !f.ok && f.required:
		mark = paint(a.out, "31", "missing")
	case !f.ok:
		mark = paint(a.out, "33", "without")
	}
	fmt.Fprintf(a.out, "%s  %-18s %s\n", mark, f.name, f.note)
	if !f.ok {
		fmt.Fprintf(a.out, "%28s %s\n", "", f.fix)
	}
}

func loopbackCheck() finding {
	f := finding{name: "loopback sockets", required: true, note: "plasmate serve can listen on 127.0.0.1"}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.note, f.fix = err.Error(), "allow this user to listen on 127.0.0.1"
		return f
	}
	f.ok = l.Close() == nil
	return f
}

func rootsCheck() finding {
	f := finding{name: "certificates", ok: true, note: "https servers can be verified"}
	pool, err := x509.SystemCertPool()
	if err != nil || pool.Equal(x509.NewCertPool()) {
		f.ok, f.note, f.fix = false, "no certificate authorities: https pages will fail with reason tls", "apt-get install ca-certificates, or --ca-file FILE"
	}
	return f
}

func namesCheck() finding {
	f := finding{name: "name servers", ok: true, note: "/etc/resolv.conf names one"}
	b, err := os.ReadFile("/etc/resolv.conf")
	if err != nil || !strings.Contains(string(b), "nameserver") {
		f.ok, f.note, f.fix = false, "/etc/resolv.conf names none", "add one, or name hosts with --resolve"
	}
	return f
}

// wantFiles is enough for 10,000 connections and their fetches.
const wantFiles = 20_000

func filesCheck() finding {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return finding{name: "open files", note: err.Error(), fix: "ulimit -n 20000"}
	}
	f := finding{name: "open files", ok: r.Max >= wantFiles, note: fmt.Sprintf("at most %d at once", r.Max)}
	if !f.ok {
		f.note += ", fewer than --max-connections may need"
		f.fix = fmt.Sprintf("ulimit -n %d before plasmate serve", wantFiles)
	}
	return f
}

func pythonCheck() finding {
	f := finding{name: "python websockets", note: "clients/python works", fix: "apt-get install python3-websockets (only for the Python client)"}
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(python, "-c", "import websockets").Run() == nil {
			f.ok = true
			return f
		}
	}
	f.note = "the Python client needs it"
	return f
}

func chromiumCheck() finding {
	f := finding{name: "chromium", note: "plasmate audit has nothing to compare with but an approximation", fix: "apt-get install chromium (only for plasmate audit)"}
	path := findChromium()
	if path == "" {
		return f
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		f.note = path + ": " + err.Error()
		return f
	}
	f.ok, f.note = true, strings.TrimSpace(string(out))
	return f
}

// findChromium is the path of an installed Chromium, "" if there is none.
func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
