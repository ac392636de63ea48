package textview

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plasmate/policy/privacy"
	"plasmate/som"
)

// luhnNumber makes a card number of sixteen digits.
func luhnNumber(r *rand.Rand) string {
	for {
		s := "4"
		for len(s) < 16 {
			s += string(rune('0' + r.IntN(10)))
		}
		if ms := privacy.Find(s, privacy.Detectors{}); len(ms) == 1 && ms[0].Kind == privacy.Card {
			return s
		}
	}
}

const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func madeUp(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alnum[r.IntN(len(alnum))]
	}
	return string(b[:n-2]) + "a7"
}

// secretIn makes a secret and the HTML that a page shows it with.
func secretIn(r *rand.Rand) (secret, html string) {
	switch r.IntN(4) {
	case 0:
		secret = luhnNumber(r)
	case 1:
		secret = fmt.Sprintf("%03d-%02d-%04d", 1+r.IntN(665), 1+r.IntN(99), 1+r.IntN(9999))
	case 2:
		secret = "ghp_" + madeUp(r, 36)
	default:
		secret = "sk-" + madeUp(r, 30)
	}
	half := len(secret) / 2
	switch r.IntN(9) {
	case 0:
		html = "<p>See " + secret + " here</p>"
	case 1:
		html = "<p>See <b>" + secret[:half] + "</b><i>" + secret[half:] + "</i></p>"
	case 2:
		html = `<p><a href="/x">` + secret + `</a></p>`
	case 3:
		html = `<p><button aria-label="Copy ` + secret + `">Copy</button></p>`
	case 4:
		html = `<p><input aria-label=Field value="` + secret + `"></p>`
	case 5:
		html = `<p><img alt="` + secret + `" src=x></p>`
	case 6:
		html = `<ul><li>` + secret + ` <a href="/y?q=` + secret + `">y</a></ul>`
	case 7:
		html = `<table><tr><th>A<th>B<tr><td>` + secret + `<td>b</table>`
	default:
		html = `<h2>` + secret + `</h2>`
	}
	return secret, html
}

// Ten thousand generated secrets in random pages are in no output.
func TestNoSecretIsPrinted(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	r := rand.New(rand.NewPCG(7, 8))
	const perPage = 50
	for range n / perPage {
		var b strings.Builder
		var secrets []string
		for range perPage {
			s, html := secretIn(r)
			secrets = append(secrets, s)
			b.WriteString(html)
		}
		p := som.Analyze(som.Input{URL: "https://a.example/?c=" + secrets[0], Source: []byte("<title>" + secrets[1] + "</title><main>" + b.String())}, som.Options{})
		var refs Refs
		v := privacy.NewVault(privacy.Detectors{})
		var outs []string
		for _, mode := range []Mode{Actions, Full, Read} {
			view := Render(p, &refs, Options{Mode: mode, Vault: v, Links: true, Budget: 20_000})
			outs = append(outs, view.Text, view.Orientation())
		}
		outs = append(outs, Find(p, &refs, Search{Query: "e", Limit: 50, Links: true, Vault: v}))
		for _, kind := range []string{"text", "list", "table"} {
			text, _ := Extract(p, &refs, Extraction{Kind: kind, Vault: v, Links: true})
			outs = append(outs, text)
			text, _ = Extract(p, &refs, Extraction{Kind: kind, Vault: v, JSON: true})
			outs = append(outs, text)
		}
		all := strings.Join(outs, "\n")
		for _, s := range secrets {
			if strings.Contains(all, s) {
				t.Fatalf("%s is printed in\n%s", s, all[max(0, strings.Index(all, s)-200):])
			}
		}
	}
}
