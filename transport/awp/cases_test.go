package awp_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestFieldCases runs testdata/cases/cases.jsonl against the built binary over
// AWP, each case with a server and a site of its own. What other parts run, or
// nothing yet, is listed with the reason; every case is in one of the tables.
func TestFieldCases(t *testing.T) {
	ran, open := 0, 0
	for _, c := range loadCases(t) {
		other, away := notRunHere[c.ID]
		run, here := caseRuns[c.ID]
		switch {
		case here == away:
			t.Errorf("%s must be in exactly one of caseRuns and notRunHere", c.ID)
		case away:
			t.Logf("%s %s [%s]: %s", c.ID, c.Title, c.standard(), other.check(t, c.ID))
			if other.file == "" {
				open++
			}
		default:
			ran++
			t.Run(c.ID+" "+c.Title+" ["+c.standard()+"]", func(t *testing.T) {
				t.Parallel()
				run(t, c)
			})
		}
	}
	t.Logf("%d cases: %d run here, %d elsewhere, %d not yet", ran+len(notRunHere), ran, len(notRunHere)-open, open)
}

// caseRuns says how each case is run.
var caseRuns = map[string]func(*testing.T, fieldCase){
	"UD-001": runExchange,
	"UD-003": runExchange,
	"UD-005": runExchange,
	"UD-007": runRefreshes,
	"UD-009": runContent,
	"UD-011": runContent,
	"UD-013": runContent,
	"UD-015": runDeep,
	"UD-017": runDuplicates,
	"UD-021": runShadow,
	"UD-023": runNames,
	"UD-025": runLongSessions,
	"UD-027": runHidden,
	"UD-029": runTexts,
	"UD-033": runForms,
	"UD-035": runForms,
	"UD-037": runForms,
	"UD-039": runForms,
	"UD-041": runForms,
	"UD-043": runForms,
	"UD-045": runForms,
	"UD-047": runStale,
	"UD-049": runAmbiguous,
	"UD-051": runCookies,
	"UD-053": runCookies,
	"UD-055": runIsolation,
	"UD-057": runCodings,
	"UD-059": runCutOff,
	"UD-061": runKinds,
	"UD-075": runBlocked,
	"UD-077": runFragments,
	"UD-079": runIDs,
}

// elsewhere is what runs a case that is not AWP's.
type elsewhere struct{ file, why string } // file names the case; "": nothing runs it yet

// notRunHere says why a case is not run over AWP, and what runs it.
var notRunHere = map[string]elsewhere{
	"UD-019": {"transport/mcp/stdio_test.go", "the MCP server on stdio"},
	"UD-031": {"", "wants a choice of engines, and machines without a browser"},
	"UD-063": {"fetch/http2_test.go", "wants a scripted HTTP/2 peer"},
	"UD-065": {"testdata/crawl/robots.json", "robots.txt is the crawler's"},
	"UD-067": {"crawl_test.go", "the crawler's"},
	"UD-069": {"crawl_test.go", "sitemaps are the crawler's"},
	"UD-071": {"crawl_test.go", "the crawler's"},
	"UD-073": {"crawl_test.go", "pauses between requests are the crawler's"},
}

// check says who runs the case, if that is so.
func (e elsewhere) check(t *testing.T, id string) string {
	t.Helper()
	if e.file == "" {
		return "not run yet: " + e.why
	}
	if text, err := os.ReadFile("../../" + e.file); err != nil || !strings.Contains(string(text), id) {
		t.Errorf("%s is said to be run by %s, which does not name it: %v", id, e.file, err)
	}
	return "run by " + e.file + ": " + e.why
}

// fieldCase is one line of cases.jsonl.
type fieldCase struct {
	ID       string          `json:"id"`
	Area     string          `json:"area"`
	Title    string          `json:"title"`
	Input    caseInput       `json:"input"`
	Expected json.RawMessage `json:"expected"`
}

type caseInput struct {
	Kind string `json:"kind"`
	served
	Variants []served        `json:"variants"`
	Pages    json.RawMessage `json:"pages"`
	Plain    string          `json:"plain"`

	Request   caseRequest         `json:"request"` // exchange
	Server    json.RawMessage     `json:"server"`
	Jar       []hostCookie        `json:"jar"`
	Set       []cookieResponse    `json:"set"` // cookies
	Get       []string            `json:"get"`
	URLs      []string            `json:"urls"`
	Redirects []map[string]string `json:"redirects"`
	Frames    []wsFrame           `json:"frames_from_client"`
	Messages  []rpcRow            `json:"messages"`
}

// served is a document and what is done with it.
type served struct {
	Name     string                       `json:"name"`
	URL      string                       `json:"url"`
	Headers  map[string]string            `json:"headers"`
	HTML     *string                      `json:"html"`
	Parts    []part                       `json:"html_parts"`
	Bytes    string                       `json:"bytes_b64"`
	Body     *string                      `json:"body"`
	Coding   string                       `json:"content-encoding"`
	Then     string                       `json:"then"`
	Generate string                       `json:"generate"`
	Steps    []map[string]json.RawMessage `json:"steps"`
}

// part is a string, or one that is repeated.
type part struct {
	Text   string
	Repeat string `json:"repeat"`
	Times  int    `json:"times"`
}

func (p *part) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &p.Text) == nil {
		return nil
	}
	type fields part
	return json.Unmarshal(b, (*fields)(p))
}

type caseRequest struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// scripted is an answer and the request that gets it.
type scripted struct {
	On       string            `json:"on"` // METHOD host/path
	Cookie   string            `json:"if_cookie"`
	NoCookie string            `json:"if_no_cookie"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"headers"`
	Body     string            `json:"body"`
}

type hostCookie struct {
	Host      string `json:"host"`
	SetCookie string `json:"set_cookie"`
}

type cookieResponse struct {
	URL       string   `json:"url"`
	SetCookie []string `json:"set_cookie"`
}

// loadCases reads the cases; what a variant leaves out is as outside of it.
func loadCases(t testing.TB) []fieldCase {
	t.Helper()
	f, err := os.Open("../../testdata/cases/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []fieldCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c fieldCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("line %d: %v", len(cases)+1, err)
		}
		if len(c.Input.Variants) == 0 {
			c.Input.Variants = []served{{}}
		}
		for i, v := range c.Input.Variants {
			c.Input.Variants[i] = v.withDefaults(c.Input.served)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

func (s served) withDefaults(d served) served {
	if s.URL == "" {
		s.URL = d.URL
	}
	if s.Headers == nil {
		s.Headers = d.Headers
	}
	if s.HTML == nil && s.Body == nil && s.Bytes == "" && s.Parts == nil {
		s.HTML, s.Body, s.Bytes, s.Parts = d.HTML, d.Body, d.Bytes, d.Parts
	}
	if s.Steps == nil {
		s.Steps = d.Steps
	}
	return s
}

// expect decodes the facts of a case.
func (c fieldCase) expect(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(c.Expected, into); err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
}

// standard is the section that makes the case right, without its explanation.
func (c fieldCase) standard() string {
	var e struct{ Standard string }
	_ = json.Unmarshal(c.Expected, &e)
	s, _, _ := strings.Cut(e.Standard, " (")
	s, _, _ = strings.Cut(s, ";")
	return s
}

// reply is how the site answers with the document.
func (s served) reply(t testing.TB) reply {
	t.Helper()
	r := reply{status: 200, header: s.Headers, then: s.Then}
	if r.header == nil {
		r.header = map[string]string{"content-type": "text/html; charset=utf-8"}
	}
	if s.Coding != "" {
		r.header = map[string]string{"content-type": "text/html", "content-encoding": s.Coding}
	}
	switch {
	case s.Bytes != "":
		b, err := base64.StdEncoding.DecodeString(s.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		r.body = b
	case s.Body != nil:
		r.body = []byte(*s.Body)
	case s.HTML != nil:
		r.body = []byte(*s.HTML)
	case s.Generate != "":
		r.body = cutGzip(t)
		r.header["content-length"] = fmt.Sprint(len(r.body))
	}
	for _, p := range s.Parts {
		r.body = append(r.body, p.Text+strings.Repeat(p.Repeat, p.Times)...)
	}
	return r
}

// cutGzip is the first 4,000 bytes of a longer gzip stream.
func cutGzip(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("<title>cut</title><a href=/x>link</a>"))
	for n := range 3000 {
		_, _ = fmt.Fprintf(z, "<p>%d</p>", n*n*2654435761%1_000_003)
	}
	if err := z.Close(); err != nil || b.Len() < 4000 {
		t.Fatalf("gzip of %d bytes: %v", b.Len(), err)
	}
	return b.Bytes()[:4000]
}
