package static

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"plasmate/engine"
)

// Words of visible text below which a page with scripts is taken for a shell (it
// says "Loading", a footer or a name), and for one where another sign weighs. A
// page with many links leads somewhere and is none.
const (
	shellWords = 30
	thinWords  = 120
	fewLinks   = 10
	surveyed   = 4 << 20 // bytes looked at
)

// RecognizeScripts says whether a document is likely to show what it is for only
// with scripts: it is nearly empty, asks for them, is the root of a framework
// that fills it in, or is the check of a bot guard. src is UTF-8.
func RecognizeScripts(src []byte, h http.Header, status int) engine.NeedsJS {
	var n engine.NeedsJS
	if name := challenge(src, h, status); name != "" {
		n.Likely = true
		n.Reasons = append(n.Reasons, "the page is a bot check ("+name+")")
	}
	p := survey(src)
	if p.scripts == 0 {
		return n
	}
	thin := p.words < thinWords && p.links < fewLinks
	if p.words < shellWords && p.links < fewLinks && p.fields == 0 {
		n.Likely = true
		n.Reasons = append(n.Reasons, fmt.Sprintf("the body has %d words and %d scripts", p.words, p.scripts))
	}
	if p.root != "" {
		n.Likely = n.Likely || thin
		n.Reasons = append(n.Reasons, "it has the empty root of a framework ("+p.root+")")
	}
	if notice := noscriptNotice(p.noscript); notice != "" {
		n.Likely = n.Likely || thin
		n.Reasons = append(n.Reasons, "noscript says: "+notice)
	}
	return n
}

// page facts that a single look at the tokens gives.
type facts struct {
	words, scripts, links int
	fields                int    // that a reader fills in
	root                  string // id or name of an empty framework root
	noscript              string
}

// survey reads tokens, not a tree: it runs on every page loaded, and being off by
// a few words matters to none.
func survey(src []byte) facts {
	var f facts
	z := html.NewTokenizer(bytes.NewReader(src[:min(len(src), surveyed)]))
	silent, pending := "", ""
	for f.words < thinWords {
		switch z.Next() {
		case html.ErrorToken:
			return f
		case html.TextToken:
			words := len(bytes.Fields(z.Raw()))
			switch {
			case silent == "noscript":
				if len(f.noscript) < 4<<10 {
					f.noscript += string(z.Raw())
				}
			case silent == "":
				f.words += words
			}
			if words > 0 && silent == "" {
				pending = ""
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name)
			pending = ""
			switch tag {
			case "script":
				f.scripts++
				silent = tag
			case "style", "title", "noscript", "template", "svg":
				silent = tag
			case "textarea", "select":
				silent = tag
				f.fields++
			case "input":
				f.fields++
			case "a":
				f.links++
			}
			if more && len(tag) > 2 { // the many small elements are no roots
				attrs := attributes(z)
				pending = frameworkRoot(tag, attrs)
				switch {
				case tag == "template" && attrs["shadowrootmode"] != "":
					silent = "" // its content is shown
				case tag == "input" && strings.EqualFold(attrs["type"], "hidden"):
					f.fields--
				}
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if string(name) == silent {
				silent = ""
			}
			if pending != "" && f.root == "" {
				f.root = pending
			}
			pending = ""
		}
	}
	return f
}

func attributes(z *html.Tokenizer) map[string]string {
	attrs := map[string]string{}
	for range 64 {
		k, v, more := z.TagAttr()
		attrs[string(k)] = string(v)
		if !more {
			break
		}
	}
	return attrs
}

// frameworkRoot names the element that a script framework fills; "" for others.
func frameworkRoot(tag string, attrs map[string]string) string {
	switch id := attrs["id"]; id {
	case "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "react-root", "app-root", "main-app", "ember-app", "q-app", "mount":
		return "#" + id
	}
	for _, name := range []string{"ng-app", "ng-version", "data-reactroot", "data-server-rendered", "v-cloak", "data-v-app", "q:container", "data-svelte"} {
		if _, ok := attrs[name]; ok {
			return name
		}
	}
	if tag == "app-root" || tag == "ng-view" || tag == "router-outlet" {
		return "<" + tag + ">"
	}
	return ""
}

// noscriptNotice is the text of noscript if it asks for scripts, shortened.
func noscriptNotice(s string) string {
	if s == "" {
		return ""
	}
	text := plainText(s)
	lower := strings.ToLower(text)
	if strings.Contains(text, "<") || !strings.Contains(lower, "javascript") && !strings.Contains(lower, "scripting") {
		return ""
	}
	if runes := []rune(text); len(runes) > 120 {
		return string(runes[:120]) + "..."
	}
	return text
}

// plainText is the text of a piece of markup, collapsed.
func plainText(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.WriteString(html.UnescapeString(string(z.Raw())))
			b.WriteByte(' ')
		}
	}
}

// challenge names the bot check that an answer is; "" if it is none. Only what
// such a page alone has is looked for: headers, and addresses of its scripts.
func challenge(src []byte, h http.Header, status int) string {
	if strings.EqualFold(h.Get("Cf-Mitigated"), "challenge") {
		return "Cloudflare"
	}
	head := src[:min(len(src), 64<<10)]
	guards := []struct{ mark, name string }{
		{"/cdn-cgi/challenge-platform/h/", "Cloudflare"},
		{"_cf_chl_opt", "Cloudflare"},
		{"geo.captcha-delivery.com", "DataDome"},
		{"captcha.px-cdn.net", "HUMAN"},
		{"window._pxAppId", "HUMAN"},
		{"_Incapsula_Resource", "Imperva"},
		{"awsWafCookieDomainList", "AWS WAF"},
		{"/_sec/cp_challenge/", "Akamai"},
		{"ddos-guard.net/check", "DDoS-Guard"},
		{"/sgcaptcha/", "SiteGround"},
		{"anubis_challenge", "Anubis"},
	}
	if len(src) > 64<<10 && status < 400 {
		return "" // a check is a small page
	}
	for _, g := range guards {
		if bytes.Contains(head, []byte(g.mark)) && (status >= 400 || status == 202 || len(src) < 16<<10) {
			return g.name
		}
	}
	return ""
}
