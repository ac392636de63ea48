package plasmate_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"plasmate"
	"plasmate/messages"
	"plasmate/som"
	"plasmate/testdata/site"
)

// The lines between the marks stand in the README.
func Example_readme() {
	server := httptest.NewServer(site.Handler())
	defer server.Close()
	ctx := context.Background()
	addr := server.Listener.Addr().String()

	// README begin
	engine, err := plasmate.New(plasmate.Config{Network: plasmate.NetworkConfig{Resolve: []string{"shop.test=" + addr}}})
	check(err)
	defer engine.Close(ctx)
	session, err := engine.Open(ctx, plasmate.SessionOptions{Locale: "en-GB"})
	check(err)
	page, err := session.Navigate(ctx, "http://shop.test/")
	check(err)
	done, err := session.Act(ctx, messages.Act{Action: "click", Target: &som.Target{Text: "Harbour lamp", Role: "link"}})
	check(err)
	fmt.Println(page.Title, done.URL)
	// README end

	// Output:
	// Lantern & Loom http://shop.test/products/harbour-lamp
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func TestREADMEShowsWhatRuns(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	_, code, _ := strings.Cut(read("readme_test.go"), "\t// README begin\n")
	code, _, _ = strings.Cut(code, "\t// README end\n")
	code = strings.ReplaceAll("\n"+code, "\n\t", "\n")
	if !strings.Contains(read("README.md"), "```go"+code+"```") {
		t.Errorf("README.md does not have the lines of Example_readme:%s", code)
	}
}
