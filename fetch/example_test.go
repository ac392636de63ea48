package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"plasmate/fetch"
	"plasmate/fetch/cookie"
)

// A navigation to a test host: the host rule leads its name to loopback, which
// the guard refuses otherwise.
func ExampleFollow() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/home", http.StatusFound)
			return
		}
		fmt.Fprint(w, "hello")
	}))
	defer srv.Close()
	rule, err := fetch.ParseHostRule("*.test=" + srv.Listener.Addr().String())
	if err != nil {
		panic(err)
	}
	client, err := fetch.New(fetch.Config{Resolve: []fetch.HostRule{rule}})
	if err != nil {
		panic(err)
	}
	defer client.Close()
	resp, hops, err := fetch.Follow(context.Background(), client, fetch.Navigation{URL: "http://shop.test/#top", Jar: new(cookie.Jar)})
	if err != nil {
		panic(err)
	}
	fmt.Println(resp.URL, resp.Status, string(resp.Body), len(hops))
	_, _, err = fetch.Follow(context.Background(), client, fetch.Navigation{URL: "http://localhost/"})
	fmt.Println(err)
	// Output:
	// http://shop.test/home#top 200 hello 2
	// localhost is refused, a loopback address: pass --allow-private-network (or set PLASMATE_ALLOW_PRIVATE_NETWORK=1) if that is intended
}
