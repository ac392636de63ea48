package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plasmate/testdata/site"
)

// TestMain makes this test binary the plasmate command of scripts and subprocesses.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plasmate": main})
}

func TestScripts(t *testing.T) {
	server := testServer(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SITE", strings.TrimPrefix(server.URL, "http://"))
			e.Setenv("NO_COLOR", "1")
			return nil
		},
	})
}

// testServer serves the demo site, and on hosts of their own what else servers do.
func testServer(t *testing.T) *httptest.Server {
	shop := site.Handler()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch host, _, _ := strings.Cut(r.Host, ":"); host {
		case "agent.test":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<title>Agent</title><p>You are "+r.UserAgent()+"</p>")
		case "gone.test":
			w.WriteHeader(http.StatusGone)
		case "paper.test":
			w.Header().Set("Content-Type", "application/pdf")
			io.WriteString(w, "%PDF-1.7")
		case "data.test":
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"answer":42}`)
		case "slow.test":
			<-r.Context().Done()
		default:
			shop.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	for _, e := range os.Environ() { // a developer's settings must not decide a test
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "PLASMATE_") && name != "PLASMATE_CORPUS" {
			t.Setenv(name, "")
		}
	}
	return s
}
