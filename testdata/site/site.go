// Package site is the demo site: a small shop with product pages, a guide, a
// search form and a sign-in form, as one http.Handler. It has no state of its
// own (basket and sign-in live in the visitor's cookies) and is safe for
// concurrent use. `plasmate demo` and tests serve it on loopback.
package site

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

//go:embed pages/*.html pages/site.css
var files embed.FS

// The account that the sign-in form accepts.
const (
	Email    = "ada@example.test"
	Password = "correct horse"
)

// Handler serves the site. It may be mounted under any host name.
func Handler() http.Handler {
	s := &shop{css: read("pages/site.css")}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /products/{slug}", s.product)
	mux.HandleFunc("GET /search", s.search)
	mux.HandleFunc("GET /guide", s.static("guide", "Care guide"))
	mux.HandleFunc("GET /login", s.static("login", "Sign in"))
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("GET /account", s.account)
	mux.HandleFunc("POST /basket", s.add)
	mux.HandleFunc("GET /basket", s.basket)
	mux.HandleFunc("/", s.missing)
	return mux
}

func read(name string) template.CSS {
	b, err := files.ReadFile(name)
	if err != nil {
		return ""
	}
	return template.CSS(b)
}

// shop answers requests; it is never changed.
type shop struct{ css template.CSS }

// view is what every page's template gets.
type view struct {
	Title    string
	CSS      template.CSS
	User     string // signed-in visitor, "" if none
	Query    string
	Problem  string
	Products []Product
	Product  Product
	Lines    []line
	Total    string
}

// line is one row of the basket.
type line struct {
	Product  Product
	Quantity int
	Gift     bool
	Sum      string
}

func (s *shop) show(w http.ResponseWriter, r *http.Request, status int, page string, v view) {
	v.CSS = s.css
	if c, err := r.Cookie("user"); err == nil && c.Value == "ada" {
		v.User = "Ada"
	}
	t, err := template.ParseFS(files, "pages/layout.html", "pages/"+page+".html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = t.ExecuteTemplate(w, "layout.html", v) // the visitor has gone
}

func (s *shop) static(page, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.show(w, r, http.StatusOK, page, view{Title: title})
	}
}

func (s *shop) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "home", view{Title: "Lantern & Loom", Products: products})
}

func (s *shop) product(w http.ResponseWriter, r *http.Request) {
	p, ok := find(r.PathValue("slug"))
	if !ok {
		s.missing(w, r)
		return
	}
	s.show(w, r, http.StatusOK, "product", view{Title: p.Name, Product: p, Products: products})
}

func (s *shop) search(w http.ResponseWriter, r *http.Request) {
	q := strings.TrimSpace(r.URL.Query().Get("q"))
	var found []Product
	for _, p := range products {
		if strings.Contains(strings.ToLower(p.Name+" "+p.Material+" "+p.Summary), strings.ToLower(q)) {
			found = append(found, p)
		}
	}
	s.show(w, r, http.StatusOK, "search", view{Title: "Search: " + q, Query: q, Products: found})
}

func (s *shop) login(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("email") != Email || r.PostFormValue("password") != Password {
		s.show(w, r, http.StatusUnauthorized, "login", view{Title: "Sign in", Problem: "That email and password do not match."})
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "user", Value: "ada", Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}

func (s *shop) account(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie("user"); err != nil || c.Value != "ada" {
		http.Redirect(w, r, "/login", http.StatusSeeOther)
		return
	}
	s.show(w, r, http.StatusOK, "account", view{Title: "Your account"})
}

// add puts a product into the basket cookie: slug:quantity:gift, joined by "|".
func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	p, ok := find(r.PostFormValue("product"))
	n, err := strconv.Atoi(r.PostFormValue("quantity"))
	if !ok || err != nil || n < 1 || n > 5 {
		http.Error(w, "no such product or quantity", http.StatusBadRequest)
		return
	}
	entry := fmt.Sprintf("%s:%d:%t", p.Slug, n, r.PostFormValue("gift") != "")
	if c, err := r.Cookie("basket"); err == nil && c.Value != "" {
		entry = c.Value + "|" + entry
	}
	http.SetCookie(w, &http.Cookie{Name: "basket", Value: entry, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/basket", http.StatusSeeOther)
}

func (s *shop) basket(w http.ResponseWriter, r *http.Request) {
	v := view{Title: "Your basket"}
	total := 0
	if c, err := r.Cookie("basket"); err == nil {
		for _, entry := range strings.Split(c.Value, "|") {
			l, cents := parseLine(entry)
			if l.Quantity > 0 {
				v.Lines = append(v.Lines, l)
				total += cents
			}
		}
	}
	v.Total = price(total)
	s.show(w, r, http.StatusOK, "basket", v)
}

func parseLine(entry string) (line, int) {
	parts := strings.Split(entry, ":")
	if len(parts) != 3 {
		return line{}, 0
	}
	p, ok := find(parts[0])
	n, err := strconv.Atoi(parts[1])
	if !ok || err != nil {
		return line{}, 0
	}
	return line{Product: p, Quantity: n, Gift: parts[2] == "true", Sum: price(n * p.Cents)}, n * p.Cents
}

func (s *shop) missing(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusNotFound, "missing", view{Title: "Page not found"})
}
