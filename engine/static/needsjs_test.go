package static_test

import (
	"net/http"
	"strings"
	"testing"

	"plasmate/engine/static"
)

func TestRecognizeScripts(t *testing.T) {
	words := strings.Repeat("word ", 200)
	tests := []struct {
		rule, src string
		header    http.Header
		status    int
		likely    bool
		reason    string // part of the first reason; "" if there is none
	}{
		{"a shell with a framework's root", `<body><div id=root></div><script src=/app.js></script>`, nil, 200, true, "0 words and 1 scripts"},
		{"a shell with a spinner", `<body><div id=app>Loading…</div><script src=/app.js></script>`, nil, 200, true, "1 words"},
		{"a page of text with scripts", `<body><p>` + words + `</p><script src=/a.js></script>`, nil, 200, false, ""},
		{"a page of text in a root", `<body><div id=root><p>` + words + `</p></div><script src=/a.js></script>`, nil, 200, false, ""},
		{"a small page without scripts", `<body><p>Hello`, nil, 200, false, ""},
		{"a small login form with a script", `<form><input name=u><input name=p><button>Sign in</button></form><script></script>`, nil, 200, false, ""},
		{"a notice in a thin page", `<noscript>You need to enable JavaScript to run this app.</noscript><p>Welcome to our shop</p><input><script></script>`, nil, 200, true, "noscript says: You need to enable JavaScript to run this app."},
		{"a notice in a page of text", `<noscript>Enable JavaScript</noscript><p>` + words + `<script></script>`, nil, 200, false, ""},
		{"a noscript image is no notice", `<noscript><img src=x alt=pixel></noscript><form><input></form><p>` + strings.Repeat("w ", 60) + `<script></script>`, nil, 200, false, ""},
		{"a filled root", `<div id=root><h1>Title here</h1></div><input><script></script>`, nil, 200, false, ""},
		{"text of scripts, styles and title is none", `<title>` + words + `</title><style>` + words + `</style><script>` + words + `</script>`, nil, 200, true, "0 words"},
		{"a declarative shadow root is text", `<div><template shadowrootmode=open><p>` + words + `</template></div><script></script>`, nil, 200, false, ""},
		{"a notice in a list of links", `<noscript>JavaScript is disabled on your browser.</noscript>` + strings.Repeat("<a href=x>class</a> ", 20) + `<script></script>`, nil, 200, false, ""},
		{"a shell with buttons and hidden fields", `<div id=app><button>Menu</button><input type=hidden name=t></div><script></script>`, nil, 200, true, "1 words"},
		{"a challenge by its header", `<p>Just a moment`, http.Header{"Cf-Mitigated": {"challenge"}}, 403, true, "bot check (Cloudflare)"},
		{"a challenge by its script", `<script src="https://geo.captcha-delivery.com/x.js"></script>`, nil, 403, true, "bot check (DataDome)"},
		{"a long page that loads a guard's script", `<p>` + strings.Repeat(words, 100) + `<script src="/cdn-cgi/challenge-platform/h/b/x.js"></script>`, nil, 200, false, ""},
	}
	for _, tt := range tests {
		got := static.RecognizeScripts([]byte(tt.src), tt.header, tt.status)
		first := strings.Join(got.Reasons, "; ")
		if got.Likely != tt.likely || !strings.Contains(first, tt.reason) {
			t.Errorf("%s: %+v, want likely %v and reason %q", tt.rule, got, tt.likely, tt.reason)
		}
	}
}
