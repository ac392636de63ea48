package plasmate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"plasmate"
	"plasmate/som"
)

// A colly program, line by line. The colly lines are in comments; in their
// place, robots.txt, Retry-After, back-off, fair hosts and a bound on what runs
// at once come without being asked for.
func ExampleCrawl() {
	// c := colly.NewCollector(
	//     colly.AllowedDomains("docs.test"),       the hosts of the seeds, unless AnyHost
	//     colly.MaxDepth(2),
	//     colly.UserAgent("indexer/1.0"),
	//     colly.URLFilters(...),
	//     colly.Async(true),                       always
	// )
	// c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 4, Delay: time.Second})
	o := plasmate.CrawlOptions{
		MaxDepth:  2,
		UserAgent: "indexer/1.0",
		Admit:     func(l plasmate.CrawlLink) bool { return !strings.Contains(l.URL, "/login") },
		PerHost:   4,
		Rate:      1,
	}
	// c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })    always
	// c.OnHTML("title", func(e *colly.HTMLElement) { fmt.Println(e.Request.URL, e.Text) })
	// c.OnError(func(r *colly.Response, err error) { log.Println(r.Request.URL, err) })
	// c.Visit("http://docs.test/")
	// c.Wait()
	for page, err := range plasmate.Crawl(context.Background(), []string{"http://docs.test/"}, o) {
		switch {
		case err != nil:
			log.Fatal(err)
		case page.Outcome != "ok":
			log.Println(page.URL, page.Outcome, page.Error)
		default:
			fmt.Println(page.URL, page.Title)
		}
	}
}

// Feeding a search index: text by page, duplicates and what asks not to be
// indexed left out. The store makes the next run go on where this one ended.
func ExampleCrawl_searchIndex() {
	frontier, err := plasmate.OpenStore("docs.frontier")
	if err != nil {
		log.Fatal(err)
	}
	defer frontier.Close()
	index := map[string]string{} // stands for the client of an index
	o := plasmate.CrawlOptions{Format: plasmate.CrawlText, Store: frontier, MaxPages: 10_000}
	for page, err := range plasmate.Crawl(context.Background(), []string{"http://docs.test/"}, o) {
		if err != nil {
			log.Fatal(err)
		}
		if page.Outcome != "ok" || page.DuplicateOf != "" || page.NoIndex {
			continue
		}
		url := page.URL
		if page.Canonical != "" {
			url = page.Canonical
		}
		index[url] = page.Title + "\n" + page.Text
	}
}

// Structured data of each page, by the queries of page.extract.
func ExampleCrawl_fields() {
	o := plasmate.CrawlOptions{
		Format:     plasmate.CrawlFields,
		FieldNames: []string{"name", "price"},
		Fields: map[string]som.Query{
			"name":  {Role: "heading", Level: 1},
			"price": {TextMatch: `\$([0-9.]+)`},
		},
	}
	for page, err := range plasmate.Crawl(context.Background(), []string{"http://shop.test/"}, o) {
		if err != nil {
			log.Fatal(err)
		}
		var item struct{ Name, Price string }
		if json.Unmarshal(page.Fields, &item) == nil && item.Price != "" {
			fmt.Println(page.URL, item.Name, item.Price)
		}
	}
}
