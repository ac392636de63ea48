package static_test

import "strings"

// fieldSets are what a form may hold; each is sent in several ways.
func fieldSets() []string {
	return []string{
		`<input name=a value=1><textarea name=b>2</textarea><select name=c><option>3</select>`,
		`<datalist><input name=a value=1></datalist><input name=c value=3>`,
		`<fieldset disabled><legend><input name=a value=1></legend><input name=b value=2></fieldset><input name=c disabled value=3>`,
		`<button name=x value=1></button><input type=submit name=y value=2>`,
		`<input type=checkbox name=a checked><input type=checkbox name=b><input type=checkbox name=c value="" checked>`,
		`<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked><input type=radio name=R value=3 checked>`,
		`<input value=1><input name="" value=2><input name=isindex value=3>`,
		`<select name=s multiple><option selected>1<option selected disabled>2<optgroup disabled><option selected>3</optgroup><option selected value=x>4</select>`,
		`<select name=s><optgroup disabled label=g><option>1</optgroup><option>2</select><select name=t size=3><option>1</select>`,
		"<select name=s><option>  a \n b  </select><select name=t><option selected>1<option selected>2</select><select name=u></select>",
		`<input type=file name=f><input name=a value=1>`,
		`<input type=hidden name=_CHARSET_ value=x><input name=_charset_ value=y>`,
		"<textarea name=t>\n\na\nb\rc\r\nd</textarea><input type=hidden name=h value='1&#10;2&#13;3'>",
		`<input name=a value="1&#10;2"><input name="n&#10;m" value=x>`,
		`<input name=a value=x dirname=a.dir><div dir=rtl><input name=b value=y dirname=d><input type=tel name=c value=1 dirname=e></div>`,
		`<textarea name=a dir=auto dirname=d>שלום</textarea><input name=b dir=auto dirname=e>`,
		`<input type=number name=n value="1a"><input type=number name=m value="-1.5e2" step=any><input type=number name=o value="1.">`,
		`<input type=date name=d value="2024-02-30"><input type=date name=e value="2024-02-29"><input type=date name=g value="0000-01-01">`,
		`<input type=week name=w value=2020-W53><input type=week name=v value=2021-W53><input type=month name=m value=2024-13><input type=month name=n value=2024-12>`,
		`<input type=time name=t value=12:30><input type=time name=u value=24:00><input type=time name=v value=12:30:00.000 step=any>`,
		`<input type=datetime-local name=d value="2024-01-02 03:04:00.000"><input type=datetime-local name=e value="2024-01-02T03:04:05" step=1>`,
		`<input type=range name=r><input type=range name=s min=10 max=20 value=99><input type=range name=u min=0 max=10 step=3 value=5><input type=range name=v min=10 max=0>`,
		`<input type=color name=c><input type=color name=d value=#ABCDEF>`,
		`<input type=email name=e value=" a@b.c "><input type=email multiple name=m value=" a@b , c@d "><input type=url name=u value=" http://x ">`,
		`<input name='q"x\' value='v"\'><input name="a&b=c" value="d&e=f+g h%20">`,
		`<input name=q value="~!@#$%^&*()_+-=[]{}|;':,./<>?"><input name=ü value=€😀>`,
		`<input name=a value=1 readonly hidden><output name=o>1</output><object name=p></object><meter name=m></meter>`,
		`<input type=image name=im alt=x><input type=reset name=re value=1><input type=button name=bu value=2>`,
		`<input type=password name=p value=secret><input type=search name=s value=x><input type=foo name=f value=y>`,
	}
}

// wholePages are pages with a #b of their own.
func wholePages() []pair {
	const q = `<input name=q value="a b">`
	return []pair{
		{name: "action with query and fragment", html: `<form action="/s?old=1#f">` + q + `<button id=b name=go value=1></button></form>`},
		{name: "no action", html: `<form>` + q + `<button id=b></button></form>`},
		{name: "no action, post", html: `<form method=post>` + q + `<button id=b></button></form>`},
		{name: "no action under a base", html: `<base href=/other/><form>` + q + `<button id=b></button></form>`},
		{name: "blank action under a base", expected: "Chromium takes a blank action for an empty one; HTML, form submission algorithm, resolves it", html: `<base href=/other/><form action=" " method=post>` + q + `<button id=b></button></form>`},
		{name: "get without fields", html: `<form action=/s><button id=b></button></form>`},
		{name: "formaction", html: `<form action=/s method=post>` + q + `<button id=b formaction="/t?z=1"></button></form>`},
		{name: "empty formaction", html: `<form action=/s method=post>` + q + `<button id=b formaction=""></button></form>`},
		{name: "formmethod", html: `<form action=/s method=post>` + q + `<button id=b formmethod=get name=k value=v></button></form>`},
		{name: "unknown formmethod", html: `<form action=/s method=post>` + q + `<button id=b formmethod=put></button></form>`},
		{name: "formenctype", html: `<form action=/s method=post>` + q + `<button id=b formenctype=multipart/form-data></button></form>`},
		{name: "unknown formenctype", html: `<form action=/s method=post enctype=text/plain>` + q + `<button id=b formenctype=x></button></form>`},
		{name: "unknown method", html: `<form action=/s method=PUT>` + q + `<button id=b></button></form>`},
		{name: "dialog outside a dialog", html: `<form action=/s method=dialog>` + q + `<button id=b></button></form>`},
		{name: "image button", html: `<form action=/s>` + q + `<input type=image id=b name=i alt=x></form>`},
		{name: "image button without a name", html: `<form action=/s>` + q + `<input type=image id=b alt=x></form>`},
		{name: "submit input", expected: "Chromium sends its own label of a button without a value; HTML leaves the value empty", html: `<form action=/s>` + q + `<input type=submit id=b name=s></form>`},
		{name: "button of type button", html: `<form action=/s>` + q + `<button type=button id=b></button></form>`},
		{name: "button of unknown type", html: `<form action=/s>` + q + `<button type=foo id=b></button></form>`},
		{name: "disabled button", html: `<form action=/s>` + q + `<button disabled id=b></button></form>`},
		{name: "button in a disabled fieldset", html: `<form action=/s>` + q + `<fieldset disabled><button id=b></button></fieldset></form>`},
		{name: "element in a button", html: `<form action=/s>` + q + `<button name=x value=1><span id=b>y</span></button></form>`},
		{name: "button outside its form", html: `<form id=f action=/s>` + q + `</form><button form=f id=b name=x value=1></button>`},
		{name: "fields of another form", html: `<form id=f action=/s>` + q + `</form><form><input name=r form=f value=2><input name=z></form><input name=e form="" value=5><button form=f id=b></button>`},
		{name: "form in a table", html: `<table><form action=/s><tr><td>` + q + `<tr><td><button id=b name=x value=1></button></form></table><input name=out value=1>`},
		{name: "form in a table, field after its end", html: `<table><form action=/s><tr><td><button id=b></button></form><tr><td>` + q + `</table>`},
		{name: "form closed by its parent", html: `<div><form action=/s></div>` + q + `<button id=b></button></form><input name=z>`},
		{name: "nested forms", html: `<form action=/s>` + q + `<form action=/t><input name=r><button id=b></button></form><input name=z></form>`},
		{name: "forms in each other by the table", html: `<form action=/s><table><tr><td></form><form action=/t>` + q + `<tr><td><button id=b></button></table></form>`},
		{name: "label of a button", html: `<form action=/s>` + q + `<label for=k id=b>x</label><button id=k name=n value=1></button></form>`},
		{name: "required and empty", html: `<form action=/s><input name=q required><button id=b></button></form>`},
		{name: "required and empty, novalidate", html: `<form action=/s novalidate><input name=q required><button id=b></button></form>`},
		{name: "required and empty, formnovalidate", html: `<form action=/s><input name=q required><button id=b formnovalidate></button></form>`},
		{name: "required radio group", html: `<form action=/s><input type=radio name=q><input type=radio name=q required><button id=b></button></form>`},
		{name: "required list with a placeholder", html: `<form action=/s><select required name=q><option value="">x<option>1</select><button id=b></button></form>`},
		{name: "required list without one", html: `<form action=/s><select required name=q><option>x<option>1</select><button id=b></button></form>`},
		{name: "pattern fails", html: `<form action=/s><input name=q pattern=[a-z]+ value=1a><button id=b></button></form>`},
		{name: "pattern holds", html: `<form action=/s><input name=q pattern="(?=.*\d)[a-z\d]+" value=1a><button id=b></button></form>`},
		{name: "pattern that is no expression", html: `<form action=/s><input name=q pattern="a)(b" value=x><button id=b></button></form>`},
		{name: "pattern with a bare hyphen in a class", html: `<form action=/s><input name=q pattern="[\w-.]+" value=x><button id=b></button></form>`},
		{name: "no e-mail address", html: `<form action=/s><input name=q type=email value=x><button id=b></button></form>`},
		{name: "no URL", html: `<form action=/s><input name=q type=url value=x><button id=b></button></form>`},
		{name: "above max", html: `<form action=/s><input name=q type=number max=3 value=4><button id=b></button></form>`},
		{name: "off step", html: `<form action=/s><input name=q type=number min=0 step=0.1 value=0.35><button id=b></button></form>`},
		{name: "on step", html: `<form action=/s><input name=q type=number min=0 step=0.1 value=0.3><button id=b></button></form>`},
		{name: "off the step of a date", html: `<form action=/s><input name=q type=date min=2024-01-01 step=7 value=2024-01-09><button id=b></button></form>`},
		{name: "time over midnight", html: `<form action=/s><input name=q type=time min=21:00 max=06:00 value=12:00><button id=b></button></form>`},
		{name: "too long by the page", html: `<form action=/s><input name=q maxlength=2 value=abc><button id=b></button></form>`},
		{name: "invalid but read-only", html: `<form action=/s><input name=q required readonly><button id=b></button></form>`},
		{name: "invalid but disabled", html: `<form action=/s><input name=q required disabled><button id=b></button></form>`},
		{name: "accept-charset", html: `<form action=/s accept-charset=iso-8859-1><input name=q value=ü€√><button id=b></button></form>`},
		{name: "accept-charset, unknown first", html: `<form action=/s accept-charset="klingon shift_jis" method=post><input name=q value=あü><input type=hidden name=_charset_><button id=b></button></form>`},
		{name: "accept-charset utf-16", html: `<form action=/s accept-charset=utf-16><input name=q value=ü><input type=hidden name=_charset_><button id=b></button></form>`},
		{name: "query of the action in the page's encoding", charset: "windows-1252", html: "<form action='/\xfc?\xfc' method=post><button id=b></button></form>"},
		{name: "mailto action", html: `<form action=mailto:a@b.test>` + q + `<button id=b></button></form>`},
		{name: "javascript action", html: `<form action="javascript:void 0">` + q + `<button id=b></button></form>`},
		{name: "target=_self", html: `<form action=/s target=_self>` + q + `<button id=b></button></form>`},
		{name: "no referrer", html: `<meta name=referrer content=no-referrer><form action=/s method=post>` + q + `<button id=b></button></form>`},
		{name: "form rel=noreferrer", expected: "Chromium ignores the link type here; HTML, plan to navigate, sets no-referrer", html: `<form rel=noreferrer action=/s>` + q + `<button id=b></button></form>`},
		{name: "link", html: `<a id=b href="x y?q=ü#z">x</a>`},
		{name: "link in a legacy encoding", charset: "windows-1252", html: "<a id=b href='\xfc?q=\xfc'>x</a>"},
		{name: "link in an encoding without the character", charset: "iso-8859-2", html: "<a id=b href='?q=&euro;x'>x</a>"},
		{name: "link in shift_jis", charset: "shift_jis", html: "<a id=b href='?q=\x82\xa0'>x</a>"},
		{name: "link by base", html: `<base href=/app/><base href=/other/><a id=b href=p>x</a>`},
		{name: "link before its base", html: `<a id=b href=early>x</a><base href=/app/>`},
		{name: "bad base", html: `<base href=data:,x><base href=/ok/><a id=b href=q>x</a>`},
		{name: "link with tabs and backslashes", html: "<a id=b href='  \\x\n\\y\t'>x</a>"},
		{name: "fragment link", html: `<a id=b href=#y>x</a>`},
		{name: "empty link", html: `<a id=b href="">x</a>`},
		{name: "element in a link", html: `<a href=x><i><b id=b>x</b></i></a>`},
		{name: "link with noreferrer", html: `<a id=b rel=noreferrer href=x>x</a>`},
		{name: "link with a policy", html: `<a id=b referrerpolicy=origin href=x>x</a>`},
		{name: "link with an unknown policy", html: `<meta name=referrer content=origin><a id=b referrerpolicy=foo href=x>x</a>`},
		{name: "mailto link", html: `<a id=b href=mailto:x@y.test>x</a>`},
		{name: "link without href", html: `<a id=b>x</a>`},
		{name: "area", html: `<map name=m><area id=b href=x shape=default></map><img usemap=#m>`},
		{name: "button in a link", html: `<a href=x><button id=b type=button>x</button></a>`},
		{name: "link in a label", html: `<form action=/s><label><a id=b href=x>x</a><input type=submit></label></form>`},
		{name: "label around a button", html: `<form action=/s><label id=b>x<button name=k value=1></button></label></form>`},
		{name: "svg link", html: `<svg><a id=b href=x><text>x</text></a></svg>`},
		{name: "redirect 302", html: `<form action=/r302 method=post>` + q + `<button id=b></button></form>`},
		{name: "redirect 303", html: `<form action=/r303 method=post>` + q + `<button id=b></button></form>`},
		{name: "redirect 307", html: `<form action=/r307 method=post>` + q + `<button id=b></button></form>`},
		{name: "redirect 308", html: `<form action=/r308 method=post enctype=text/plain>` + q + `<button id=b></button></form>`},
	}
}

// clickPairs change controls by clicks before the form is sent.
func clickPairs() []pair {
	const end = `<button id=b></button></form>`
	return []pair{
		{name: "a box ticked", clicks: "c", html: `<form action=/s><input type=checkbox id=c name=c>` + end},
		{name: "a box ticked twice", clicks: "c c", html: `<form action=/s><input type=checkbox id=c name=c>` + end},
		{name: "a disabled box", clicks: "c", html: `<form action=/s><input type=checkbox id=c name=c disabled>` + end},
		{name: "a read-only box", clicks: "c", html: `<form action=/s><input type=checkbox id=c name=c readonly>` + end},
		{name: "a label around", clicks: "l", html: `<form action=/s><label id=l>x<input type=checkbox name=c></label>` + end},
		{name: "a label for", clicks: "l", html: `<form action=/s><label id=l for=c>x</label><input type=checkbox id=c name=c>` + end},
		{name: "a label for nothing", clicks: "l", html: `<form action=/s><label id=l for="">x<input type=checkbox name=c></label>` + end},
		{name: "a label for another thing", clicks: "l", html: `<form action=/s><label id=l for=p>x<input type=checkbox name=c></label><p id=p></p>` + end},
		{name: "a label around two", clicks: "l", html: `<form action=/s><label id=l>x<input type=hidden name=h><input type=checkbox name=c><input type=checkbox name=d></label>` + end},
		{name: "text in a label", clicks: "t", html: `<form action=/s><label><b id=t>x</b><input type=checkbox name=c></label>` + end},
		{name: "a link in a label", clicks: "t", html: `<form action=/s><label><a id=t>x</a><input type=checkbox name=c></label>` + end},
		{name: "a text field in a label", clicks: "t", html: `<form action=/s><label><input id=t name=t><input type=checkbox name=c></label>` + end},
		{name: "another box in a label", clicks: "t", html: `<form action=/s><label><input type=checkbox name=c><input type=checkbox id=t name=d></label>` + end},
		{name: "labels in each other", clicks: "t", html: `<form action=/s><label><label id=t for=d>x</label><input type=checkbox name=c></label><input type=checkbox id=d name=d>` + end},
		{name: "a label of a disabled box", clicks: "l", html: `<form action=/s><label id=l>x<input type=checkbox name=c disabled></label>` + end},
		{name: "a label of a hidden box", clicks: "l", html: `<form action=/s><label id=l>x<input type=checkbox name=c style="display:none"></label>` + end},
		{name: "radio buttons", clicks: "r s", html: `<form action=/s><input type=radio name=r value=1 id=r><input type=radio name=r value=2 id=s>` + end},
		{name: "radio buttons of two forms", clicks: "r s", html: `<form action=/t><input type=radio name=r value=1 id=r></form><form action=/s><input type=radio name=r value=2 checked><input type=radio name=r value=3 id=s form=x>` + end},
		{name: "radio buttons joined by form=", clicks: "s", html: `<input type=radio name=r value=9 id=s form=f><form action=/s id=f><input type=radio name=r value=2 checked>` + end},
		{name: "a radio button twice", clicks: "r r", html: `<form action=/s><input type=radio name=r value=1 id=r>` + end},
		{name: "radio buttons without a form", clicks: "r", html: `<input type=radio name=r value=1 id=r form=f><form action=/s id=f><input type=radio name=r value=2 checked disabled>` + end},
		{name: "reset", clicks: "c r z", html: `<form action=/s><input type=checkbox id=c name=c><input type=checkbox checked name=d id=r><input type=reset id=z>` + end},
		{name: "reset of radio buttons", clicks: "r z", html: `<form action=/s><input type=radio name=r value=1 id=r><input type=radio name=r value=2 checked><button type=reset id=z></button>` + end},
		{name: "reset from outside", clicks: "c z", html: `<button type=reset form=f id=z></button><form action=/s id=f><input type=checkbox id=c name=c>` + end},
		{name: "a disabled reset", clicks: "c z", html: `<form action=/s><input type=checkbox id=c name=c><input type=reset id=z disabled>` + end},
		{name: "a box in a closed group", clicks: "m c", html: `<form action=/s><details><summary id=m>x</summary><input type=checkbox id=c name=c></details>` + end},
		{name: "a dialog's form closes it", clicks: "o", html: `<dialog open><form method=dialog><button id=o name=x value=1></button></form></dialog><form action=/s><input name=q>` + end},
		{name: "a command button", clicks: "o", html: `<button commandfor=d command=show-modal id=o></button><dialog id=d><form action=/s><input name=q>` + end + `</dialog>`},
		{name: "a command button in a form", clicks: "o", html: `<dialog id=d></dialog><form action=/s><input name=q><button commandfor=d command=show-modal id=o></button>` + end},
		{name: "a popover's button", clicks: "o", html: `<button popovertarget=d id=o></button><div popover id=d><form action=/s><input name=q>` + end + `</div>`},
	}
}

// matrix is all pairs: each field set by get, post, multipart, plain text, and
// from a page in a legacy encoding; and the whole pages.
func matrix() []pair {
	var pairs []pair
	ways := []struct{ name, attrs string }{
		{"get", `action="/go?old#f"`},
		{"post", `action="/go?kept" method=post`},
		{"multipart", `action=/go method=post enctype=multipart/form-data`},
		{"plain", `action=/go method=post enctype=text/plain`},
		{"post in windows-1252", `action=/go method=post accept-charset="windows-1252"`},
		{"multipart in euc-kr", `action=/go method=post enctype=multipart/form-data accept-charset=euc-kr`},
	}
	for _, fields := range fieldSets() {
		for _, w := range ways {
			p := pair{name: w.name + " of " + fields, html: `<form novalidate ` + w.attrs + `>` + fields + `<button id=b></button></form>`}
			if strings.HasPrefix(fields, "<datalist>") {
				p.expected = "Chromium submits the fields in a datalist; HTML, constructing the entry list, leaves them out"
			}
			pairs = append(pairs, p)
		}
	}
	pairs = append(pairs, wholePages()...)
	pairs = append(pairs, treePairs()...)
	pairs = append(pairs, clickPairs()...)
	return append(pairs, validatedPairs()...)
}
