package privacy

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// randomKey is a made-up key of the form of the generic detector's.
func randomKey(r *rand.Rand, n int) string {
	const set = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for {
		b := make([]byte, n)
		for i := range b {
			b[i] = set[r.IntN(len(set))]
		}
		if mixed(string(b)) && entropy(string(b)) >= 3.5 {
			return string(b)
		}
	}
}

func TestFind(t *testing.T) {
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	k := randomKey(rand.New(rand.NewPCG(1, 2)), 40)
	for _, c := range []struct{ name, in, want string }{
		{"a card", "pay 4111 1111 1111 1111 now", "pay ‹card:1› now"},
		{"a card twice, once with hyphens", "4111 1111 1111 1111, 4111-1111-1111-1111", "‹card:1›, ‹card:1›"},
		{"a wrong checksum", "4111 1111 1111 1112", "4111 1111 1111 1112"},
		{"a card with an expiry behind", "4111111111111111 12/27", "‹card:1› 12/27"},
		{"amex", "3782 822463 10005", "‹card:1›"},
		{"mixed separators", "4111 1111-1111 1111", "4111 1111-1111 1111"},
		{"in a longer number", "94111111111111111", "94111111111111111"},
		{"19 digits alone", "order 4000000000000000006", "order 4000000000000000006"},
		{"19 digits of a card", "visa 4000000000000000006", "visa ‹card:1›"},
		{"an account number", "GB82 WEST 1234 5698 7654 32", "‹iban:1›"},
		{"its last digit changed", "GB82 WEST 1234 5698 7654 33", "GB82 WEST 1234 5698 7654 33"},
		{"an account number in one piece", "to DE89370400440532013000.", "to ‹iban:1›."},
		{"a social security number", "123-45-6789", "‹ssn:1›"},
		{"an area that is none", "900-12-3456", "900-12-3456"},
		{"an order number", "order no. 123456789", "order no. 123456789"},
		{"nine digits by name", "SSN: 123456789", "SSN: ‹ssn:1›"},
		{"github", "ghp_" + k[:36], "‹key:1›"},
		{"prefix without digits", "sk-" + strings.Repeat("abcdefghij", 3), "sk-" + strings.Repeat("abcdefghij", 3)},
		{"bearer", "Authorization: Bearer " + k, "Authorization: Bearer ‹key:1›"},
		{"password in a URL", "https://bob:hunter2@x.example/", "https://bob:‹key:1›@x.example/"},
		{"named", "API key: " + k, "API key: ‹key:1›"},
		{"opaque, but not named", "id " + k, "id " + k},
		{"a UUID", "token 123e4567-e89b-12d3-a456-426614174000", "token 123e4567-e89b-12d3-a456-426614174000"},
		{"a hash", "secret sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "secret sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		{"a path", "password reset /accounts/recover/2024/step1-of-the-process", "password reset /accounts/recover/2024/step1-of-the-process"},
		{"a web token", head + "." + k + "." + k, "‹jwt:1›"},
		{"a private key", "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "‹key:1›"},
		{"mail stays", "bob@shop.example", "bob@shop.example"},
		{"a phone number", "+1 (555) 010-9999", "+1 (555) 010-9999"},
		{"digits one by one", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "‹card:1›"},
	} {
		if got := NewVault(Detectors{}).Redact(c.in, "https://a.example"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := NewVault(Detectors{Emails: true}).Redact("write to bob.k@shop.example.", ""); got != "write to ‹email:1›." {
		t.Errorf("mail asked for: got %q", got)
	}
}

func TestRedactPieces(t *testing.T) {
	v := NewVault(Detectors{})
	got := v.RedactPieces([]string{"No. 4111", " 1111 11", "11 1111 x ", "4111111111111111"}, "o")
	if want := []string{"No. ‹card:1›", "", " x ", "‹card:1›"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestResolve(t *testing.T) {
	const shop, pay = "https://shop.example", "https://pay.example"
	v := NewVault(Detectors{})
	v.Redact("4111 1111 1111 1111 and 5555 5555 5555 4444", shop)
	if err := v.SetSecret("PASS", "correct horse", []string{"shop.example", "*.pay.example"}); err != nil {
		t.Fatal(err)
	}
	if err := v.SetSecret("ANY", "battery staple", nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		use        Use
		want, code string
	}{
		{"a token", "‹card:1›", Use{Origin: shop}, "4111 1111 1111 1111", ""},
		{"several", "a ‹card:1› b ‹card:2›", Use{Origin: shop}, "a 4111 1111 1111 1111 b 5555 5555 5555 4444", ""},
		{"the ASCII form", "<card:1>", Use{Origin: shop}, "4111 1111 1111 1111", ""},
		{"the ASCII form within text is text", "x <card:1>", Use{Origin: shop}, "x <card:1>", ""},
		{"the ASCII form of no token is text", "<card:9>", Use{Origin: shop}, "<card:9>", ""},
		{"an unknown token", "‹card:9›", Use{Origin: shop}, "", UnknownToken},
		{"a known and an unknown one", "‹card:1› ‹card:9›", Use{Origin: shop}, "", UnknownToken},
		{"a token that is masked only", "‹card:?›", Use{Origin: shop}, "", UnknownToken},
		{"a malformed token", "‹card:›", Use{Origin: shop}, "", UnknownToken},
		{"an open token", "‹card:1", Use{Origin: shop}, "", UnknownToken},
		{"another origin", "‹card:1›", Use{Origin: pay}, "", NeedsConfirm},
		{"a quotation", "‹ici›", Use{Origin: shop}, "‹ici›", ""},
		{"a secret", "secret:PASS", Use{Origin: shop}, "correct horse", ""},
		{"its token", "‹secret:PASS›", Use{Origin: shop}, "correct horse", ""},
		{"a host below", "secret:PASS", Use{Origin: "https://a.pay.example"}, "correct horse", ""},
		{"a host that is not listed", "secret:PASS", Use{Origin: "https://evil.example", Confirmed: true}, "", UnknownToken},
		{"a secret in the clear", "secret:PASS", Use{Origin: "http://shop.example"}, "", UnknownToken},
		{"a secret within text is text", "my secret:PASS", Use{Origin: shop}, "my secret:PASS", ""},
		{"no such secret", "secret:NONE", Use{Origin: shop}, "", UnknownToken},
		{"a secret without hosts", "secret:ANY", Use{Origin: shop}, "", NeedsConfirm},
		{"a secret without hosts, confirmed", "secret:ANY", Use{Origin: shop, Confirmed: true}, "battery staple", ""},
		{"another origin, confirmed", "‹card:2›", Use{Origin: pay, Confirmed: true}, "5555 5555 5555 4444", ""},
		{"the origin that was confirmed", "‹card:2›", Use{Origin: pay}, "5555 5555 5555 4444", ""},
	} {
		got, sensitive, refused := v.Resolve(c.text, c.use)
		code := ""
		if refused != nil {
			code = refused.Code
			if strings.Contains(refused.Error(), "4111") || strings.Contains(refused.Error(), "horse") {
				t.Errorf("%s: the refusal tells the value: %s", c.name, refused)
			}
		}
		if got != c.want || code != c.code {
			t.Errorf("%s: got %q, %q; want %q, %q", c.name, got, code, c.want, c.code)
		}
		if wantSensitive := c.code == "" && got != c.text; sensitive != wantSensitive {
			t.Errorf("%s: sensitive got %v, want %v", c.name, sensitive, wantSensitive)
		}
	}
	_, _, refused := v.Resolve("‹card:3›", Use{Origin: shop})
	if want := "‹card:3› (known: ‹card:1›, ‹card:2›)"; refused == nil || refused.Text != want {
		t.Errorf("got %v, want %s", refused, want)
	}
}

func TestSecretsAreMaskedInAllForms(t *testing.T) {
	const value = "p@ss w/rd&<9>"
	v := NewVault(Detectors{})
	if err := v.SetSecret("S", value, nil); err != nil {
		t.Fatal(err)
	}
	if err := v.SetSecret("PIN", "ssw", nil); err != nil {
		t.Fatal(err)
	}
	if err := v.SetSecret("WORD", "blue7", nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"x" + value + "y", url.QueryEscape(value), url.PathEscape(value), strings.ToLower(url.QueryEscape("9")) + lowerEscapes(url.QueryEscape(value)),
		"p@ss w/rd&amp;&lt;9&gt;",
		base64.StdEncoding.EncodeToString([]byte(value)), base64.URLEncoding.EncodeToString([]byte("user:" + value)), base64.StdEncoding.EncodeToString([]byte("ab" + value + "tail")),
	} {
		if got := v.Redact(s, ""); !strings.Contains(got, "‹secret:S›") {
			t.Errorf("%q: got %q", s, got)
		}
	}
	for in, want := range map[string]string{"Password": "Password", "blue7 sky": "‹secret:WORD› sky", "blue77": "blue77"} {
		if got := v.Redact(in, ""); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestValuesHideThemselves(t *testing.T) {
	v := Value{"‹card:1›", []byte("4111111111111111")}
	j, _ := json.Marshal(struct{ V Value }{v})
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
	for _, s := range []string{fmt.Sprint(v), fmt.Sprintf("%v %+v %#v %s %q %x", v, v, v, v, v, v), string(j), log.String()} {
		if strings.Contains(s, "4111") {
			t.Errorf("leaks: %s", s)
		}
	}
}

func TestTheVaultIsBounded(t *testing.T) {
	v := NewVault(Detectors{})
	r := rand.New(rand.NewPCG(3, 4))
	last := ""
	for range maxEntries + 1 {
		last = v.Redact(cardNumber(r), "o")
	}
	if last != "‹card:?›" {
		t.Errorf("got %s, want ‹card:?›", last)
	}
	v.Close()
	if got := v.Redact("4111111111111111", "o"); got != "‹card:1›" {
		t.Errorf("after Close: got %s", got)
	}
}

func cardNumber(r *rand.Rand) string {
	for {
		s := "4"
		for len(s) < 16 {
			s += string(rune('0' + r.IntN(10)))
		}
		if luhn(s) {
			return s
		}
	}
}

// Ten thousand generated secrets in random text: none is left.
func TestNoGeneratedSecretIsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("order total your account shipping the 12 2024 of and (new) #4 - · card key: token=")
	for i := range 10_000 {
		secret := generated(r)
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		b.WriteString(secret.before + secret.value)
		for range r.IntN(4) {
			b.WriteString(" " + words[r.IntN(len(words))])
		}
		v := NewVault(Detectors{})
		if got := v.Redact(b.String(), "https://a.example"); strings.Contains(got, secret.value) {
			t.Fatalf("secret %d of kind %s is left in %q", i, secret.kind, got)
		}
		if got := v.Mask(b.String()); strings.Contains(got, secret.value) {
			t.Fatalf("secret %d of kind %s is left by Mask in %q", i, secret.kind, got)
		}
	}
}

type generatedSecret struct {
	kind          Kind
	before, value string
}

func generated(r *rand.Rand) generatedSecret {
	switch r.IntN(7) {
	case 0:
		c := cardNumber(r)
		if r.IntN(2) == 0 {
			c = c[:4] + "-" + c[4:8] + "-" + c[8:12] + "-" + c[12:]
		}
		return generatedSecret{Card, "card ", c}
	case 1:
		return generatedSecret{SSN, "", fmt.Sprintf("%03d-%02d-%04d", 1+r.IntN(665), 1+r.IntN(99), 1+r.IntN(9999))}
	case 2:
		return generatedSecret{IBAN, "", germanIBAN(r)}
	case 3:
		return generatedSecret{Key, "", []string{"ghp_", "npm_"}[r.IntN(2)] + randomKey(r, 36)}
	case 4:
		return generatedSecret{Key, "", "sk-proj-" + randomKey(r, 24)}
	case 5:
		return generatedSecret{Key, "api key: ", randomKey(r, 24+r.IntN(30))}
	}
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256"}`))
	return generatedSecret{JWT, "", head + "." + randomKey(r, 40) + "." + randomKey(r, 43)}
}

func germanIBAN(r *rand.Rand) string {
	body := ""
	for len(body) < 18 {
		body += string(rune('0' + r.IntN(10)))
	}
	for check := 2; check <= 98; check++ {
		if s := fmt.Sprintf("DE%02d%s", check, body); mod97([]byte(s)) == 1 {
			return s
		}
	}
	return ""
}

func TestFieldKind(t *testing.T) {
	for _, c := range []struct {
		f    Field
		want string
	}{
		{Field{Type: "password"}, "password"},
		{Field{Type: "text", Autocomplete: "section-a cc-number"}, "card"},
		{Field{Type: "text", Autocomplete: "cc-exp-month"}, "card"},
		{Field{Type: "tel", Words: []string{"Security code"}}, "cvc"},
		{Field{Words: []string{"", "userPassword"}}, "password"},
		{Field{Words: []string{"Verification code"}}, "otp"},
		{Field{Words: []string{"Pinterest"}}, ""},
		{Field{Words: []string{"PIN"}}, "otp"},
		{Field{Type: "checkbox", Words: []string{"Show password"}}, ""},
		{Field{Words: []string{"IBAN"}}, "iban"},
		{Field{Words: []string{"api_key"}}, "secret"},
		{Field{Words: []string{"Card holder"}}, ""},
	} {
		if got := FieldKind(c.f); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.f, got, c.want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"4111 1111 1111 1111", "GB82 WEST 1234 5698 7654 32", "a‹card:1›", "https://a:b@c", "eyJhbGciOiJub25lIn0.e30.", "token ABCDEFGHIJ1234567890abcdef"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := NewVault(Detectors{Emails: true})
		whole := v.Redact(s, "o")
		k := len(s) / 2
		if got := strings.Join(v.RedactPieces([]string{s[:k], s[k:]}, "o"), ""); len(v.exact) == 0 && got != whole {
			t.Errorf("in pieces: got %q, want %q", got, whole)
		}
		_, _, _ = v.Resolve(s, Use{Origin: "o"})
	})
}
