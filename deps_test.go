package plasmate_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// linked lists the modules of the plasmate command, ours left out. A new one is
// a decision: it needs a reason, a look at its licence and a line here.
var linked = strings.Fields(`
code.dny.dev/ssrf
github.com/VividCortex/ewma
github.com/Workiva/go-datastructures
github.com/acarl005/stripansi
github.com/andybalholm/brotli
github.com/andybalholm/cascadia
github.com/asynkron/protoactor-go
github.com/beorn7/perks
github.com/bits-and-blooms/bitset
github.com/cespare/xxhash/v2
github.com/clipperhouse/uax29/v2
github.com/dlclark/regexp2/v2
github.com/emirpasic/gods
github.com/go-logr/logr
github.com/go-logr/stdr
github.com/google/jsonschema-go
github.com/google/uuid
github.com/gorilla/websocket
github.com/hashicorp/golang-lru/v2
github.com/klauspost/compress
github.com/lithammer/shortuuid/v4
github.com/lmittmann/tint
github.com/mattn/go-runewidth
github.com/modelcontextprotocol/go-sdk
github.com/munnerz/goautoneg
github.com/nlnwa/whatwg-url
github.com/orcaman/concurrent-map
github.com/prometheus/client_golang
github.com/prometheus/client_model
github.com/prometheus/common
github.com/prometheus/otlptranslator
github.com/prometheus/procfs
github.com/segmentio/asm
github.com/segmentio/encoding
github.com/spf13/cobra
github.com/spf13/pflag
github.com/tdewolff/parse/v2
github.com/tiktoken-go/tokenizer
github.com/twmb/murmur3
github.com/vbauerster/cupwriter
github.com/vbauerster/mpb/v8
github.com/yosida95/uritemplate/v3
go.etcd.io/bbolt
go.opentelemetry.io/auto/sdk
go.opentelemetry.io/otel
go.opentelemetry.io/otel/exporters/prometheus
go.opentelemetry.io/otel/log
go.opentelemetry.io/otel/metric
go.opentelemetry.io/otel/sdk
go.opentelemetry.io/otel/sdk/metric
go.opentelemetry.io/otel/trace
golang.org/x/net
golang.org/x/oauth2
golang.org/x/sync
golang.org/x/sys
golang.org/x/term
golang.org/x/text
golang.org/x/time
google.golang.org/protobuf
`)

func TestLinkedModules(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/plasmate").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	got = slices.DeleteFunc(slices.Compact(got), func(m string) bool { return m == "plasmate" })
	if d := cmp.Diff(got, linked); d != "" {
		t.Errorf("modules in cmd/plasmate (-got +decided):\n%s", d)
	}
}

// What embeds plasmate must not pay for the tools: no command line, progress
// bar, tokenizer or WebSocket library.
func TestLibraryLinksNoTools(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		for _, tool := range []string{"github.com/spf13/", "github.com/vbauerster/", "github.com/tiktoken-go/", "github.com/gorilla/websocket", "testing"} {
			if strings.HasPrefix(p, tool) {
				t.Errorf("package plasmate links %s", p)
			}
		}
	}
}
