package plasmate_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"plasmate"
	"plasmate/messages"
	"plasmate/som"
)

// shop is a small site on loopback.
func shop() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><html lang="en"><title>Tea shop</title><main><h1>Tea shop</h1>
<p>Fresh tea.</p><form action="/find"><label>Find <input name="q"></label><button>Search</button></form></main>`)
	})
	mux.HandleFunc("/find", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Found</title><main><h1>%s</h1>
<ul><li>Sencha $4.50</li><li>Matcha $9.00</li></ul></main>`, r.URL.Query().Get("q"))
	})
	return httptest.NewServer(mux)
}

func Example() {
	site := shop()
	defer site.Close()
	ctx := context.Background()

	engine, err := plasmate.New(plasmate.Config{Network: plasmate.NetworkConfig{
		Resolve: []string{"tea.test=" + site.Listener.Addr().String()},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close(ctx)

	session, err := engine.Open(ctx, plasmate.SessionOptions{Locale: "en-GB"})
	if err != nil {
		log.Fatal(err)
	}
	page, err := session.Navigate(ctx, "http://tea.test/")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Status, page.Title)

	for _, act := range []messages.Act{
		{Action: "type", Target: &som.Target{Text: "Find"}, Value: "green tea"},
		{Action: "click", Target: &som.Target{Text: "Search", Role: "button"}},
	} {
		if _, err := session.Act(ctx, act); err != nil {
			log.Fatal(err)
		}
	}
	found, err := session.Extract(ctx, messages.Extract{
		Names: []string{"title", "prices"},
		Fields: map[string]som.Query{
			"title":  {Role: "heading", Level: 1},
			"prices": {TextMatch: `\$\d+\.\d\d`, All: true},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(found.Data))
	// Output:
	// 200 Tea shop
	// {"title":"green tea","prices":["$4.50","$9.00"]}
}

func ExampleCompile() {
	page := plasmate.Compile([]byte(`<title>Hi</title><p>See <a href="more">more</a>.`), "https://example.com/a/", "text/html; charset=utf-8")
	for _, link := range page.Links() {
		fmt.Println(link.Text, link.URL)
	}
	fmt.Println(strings.TrimSpace(page.Text()))
	// Output:
	// more https://example.com/a/more
	// See more.
}
