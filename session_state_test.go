package plasmate_test

import (
	"bytes"
	"testing"

	"plasmate"
	"plasmate/internal/testsite"
	"plasmate/messages"
	"plasmate/som"
)

// A session goes on in another engine as it was.
func TestSessionState(t *testing.T) {
	site := testsite.Start(t)
	site.Page("a.test", "/", "text/html", `<title>Form</title><input id=i name=i>`)
	open := func() *plasmate.Session {
		t.Helper()
		e, err := plasmate.New(plasmate.Config{Network: plasmate.NetworkConfig{Resolve: []string{site.Rule()}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := e.Close(t.Context()); err != nil && t.Context().Err() == nil {
				t.Error(err)
			}
		})
		s, err := e.Open(t.Context(), plasmate.SessionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := open(), open()
	agent := "agent/1"
	if n, err := first.SetNetwork(t.Context(), messages.SetNetwork{UserAgent: &agent}); err != nil || n.UserAgent != agent || n.Locale != messages.DefaultLocale {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := first.Navigate(t.Context(), "http://a.test/"); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Act(t.Context(), messages.Act{Action: "type", Value: "typed", Target: &som.Target{CSS: "#i"}}); err != nil {
		t.Fatal(err)
	}
	want, err := first.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	state, err := first.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pages, err := second.Import(t.Context(), state)
	if err != nil || len(pages) != 1 || pages[0].Title != "Form" {
		t.Fatalf("imported %+v, %v", pages, err)
	}
	if got, err := second.Observe(t.Context()); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
	if _, err := second.Navigate(t.Context(), "http://a.test/"); err != nil {
		t.Fatal(err)
	}
	rs := site.Requests()
	if got := rs[len(rs)-1].Header.Get("User-Agent"); got != agent {
		t.Errorf("User-Agent %q, want %q", got, agent)
	}
}
