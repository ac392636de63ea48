package policy

import (
	"strings"
	"unicode"
)

// A Confirmation is what an action must be confirmed for.
type Confirmation string

// The reasons (text protocol §8).
const (
	NoConfirmation      Confirmation = ""
	ConfirmPayment      Confirmation = "payment"
	ConfirmDestructive  Confirmation = "destructive"
	ConfirmPublishing   Confirmation = "publishing"
	ConfirmGrant        Confirmation = "grant"
	ConfirmUpload       Confirmation = "upload"
	ConfirmPassword     Confirmation = "password change"
	ConfirmTokenOrigin  Confirmation = "token-origin"
	ConfirmURLData      Confirmation = "url-data"
	ConfirmPrivate      Confirmation = "private-network"
	ConfirmDowngrade    Confirmation = "downgrade"
	ConfirmUntrusted    Confirmation = "untrusted page"
	ConfirmNotPermitted Confirmation = "not permitted" // the session denies what needs a confirmation
)

// Action is an action as far as it matters whether it must be confirmed. It is
// read off the element that a ref stands for at the time of the action, never
// off what the caller says of it.
type Action struct {
	Do   string // click, submit, press, type, upload …
	Key  string // of press
	Role string // of the element
	Name string // current accessible name

	InListItem bool // the element stands in an item of a list
	Form       *FormFacts
	// Untrusted: the page has notes of hidden, unseen or instruction-like text.
	Untrusted bool
}

// FormFacts are what counts of the form that an action may send; nil: none.
type FormFacts struct {
	Submits    bool // the action sends it
	Unsafe     bool // by a method other than GET
	Card       bool // it has a field for a card
	Passwords  int  // fields for a new or current password
	Message    bool // it has a message field that is not empty
	PageSecure bool // the page came over https
	Secure     bool // and so is the form's target
}

// Confirm says for what an action must be confirmed, if anything.
//
// Spec: text protocol §8.
func Confirm(a Action) Confirmation {
	if a.Do == "upload" {
		return ConfirmUpload
	}
	if !a.sets() {
		return NoConfirmation
	}
	words := nameWords(a.Name)
	form := FormFacts{}
	if a.Form != nil {
		form = *a.Form
	}
	switch {
	case named(words, payments), form.Submits && form.Card:
		return ConfirmPayment
	case named(words, destructions) && !(a.InListItem && itemRemoval(words)):
		return ConfirmDestructive
	case form.Submits && form.Passwords >= 2 && named(words, passwordChanges), named(words, passwordChanges) && a.Role != "link":
		return ConfirmPassword
	case form.Message && named(words, publications):
		return ConfirmPublishing
	case named(words, grants):
		return ConfirmGrant
	case form.Submits && form.PageSecure && !form.Secure:
		return ConfirmDowngrade
	case a.Untrusted && form.Submits && form.Unsafe:
		return ConfirmUntrusted
	}
	return NoConfirmation
}

// sets reports whether the action sets something in motion, as opposed to
// filling something in.
func (a Action) sets() bool {
	switch a.Do {
	case "click", "dblclick", "submit":
		return a.Role != "textbox" && a.Role != "combobox" && a.Role != "checkbox" && a.Role != "radio"
	case "press":
		return a.Key == "Enter" || a.Key == "Space" && a.Role == "button"
	}
	return false
}

// nameWords are the words of a name in lower case.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// named reports whether one of the phrases stands in the words.
func named(words []string, phrases func() []string) bool {
	for _, p := range phrases() {
		if hasPhrase(words, strings.Fields(p)) {
			return true
		}
	}
	return false
}

func hasPhrase(words, phrase []string) bool {
next:
	for i := 0; i+len(phrase) <= len(words); i++ {
		for k := range phrase {
			if words[i+k] != phrase[k] {
				continue next
			}
		}
		return true
	}
	return false
}

// itemRemoval reports whether a name is that of a control that takes one item
// out of a list, as "remove" or "remove item" in a basket.
func itemRemoval(words []string) bool {
	return len(words) <= 3 && words[0] == "remove" && !hasPhrase(words, []string{"account"}) && !hasPhrase(words, []string{"all"})
}

func payments() []string {
	return []string{
		"pay", "buy", "purchase", "place order", "place your order", "order now", "checkout now", "book now", "donate", "transfer", "send money", "withdraw", "subscribe and pay",
		"bezahlen", "zahlen", "jetzt kaufen", "kaufen", "kostenpflichtig bestellen", "zahlungspflichtig bestellen", "spenden", "überweisen", "jetzt buchen",
		"payer", "acheter", "commander", "passer la commande", "faire un don", "virement", "réserver maintenant",
		"pagar", "comprar", "realizar pedido", "donar", "transferir", "reservar ahora", "retirar fondos",
		"paga", "acquista", "compra", "effettua l ordine", "dona", "trasferisci", "prenota ora",
		"finalizar compra", "doar", "reservar agora",
		"betalen", "kopen", "bestelling plaatsen", "doneren", "overmaken", "nu boeken",
	}
}

func destructions() []string {
	return []string{
		"delete", "remove", "erase", "destroy", "terminate", "deactivate", "close account", "close my account", "revoke", "factory reset", "reset account", "reset device", "reset data",
		"wipe", "cancel subscription", "cancel order", "cancel my subscription", "cancel my order", "unsubscribe",
		"löschen", "entfernen", "konto schließen", "kündigen", "stornieren", "supprimer", "effacer", "désactiver", "résilier",
		"eliminar", "borrar", "cancelar suscripción", "elimina", "cancella", "excluir", "apagar", "verwijderen", "wissen", "opzeggen",
	}
}

func publications() []string {
	return []string{
		"send", "post", "publish", "tweet", "share", "submit review", "reply", "comment", "senden", "absenden", "veröffentlichen", "envoyer", "publier",
		"enviar", "publicar", "invia", "pubblica", "verzenden", "plaatsen",
	}
}

func grants() []string {
	return []string{
		"authorize", "authorise", "allow access", "grant", "approve", "install", "autorisieren", "zugriff erlauben", "autoriser", "autorizar", "autorizza", "installieren", "installer", "instalar",
	}
}

func passwordChanges() []string {
	return []string{
		"change password", "change my password", "update password", "reset password", "set password", "save password", "set new password", "passwort ändern", "changer le mot de passe",
		"cambiar contraseña", "cambia password", "alterar senha", "wachtwoord wijzigen",
	}
}

// NavigationConfirmation says for what a navigation must be confirmed. secrets
// says that the URL holds a secret or a token; private, that it leads from a
// public page into a private network; down, that it goes from https to http on
// the same host.
func NavigationConfirmation(secrets, private, down bool) Confirmation {
	switch {
	case secrets:
		return ConfirmURLData
	case private:
		return ConfirmPrivate
	case down:
		return ConfirmDowngrade
	}
	return NoConfirmation
}

// ConfirmPolicy is how a session handles what needs a confirmation.
type ConfirmPolicy string

// The policies; the zero value is ConfirmByModel.
const (
	ConfirmByModel ConfirmPolicy = "model" // the caller's flag suffices
	ConfirmByHuman ConfirmPolicy = "human" // the flag is refused: the host application must confirm
	ConfirmOff     ConfirmPolicy = "off"   // nothing is asked
	ConfirmDeny    ConfirmPolicy = "deny"  // nothing that needs it is done
)

// Allows reports whether an action that needs a confirmation may be done.
func (p ConfirmPolicy) Allows(need Confirmation, flag, human bool) (ok bool, reason Confirmation) {
	switch {
	case need == NoConfirmation || p == ConfirmOff:
		return true, NoConfirmation
	case p == ConfirmDeny:
		return false, ConfirmNotPermitted
	case p == ConfirmByHuman:
		return human, need
	}
	return flag || human, need
}
