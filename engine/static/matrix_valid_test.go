package static_test

// fields that validation lets pass, or not: each is alone in a form that is
// submitted, and is read back by the server if it is sent.
func validatedFields() []string {
	return []string{
		`<input type=number name=q value=" 1">`, `<input type=number name=q value=+1>`, `<input type=number name=q value=1e2>`,
		`<input type=number name=q value=.5 step=any>`, `<input type=number name=q value=5. step=any>`, `<input type=number name=q value=1e400>`,
		`<input type=number name=q value=0x10>`, `<input type=number name=q value=-0>`, `<input type=number name=q value=1e-400 step=any>`,
		`<input type=number name=q min=5px value=4>`, `<input type=number name=q min=" 5" value=4>`, `<input type=number name=q min=x value=-4>`,
		`<input type=number name=q step=0 value=1.5>`, `<input type=number name=q step=-1 value=1.5 min=0>`, `<input type=number name=q step=2 value=3>`,
		`<input type=number name=q step=2 min=1 value=4>`, `<input type=number name=q step=ANY value=1.5>`, `<input type=number name=q min=10 max=5 value=7>`,
		`<input type=number name=q min=0 step=0.01 value=1.13>`, `<input type=number name=q min=0 step=0.001 value=123456.789>`, `<input type=number name=q min=0.1 step=0.2 value=0.7>`,
		`<input type=range name=q min=0 max=1 step=0.1 value=0.55>`, `<input type=range name=q min=0 max=1 step=any value=0.123>`, `<input type=range name=q min=-10 max=-5 value=0>`,
		`<input type=range name=q min=1 max=10 step=4 value=4>`, `<input type=range name=q min=1 max=10 step=4 value=11>`, `<input type=range name=q value=abc min=3>`,
		`<input type=range name=q min=0 max=100 step=0 value=33.3>`, `<input type=range name=q step=10 value=25>`, `<input type=range name=q step=10 value=-25 min=-100>`,
		`<input type=range name=q max=5>`, `<input type=range name=q min=200>`, `<input type=range name=q min=0 max=5 step=2>`,
		`<input type=date name=q min=2024-02-30 value=2020-01-01>`, `<input type=date name=q step=2 value=1970-01-02>`, `<input type=date name=q step=2 min=1970-01-01 value=1970-01-02>`,
		`<input type=date name=q step=any value=2024-01-01>`, `<input type=date name=q step=0.5 min=2024-01-01 value=2024-01-02>`, `<input type=date name=q value=20240-01-01>`,
		`<input type=month name=q step=3 min=2024-01 value=2024-05>`, `<input type=month name=q step=3 min=2024-01 value=2024-07>`, `<input type=month name=q step=2 value=1970-02 max=1970-06>`,
		`<input type=week name=q step=2 min=2024-W01 value=2024-W02>`, `<input type=week name=q step=2 min=2024-W01 value=2024-W03>`, `<input type=week name=q max=2024-W10 value=2024-W11>`,
		`<input type=time name=q value=12:30:15>`, `<input type=time name=q value=12:30:15 step=1>`, `<input type=time name=q min=12:00 step=900 value=12:20>`,
		`<input type=time name=q min=12:00 step=900 value=12:45>`, `<input type=time name=q value=12:30:00.5 step=0.5>`, `<input type=time name=q value=12:30:60>`,
		`<input type=time name=q value=1:30>`, `<input type=time name=q min=10:00 max=09:00 value=09:30>`, `<input type=time name=q min=10:00 max=09:00 value=08:30>`,
		`<input type=datetime-local name=q min=2024-01-01T00:00 value=2023-12-31T23:59>`, `<input type=datetime-local name=q min=2024-01-01T00:00 step=3600 value=2024-01-01T02:30>`,
		`<input type=datetime-local name=q value="2024-01-01 10:00">`, `<input type=datetime-local name=q value="2024-01-01T10:00:30" step=30>`, `<input type=datetime-local name=q value="2024-01-01T10:00Z">`,
		`<input type=email name=q value=a@b>`, `<input type=email name=q value=a.b+c@d-e.f>`, `<input type=email name=q value=a@-b>`, `<input type=email name=q value=a@b->`,
		`<input type=email name=q value="a b@c">`, `<input type=email name=q value=@c>`, `<input type=email name=q value=a@b.>`, `<input type=email name=q value='"a"@b'>`,
		`<input type=email name=q multiple value="">`, `<input type=email name=q multiple value="a@b,">`, `<input type=email name=q multiple required value="">`, `<input type=email name=q value="a@b,c@d">`,
		`<input type=url name=q value=http:>`, `<input type=url name=q value=http://>`, `<input type=url name=q value=//x>`, `<input type=url name=q value="http://a b">`,
		`<input type=url name=q value="http://a/b c">`, `<input type=url name=q value=x:>`, `<input type=url name=q value=1x:y>`, `<input type=url name=q value=http://[::1>`,
		`<input name=q pattern=^a$ value=a>`, `<input name=q pattern="a.c" value="a&#x2028;c">`, `<input name=q pattern="\w+" value=é>`, `<input name=q pattern="\s" value="&nbsp;">`,
		`<input name=q pattern="[^]" value=x>`, `<input name=q pattern="[]" value=x>`, `<input name=q pattern="\u0041" value=A>`, `<input name=q pattern="\u{1F600}" value=😀>`,
		`<input name=q pattern="." value=😀>`, `<input name=q pattern="[a-z&amp;&amp;[aeiou]]" value=e>`, `<input name=q pattern="a{2}" value=aa>`, `<input name=q pattern="a{2" value=a{2>`,
		`<input name=q pattern="\d{3}-\d{4}" value=555-1234>`, `<input name=q pattern="\-" value=->`, `<input name=q pattern="[\-]" value=->`, `<input name=q pattern="(a|b)*" value=abab>`,
		`<input name=q pattern="(?:a|b)+?" value=abc>`, `<input name=q pattern="(?&lt;y>\d+)" value=1>`, `<input name=q pattern="(?!00)\d\d" value=00>`, `<input name=q pattern="a(?=b)b" value=ab>`,
		`<input name=q pattern="(a)\1" value=aa>`, `<input name=q pattern="(a)\1" value=ab>`, `<input name=q pattern="(?&lt;=a)b|c" value=c>`, `<input name=q pattern="\/x" value=/x>`, `<input name=q pattern="[(]" value=(>`,
		`<input name=q pattern="[/]" value=/>`, `<input name=q pattern="\p{Lu}" value=É>`, `<input name=q pattern="\p{Emoji}" value=x>`, `<input name=q pattern="A" value=a>`,
		`<textarea name=q required> </textarea>`, `<textarea name=q pattern=a>b</textarea>`, `<textarea name=q maxlength=1>abc</textarea>`,
		`<select name=q required><option></select>`, `<select name=q required size=2><option value=""></select>`, `<select name=q required><option value="" disabled selected>x<option>y</select>`,
		`<select name=q required multiple><option value="" selected></select>`, `<select name=q required><option value="a" selected disabled>x</select>`, `<select name=q required></select>`,
		`<input type=checkbox name=q required>`, `<input type=checkbox name=q required checked>`, `<input type=radio required>`, `<input type=radio name=q required disabled>`,
		`<input type=radio name=q required disabled><input type=radio name=q>`, `<input type=radio name=q required readonly>`, `<input type=file name=q required>`, `<input type=hidden name=q required>`,
		`<input type=color name=q required value="">`, `<input type=checkbox name=q required readonly>`, `<input type=range name=q required readonly>`, `<div hidden><input name=q required></div>`,
		`<fieldset disabled><input name=q required></fieldset>`, `<select name=q required readonly><option value=""></select>`, `<input name=q required value="&#10;">`, `<input type=search name=q required>`,
	}
}

// treePairs are pages whose trees are not as they are written.
func treePairs() []pair {
	return []pair{
		{name: "a paragraph closed by its form", html: `<p><form action=/s><input name=q></p><button id=b></button></form>`},
		{name: "a form in a paragraph in a form", html: `<form action=/s><p><input name=q><form action=/t></p><button id=b></button></form>`},
		{name: "a field in a closed cell", html: `<table><tr><form action=/s><td><input name=q></td></form><td><input name=r form><button id=b></button></td></tr></table>`},
		{name: "a hidden field right in a table", html: `<table><form action=/s><input type=hidden name=q value=1><tr><td><button id=b></button></table>`},
		{name: "a field right in a table", html: `<table><form action=/s><input name=q value=1><tr><td><button id=b></button></table>`},
		{name: "two forms in one table", html: `<table><form action=/s><tr><td><input name=q></form><form action=/t><tr><td><input name=r><button id=b></button></form></table>`},
		{name: "an end tag in a template", html: `<form action=/s><template></form></template><input name=q><button id=b></button></form>`},
		{name: "a form in a template", html: `<template><form action=/t></template><form action=/s><input name=q><button id=b></button></form>`},
		{name: "a field in a template", html: `<form action=/s><template><input name=q></template><input name=r><button id=b></button></form>`},
		{name: "formatting around forms", html: `<b><form action=/s><i></b><input name=q></i><button id=b></button></form>`},
		{name: "a form around table rows", html: `<form action=/s><table><tr><td><input name=q></form><td><input name=r><tr><td><button id=b></button></table>`},
		{name: "a list open in a field", html: `<form action=/s><select name=s><option>1<input name=q><button id=b></button></form>`},
		{name: "a list in a list", html: `<form action=/s><select name=s><option>1<select name=t><option>2</select><button id=b></button></form>`},
		{name: "elements in an option", html: `<form action=/s><select name=s><option><b>x</b> <i>y</i><option>z</select><button id=b></button></form>`},
		{name: "elements in a list", html: `<form action=/s><select name=s><div><option selected>x</div><hr><option>z</select><button id=b></button></form>`},
		{name: "a script in an option", html: `<form action=/s><select name=s><option>a<script>b</script>c</select><button id=b></button></form>`},
		{name: "groups in groups", html: `<form action=/s><select name=s><optgroup disabled><optgroup><option>1</optgroup></optgroup></select><button id=b></button></form>`},
		{name: "two fields of one id", html: `<form action=/s><input id=f name=q></form><form id=f action=/t><input name=r></form><button form=f id=b></button>`},
		{name: "two attributes of one name", html: `<form action=/s action=/t><input name=q NAME=r value=1 value=2><button id=b></button></form>`},
		{name: "an SVG form", html: `<svg><form action=/t><input name=q></form></svg><form action=/s><input name=r><button id=b></button></form>`},
		{name: "fields in foreign content", html: `<form action=/s><svg><foreignObject><input name=q></foreignObject></svg><math><mi><input name=r></mi></math><button id=b></button></form>`},
		{name: "a text area that is never closed", html: `<form action=/s><button id=b name=x value=1></button><textarea name=q>a</form><p>`},
		{name: "an image as an element", html: `<form action=/s><image type=image name=q><isindex><keygen name=k><button id=b></button></form>`},
		{name: "noscript fields", expected: "Chromium runs the script that clicks, so noscript is text there", html: `<form action=/s><noscript><input name=q></noscript><input name=r><button id=b></button></form>`},
		{name: "iframe, xmp and plaintext", html: `<form action=/s><xmp><input name=q></xmp><iframe><input name=r></iframe><button id=b></button></form><plaintext></form><input>`},
		{name: "fieldset of another form", html: `<form id=f action=/s><fieldset form=g disabled><input name=q></fieldset><button id=b></button></form><form id=g></form>`},
		{name: "a legend that is not a child", html: `<form action=/s><fieldset disabled><div><legend><input name=q></legend></div></fieldset><button id=b></button></form>`},
		{name: "a button in a legend of a disabled fieldset", html: `<form action=/s><fieldset disabled><legend><button id=b name=x value=1></button></legend><input name=q></fieldset></form>`},
		{name: "details and summary", html: `<form action=/s><details><summary>x</summary><input name=q></details><button id=b></button></form>`},
		{name: "a dialog's form", html: `<dialog open><form action=/s><input name=q><button id=b></button></form></dialog>`},
		{name: "frameset", html: `<form action=/s><input name=q><button id=b></button></form><frameset><frame></frameset>`},
		{name: "characters of XML", html: "<form action=/s><input name=q value='a\x00b&#0;c&#x80;d&#xD800;e'><button id=b></button></form>"},
		{name: "named references", html: `<form action="/s?x&copy=1&amp;y&notit;z" method=post><input name=q value="&lt&notin;&AMP&unknown;"><button id=b></button></form>`},
		{name: "address with control characters", html: "<a id=b href='/a\x01b%zz%41?q=\"<>`{}|^'>x</a>"},
		{name: "address without slashes", html: `<a id=b href="http:x/y">x</a>`},
		{name: "address with only a query", html: `<a id=b href="?">x</a>`},
	}
}

func validatedPairs() []pair {
	expected := map[string]string{
		`<input type=url name=q value="http://a b">`: "Chromium takes a space in a host; URL Standard, forbidden host code points",
		`<input name=q pattern="(a)\1" value=ab>`:    "Go's regexp has no back references; such a pattern is not checked",
		`<input name=q pattern="\p{Emoji}" value=x>`: "Go's regexp does not know the property; such a pattern is not checked",
		`<input type=radio required>`:                "Chromium takes a radio button without a name for valid; HTML, Radio Button state, does not",
	}
	var pairs []pair
	for _, f := range validatedFields() {
		pairs = append(pairs, pair{name: "validation of " + f, expected: expected[f], html: `<form action=/s>` + f + `<button id=b></button></form>`})
	}
	return pairs
}
