package cookie

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plasmate/som/weburl"
)

var errBadCookie = errors.New("bad cookie")

// Set puts a cookie in by hand. Domain is required, Path defaults to "/"; what
// no server could set is an error.
func (j *Jar) Set(c Cookie, now time.Time) error {
	if err := check(&c); err != nil {
		return err
	}
	if c.Created.IsZero() {
		c.Created = now
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.put(&entry{Cookie: c}, Context{}, now)
	return nil
}

// check fills in defaults and holds c to the rules of §5.7 that need no request.
func check(c *Cookie) error {
	if d, ok := strings.CutPrefix(strings.ToLower(c.Domain), "."); ok {
		c.Domain, c.HostOnly = d, false
	} else {
		c.Domain = d
	}
	c.Path = cmp.Or(c.Path, "/")
	u, err := weburl.Parse("https://" + c.Domain + "/")
	switch {
	case err != nil || c.Domain == "" || strings.ContainsAny(c.Domain, "/?#@\\"):
		return fmt.Errorf("%w %s: %q is no host", errBadCookie, c.Name, c.Domain)
	case hasControl(c.Name + c.Value + c.Path), strings.ContainsAny(c.Name, ";="), strings.Contains(c.Value, ";"),
		trim(c.Name) != c.Name, trim(c.Value) != c.Value:
		return fmt.Errorf("%w %q: name or value holds what a header cannot carry", errBadCookie, c.Name)
	case c.Name == "" && c.Value == "":
		return fmt.Errorf("%w: it has no name", errBadCookie)
	case len(c.Name)+len(c.Value) > maxPair, len(c.Path) > maxAttribute:
		return fmt.Errorf("%w %q: over %d bytes", errBadCookie, c.Name, maxPair)
	case !strings.HasPrefix(c.Path, "/"), strings.Contains(c.Path, ";"):
		return fmt.Errorf("%w %q: path %q does not start with a slash", errBadCookie, c.Name, c.Path)
	case c.SameSite != Default && c.SameSite != Strict && c.SameSite != Lax && c.SameSite != None:
		return fmt.Errorf("%w %q: SameSite %q", errBadCookie, c.Name, c.SameSite)
	case (c.SameSite == None || c.Partitioned) && !c.Secure:
		return fmt.Errorf("%w %q: SameSite=None and Partitioned need Secure", errBadCookie, c.Name)
	}
	c.Domain = u.Hostname()
	if publicSuffix(c.Domain) {
		c.HostOnly = true
	}
	a := attributes{name: c.Name, value: c.Value, secure: c.Secure, path: c.Path, pathGiven: true}
	if !prefixHolds(a, &entry{Cookie: *c}) {
		return fmt.Errorf("%w %q: the prefix needs Secure, and __Host- a host-only cookie with path /", errBadCookie, c.Name)
	}
	return nil
}

// All is every cookie that is not expired, oldest first.
func (j *Jar) All(now time.Time) []Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	var all []*entry
	for _, bucket := range j.sites {
		for _, e := range bucket {
			if !e.expired(now) {
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b *entry) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.seq, b.seq))
	})
	return copies(all)
}

func copies(entries []*entry) []Cookie {
	out := make([]Cookie, len(entries))
	for i, e := range entries {
		out[i] = e.Cookie
	}
	return out
}

// Export is All: what Import takes back without loss.
func (j *Jar) Export(now time.Time) []Cookie { return j.All(now) }

// Import adds cookies and returns one error that joins those of the cookies
// that could not be taken. Expired ones are left out.
func (j *Jar) Import(cookies []Cookie, now time.Time) error {
	var errs []error
	for _, c := range cookies {
		errs = append(errs, j.Set(c, now))
	}
	return errors.Join(errs...)
}

// Remove deletes the cookies with that name, domain and path, "" meaning any,
// and says how many there were.
func (j *Jar) Remove(name, domain, path string) int {
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.removeIf(func(e *entry) bool {
		return (name == "" || name == e.Name) && (domain == "" || domain == e.Domain) && (path == "" || path == e.Path)
	})
}

// Clear empties the jar.
func (j *Jar) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sites, j.count = nil, 0
}

// Len is how many cookies are kept, expired ones that nobody looked for included.
func (j *Jar) Len() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.count
}
