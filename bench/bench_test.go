package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plasmate"
	"plasmate/messages"
)

func TestReadURLs(t *testing.T) {
	got, err := ReadURLs(strings.NewReader("# Static sites\nhttps://a.test\n\n  https://b.test/#part  \nhttps://c.test/ # note\r\n#https://d.test\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"https://a.test", "https://b.test/#part", "https://c.test/"}; !cmp.Equal(got, want) {
		t.Errorf("ReadURLs = %q, want %q", got, want)
	}
}

func TestOutcomeOfPages(t *testing.T) {
	for _, c := range []struct {
		status      int
		contentType string
		want        Outcome
	}{
		{200, "text/html; charset=utf-8", OK},
		{200, "application/xhtml+xml", OK},
		{200, "", OK},
		{200, "TEXT/HTML;", OK},
		{200, "application/json", NotHTML},
		{200, "text/plain", NotHTML},
		{404, "text/html", HTTPError},
		{503, "application/json", HTTPError},
	} {
		if got := outcomeOf(messages.Navigated{Status: c.status, ContentType: c.contentType}); got != c.want {
			t.Errorf("outcome of %d %q = %q, want %q", c.status, c.contentType, got, c.want)
		}
	}
}

func TestOutcomeOfFailures(t *testing.T) {
	failure := func(code messages.Code, reason string) error {
		return &messages.Error{Code: code, Msg: reason, Detail: messages.NavigationDetail{Reason: reason}}
	}
	for _, c := range []struct {
		err  error
		want Outcome
	}{
		{failure(messages.NavigationFailed, "dns"), Failed},
		{failure(messages.NavigationFailed, "tls"), Failed},
		{failure(messages.NavigationFailed, "redirect_loop"), Failed},
		{failure(messages.NavigationFailed, "too_large"), Failed},
		{failure(messages.NavigationFailed, "http_status"), HTTPError},
		{failure(messages.NavigationFailed, "content_type"), NotHTML},
		{failure(messages.NavigationFailed, "timeout"), Timeout},
		{failure(messages.Timeout, "timeout"), Timeout},
		{failure(messages.Blocked, "blocked_address"), Blocked},
		{failure(messages.NavigationFailed, "unsupported_scheme"), Blocked},
		{messages.Errorf(messages.Canceled, "gone"), Failed},
		{messages.Errorf(messages.Timeout, "late"), Timeout},
		{errors.New("anything else"), Failed},
	} {
		if got := (Row{}).fail(c.err).Outcome; got != c.want {
			t.Errorf("outcome of %v = %q, want %q", c.err, got, c.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values []float64
		q      float64
		want   float64
	}{
		{nil, 0.5, 0},
		{[]float64{7}, 0.95, 7},
		{[]float64{1, 3}, 0.5, 2},
		{[]float64{1, 2, 3, 4, 5}, 0.5, 3},
		{[]float64{0, 100}, 0.95, 95},
	} {
		if got := quantile(c.values, c.q); got != c.want {
			t.Errorf("quantile(%v, %v) = %v, want %v", c.values, c.q, got, c.want)
		}
	}
}

func TestPrint(t *testing.T) {
	for _, c := range []struct {
		unit unit
		v    float64
		want string
	}{
		{whole, 0, "0"},
		{whole, 999, "999"},
		{whole, 1000, "1,000"},
		{whole, 1234567.6, "1,234,568"},
		{whole, -1000, "-1,000"},
		{whole, -100, "-100"},
		{ratio, 17.94, "17.9x"},
		{ratio, 0, "0.0x"},
		{percent, 1, "100.0%"},
		{percent, 0.9996, "99.9%"},
		{percent, 0.997, "99.7%"},
		{millis, 411.6, "412"},
	} {
		if got := c.unit.print(c.v); got != c.want {
			t.Errorf("print %v = %q, want %q", c.v, got, c.want)
		}
	}
}

// The format of AWP §6: a program that reads the document's example reads this.
func TestMarkdownIsTheDocumentsFormat(t *testing.T) {
	rows := []Row{
		{
			URL: "https://news.ycombinator.com/", Outcome: OK, Status: 200, HTMLBytes: 42891, SOMBytes: 1847, HTMLTokens: 14000, SOMTokens: 700,
			Elements: 94, Interactive: 38, FetchMS: 412, CompileMS: 8, WordRecall: 1, LinkRecall: 0.9949, RecallAgainst: "a browser", CompactBytes: 1000, CompactTokens: 400, CompactRecall: 0.5,
		},
		{
			URL: "https://en.wikipedia.org/wiki/A|B", Outcome: OK, Status: 200, HTMLBytes: 218445, SOMBytes: 8932, HTMLTokens: 70000, SOMTokens: 3500,
			Elements: 1312, Interactive: 89, FetchMS: 1240, CompileMS: 18, WordRecall: 0.99, LinkRecall: 1, RecallAgainst: "a browser", CompactBytes: 1000, CompactTokens: 400, CompactRecall: 0.5,
		},
		{URL: "https://gone.test/", Outcome: HTTPError, Status: 410},
		{URL: "https://nowhere.test/" + strings.Repeat("x", 100), Outcome: Failed, Reason: "dns"},
	}
	var b strings.Builder
	r := Report{Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Engine: "plasmate v0.1.0", Summary: Summarise(rows), Rows: rows}
	if err := r.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "report.md"))
	if os.Getenv("UPDATE") != "" {
		err = os.WriteFile(filepath.Join("testdata", "report.md"), []byte(b.String()), 0o644)
		want = []byte(b.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b.String(), string(want)); d != "" {
		t.Errorf("report (-got +want):\n%s", d)
	}
}

func TestTokensAreCountedAsAWhole(t *testing.T) {
	c, err := NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Tokens([]byte("hello world")); got != 2 {
		t.Errorf("hello world has %d tokens, want 2", got)
	}
	text := []byte(strings.Repeat("The quick brown fox jumps, over the lazy dog. <p class=\"a\">Größe 12\n\n", 400))
	want, err := c.codec.Count(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Tokens(text); got != want {
		t.Errorf("counting in pieces gives %d tokens, at once %d", got, want)
	}
}

// A run without spaces must not take time with the square of its length.
func TestTokensOfALongRun(t *testing.T) {
	c, err := NewCounter()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Tokens([]byte(strings.Repeat("ä", 1<<18))); got == 0 {
		t.Error("no tokens")
	}
}

func TestRunKeepsEveryURL(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>%s</title><main><h1>Page</h1><p>Some words and <a href='/x'>a link</a></p></main>", r.URL.Path)
	}))
	defer s.Close()
	var urls []string
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("http://h%d.test/%d", i%3, i))
	}
	urls = append(urls, "not a URL", "http://h0.test/0", "ftp://h0.test/")
	var done int
	rows, err := Run(t.Context(), Plan{
		URLs: urls, Concurrency: 5, Done: func(Row) { done++ },
		Network: plasmate.NetworkConfig{Resolve: []string{"*.test=" + strings.TrimPrefix(s.URL, "http://")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(urls) || done != len(urls) {
		t.Fatalf("%d rows, %d reported, want %d", len(rows), done, len(urls))
	}
	for i, r := range rows {
		want := OK
		switch i {
		case 20:
			want = Failed
		case 22:
			want = Blocked
		}
		if r.URL != urls[i] || r.Outcome != want {
			t.Errorf("row %d is %s %q (%s), want %s %q", i, r.URL, r.Outcome, r.Error, urls[i], want)
		}
		if want == OK && (r.WordRecall != 1 || r.LinkRecall != 1 || r.HTMLTokens == 0 || r.SOMTokens == 0 || r.Elements == 0) {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if s := Summarise(rows); s.Tested != 23 || s.Successful != 21 || s.Outcomes[Failed] != 1 || s.Outcomes[Blocked] != 1 {
		t.Errorf("summary: %+v", s)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	plan := Plan{URLs: make([]string, 9), Concurrency: 2, Network: plasmate.NetworkConfig{Resolve: []string{"*.test=" + strings.TrimPrefix(s.URL, "http://")}}}
	for i := range plan.URLs {
		plan.URLs[i] = fmt.Sprintf("http://h%d.test/", i)
	}
	cancel()
	rows, err := Run(ctx, plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Outcome != Failed {
			t.Errorf("%s: %q, want %q", r.URL, r.Outcome, Failed)
		}
	}
}

func TestJSONHasNoEscapes(t *testing.T) {
	var b strings.Builder
	if err := (Report{Rows: []Row{{URL: "http://a.test/?a=1&b=<2>"}}}).JSON(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "?a=1&b=<2>") {
		t.Error(b.String())
	}
}
