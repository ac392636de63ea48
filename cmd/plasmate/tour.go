package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"plasmate/bench"
	"plasmate/clients/awp"
	"plasmate/testdata/site"
)

// tour is the worked example of AWP, on the demo site.
type tour struct {
	app     *app
	raw     bool
	pages   *tee
	count   *bench.Counter
	client  *awp.Client
	session string
	steps   int
	totals  struct{ html, som, htmlTokens, somTokens int }
}

func (t *tour) run(ctx context.Context) error {
	for _, step := range []struct {
		title string
		do    func(context.Context) error
	}{
		{"Connect and shake hands", t.hello},
		{"Create a session", t.create},
		{"Navigate to the shop", t.home},
		{"Observe the page", t.observe("Lantern & Loom")},
		{"Extract the products and a price", t.products},
		{"Click a link", t.click("Fell blanket", "link", "/products/fell-blanket")},
		{"Observe the product", t.observe("Fell blanket – Lantern & Loom")},
		{"Type into the search box", t.fill("Search products", "wool")},
		{"Submit the search form", t.click("Search", "button", "/search?q=wool")},
		{"Extract the results", t.results},
		{"Go and sign in", t.click("Sign in", "link", "/login")},
		{"Fill in the email", t.fill("Email", site.Email)},
		{"Fill in the password", t.fill("Password", site.Password)},
		{"Submit the form", t.click("Sign in", "button", "/account")},
		{"Observe the account", t.observe("Your account – Lantern & Loom")},
		{"See who is signed in", t.account},
		{"Close the session", t.close},
	} {
		t.steps++
		fmt.Fprintf(t.app.out, "\n%s\n", t.app.heading(fmt.Sprintf("%d. %s", t.steps, step.title)))
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("demo step %d (%s): %w", t.steps, step.title, err)
		}
	}
	s := t.totals
	fmt.Fprintf(t.app.out, "\n%s\n%d steps, each as expected. %s\n", t.app.heading("Done"), t.steps,
		sizes("3 pages", s.html, s.htmlTokens, s.som, s.somTokens))
	return nil
}

func (t *tour) hello(ctx context.Context) error {
	var r struct {
		Version  string   `json:"awp_version"`
		Features []string `json:"features"`
	}
	err := t.client.Call(ctx, "awp.hello", map[string]string{"client_name": "demo", "client_version": "0.1.0", "awp_version": "0.1"}, &r)
	if err != nil {
		return err
	}
	for _, f := range []string{"som.snapshot", "act.primitive", "extract"} {
		if !slices.Contains(r.Features, f) {
			return fmt.Errorf("the server lacks the feature %s", f)
		}
	}
	return expect("awp_version", r.Version, "0.1")
}

func (t *tour) create(ctx context.Context) error {
	var r struct {
		ID string `json:"session_id"`
	}
	if err := t.client.Call(ctx, "session.create", nil, &r); err != nil {
		return err
	}
	t.session = r.ID
	return expect("form of session_id", strings.HasPrefix(r.ID, "s_"), true)
}

func (t *tour) home(ctx context.Context) error {
	var r struct {
		URL    string `json:"url"`
		Status int    `json:"status"`
		Ready  bool   `json:"som_ready"`
	}
	if err := t.client.Call(ctx, "page.navigate", map[string]string{"session_id": t.session, "url": "http://" + demoHost + "/"}, &r); err != nil {
		return err
	}
	if err := expect("status", r.Status, 200); err != nil {
		return err
	}
	return expect("som_ready", r.Ready, true)
}

// observe looks at a page, checks its title and says what it costs.
func (t *tour) observe(title string) func(context.Context) error {
	return func(ctx context.Context) error {
		var r struct {
			SOM json.RawMessage `json:"som"`
		}
		if err := t.client.Call(ctx, "page.observe", map[string]string{"session_id": t.session}, &r); err != nil {
			return err
		}
		var page struct {
			Title string `json:"title"`
			Meta  struct {
				HTMLBytes   int `json:"html_bytes"`
				SOMBytes    int `json:"som_bytes"`
				Elements    int `json:"element_count"`
				Interactive int `json:"interactive_count"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(r.SOM, &page); err != nil {
			return err
		}
		html := t.pages.last()
		htmlTokens, somTokens := t.count.Tokens(html), t.count.Tokens(r.SOM)
		t.totals.html += len(html)
		t.totals.som += len(r.SOM)
		t.totals.htmlTokens += htmlTokens
		t.totals.somTokens += somTokens
		fmt.Fprintf(t.app.out, "   %s; %d elements, %d interactive\n",
			sizes("this page", len(html), htmlTokens, len(r.SOM), somTokens), page.Meta.Elements, page.Meta.Interactive)
		if err := expect("meta.html_bytes", page.Meta.HTMLBytes, len(html)); err != nil {
			return err
		}
		if err := expect("meta.som_bytes", page.Meta.SOMBytes, len(r.SOM)); err != nil {
			return err
		}
		return expect("title", page.Title, title)
	}
}

func (t *tour) products(ctx context.Context) error {
	var r struct {
		Data struct {
			Title string  `json:"title"`
			Price *string `json:"price"`
			Links []struct {
				Text string  `json:"text"`
				Href *string `json:"href"`
			} `json:"links"`
		} `json:"data"`
		Provenance struct {
			Title string `json:"title"`
		} `json:"provenance"`
	}
	err := t.extract(ctx, map[string]any{
		"title": map[string]any{"role": "heading", "level": 1},
		"links": map[string]any{"role": "link", "region": "main", "all": true, "props": []string{"text", "href"}},
		"price": map[string]any{"text_match": `\$\d+\.\d{2}`},
	}, &r)
	if err != nil {
		return err
	}
	if err := expect("title", r.Data.Title, "Lamps and cloth, made in small runs"); err != nil {
		return err
	}
	if r.Data.Price == nil || *r.Data.Price != "$129.00" {
		return fmt.Errorf("price is %v, want $129.00", r.Data.Price)
	}
	if err := expect("form of the title's provenance", strings.HasPrefix(r.Provenance.Title, "e_"), true); err != nil {
		return err
	}
	return expect("number of links in main", len(r.Data.Links), 5)
}

func (t *tour) results(ctx context.Context) error {
	var r struct {
		Data struct {
			Heading string   `json:"heading"`
			Found   []string `json:"found"`
		} `json:"data"`
	}
	err := t.extract(ctx, map[string]any{
		"heading": map[string]any{"role": "heading", "level": 1},
		"found":   map[string]any{"role": "link", "region": "main", "all": true},
	}, &r)
	if err != nil {
		return err
	}
	if err := expect("heading", r.Data.Heading, "Results for “wool”"); err != nil {
		return err
	}
	return expect("results", strings.Join(r.Data.Found, ", "), "Fell blanket, Slate cushion")
}

func (t *tour) account(ctx context.Context) error {
	var r struct {
		Data struct {
			Heading string `json:"heading"`
			Orders  []struct {
				Rows [][]string `json:"rows"`
			} `json:"orders"`
		} `json:"data"`
	}
	err := t.extract(ctx, map[string]any{
		"heading": map[string]any{"role": "heading", "level": 1},
		"orders":  map[string]any{"role": "table", "all": true, "props": []string{"rows"}},
	}, &r)
	if err != nil {
		return err
	}
	if err := expect("heading", r.Data.Heading, "Welcome back, Ada"); err != nil {
		return err
	}
	if len(r.Data.Orders) != 1 || len(r.Data.Orders[0].Rows) != 2 {
		return fmt.Errorf("orders are %v, want one table of two rows", r.Data.Orders)
	}
	return nil
}

func (t *tour) extract(ctx context.Context, fields map[string]any, result any) error {
	return t.client.Call(ctx, "page.extract", map[string]any{"session_id": t.session, "fields": fields}, result)
}

// acted is the result of page.act.
type acted struct {
	Status   string `json:"status"`
	Resolved struct {
		Role string `json:"role"`
	} `json:"resolved"`
	Effects struct {
		Navigated  bool `json:"navigated"`
		SOMChanged bool `json:"som_changed"`
	} `json:"effects"`
}

func (t *tour) act(ctx context.Context, intent map[string]any) (acted, error) {
	var r acted
	err := t.client.Call(ctx, "page.act", map[string]any{"session_id": t.session, "intent": intent}, &r)
	if err == nil {
		err = expect("status", r.Status, "ok")
	}
	return r, err
}

// click clicks something by its name and expects to arrive at path.
func (t *tour) click(text, role, path string) func(context.Context) error {
	return func(ctx context.Context) error {
		r, err := t.act(ctx, map[string]any{"action": "click", "target": map[string]any{"text": text, "role": role}})
		if err != nil {
			return err
		}
		if err := expect("navigated", r.Effects.Navigated, true); err != nil {
			return err
		}
		return expect("address", t.pages.address(), path)
	}
}

// fill types into the input of that name.
func (t *tour) fill(name, value string) func(context.Context) error {
	return func(ctx context.Context) error {
		r, err := t.act(ctx, map[string]any{"action": "type", "target": map[string]any{"text": name, "role": "text_input"}, "value": value})
		if err != nil {
			return err
		}
		if err := expect("role", r.Resolved.Role, "text_input"); err != nil {
			return err
		}
		return expect("som_changed", r.Effects.SOMChanged, true)
	}
}

func (t *tour) close(ctx context.Context) error {
	var r struct {
		Closed bool `json:"closed"`
	}
	if err := t.client.Call(ctx, "session.close", map[string]string{"session_id": t.session}, &r); err != nil {
		return err
	}
	return expect("closed", r.Closed, true)
}

func expect[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s is %v, want %v", what, got, want)
	}
	return nil
}

// shownRunes is how much of a message is printed.
const shownRunes = 400

// show prints one exchange as it went over the wire.
func (t *tour) show(x awp.Exchange) {
	fmt.Fprintf(t.app.out, "-> %s\n<- %s\n", t.clip(x.Request), t.clip(x.Response))
}

func (t *tour) clip(message []byte) string {
	r := []rune(string(message))
	if t.raw || len(r) <= shownRunes {
		return string(r)
	}
	return fmt.Sprintf("%s … (%d bytes)", string(r[:shownRunes]), len(message))
}

// sizes compares what an agent would read.
func sizes(what string, html, htmlTokens, som, somTokens int) string {
	return fmt.Sprintf("%s: HTML %d bytes, %d tokens; SOM %d bytes, %d tokens (%.1fx fewer)",
		what, html, htmlTokens, som, somTokens, float64(htmlTokens)/float64(max(somTokens, 1)))
}

// tee is the demo site, remembering the last page it served. It is safe for concurrent use.
type tee struct {
	next http.Handler

	mu   sync.Mutex
	page []byte
	at   string
}

func (t *tee) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &copier{ResponseWriter: w}
	t.next.ServeHTTP(c, r)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.page, t.at = c.body.Bytes(), r.URL.RequestURI()
}

func (t *tee) last() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.page
}

func (t *tee) address() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at
}

// copier keeps a copy of a response's body.
type copier struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (c *copier) Write(b []byte) (int, error) {
	c.body.Write(b)
	return c.ResponseWriter.Write(b)
}
