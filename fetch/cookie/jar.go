package cookie

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"plasmate/som/weburl"
)

// How many cookies are kept, as in browsers.
const (
	maxPerSite = 180
	maxPerJar  = 3000
	purgeBatch = 100
)

// laxGrace is how long a cookie without SameSite goes out with a cross-site
// POST navigation (RFC 6265bis §5.6.7.2).
const laxGrace = 2 * time.Minute

// Jar keeps the cookies of one session. The zero value is an empty jar, which
// costs a few words. It is safe for concurrent use.
type Jar struct {
	mu    sync.Mutex
	sites map[string][]*entry // by registrable domain
	count int
	seq   uint64 // of creation, for cookies of the same instant
}

type entry struct {
	Cookie
	seq      uint64
	accessed time.Time
}

// origin is what the jar has to know of a URL.
type origin struct {
	host, path string
	secure     bool
	ip         bool
}

func parseOrigin(url string) (origin, bool) {
	u, err := weburl.Parse(url)
	if err != nil || u.Hostname() == "" {
		return origin{}, false
	}
	o := origin{host: u.Hostname(), path: u.Path(), secure: u.Scheme() == "https" || u.Scheme() == "wss"}
	if a, err := netip.ParseAddr(strings.Trim(o.host, "[]")); err == nil {
		o.ip = true
		o.secure = o.secure || a.IsLoopback()
	}
	// Browsers count the machine itself as a secure place (§5.8.3, "secure"
	// protocol as defined by the user agent).
	if o.host == "localhost" || strings.HasSuffix(o.host, ".localhost") {
		o.secure = true
	}
	return o, true
}

// site is the key of a host's bucket.
func site(host string) string {
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// Header is the Cookie header of a request that the site itself makes, "" if
// there is none to send.
func (j *Jar) Header(url string, now time.Time) string {
	return j.HeaderFor(url, Context{}, now)
}

// HeaderFor is the Cookie header of a request (RFC 6265bis §5.8.3).
func (j *Jar) HeaderFor(url string, c Context, now time.Time) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var b strings.Builder
	for i, e := range j.match(url, c, now) {
		if i > 0 {
			b.WriteString("; ")
		}
		if e.Name != "" {
			b.WriteString(e.Name)
			b.WriteByte('=')
		}
		b.WriteString(e.Value)
	}
	return b.String()
}

// Get is the cookies that a request to url would send, in that order.
func (j *Jar) Get(url string, now time.Time) []Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	return copies(j.match(url, Context{}, now))
}

// match is the retrieval algorithm: longest paths first, then oldest first.
func (j *Jar) match(url string, c Context, now time.Time) []*entry {
	if j.count == 0 {
		return nil
	}
	o, ok := parseOrigin(url)
	if !ok {
		return nil
	}
	var found []*entry
	for _, e := range j.sites[site(o.host)] {
		if !e.expired(now) && e.goesTo(o) && e.goesWith(c, now) {
			e.accessed = now
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(len(b.Path), len(a.Path)), a.Created.Compare(b.Created), cmp.Compare(a.seq, b.seq))
	})
	return found
}

func (e *entry) goesTo(o origin) bool {
	if e.HostOnly && e.Domain != o.host || !e.HostOnly && !domainMatch(o, e.Domain) {
		return false
	}
	return pathMatch(o.path, e.Path) && (o.secure || !e.Secure)
}

func (e *entry) goesWith(c Context, now time.Time) bool {
	if c.Script && e.HTTPOnly {
		return false
	}
	if !c.CrossSite || e.SameSite == None {
		return true
	}
	switch {
	case e.SameSite == Strict, !c.TopLevel:
		return false
	case e.SameSite == Default && now.Sub(e.Created) < laxGrace:
		return true
	}
	return c.safe()
}

// domainMatch is §5.1.3.
func domainMatch(o origin, domain string) bool {
	return o.host == domain || !o.ip && strings.HasSuffix(o.host, domain) &&
		strings.HasSuffix(o.host[:len(o.host)-len(domain)], ".")
}

// pathMatch is §5.1.4.
func pathMatch(request, path string) bool {
	if !strings.HasPrefix(request, path) {
		return false
	}
	return len(request) == len(path) || strings.HasSuffix(path, "/") || request[len(path)] == '/'
}

// defaultPath is §5.1.4.
func defaultPath(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return "/"
	}
	return path[:i]
}

// Store takes the Set-Cookie headers of a response to a request that the site
// itself made.
func (j *Jar) Store(url string, setCookie []string, now time.Time) {
	j.StoreFor(url, setCookie, Context{}, now)
}

// StoreFor takes the Set-Cookie headers of a response from url.
func (j *Jar) StoreFor(url string, setCookie []string, c Context, now time.Time) {
	if len(setCookie) == 0 {
		return
	}
	o, ok := parseOrigin(url)
	if !ok {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, h := range setCookie {
		a, ok := parse(h, now)
		if !ok {
			continue
		}
		if e, ok := j.judge(o, a, c, now); ok {
			j.put(e, c, now)
		}
	}
}

// judge is the storage model of RFC 6265bis §5.7 up to the step that inserts.
func (j *Jar) judge(o origin, a attributes, c Context, now time.Time) (*entry, bool) {
	e := &entry{Cookie: Cookie{
		Name: a.name, Value: a.value, Domain: o.host, HostOnly: true, Path: a.path,
		Secure: a.secure, HTTPOnly: a.httpOnly, SameSite: a.sameSite, Partitioned: a.partitioned, Created: now,
	}}
	if a.persistent {
		e.Expires = a.expires
	}
	if !strings.HasPrefix(a.path, "/") {
		e.Path = defaultPath(o.path)
	}
	domain := a.domain
	if publicSuffix(domain) {
		if domain != o.host {
			return nil, false
		}
		domain = ""
	}
	if domain != "" {
		if !ascii(domain) || !domainMatch(o, domain) {
			return nil, false
		}
		e.Domain, e.HostOnly = domain, false
	}
	switch {
	case a.secure && !o.secure,
		a.httpOnly && c.Script,
		!a.secure && !o.secure && j.shadowsSecure(e),
		a.sameSite != None && c.CrossSite && !c.TopLevel,
		a.sameSite == None && !a.secure,
		a.partitioned && !a.secure,
		!prefixHolds(a, e):
		return nil, false
	}
	return e, true
}

// prefixHolds checks names that promise something, in any letter case
// (§5.7 on __Secure- and __Host-).
func prefixHolds(a attributes, e *entry) bool {
	promises := func(prefix string) bool {
		n := a.name
		if n == "" { // a nameless cookie must not look like one to a server
			n = a.value
		}
		return len(n) >= len(prefix) && strings.EqualFold(n[:len(prefix)], prefix)
	}
	host, secure := promises("__Host-"), promises("__Secure-")
	switch {
	case !host && !secure:
		return true
	case a.name == "", !a.secure:
		return false
	}
	return secure || e.HostOnly && a.pathGiven && a.path == "/"
}

// shadowsSecure tells that e, which came over an open connection, would stand
// before a Secure cookie of the same name ("leave secure cookies alone").
func (j *Jar) shadowsSecure(e *entry) bool {
	for _, old := range j.sites[site(e.Domain)] {
		if old.Secure && old.Name == e.Name && pathMatch(e.Path, old.Path) &&
			(domainMatch(origin{host: e.Domain}, old.Domain) || domainMatch(origin{host: old.Domain}, e.Domain)) {
			return true
		}
	}
	return false
}

func publicSuffix(domain string) bool {
	if domain == "" {
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(domain)
	return suffix == domain
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// put inserts e in place of the cookie it replaces, whose creation time it
// keeps, or takes that away if e is expired.
func (j *Jar) put(e *entry, c Context, now time.Time) {
	key := site(e.Domain)
	bucket := j.sites[key]
	i := slices.IndexFunc(bucket, func(o *entry) bool {
		return o.Name == e.Name && o.Domain == e.Domain && o.HostOnly == e.HostOnly && o.Path == e.Path
	})
	e.accessed = now
	if i >= 0 {
		old := bucket[i]
		if c.Script && old.HTTPOnly {
			return
		}
		if !old.expired(now) {
			e.Created, e.seq = old.Created, old.seq
		}
		j.remove(key, i)
	}
	if e.expired(now) {
		return
	}
	if e.seq == 0 {
		j.seq++
		e.seq = j.seq
	}
	if j.sites == nil {
		j.sites = map[string][]*entry{}
	}
	j.sites[key] = append(j.sites[key], e)
	j.count++
	j.evict(key, now)
}

func (j *Jar) remove(key string, i int) {
	if j.sites[key] = slices.Delete(j.sites[key], i, i+1); len(j.sites[key]) == 0 {
		delete(j.sites, key)
	}
	j.count--
}

// evict is the end of §5.7: expired cookies go first, then those of a site
// over its limit, the not secure ones before the others, then any; among
// equals the one not used for longest. A full jar makes room for a batch, so
// that a flood of cookies costs a look at all of them only now and then.
func (j *Jar) evict(key string, now time.Time) {
	if bucket := j.sites[key]; len(bucket) > maxPerSite {
		kept := slices.DeleteFunc(bucket, func(e *entry) bool { return e.expired(now) })
		j.count -= len(bucket) - len(kept)
		j.sites[key] = kept
	}
	for len(j.sites[key]) > maxPerSite {
		j.remove(key, oldest(j.sites[key]))
	}
	if j.count > maxPerJar {
		j.removeIf(func(e *entry) bool { return e.expired(now) })
	}
	if j.count > maxPerJar {
		j.purge(j.count - maxPerJar + purgeBatch)
	}
}

// purge removes the n cookies not used for longest.
func (j *Jar) purge(n int) {
	var all []*entry
	for _, bucket := range j.sites {
		all = append(all, bucket...)
	}
	slices.SortFunc(all, older)
	last := all[n-1]
	j.removeIf(func(e *entry) bool { return older(e, last) <= 0 })
}

func oldest(bucket []*entry) int {
	at := 0
	for i, e := range bucket {
		if e.Secure == bucket[at].Secure && older(e, bucket[at]) < 0 || !e.Secure && bucket[at].Secure {
			at = i
		}
	}
	return at
}

func older(a, b *entry) int {
	return cmp.Or(a.accessed.Compare(b.accessed), cmp.Compare(a.seq, b.seq))
}

func (j *Jar) removeIf(gone func(*entry) bool) int {
	before := j.count
	for key, bucket := range j.sites {
		kept := slices.DeleteFunc(bucket, gone)
		j.count -= len(bucket) - len(kept)
		if j.sites[key] = kept; len(kept) == 0 {
			delete(j.sites, key)
		}
	}
	return before - j.count
}
