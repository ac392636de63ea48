package awp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A session that was exported goes on in another process: cookies, network,
// pages with what was typed into them, and history.
func TestASessionGoesOnInAnotherProcess(t *testing.T) {
	site := newSite(t, func(r seenRequest) reply {
		switch r.path() {
		case "/login":
			p := page(`<title>Form</title><form action=/go method=post><input id=name name=name><input type=password id=pw name=pw>` +
				`<select id=s name=s><option>one<option>two<option>three</select><input type=checkbox id=c name=c checked><textarea id=t name=t>old</textarea>` +
				`<details id=d><summary>more</summary>inside</details><button id=b>go</button></form>`)
			p.cookies = []string{"sid=1; Path=/; HttpOnly", "theme=dark; Path=/; Max-Age=1000"}
			return p
		case "/second":
			return page("<title>Second</title><p>second page")
		}
		return page("<title>" + r.path() + "</title>" + r.header.Get("Cookie"))
	})
	first := newAgent(t, site)
	first.must("session.set_network", map[string]any{"user_agent": "agent/7", "headers": map[string]string{"X-Team": "red"}}, nil)
	first.mustLoad("http://a.test/start")
	first.mustLoad("http://a.test/login")
	for _, intent := range []map[string]any{
		{"action": "type", "target": map[string]string{"css": "#name"}, "value": "Käse & \"Co\""},
		{"action": "type", "target": map[string]string{"css": "#pw"}, "value": "s3cret"},
		{"action": "select", "target": map[string]string{"css": "#s"}, "value": "three"},
		{"action": "toggle", "target": map[string]string{"css": "#c"}},
		{"action": "type", "target": map[string]string{"css": "#t"}, "value": "a\nb"},
		{"action": "toggle", "target": map[string]string{"css": "#d"}},
	} {
		if _, err := first.act(intent); err != nil {
			t.Fatalf("%v: %v %s", intent, err, err.Details)
		}
	}
	var second struct {
		PageID string `json:"page_id"`
	}
	first.must("page.create", nil, &second)
	first.must("page.navigate", map[string]any{"page_id": second.PageID, "url": "http://a.test/second"}, nil)
	before := first.rawSOM()
	exported := first.export()

	other := newAgent(t, site)
	var imported struct {
		Pages []struct {
			PageID     string `json:"page_id"`
			URL, Title string
		}
	}
	other.must("session.import", map[string]any{"state": exported}, &imported)
	site.requests()
	if len(imported.Pages) != 2 || imported.Pages[0].Title != "Form" || imported.Pages[1].URL != "http://a.test/second" || imported.Pages[1].PageID != second.PageID {
		t.Errorf("imported %+v", imported)
	}
	if diff := cmp.Diff(string(other.rawSOM()), string(before)); diff != "" {
		t.Errorf("the page, got - want +\n%s", diff)
	}
	var again, once bytes.Buffer
	if json.Indent(&again, other.export(), "", " ") != nil || json.Indent(&once, exported, "", " ") != nil {
		t.Fatal("no JSON")
	}
	if diff := cmp.Diff(again.String(), once.String()); diff != "" {
		t.Errorf("exported again, got - want +\n%s", diff)
	}
	if n := len(site.requests()); n != 0 {
		t.Errorf("the import made %d requests", n)
	}

	if _, err := other.act(map[string]any{"action": "click", "target": map[string]string{"css": "#b"}}); err != nil {
		t.Fatal(err)
	}
	r := site.requests()[0]
	if r.line != "POST a.test/go" || r.body != "name=K%C3%A4se+%26+%22Co%22&pw=s3cret&s=three&t=a%0D%0Ab" {
		t.Errorf("sent %s %s", r.line, r.body)
	}
	for name, want := range map[string]string{"Cookie": "sid=1; theme=dark", "User-Agent": "agent/7", "X-Team": "red", "Referer": "http://a.test/login"} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, want := range []string{"http://a.test/login", "http://a.test/start"} {
		if _, err := other.act(map[string]any{"action": "back"}); err != nil {
			t.Fatalf("back to %s: %v", want, err)
		}
		if got := other.observe().URL; got != want {
			t.Errorf("back leads to %s, want %s", got, want)
		}
	}
}

func (a *agent) export() json.RawMessage {
	a.t.Helper()
	var r struct{ State json.RawMessage }
	a.must("session.export", nil, &r)
	return r.State
}

// What no session could have is refused, and the session is as it was.
func TestImportRefuses(t *testing.T) {
	site := newSite(t, pagesAt(map[string]reply{"/p": page(`<title>P</title><input id=i name=i><select id=s><option>a<option>b</select>`)}))
	a := newAgent(t, site)
	a.mustLoad("http://a.test/p")
	for _, intent := range []map[string]any{
		{"action": "type", "target": map[string]string{"css": "#i"}, "value": "typed"},
		{"action": "select", "target": map[string]string{"css": "#s"}, "value": "b"},
	} {
		if _, err := a.act(intent); err != nil {
			t.Fatal(err)
		}
	}
	good := string(a.export())
	for _, tt := range []struct{ name, old, new string }{
		{"another format", `"plasmate.session"`, `"other"`},
		{"another version", `"version":1`, `"version":2`},
		{"an address that is none", `"url":"http://a.test/p"`, `"url":"nonsense"`},
		{"a file's address", `"url":"http://a.test/p"`, `"url":"file:///etc/passwd"`},
		{"no encoding", `"encoding":"UTF-8"`, `"encoding":"klingon"`},
		{"binary content", `"content_type":"text/html; charset=utf-8"`, `"content_type":"image/png"`},
		{"a node that is not there", `"node":4`, `"node":4000`},
		{"a value that the field cannot have", `"value":"typed"`, `"value":"ty\nped"`},
		{"an option that is not there", `"selected":[1]`, `"selected":[7]`},
		{"options in disorder", `"selected":[1]`, `"selected":[1,0]`},
		{"a cookie without a host", `"cookies":[]`, `"cookies":[{"name":"a","value":"b"}]`},
		{"a header of the connection", `"cookies":[]`, `"headers":{"Host":"b.test"},"cookies":[]`},
		{"a page id twice", `"pages":[`, `"pages":[{"page_id":"p_1"},`},
		{"another engine", `"engine":"static"`, `"engine":"other"`},
		{"no pages", `"pages":[`, `"pages":7,"x":[`},
	} {
		bad := strings.Replace(good, tt.old, tt.new, 1)
		if bad == good {
			t.Errorf("%s: %q is not in %s", tt.name, tt.old, good)
			continue
		}
		err := a.call("session.import", map[string]any{"state": json.RawMessage(bad)}, nil)
		if err == nil || err.Code != "INVALID_REQUEST" {
			t.Errorf("%s: %v, want INVALID_REQUEST", tt.name, err)
		}
	}
	a.must("session.import", map[string]any{"state": json.RawMessage(good)}, nil)
	if som := a.observe(); som.Title != "P" || som.byHTMLID("i").attr("value") != "typed" {
		t.Errorf("after the refusals: %+v", som)
	}
}

// Secrets that a session holds never get into the server's log.
func TestSecretsStayOutOfLogs(t *testing.T) {
	site := newSite(t, func(r seenRequest) reply {
		p := page(`<form action=http://127.0.0.1:1/x method=post><input type=password id=pw name=pw><button id=b>go</button></form>`)
		p.cookies = []string{"sid=c00kie-secret; Path=/"}
		return p
	})
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	url, process := startLogged(t, exec.Command(path, "serve", "--port", "0", "--log-level", "debug", "--log-format", "json", "--resolve", "*.test="+site.addr), &log)
	a := connect(t, url)
	a.must("session.set_network", map[string]any{"headers": map[string]string{"Authorization": "Bearer header-secret"}}, nil)
	a.mustLoad("http://a.test/p?q=1")
	if _, err := a.act(map[string]any{"action": "type", "target": map[string]string{"css": "#pw"}, "value": "typed-secret"}); err != nil {
		t.Fatal(err)
	}
	state := a.export()
	a.must("session.import", map[string]any{"state": state}, nil)
	_ = a.call("session.import", map[string]any{"state": json.RawMessage(strings.Replace(string(state), `"status":200`, `"status":1`, 1))}, nil)
	_, _ = a.act(map[string]any{"action": "click", "target": map[string]string{"css": "#b"}})
	process()
	for _, secret := range []string{"c00kie-secret", "header-secret", "typed-secret"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s is in the log:\n%s", secret, log.String())
		}
		if !bytes.Contains(state, []byte(secret)) {
			t.Errorf("%s is not in the exported state", secret)
		}
	}
}

// startLogged runs a server whose log goes to log; end waits for its end.
func startLogged(t *testing.T, cmd *exec.Cmd, log *bytes.Buffer) (url string, end func()) {
	t.Helper()
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "plasmate listening on ")), func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("plasmate serve: %v", err)
		}
	}
}
