package privacy

import (
	"net/netip"
	"net/url"
	"regexp"
	"sort"
	"strings"
)

// Use is where a text with tokens is to be typed.
type Use struct {
	Origin    string // of the frame that the control is in: scheme://host or scheme://host:port
	Confirmed bool   // the caller confirmed that the token goes to this origin
}

// A Refusal says why a text cannot be typed. Nothing may be typed then, not
// even a part of it.
type Refusal struct {
	Code  string // "unknown-token" or "needs-confirm"
	Token string
	Text  string // what to tell the caller; holds no value
}

// Error is the explanation.
func (r *Refusal) Error() string { return r.Text }

// The codes of a Refusal.
const (
	UnknownToken = "unknown-token"
	NeedsConfirm = "needs-confirm"
)

var (
	anyToken    = regexp.MustCompile(`‹[^‹›]*›?`)
	asciiToken  = regexp.MustCompile(`^<([a-z]+):([0-9]+)>$`)
	asciiSecret = regexp.MustCompile(`^<secret:([A-Z0-9_]{1,32})>$`)
	bareSecret  = regexp.MustCompile(`^secret:([A-Za-z0-9_]*)$`)
	namedSecret = regexp.MustCompile(`^‹secret:([A-Z0-9_]{1,32})›$`)
)

// Resolve puts the values of tokens into a text that is to be typed. sensitive
// says that it held any, so that the field must be masked from now on.
func (v *Vault) Resolve(text string, use Use) (out string, sensitive bool, refused *Refusal) {
	if m := bareSecret.FindStringSubmatch(text); m != nil {
		out, refused = v.secretFor(m[1], use)
		return out, refused == nil, refused
	}
	if m := asciiSecret.FindStringSubmatch(text); m != nil && v.named(m[1]) != nil {
		out, refused = v.secretFor(m[1], use)
		return out, refused == nil, refused
	}
	if m := asciiToken.FindStringSubmatch(text); m != nil && v.byToken[tokenOf(Kind(m[1]), m[2])] != nil {
		text = tokenOf(Kind(m[1]), m[2])
	}
	if !strings.Contains(text, "‹") {
		return text, false, nil
	}
	var used []*entry
	out = anyToken.ReplaceAllStringFunc(text, func(tok string) string {
		value, e, r := v.valueOf(tok, use)
		if r != nil && (refused == nil || refused.Code == NeedsConfirm && r.Code == UnknownToken) {
			refused = r
		}
		if e != nil {
			used = append(used, e)
		}
		sensitive = sensitive || value != tok
		return value
	})
	if refused != nil {
		return "", false, refused
	}
	for _, e := range used {
		e.origins[use.Origin] = true
	}
	return out, sensitive, nil
}

// valueOf is the value of one token. A quotation in angle quotes is none.
func (v *Vault) valueOf(tok string, use Use) (string, *entry, *Refusal) {
	if m := namedSecret.FindStringSubmatch(tok); m != nil {
		value, r := v.secretFor(m[1], use)
		return value, nil, r
	}
	if !strings.Contains(tok, ":") {
		return tok, nil, nil
	}
	e := v.byToken[tok]
	if e == nil {
		return "", nil, &Refusal{Code: UnknownToken, Token: v.Mask(tok), Text: v.Mask(tok) + v.known(tok)}
	}
	if !e.origins[use.Origin] && !use.Confirmed {
		return "", nil, &Refusal{Code: NeedsConfirm, Token: tok,
			Text: tok + " was seen on " + hostsOf(e.origins) + ", this is " + hostOf(use.Origin)}
	}
	return e.value.reveal(), e, nil
}

func (v *Vault) named(name string) *secret {
	for _, s := range v.secrets {
		if s.name == name {
			return s
		}
	}
	return nil
}

func (v *Vault) secretFor(name string, use Use) (string, *Refusal) {
	s := v.named(name)
	host := hostOf(use.Origin)
	if s == nil || len(s.hosts) > 0 && !s.allows(host) {
		text := "‹secret:" + name + "›"
		if known := v.Secrets(host); len(known) > 0 {
			text += " (known here: " + strings.Join(known, ", ") + ")"
		}
		return "", &Refusal{Code: UnknownToken, Token: tokenOf(Secret, name), Text: text}
	}
	if !safeOrigin(use.Origin) {
		return "", &Refusal{Code: UnknownToken, Token: tokenOf(Secret, name), Text: s.value.String() + " is typed on https pages only"}
	}
	if len(s.hosts) == 0 && !use.Confirmed {
		return "", &Refusal{Code: NeedsConfirm, Token: tokenOf(Secret, name), Text: s.value.String() + " has no hosts, this is " + host}
	}
	return s.value.reveal(), nil
}

// known lists the tokens that an unknown one may have meant.
func (v *Vault) known(tok string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(tok, "‹"), ":")
	var same, all []string
	for t, e := range v.byToken {
		all = append(all, t)
		if string(e.kind) == kind {
			same = append(same, t)
		}
	}
	if len(same) == 0 {
		same = all
	}
	if len(same) == 0 {
		return " (known: none)"
	}
	sort.Slice(same, func(i, j int) bool {
		if len(same[i]) != len(same[j]) {
			return len(same[i]) < len(same[j])
		}
		return same[i] < same[j]
	})
	return " (known: " + strings.Join(same[:min(len(same), 5)], ", ") + ")"
}

func hostsOf(origins map[string]bool) string {
	var hs []string
	for o := range origins {
		hs = append(hs, hostOf(o))
	}
	if len(hs) == 0 {
		return "no page"
	}
	sort.Strings(hs)
	return strings.Join(hs[:min(len(hs), 3)], ", ")
}

func hostOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return origin
	}
	return u.Hostname()
}

// safeOrigin reports whether what is typed is not sent in the clear: https, or
// this machine.
func safeOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if u.Scheme == "https" {
		return true
	}
	h := u.Hostname()
	a, err := netip.ParseAddr(h)
	return u.Scheme == "http" && (h == "localhost" || strings.HasSuffix(h, ".localhost") || err == nil && a.IsLoopback())
}
