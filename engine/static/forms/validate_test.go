package forms_test

import (
	"strings"
	"testing"

	"plasmate/engine/static/forms"
	"plasmate/som"
)

// HTML, 4.10.21 Constraints. Each field is alone in its form; want is the
// beginning of the reason, "" if it is valid.
func TestConstraints(t *testing.T) {
	tests := []struct{ rule, field, want string }{
		{"required text is missing", `<input required>`, "required"},
		{"… and there", `<input required value=x>`, ""},
		{"white space is a value", `<input required value=" ">`, ""},
		{"a required text area", `<textarea required></textarea>`, "required"},
		{"a required box", `<input type=checkbox required>`, "required"},
		{"… ticked", `<input type=checkbox required checked>`, ""},
		{"one required radio button makes its group so", `<input type=radio name=r><input type=radio name=r required>`, "required"},
		{"… satisfied by any", `<input type=radio name=r checked><input type=radio name=r required>`, ""},
		{"a placeholder option is no choice", `<select required><option value="">Choose<option>1</select>`, "required"},
		{"an empty option further down is one", `<select required><option>1<option value="" selected>2</select>`, ""},
		{"an empty first option in a group is one", `<select required><optgroup><option value="">x</optgroup></select>`, ""},
		{"a required list of several without a choice", `<select required multiple><option>1</select>`, "required"},
		{"a required file", `<input type=file required>`, "required"},
		{"required means nothing for ranges, colours and hidden fields", `<input type=range required><input type=color required><input type=hidden required>`, ""},
		{"a disabled field is not validated", `<input required disabled>`, ""},
		{"nor one in a disabled fieldset", `<fieldset disabled><input required></fieldset>`, ""},
		{"nor a read-only one", `<input required readonly>`, ""},
		{"nor one in a datalist", `<datalist><input required></datalist>`, ""},
		{"an e-mail address", `<input type=email value=a@b>`, ""},
		{"no e-mail address", `<input type=email value=a@b..c>`, "not an e-mail address"},
		{"an empty one is none to check", `<input type=email>`, ""},
		{"several addresses", `<input type=email multiple value="a@b,c@d">`, ""},
		{"one of several is wrong", `<input type=email multiple value="a@b,c">`, "not an e-mail address"},
		{"an absolute URL", `<input type=url value=foo:bar>`, ""},
		{"a relative one", `<input type=url value=/x>`, "not an absolute URL"},
		{"a pattern matches the whole value", `<input pattern="[0-9]{3}" value=1234>`, "does not match the pattern [0-9]{3}"},
		{"… alternatives too", `<input pattern="a|b" value=ab>`, "does not match"},
		{"the title says what is wanted", `<input pattern="\d+" title="Digits only" value=x>`, `does not match the pattern \d+ (Digits only)`},
		{"an empty value matches every pattern", `<input pattern=a>`, ""},
		{"an empty pattern matches nothing but the empty value", `<input pattern="" value=x>`, "does not match"},
		{"a pattern that is no regular expression is ignored", `<input pattern="a)(b" value=x>`, ""},
		{"a pattern means nothing for numbers", `<input type=number pattern=a value=1>`, ""},
		{"lookaheads at the start", `<input pattern="(?=.*\d)(?=.*[a-z]).{4,}" value=abcd>`, "does not match"},
		{"… that hold", `<input pattern="^(?=.*\d)(?=.*[a-z]).{4,}$" value=abc1>`, ""},
		{"a negative one", `<input pattern="(?!x).*" value=xa>`, "does not match"},
		{"JavaScript's escapes", `<input pattern="[\u0041-\u{43}\/\-]+\s" value="A/-C ">`, ""},
		{"Unicode properties", `<input pattern="\p{Letter}+" value=é1>`, "does not match"},
		{"below the minimum", `<input type=number min=3 value=2>`, "below the minimum 3"},
		{"above the maximum", `<input type=number max=3 value=3.5 step=any>`, "above the maximum 3"},
		{"between steps", `<input type=number step=5 value=7>`, ""}, // the value attribute is the step base
		{"steps start from min", `<input type=number min=1 step=5 value=7>`, "not a step of 5"},
		{"the default step of numbers is 1", `<input type=number min=0 value=1.5>`, "not on a step"},
		{"steps are exact", `<input type=number min=0 step=0.1 value=0.3>`, ""},
		{"any step", `<input type=number min=0 step=any value=0.123>`, ""},
		{"an early date", `<input type=date min=2024-01-01 value=2023-12-31>`, "below the minimum 2024-01-01"},
		{"steps of dates are days", `<input type=date min=2024-01-01 step=7 value=2024-01-09>`, "not a step of 7"},
		{"months", `<input type=month max=2024-01 value=2024-02>`, "above the maximum"},
		{"weeks", `<input type=week min=2024-W10 value=2024-W09>`, "below the minimum"},
		{"times go in minutes", `<input type=time min=08:00 value=08:00:30>`, "not on a step"},
		{"times over midnight", `<input type=time min=21:00 max=06:00 value=12:00>`, "not between 21:00 and 06:00"},
		{"… within", `<input type=time min=21:00 max=06:00 value=23:00>`, ""},
		{"what the page wrote is never too long or short", `<input maxlength=2 minlength=9 value=abc>`, ""},
		{"buttons are never invalid", `<button required>x</button><input type=submit required>`, ""},
	}
	for _, tt := range tests {
		d := parse(t, "<form id=f>"+tt.field+"</form>")
		got := ""
		if bad := d.Invalid(element(t, d, "f")); len(bad) > 0 {
			got = bad[0].Reason
		}
		if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: reason %q, want %q\n%s", tt.rule, got, tt.want, tt.field)
		}
	}
}

// HTML, the minlength and maxlength attributes: only a user's edit counts.
func TestLengthOfWhatWasTyped(t *testing.T) {
	tests := []struct{ field, typed, want string }{
		{`<input id=c minlength=3>`, "ab", "shorter than 3 characters"},
		{`<input id=c minlength=3>`, "", ""},
		{`<input id=c minlength=3>`, "a😀", ""}, // three UTF-16 code units
		{`<input id=c maxlength=3>`, "abcd", "longer than 3 characters"},
		{`<textarea id=c maxlength=3></textarea>`, "a\nbc", "longer than 3 characters"},
		{`<input id=c maxlength=-1>`, "abcd", ""},
		{`<input type=number id=c maxlength=1>`, "1234", ""},
	}
	for _, tt := range tests {
		src := "<form id=f>" + tt.field + "</form>"
		d := parseAs(t, src, "utf-8", som.State{idOf(t, src, "c"): {Value: &tt.typed}})
		got := ""
		if bad := d.Invalid(element(t, d, "f")); len(bad) > 0 {
			got = bad[0].Reason
		}
		if got != tt.want {
			t.Errorf("%s with %q: reason %q, want %q", tt.field, tt.typed, got, tt.want)
		}
	}
}

func TestARadioGroupIsInvalidOnce(t *testing.T) {
	d := parse(t, `<form id=f><input type=radio name=r required><input type=radio name=r><input required></form>`)
	if got := len(d.Invalid(element(t, d, "f"))); got != 2 {
		t.Errorf("%d invalid fields, want 2", got)
	}
}

func TestNoValidate(t *testing.T) {
	tests := []struct {
		src  string
		want bool
	}{
		{`<form id=f><button id=b></button></form>`, false},
		{`<form id=f novalidate><button id=b></button></form>`, true},
		{`<form id=f><button id=b formnovalidate></button></form>`, true},
	}
	for _, tt := range tests {
		d := parse(t, tt.src)
		if got := forms.NoValidate(element(t, d, "f"), element(t, d, "b")); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.src, got, tt.want)
		}
	}
}
