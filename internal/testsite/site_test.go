package testsite

import (
	"io"
	"net/http"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The site tells hosts apart, keeps paths as they come and records requests.
func TestSite(t *testing.T) {
	s := Start(t)
	s.Page("a.test", "/", "text/html", "A")
	s.Page("b.test", "/x/", "", "B")
	s.Redirect("b.test", "/r", 302, "/x/")
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	for _, c := range []struct {
		host, path string
		status     int
		body       string
	}{
		{"a.test", "/", 200, "A"}, {"A.TEST:81", "/deep//er", 200, "A"}, {"b.test", "/x/y", 200, "B"},
		{"b.test", "/r", 302, ""}, {"b.test", "/none", 404, "404 page not found\n"}, {"c.test", "/", 421, "no such host here: c.test\n"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.Addr()+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		resp, err := tr.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || string(body) != c.body {
			t.Errorf("%s%s: %d %q, want %d %q", c.host, c.path, resp.StatusCode, body, c.status, c.body)
		}
	}
	want := []string{"GET a.test/", "GET A.TEST:81/deep//er", "GET b.test/x/y", "GET b.test/r", "GET b.test/none", "GET c.test/"}
	if got := s.Lines(); !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

func TestBombsAreSmall(t *testing.T) {
	for _, coding := range []string{"gzip", "br", "zstd"} {
		if n := len(Bomb(t, coding, 8<<20)); n > 16<<10 {
			t.Errorf("%s: %d bytes for 8 MiB", coding, n)
		}
	}
}
