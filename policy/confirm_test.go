package policy

import "testing"

func TestConfirm(t *testing.T) {
	submit := &FormFacts{Submits: true, Unsafe: true, PageSecure: true, Secure: true}
	with := func(f func(*FormFacts)) *FormFacts { c := *submit; f(&c); return &c }
	for _, c := range []struct {
		name string
		a    Action
		want Confirmation
	}{
		{"a payment by name", Action{Do: "click", Role: "button", Name: "Pay €12.00"}, ConfirmPayment},
		{"a payment by a link", Action{Do: "click", Role: "link", Name: "Buy now"}, ConfirmPayment},
		{"a payment by Enter", Action{Do: "press", Key: "Enter", Role: "button", Name: "Place order"}, ConfirmPayment},
		{"in German", Action{Do: "click", Role: "button", Name: "Zahlungspflichtig bestellen"}, ConfirmPayment},
		{"a form with a card field, whatever its button says", Action{Do: "click", Role: "button", Name: "Continue", Form: with(func(f *FormFacts) { f.Card = true })}, ConfirmPayment},
		{"payment as a part of a word", Action{Do: "click", Role: "link", Name: "Paypal help"}, NoConfirmation},
		{"to fill in is no payment", Action{Do: "type", Role: "textbox", Name: "Pay to"}, NoConfirmation},
		{"deletion", Action{Do: "click", Role: "button", Name: "Delete account"}, ConfirmDestructive},
		{"deletion of the list itself", Action{Do: "click", Role: "button", Name: "Delete", InListItem: true}, ConfirmDestructive},
		{"removal of one item", Action{Do: "click", Role: "button", Name: "Remove item", InListItem: true}, NoConfirmation},
		{"removal of all", Action{Do: "click", Role: "button", Name: "Remove all", InListItem: true}, ConfirmDestructive},
		{"removal outside of a list", Action{Do: "click", Role: "button", Name: "Remove"}, ConfirmDestructive},
		{"a subscription", Action{Do: "click", Role: "button", Name: "Cancel subscription"}, ConfirmDestructive},
		{"cancel alone", Action{Do: "click", Role: "button", Name: "Cancel"}, NoConfirmation},
		{"a post with a message", Action{Do: "click", Role: "button", Name: "Post", Form: with(func(f *FormFacts) { f.Message = true })}, ConfirmPublishing},
		{"a post without", Action{Do: "click", Role: "button", Name: "Post", Form: submit}, NoConfirmation},
		{"access", Action{Do: "click", Role: "button", Name: "Authorize app"}, ConfirmGrant},
		{"a password", Action{Do: "click", Role: "button", Name: "Change password", Form: with(func(f *FormFacts) { f.Passwords = 2 })}, ConfirmPassword},
		{"a file", Action{Do: "upload", Role: "file", Name: "Photo"}, ConfirmUpload},
		{"a form that is sent in the clear", Action{Do: "click", Role: "button", Name: "Go", Form: with(func(f *FormFacts) { f.Secure = false })}, ConfirmDowngrade},
		{"an unsafe form of a page that cannot be trusted", Action{Do: "click", Role: "button", Name: "Go", Form: submit, Untrusted: true}, ConfirmUntrusted},
		{"a search on such a page", Action{Do: "click", Role: "button", Name: "Go", Form: with(func(f *FormFacts) { f.Unsafe = false }), Untrusted: true}, NoConfirmation},
		{"an ordinary click", Action{Do: "click", Role: "button", Name: "Continue to review", Form: submit}, NoConfirmation},
		{"a box to tick", Action{Do: "click", Role: "checkbox", Name: "Delete my data later"}, NoConfirmation},
	} {
		if got := Confirm(c.a); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestConfirmPolicy(t *testing.T) {
	for _, c := range []struct {
		policy      ConfirmPolicy
		flag, human bool
		want        bool
	}{
		{"", false, false, false}, {"", true, false, true}, {ConfirmByModel, true, false, true},
		{ConfirmByHuman, true, false, false}, {ConfirmByHuman, false, true, true},
		{ConfirmOff, false, false, true}, {ConfirmDeny, true, true, false},
	} {
		if got, _ := c.policy.Allows(ConfirmPayment, c.flag, c.human); got != c.want {
			t.Errorf("%q flag %v human %v: got %v, want %v", c.policy, c.flag, c.human, got, c.want)
		}
	}
	if ok, _ := ConfirmDeny.Allows(NoConfirmation, false, false); !ok {
		t.Error("what needs no confirmation is always allowed")
	}
}
