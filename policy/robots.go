package policy

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxRobots is how much of a robots.txt is read (RFC 9309 §2.5). A line that
// the limit cuts is left out.
const MaxRobots = 500 << 10

// maxCrawlDelay bounds what a Crawl-delay record may ask for.
const maxCrawlDelay = 24 * time.Hour

// Robots is what one robots.txt says to one crawler. The zero value allows
// everything. It is immutable and safe for concurrent use.
type Robots struct {
	rules    []robotsRule // the longest first; allow before disallow
	delay    time.Duration
	hasDelay bool
	sitemaps []string
	denyAll  bool
}

type robotsRule struct {
	pattern robotsPattern
	allow   bool
}

// RobotsDenied allows nothing: what holds while a robots.txt cannot be had
// because of its server (RFC 9309 §2.3.1.4).
func RobotsDenied() *Robots { return &Robots{denyAll: true} }

// RobotsToken is the product token of a User-Agent header: what stands before
// its first slash or space.
func RobotsToken(userAgent string) string {
	if i := strings.IndexAny(userAgent, "/ \t("); i >= 0 {
		return userAgent[:i]
	}
	return userAgent
}

// ParseRobots reads the records of a robots.txt that concern the crawler with
// the product token. What is no record is skipped; there are no errors.
//
// Spec: RFC 9309 §2.1, §2.2; Crawl-delay as search engines have it.
func ParseRobots(body []byte, token string) *Robots {
	p := robotsParser{token: token}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	cut := len(body) > MaxRobots
	if cut {
		body = body[:MaxRobots]
	}
	for len(body) > 0 {
		end := bytes.IndexAny(body, "\r\n")
		if end < 0 {
			if !cut {
				p.line(body)
			}
			break
		}
		p.line(body[:end])
		body = body[end+1:]
	}
	return p.robots()
}

// robotsParser collects the groups for the token and those for everybody.
type robotsParser struct {
	token      string
	named, any robotsGroup
	mine       bool // the group being read is for the token
	everyone   bool // or for *
	inRules    bool // the group being read has rules: a user-agent begins another
	sitemaps   []string
}

type robotsGroup struct {
	found    bool
	rules    []robotsRule
	delay    time.Duration
	hasDelay bool
}

func (p *robotsParser) line(line []byte) {
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	k, v, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return
	}
	value := strings.Trim(string(v), " \t")
	switch strings.ToLower(strings.Trim(string(k), " \t")) {
	case "user-agent", "useragent", "user agent":
		p.agent(value)
	case "allow":
		p.rule(value, true)
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		p.rule(value, false)
	case "crawl-delay", "crawldelay":
		p.delay(value)
	case "sitemap", "site-map":
		if value != "" {
			p.sitemaps = append(p.sitemaps, value)
		}
	}
}

// agent adds a product token to the group that is being read, or begins one.
func (p *robotsParser) agent(value string) {
	if p.inRules {
		p.mine, p.everyone, p.inRules = false, false, false
	}
	if i := strings.IndexAny(value, "/ \t"); i >= 0 {
		value = value[:i]
	}
	if value == "*" {
		p.everyone, p.any.found = true, true
	} else if value != "" && strings.EqualFold(value, p.token) {
		p.mine, p.named.found = true, true
	}
}

// rule adds to the groups being read. An empty one says nothing, and a path
// that begins with neither slash nor star fits none.
func (p *robotsParser) rule(path string, allow bool) {
	p.inRules = true
	if path == "" || path[0] != '/' && path[0] != '*' {
		return
	}
	if !p.mine && !p.everyone {
		return
	}
	r := robotsRule{pattern: newRobotsPattern(path), allow: allow}
	if p.mine {
		p.named.rules = append(p.named.rules, r)
	}
	if p.everyone {
		p.any.rules = append(p.any.rules, r)
	}
}

func (p *robotsParser) delay(value string) {
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || !(s >= 0) {
		return
	}
	d := time.Duration(min(s, maxCrawlDelay.Seconds()) * float64(time.Second))
	for _, g := range []struct {
		of *robotsGroup
		is bool
	}{{&p.named, p.mine}, {&p.any, p.everyone}} {
		if g.is && (!g.of.hasDelay || d > g.of.delay) {
			g.of.delay, g.of.hasDelay = d, true
		}
	}
}

func (p *robotsParser) robots() *Robots {
	g := p.any
	if p.named.found {
		g = p.named
	}
	slices.SortStableFunc(g.rules, func(a, b robotsRule) int {
		if c := cmp.Compare(b.pattern.length, a.pattern.length); c != 0 {
			return c
		}
		switch {
		case a.allow == b.allow:
			return 0
		case a.allow:
			return -1
		}
		return 1
	})
	return &Robots{rules: g.rules, delay: g.delay, hasDelay: g.hasDelay, sitemaps: p.sitemaps}
}

// Allowed says whether the crawler may ask for a target: path and query as in
// a request line. The longest rule decides, and allow wins a tie.
//
// Spec: RFC 9309 §2.2.2.
func (r *Robots) Allowed(target string) bool {
	if r == nil {
		return true
	}
	if path, _, _ := strings.Cut(target, "?"); path == "/robots.txt" {
		return true
	}
	if r.denyAll {
		return false
	}
	if len(r.rules) == 0 {
		return true
	}
	target = normalTarget(target)
	for i := range r.rules {
		if r.rules[i].pattern.matches(target) {
			return r.rules[i].allow
		}
	}
	return true
}

// CrawlDelay is the least time between two requests; false if none is asked for.
func (r *Robots) CrawlDelay() (time.Duration, bool) {
	if r == nil {
		return 0, false
	}
	return r.delay, r.hasDelay
}

// Sitemaps are the addresses of sitemaps as written, in order (sitemaps.org,
// "Specifying the Sitemap location in your robots.txt file").
func (r *Robots) Sitemaps() []string {
	if r == nil {
		return nil
	}
	return r.sitemaps
}

// RobotsVerdict is what the answer to a request for robots.txt means.
type RobotsVerdict int

// The verdicts of RFC 9309 §2.3.1.
const (
	RobotsParse RobotsVerdict = iota // obey what it says
	RobotsNone                       // there is none: everything is allowed
	RobotsDown                       // the server is in trouble: nothing is allowed
	RobotsLater                      // the server asks to come back
)

// RobotsAnswer judges the status of the last answer on the way to a
// robots.txt; a redirect is one that was not followed any more.
func RobotsAnswer(status int) RobotsVerdict {
	switch {
	case status >= 200 && status < 300:
		return RobotsParse
	case status == 429:
		return RobotsLater
	case status >= 300 && status < 500:
		return RobotsNone
	}
	return RobotsDown
}
