package policy

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// robotsCase is a case of the kind "robots" in testdata/crawl/robots.json.
type robotsCase struct {
	ID    string `json:"id"`
	Input struct {
		Token, Robots string
		Paths         []string
	} `json:"input"`
	Expected struct{ Allowed []bool } `json:"expected"`
}

func TestRobotsCases(t *testing.T) {
	data, err := os.ReadFile("../testdata/crawl/robots.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []robotsCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		r := ParseRobots([]byte(c.Input.Robots), c.Input.Token)
		for i, path := range c.Input.Paths {
			if got, want := r.Allowed(path), c.Expected.Allowed[i]; got != want {
				t.Errorf("%s: %s allowed %v, want %v", c.ID, path, got, want)
			}
		}
		if d, ok := r.CrawlDelay(); ok {
			t.Errorf("%s: a delay of %v from outside of all groups", c.ID, d)
		}
	}
}

func TestRobotsAllowed(t *testing.T) {
	const simple = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n" +
		"User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
		"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n\nEOF\n"
	const longest = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
	tests := []struct {
		rule, robots, token, target string
		want                        bool
	}{
		{"RFC 9309 §5.1: * group", simple, "elsebot", "/a/b.gif", false},
		{"RFC 9309 §5.1: * group", simple, "elsebot", "/a/b.gif?x", true},
		{"RFC 9309 §5.1: * group", simple, "elsebot", "/publications/", true},
		{"RFC 9309 §5.1: own group replaces *", simple, "foobot", "/publications/", false},
		{"RFC 9309 §5.1: allow in own group", simple, "foobot", "/example/allowed.gif", true},
		{"RFC 9309 §5.1: shared group", simple, "bazbot", "/example/page.html", false},
		{"RFC 9309 §5.1: shared group", simple, "barbot", "/example/", true},
		{"RFC 9309 §5.1: group without rules allows all", simple, "quxbot", "/example/", true},
		{"RFC 9309 §5.2: longest match", longest, "foobot", "/example/page/disallowed.gif", false},
		{"RFC 9309 §5.2: longest match", longest, "foobot", "/example/page/other", true},
		{"no group at all", "Disallow: /\n", "foobot", "/", true},
		{"empty file", "", "foobot", "/", true},
		{"other records do not end a group", "User-agent: a\nSitemap: http://x.test/s\nCrawl-delay: 1\nUser-agent: foobot\nDisallow: /p\n", "foobot", "/p", false},
		{"version of a token does not matter", "User-agent: foobot/2.1\nDisallow: /\n", "FooBot", "/", false},
		{"a token is not a prefix", "User-agent: foo\nDisallow: /\n", "foobot", "/", true},
		{"lines end with CR", "User-agent: *\rDisallow: /p\r", "foobot", "/p", false},
		{"comment behind a value", "User-agent: * # all\nDisallow: /p # private\n", "foobot", "/p", false},
		{"escaped star is a star", "User-agent: *\nDisallow: /a%2Ab\n", "foobot", "/a*b", false},
		{"escaped star is no wildcard", "User-agent: *\nDisallow: /a%2Ab\n", "foobot", "/axb", true},
		{"dollar within a pattern is itself", "User-agent: *\nDisallow: /a$b\n", "foobot", "/a$b", false},
		{"escaped unreserved is itself", "User-agent: *\nDisallow: /%7Euser\n", "foobot", "/~user", false},
		{"escaped slash is no slash", "User-agent: *\nDisallow: /a/b\n", "foobot", "/a%2Fb", true},
		{"hex digits in any case", "User-agent: *\nDisallow: /%c3%a4\n", "foobot", "/%C3%A4", false},
		{"anchored after a star", "User-agent: *\nDisallow: /*end$\n", "foobot", "/x/end/end", false},
		{"anchored after a star", "User-agent: *\nDisallow: /*end$\n", "foobot", "/x/end/ends", true},
		{"several stars", "User-agent: *\nDisallow: /a*b*c\n", "foobot", "/a1b2c3", false},
		{"several stars", "User-agent: *\nDisallow: /a*b*c\n", "foobot", "/a1c2b3", true},
		{"pieces do not overlap", "User-agent: *\nDisallow: /ab*bc$\n", "foobot", "/abc", true},
		{"star in front", "User-agent: *\nDisallow: *secret\n", "foobot", "/x/secret/y", false},
		{"star alone", "User-agent: *\nDisallow: *\n", "foobot", "/x", false},
		{"dollar alone after slash", "User-agent: *\nAllow: /$\nDisallow: /\n", "foobot", "/", true},
		{"dollar alone after slash", "User-agent: *\nAllow: /$\nDisallow: /\n", "foobot", "/x", false},
		{"/robots.txt is always allowed", "User-agent: *\nDisallow: /\n", "foobot", "/robots.txt", true},
		{"query belongs to the target", "User-agent: *\nDisallow: /*?sort=\n", "foobot", "/l?sort=up", false},
		{"a page of HTML says nothing", "<!doctype html><p>User-agent: *</p>\n<p>Disallow: /</p>", "foobot", "/", true},
	}
	for _, tt := range tests {
		if got := ParseRobots([]byte(tt.robots), tt.token).Allowed(tt.target); got != tt.want {
			t.Errorf("%s: %s allowed %v, want %v", tt.rule, tt.target, got, tt.want)
		}
	}
	if RobotsDenied().Allowed("/") {
		t.Error("RobotsDenied allows /")
	}
}

func TestRobotsDelayAndSitemaps(t *testing.T) {
	r := ParseRobots([]byte("Sitemap: http://a.test/one.xml\nUser-agent: *\nCrawl-delay: 9\n\nUser-agent: foobot\nCrawl-delay: 1.5\nDisallow:\nsitemap:http://a.test/two.xml\n"), "foobot")
	if d, ok := r.CrawlDelay(); !ok || d != 1500*time.Millisecond {
		t.Errorf("delay %v %v, want 1.5s of the own group", d, ok)
	}
	if got, want := fmt.Sprint(r.Sitemaps()), "[http://a.test/one.xml http://a.test/two.xml]"; got != want {
		t.Errorf("sitemaps %s, want %s", got, want)
	}
	for _, bad := range []string{"-1", "soon", "NaN", ""} {
		if d, ok := ParseRobots([]byte("User-agent: *\nCrawl-delay: "+bad+"\n"), "x").CrawlDelay(); ok {
			t.Errorf("Crawl-delay %q gives %v", bad, d)
		}
	}
	if d, _ := ParseRobots([]byte("User-agent: *\nCrawl-delay: 1e30\n"), "x").CrawlDelay(); d != maxCrawlDelay {
		t.Errorf("Crawl-delay 1e30 gives %v, want the bound", d)
	}
}

func TestRobotsLimit(t *testing.T) {
	head := "User-agent: *\nDisallow: /first\n"
	pad := strings.Repeat("# padding\n", MaxRobots/10)
	r := ParseRobots([]byte(head+pad[:MaxRobots-len(head)-12]+"\nDisallow: /cut-here\nDisallow: /beyond\n"), "x")
	for target, want := range map[string]bool{"/first": false, "/beyond": true, "/cut": true} {
		if got := r.Allowed(target); got != want {
			t.Errorf("%s allowed %v, want %v", target, got, want)
		}
	}
}

func TestRobotsAnswer(t *testing.T) {
	for status, want := range map[int]RobotsVerdict{
		200: RobotsParse, 204: RobotsParse, 302: RobotsNone, 401: RobotsNone, 403: RobotsNone, 404: RobotsNone,
		410: RobotsNone, 429: RobotsLater, 500: RobotsDown, 503: RobotsDown, 599: RobotsDown,
	} {
		if got := RobotsAnswer(status); got != want {
			t.Errorf("status %d: verdict %d, want %d", status, got, want)
		}
	}
}

func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /%7e\n"), "/a/b")
	f.Fuzz(func(t *testing.T, body []byte, target string) {
		r := ParseRobots(body, "plasmate")
		if got := r.Allowed(target); got != r.Allowed(target) {
			t.Error("the same question has two answers")
		}
		if !r.Allowed("/robots.txt") {
			t.Error("/robots.txt is not allowed")
		}
	})
}

func BenchmarkRobots20000Rules(b *testing.B) {
	var s strings.Builder
	s.WriteString("User-agent: *\n")
	for i := range 20000 {
		fmt.Fprintf(&s, "Disallow: /dir%d/*/x%d$\n", i, i)
	}
	body := []byte(s.String())
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			ParseRobots(body, "plasmate")
		}
	})
	r := ParseRobots(body, "plasmate")
	b.Run("allowed", func(b *testing.B) {
		for b.Loop() {
			r.Allowed("/dir/that/fits/none")
		}
	})
}
