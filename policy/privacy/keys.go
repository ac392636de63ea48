package privacy

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"strings"
)

// Forms of keys whose makers gave them one. Submatch 1, where there is one, is the secret.
var (
	prefixed = regexp.MustCompile(`(?:AKIA|ASIA)[A-Z2-7]{16}|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[A-Za-z0-9_-]{20,}|` +
		`sk-[A-Za-z0-9_-]{20,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{35}|` +
		`SG\.[A-Za-z0-9_.-]{60,}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,}|dop_v1_[a-f0-9]{64}|shpat_[a-fA-F0-9]{32}|` +
		`lin_api_[A-Za-z0-9]{40}|(?:ntn_|secret_)[A-Za-z0-9]{40,}|SK[a-f0-9]{32}`)
	private   = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY( BLOCK)?-----|$)`)
	authorize = regexp.MustCompile(`\b(?:[Bb]earer|[Bb]asic)\s+([A-Za-z0-9_+/=.-]{20,})`)
	userinfo  = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@?#]*:([^\s/@?#]+)@`)
	webhook   = regexp.MustCompile(`hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/-]{20,})|discord(?:app)?\.com/api/webhooks/([A-Za-z0-9_/-]{20,})`)
	labels    = regexp.MustCompile(`(?i)api[ _-]?key|secret|token|password|passwd|access[ _-]?key|private[ _-]?key|recovery[ _-]?code`)
	opaque    = regexp.MustCompile(`[A-Za-z0-9_+/=.-]{20,}`)
	uuid      = regexp.MustCompile(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)
	dated     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}|\.(html?|php|js|css|png|jpe?g|gif|svg|pdf|json|xml|zip|gz|aspx?)$`)
	hashed    = regexp.MustCompile(`(?i)\b(sha-?(1|224|256|384|512)?|md5|commit|digest|checksum|integrity)\b[^\n]{0,24}$`)
)

func (f *finder) keys() {
	for _, m := range prefixed.FindAllStringIndex(f.text, -1) {
		if f.alone(m[0], m[1]) && afterPrefixMixed(f.text[m[0]:m[1]]) {
			f.add(Key, m[0], m[1])
		}
	}
	if strings.Contains(f.text, "PRIVATE KEY") {
		for _, m := range private.FindAllStringIndex(f.text, -1) {
			f.add(Key, m[0], m[1])
		}
	}
	for _, m := range authorize.FindAllStringSubmatchIndex(f.text, -1) {
		if mixed(f.text[m[2]:m[3]]) {
			f.add(Key, m[2], m[3])
		}
	}
	if strings.Contains(f.text, "://") {
		for _, m := range userinfo.FindAllStringSubmatchIndex(f.text, -1) {
			f.add(Key, m[2], m[3])
		}
	}
	for _, m := range webhook.FindAllStringSubmatchIndex(f.text, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				f.add(Key, m[g], m[g+1])
			}
		}
	}
}

// afterPrefixMixed reports whether a key has a digit and a letter after its prefix.
func afterPrefixMixed(s string) bool {
	if strings.HasPrefix(s, "AKIA") || strings.HasPrefix(s, "ASIA") {
		return strings.ContainsAny(s[4:], "234567")
	}
	i := strings.LastIndexAny(s[:min(len(s), 12)], "_-.")
	if strings.HasPrefix(s, "AIza") {
		i = 3
	}
	if strings.HasPrefix(s, "SK") {
		i = 1
	}
	return mixed(s[i+1:])
}

// mixed reports whether s has a digit and a letter.
func mixed(s string) bool {
	digit, letter := false, false
	for i := 0; i < len(s); i++ {
		digit = digit || isDigit(s[i])
		letter = letter || isLetter(s[i])
	}
	return digit && letter
}

// generic finds opaque words that the text around them calls secret.
func (f *finder) generic() {
	if !labels.MatchString(f.text) {
		return
	}
	for _, m := range opaque.FindAllStringIndex(f.text, -1) {
		start, end := m[0], m[1]
		for end > start && (f.text[end-1] == '.' || f.text[end-1] == '-') {
			end--
		}
		// In name=value the name is none of it.
		if i := strings.IndexByte(f.text[start:end], '='); i > 0 && start+i+1 < end && f.text[start+i+1] != '=' {
			start += i + 1
		}
		s := f.text[start:end]
		if len(s) < 20 || !mixed(s) || entropy(s) < 3.5 || uuid.MatchString(s) || dated.MatchString(s) || pathLike(f.text, start, s) ||
			hashed.MatchString(f.text[max(0, start-40):start]) {
			continue
		}
		if f.alone(start, end) {
			f.add(Key, start, end)
		}
	}
}

// pathLike reports whether s is part of a URL, a path, a file or host name.
func pathLike(text string, start int, s string) bool {
	before := text[max(0, start-3):start]
	if strings.HasSuffix(before, "/") || strings.HasSuffix(before, ":/") || strings.HasSuffix(before, "#") || strings.HasSuffix(before, "?") || strings.HasSuffix(before, "&") {
		return true
	}
	slashes := strings.Count(s, "/")
	if slashes > 0 && (s[0] == '/' || slashes > 1 && words(s) > slashes) {
		return true
	}
	return strings.Count(s, ".") >= 1 && words(strings.ReplaceAll(s, ".", "/")) > 1 || words(strings.NewReplacer("-", "/", "_", "/").Replace(s)) >= 3
}

// words counts the parts of s between slashes that are plain words.
func words(s string) int {
	n := 0
	for _, p := range strings.Split(s, "/") {
		if len(p) >= 2 && strings.Trim(strings.ToLower(p[1:]), "abcdefghijklmnopqrstuvwxyz") == "" && p[1:] == strings.ToLower(p[1:]) {
			n++
		}
	}
	return n
}

// entropy is Shannon's, in bits a character.
func entropy(s string) float64 {
	var count [256]int
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	e := 0.0
	for _, c := range count {
		if c > 0 {
			p := float64(c) / float64(len(s))
			e -= p * math.Log2(p)
		}
	}
	return e
}

var tokenForm = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*){1,3}`)

// jwts finds JSON Web Tokens, signed (three parts) or encrypted (five).
func (f *finder) jwts() {
	if !strings.Contains(f.text, "eyJ") {
		return
	}
	for _, m := range tokenForm.FindAllStringIndex(f.text, -1) {
		s := strings.TrimRight(f.text[m[0]:m[1]], ".")
		parts := strings.Split(s, ".")
		if len(parts) != 3 && len(parts) != 5 {
			continue
		}
		head, err := base64.RawURLEncoding.DecodeString(parts[0])
		var h map[string]any
		if err != nil || json.Unmarshal(head, &h) != nil || h["alg"] == nil {
			continue
		}
		if f.alone(m[0], m[0]+len(s)) {
			f.add(JWT, m[0], m[0]+len(s))
		}
	}
}
