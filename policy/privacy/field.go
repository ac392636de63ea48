package privacy

import "strings"

// Field is what is known of a control that may hold a secret.
type Field struct {
	Type, Autocomplete string
	Words              []string // label, name and id, as written
}

// FieldKind is the kind of a sensitive field, as it is printed after ⚿, or "".
//
// Spec: text protocol §10.1.
func FieldKind(f Field) string {
	for _, tok := range strings.Fields(strings.ToLower(f.Autocomplete)) {
		switch {
		case tok == "current-password" || tok == "new-password":
			return "password"
		case tok == "one-time-code":
			return "otp"
		case tok == "cc-csc":
			return "cvc"
		case tok == "cc-number" || strings.HasPrefix(tok, "cc-exp"):
			return "card"
		}
	}
	if strings.EqualFold(f.Type, "password") {
		return "password"
	}
	switch strings.ToLower(f.Type) {
	case "", "text", "tel", "number", "textarea", "search":
	default:
		return ""
	}
	for _, w := range f.Words {
		if k := kindOfWords(w); k != "" {
			return k
		}
	}
	return ""
}

// kindOfWords reads a label or a name such as "cardNumber".
func kindOfWords(s string) string {
	if len(s) > 120 {
		return ""
	}
	w := " " + split(s) + " "
	for _, t := range [...]struct{ words, kind string }{
		{"password", "password"}, {"passwd", "password"}, {"passphrase", "password"}, {"pwd", "password"},
		{"one time code", "otp"}, {"verification code", "otp"}, {"otp", "otp"}, {"2fa", "otp"}, {"totp", "otp"}, {"pin", "otp"},
		{"cvc", "cvc"}, {"cvv", "cvc"}, {"cvv2", "cvc"}, {"csc", "cvc"}, {"security code", "cvc"}, {"card code", "cvc"},
		{"card number", "card"}, {"cardnumber", "card"}, {"credit card", "card"}, {"ccnum", "card"}, {"cc number", "card"},
		{"ssn", "ssn"}, {"social security", "ssn"}, {"iban", "iban"},
		{"api key", "secret"}, {"apikey", "secret"}, {"secret", "secret"}, {"access token", "secret"}, {"api token", "secret"}, {"auth token", "secret"}, {"token", "secret"},
	} {
		if strings.Contains(w, " "+t.words+" ") {
			return t.kind
		}
	}
	return ""
}

// split writes the words of s in lower case with blanks between, camel case and
// marks parted.
func split(s string) string {
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				b = append(b, ' ')
			}
			b = append(b, c+32)
		case isAlnum(c) || c >= 0x80:
			b = append(b, c)
		default:
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		}
	}
	return strings.TrimSpace(string(b))
}
