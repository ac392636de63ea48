package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plasmate/messages"
	"plasmate/policy/hygiene"
)

// tool is a row of the tool table. Names, descriptions and schemas are read by
// a model with every request, so they are as short as they can be.
type tool struct {
	name, description string
	schema            json.RawMessage
	run               func(context.Context, *call) (messages.Told, error)
}

// tools is the codec's table of contents.
var tools = []tool{
	{"observe", "Show the page: controls with refs [n]. mode full adds prose, read is prose only. ref shows one part; offset pages it.",
		schema(`"mode":{"enum":["actions","full","read"]},"ref":I,"budget":I,"offset":I,"links":B,"boundaries":B,"tab":I`), observe},
	{"act", "Act on refs; answers what changed. steps runs several. confirm:true repeats an action that needs it. Secrets: type ‹secret:NAME›.",
		schema(`"do":{"enum":["click","type","append","clear","select","check","uncheck","toggle","press","scroll","upload","submit"]},"ref":I,"text":S,"values":{"type":"array","items":S},"key":S,"dy":{"type":"number"},"files":{"type":"array","items":S},"steps":{"type":"array","items":{"type":"object"}},"confirm":B`), act},
	{"navigate", "Go to a URL, search words, back, forward or reload. view:true adds the observation.",
		schema(`"url":S,"view":B,"confirm":B`, "url"), navigate},
	{"find", "Find on the page, folded parts too: words, role:NAME, label:, text:, -word, or css:SELECTOR.",
		schema(`"q":S,"limit":I,"links":B`, "q"), find},
	{"extract", "Rows of a table or list, text blocks, or page metadata.",
		schema(`"kind":{"enum":["table","list","text","meta"]},"ref":I,"offset":I,"limit":I,"links":B,"format":{"enum":["text","json"]}`, "kind"), extract},
	{"research", "Open pages in parallel and digest each. Without urls: the page's result links.",
		schema(`"urls":{"type":"array","items":S},"limit":I,"budget":I,"keep":B`), research},
	{"tabs", "List, open, switch or close tabs.",
		schema(`"op":{"enum":["list","open","switch","close"]},"url":S,"index":I`), tabs},
	{"screenshot", "Picture of the page or of ref.", schema(`"ref":I`), screenshot},
	{"wait", "Wait for text, for text to be gone, or ms.", schema(`"text":S,"gone":S,"ms":I`), wait},
}

// schema is the JSON Schema of an object with these properties; I, S and B
// stand for an integer, a string and a boolean.
func schema(properties string, required ...string) json.RawMessage {
	for short, long := range map[string]string{":I": `:{"type":"integer"}`, ":S": `:{"type":"string"}`, ":B": `:{"type":"boolean"}`} {
		properties = strings.ReplaceAll(properties, short, long)
	}
	s := `{"type":"object","properties":{` + properties + `}`
	if len(required) > 0 {
		s += `,"required":["` + strings.Join(required, `","`) + `"]`
	}
	return json.RawMessage(s + "}")
}

func observe(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		Mode                     string
		Ref, Budget, Offset, Tab int
		Links, Boundaries        bool
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	page := c.page
	if a.Tab > 0 {
		page = pageOf(a.Tab)
	}
	switch a.Mode {
	case "", "actions", "full", "read":
	default:
		return messages.Told{}, bad("mode is actions, full or read")
	}
	return c.ask(ctx, messages.View{
		Page: page, Mode: a.Mode, Ref: a.Ref, Budget: a.Budget, Offset: a.Offset, Links: a.Links, Boundaries: a.Boundaries,
	})
}

func pageOf(tab int) messages.PageID { return messages.PageID("p_" + strconv.Itoa(tab)) }

// step is an action as a model writes it.
type step struct {
	Do     string
	Ref    int
	Text   string
	Values []string
	Key    string
	DY     float64
	Files  []string
}

func act(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		step
		Steps   []step
		Confirm bool
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	steps := a.Steps
	if a.Do != "" {
		steps = append([]step{a.step}, steps...)
	}
	if len(steps) == 0 {
		return messages.Told{}, bad("do (or steps) is missing: click, type, select, check, press, submit …")
	}
	m := messages.Perform{Page: c.page, Confirm: a.Confirm}
	for _, s := range steps {
		m.Steps = append(m.Steps, messages.ActStep(s))
	}
	return c.ask(ctx, m)
}

func navigate(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		URL           string
		View, Confirm bool
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	target, err := c.client.address(a.URL)
	if err != nil {
		return messages.Told{}, err
	}
	m := messages.Visit{Page: c.page, URL: target, Confirm: a.Confirm}
	if a.View {
		m.View = &messages.View{}
	}
	return c.ask(ctx, m)
}

// address is where a model wants to go: words lead to the search URL.
func (c *client) address(s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "", bad("url is missing")
	case !strings.ContainsAny(s, " \t\n") && (strings.ContainsAny(s, ":.") || s == "back" || s == "forward" || s == "reload" || s == "localhost"):
		return s, nil
	case c.cfg.SearchURL == "":
		return "", bad("%q is no URL, and no search URL is set", s)
	}
	return strings.ReplaceAll(c.cfg.SearchURL, "%s", url.QueryEscape(s)), nil
}

func find(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		Q     string
		Limit int
		Links bool
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	if strings.TrimSpace(a.Q) == "" {
		return messages.Told{}, bad("q is missing: words, role:NAME or css:SELECTOR")
	}
	return c.ask(ctx, messages.Find{Page: c.page, Query: a.Q, Limit: a.Limit, Links: a.Links})
}

func extract(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		Kind               string
		Ref, Offset, Limit int
		Links              bool
		Format             string
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	switch a.Kind {
	case "table", "list", "text", "meta":
	default:
		return messages.Told{}, bad("kind is table, list, text or meta")
	}
	return c.ask(ctx, messages.Pick{
		Page: c.page, Kind: a.Kind, Ref: a.Ref, Offset: a.Offset, Limit: a.Limit, Links: a.Links, JSON: a.Format == "json",
	})
}

func screenshot(_ context.Context, c *call) (messages.Told, error) {
	if _, err := decode[struct{ Ref int }](c); err != nil {
		return messages.Told{}, err
	}
	return messages.Told{Text: "✗ screenshot: unsupported (this engine draws nothing; use observe)", Failed: true}, nil
}

func wait(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		Text, Gone string
		MS         int
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	if a.MS < 0 || a.MS > 30_000 {
		return messages.Told{}, bad("ms is 0 to 30000")
	}
	return c.ask(ctx, messages.Await{Page: c.page, Text: a.Text, Gone: a.Gone, For: time.Duration(a.MS) * time.Millisecond})
}

func tabs(ctx context.Context, c *call) (messages.Told, error) {
	a, err := decode[struct {
		Op    string
		URL   string
		Index int
	}](c)
	if err != nil {
		return messages.Told{}, err
	}
	asker := c.client.cfg.Asker
	switch a.Op {
	case "", "list":
	case "open":
		opened, err := messages.Ask(ctx, asker, c.session, messages.OpenPage{})
		if err != nil {
			return messages.Told{}, err
		}
		c.client.look(opened.ID)
		c.page = opened.ID
		if a.URL != "" {
			target, err := c.client.address(a.URL)
			if err != nil {
				return messages.Told{}, err
			}
			return c.ask(ctx, messages.Visit{Page: opened.ID, URL: target})
		}
	case "switch", "close":
		if a.Index < 1 {
			return messages.Told{}, bad("index is the number that tabs list shows")
		}
		if a.Op == "close" {
			if _, err := messages.Ask(ctx, asker, c.session, messages.ClosePage{ID: pageOf(a.Index)}); err != nil {
				return messages.Told{}, err
			}
			if c.page == pageOf(a.Index) {
				c.page = ""
			}
		} else {
			c.page = pageOf(a.Index)
		}
		c.client.look(c.page)
	default:
		return messages.Told{}, bad("op is list, open, switch or close")
	}
	return c.listTabs(ctx)
}

// listTabs prints a line a tab, the active one with a star.
func (c *call) listTabs(ctx context.Context) (messages.Told, error) {
	list, err := messages.Ask(ctx, c.client.cfg.Asker, c.session, messages.ListPages{})
	if err != nil {
		return messages.Told{}, err
	}
	var lines []string
	for i, p := range list.Pages {
		mark := " "
		if p.ID == c.page || c.page == "" && i == 0 {
			mark = "*"
		}
		line := mark + " " + strings.TrimPrefix(string(p.ID), "p_")
		if p.URL == "" {
			line += " (empty)"
		} else {
			line += " " + hygiene.Quoted(p.Title) + " · " + p.URL
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"no tab is open; navigate opens one"}
	}
	return messages.Told{Text: strings.Join(lines, "\n")}, nil
}
