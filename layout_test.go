package plasmate_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layout says which packages of this module each package may import. A name
// that ends in /... stands for all below it. Layering is a decision: change a
// row only with its reason beside it.
var layout = map[string][]string{
	// The embedding API puts everything together but transports and tools.
	"plasmate": {"actors", "cache", "engine", "engine/static", "fetch", "fetch/charset", "messages", "som", "store"},

	"messages": {"som"},
	// fetch/...: the session owns its cookie jar; crawls read robots and freshness.
	"actors": {"cache", "engine", "fetch", "fetch/...", "messages", "policy", "policy/...", "som", "som/...", "store"},

	// som is pure; below it: the tree, the style sheets, URLs and metadata.
	"som":          {"policy/hygiene", "policy/privacy", "som/dom", "som/metadata", "som/style", "som/weburl"},
	"som/dom":      {},
	"som/metadata": {"som/weburl"},
	"som/skim":     {}, // reads tokens and trees
	"som/compact":  {"som"},
	"som/mutation": {}, // compares SOMs as bytes
	"som/textview": {"policy/...", "som", "som/skim", "som/style", "som/weburl"},
	"som/style":    {},
	// som/weburl is the one URL parser of the module, so everything that meets URLs has it.
	"som/weburl": {},
	// Decisions on plain values: nothing of ours.
	"policy":         {},
	"policy/hygiene": {},
	"policy/privacy": {"policy/hygiene"},

	"engine":              {"som"},
	"engine/static":       {"engine", "engine/static/forms", "fetch", "fetch/...", "policy", "som", "som/dom", "som/weburl"},
	"engine/static/forms": {"som", "som/dom", "som/style", "som/weburl"},

	"fetch":           {"fetch/cookie", "fetch/freshness", "policy", "som/weburl"},
	"fetch/charset":   {"fetch/mime"},
	"fetch/cookie":    {"som/weburl"},
	"fetch/freshness": {},
	"fetch/mime":      {},
	"cache":           {"som"},
	"store":           {}, // entries and bytes: nothing of ours

	"transport/wire": {"messages"},
	"transport/mcp":  {"messages", "policy/hygiene"},                             // titles are page text
	"transport/awp":  {"messages", "policy", "som", "som/...", "transport/wire"}, // policy: language tags

	// bench starts a runtime of its own, whose engine keeps the documents that
	// recall is measured against, so it has what the root package has.
	"bench": {"plasmate", "actors", "bench/...", "cache", "engine", "engine/static", "fetch", "messages", "som"},
	// fetch/charset: decoding is not what an audit measures.
	"bench/audit":        {"bench/audit/reader", "bench/corpus", "fetch/charset", "som"},
	"bench/audit/reader": {}, // drives a browser: shares nothing with what it measures
	"bench/audit/record": {"bench/audit", "bench/audit/reader", "bench/corpus"},
	"bench/corpus":       {"fetch/charset"},
	"bench/memory":       {"clients/awp"}, // looks at a server from outside

	"clients/awp":   {}, // as foreign as any other client
	"testdata/site": {},

	"internal/golden":   {},
	"internal/testsite": {},

	// Wires, decides nothing.
	"cmd/plasmate": {
		"plasmate", "actors", "bench", "bench/...", "clients/awp", "fetch", "fetch/charset", "fetch/cookie", "fetch/mime", "messages", "som", "som/compact", "som/textview", "testdata/site",
		"transport/...",
	},
}

// owners says which packages alone may import a library, tests aside.
var owners = map[string][]string{
	"github.com/asynkron/protoactor-go": {"actors"},
	"github.com/gorilla/websocket":      {"transport/wire", "clients/awp"},
	"github.com/spf13/":                 {"cmd/plasmate"},
	"github.com/vbauerster/mpb":         {"cmd/plasmate"},
	"github.com/tiktoken-go/tokenizer":  {"bench"},
	"github.com/nlnwa/whatwg-url":       {"som/weburl"},
	"github.com/hashicorp/golang-lru":   {"cache"},
	"github.com/tdewolff/parse":         {"som/style"},
	"code.dny.dev/ssrf":                 {"fetch"},
	"github.com/chromedp/":              {"engine/chromium"},
	"github.com/modelcontextprotocol/":  {"transport/mcp"},
	"go.etcd.io/bbolt":                  {"store"},
}

// pure packages compute: they touch neither the machine nor the clock.
var pure = []string{"som", "som/compact", "som/dom", "som/metadata", "som/mutation", "som/skim", "som/style", "som/textview", "som/weburl", "policy", "policy/hygiene", "messages", "fetch/charset"}

// impure is what they do not import. fmt and time are allowed (durations, errors).
var impure = []string{"os", "os/exec", "net", "net/http", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "io/fs", "path/filepath", "syscall", "runtime/debug"}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

// name is the package's path within the module.
func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, "plasmate/") }

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...", "./testdata/site")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ps []goPackage
	d := json.NewDecoder(out)
	for {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			ps = append(ps, p)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return ps
}

func TestLayout(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t) {
		allowed, ok := layout[p.name()]
		seen[p.name()] = true
		if !ok {
			t.Errorf("package %s is not in the layout: add a row that says what it may import", p.name())
			continue
		}
		for _, i := range p.Imports {
			if i == "plasmate" || strings.HasPrefix(i, "plasmate/") {
				if i = strings.TrimPrefix(i, "plasmate/"); !matches(allowed, i) {
					t.Errorf("%s imports %s, which its row does not allow", p.name(), i)
				}
				continue
			}
			for library, by := range owners {
				if strings.HasPrefix(i, library) && !slices.Contains(by, p.name()) {
					t.Errorf("%s imports %s, which only %s may", p.name(), i, strings.Join(by, ", "))
				}
			}
			if slices.Contains(pure, p.name()) && slices.Contains(impure, i) {
				t.Errorf("%s is pure but imports %s", p.name(), i)
			}
		}
	}
	for name := range layout {
		if !seen[name] {
			t.Errorf("the layout has a row for %s, which does not exist", name)
		}
	}
}

func matches(allowed []string, name string) bool {
	for _, a := range allowed {
		if dir, ok := strings.CutSuffix(a, "..."); a == name || ok && strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

// Requests go out only from fetch: what decides on addresses, turns and limits
// must not be passed by. The audit's browser and the AWP client do not fetch pages.
func TestRequestsGoOutOnlyFromFetch(t *testing.T) {
	clients := map[string][]string{
		"http": {"Get", "Head", "Post", "PostForm", "Client", "Transport", "DefaultClient", "DefaultTransport", "NewRequest", "NewRequestWithContext"},
		"net":  {"Dial", "DialTimeout", "Dialer", "DialTCP"},
		"tls":  {"Dial", "Dialer"},
	}
	eachFile(t, func(p goPackage, name string, f *ast.File) {
		if p.name() == "fetch" || strings.HasPrefix(p.name(), "internal/") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil && slices.Contains(clients[x.Name], s.Sel.Name) {
				t.Errorf("%s uses %s.%s: requests go out only from fetch", name, x.Name, s.Sel.Name)
			}
			return true
		})
	})
}

// Pure packages start no goroutines and ask for no time.
func TestPurePackages(t *testing.T) {
	eachFile(t, func(p goPackage, name string, f *ast.File) {
		if !slices.Contains(pure, p.name()) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine", name)
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && (n.Sel.Name == "Now" || n.Sel.Name == "Since" || n.Sel.Name == "Sleep") {
					t.Errorf("%s asks for the time", name)
				}
			}
			return true
		})
	})
}

func TestEveryPackageHasOneDocComment(t *testing.T) {
	docs := map[string][]string{}
	eachFile(t, func(p goPackage, name string, f *ast.File) {
		if _, ok := docs[p.name()]; !ok {
			docs[p.name()] = nil
		}
		if f.Doc.Text() != "" {
			docs[p.name()] = append(docs[p.name()], name)
		}
	})
	for name, files := range docs {
		if len(files) != 1 {
			t.Errorf("package %s has %d doc comments %v, want 1", name, len(files), files)
		}
	}
}

// maxLines is where a file is split; tables and generated code are data, not files to read.
const maxLines = 800

func TestFilesAreNotTooLong(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(src), "\n"); n > maxLines && !strings.Contains(string(src[:min(len(src), 500)]), "Code generated") {
			t.Errorf("%s has %d lines, split it at %d", path, n, maxLines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachFile parses the files of every package, tests left out.
func eachFile(t *testing.T, do func(p goPackage, name string, f *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			do(p, p.name()+"/"+name, f)
		}
	}
}
