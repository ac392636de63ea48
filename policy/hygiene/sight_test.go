package hygiene

import "testing"

func TestSight(t *testing.T) {
	type seen struct{ faded, unreadable, aside, collapsed bool }
	for _, c := range []struct {
		rule  string
		chain []string
		want  seen
	}{
		{"plain", []string{"color:red"}, seen{}},
		{"H4 opacity", []string{"opacity:0"}, seen{faded: true}},
		{"H4 product along ancestors", []string{"opacity:.3", "opacity:30%"}, seen{faded: true}},
		{"H4 a descendant stays faded", []string{"opacity:0", "opacity:1"}, seen{faded: true}},
		{"H4 filter", []string{"filter: blur(1px) opacity(5%)"}, seen{faded: true}},
		{"H5 zero", []string{"font-size:0"}, seen{unreadable: true}},
		{"H5 one pixel, important", []string{"FONT-SIZE : 1PX !important; font-size: 12px"}, seen{unreadable: true}},
		{"H5 restored", []string{"font-size:0", "font-size:14px"}, seen{}},
		{"H5 relative to nothing", []string{"font-size:0", "font-size:2em"}, seen{unreadable: true}},
		{"H6 transparent", []string{"color:transparent"}, seen{unreadable: true}},
		{"H6 alpha", []string{"color:rgba(0,0,0,.05)"}, seen{unreadable: true}},
		{"H6 not where the background shows through the text", []string{"background-clip:text;color:transparent"}, seen{}},
		{"H6 fill colour before colour", []string{"color:black;-webkit-text-fill-color:transparent"}, seen{unreadable: true}},
		{"H7 white on white", []string{"background-color:#ffffff;color:rgb(254,254,254)"}, seen{unreadable: true}},
		{"H7 on an ancestor's background", []string{"background:white", "color:#fff"}, seen{unreadable: true}},
		{"H7 white on blue", []string{"background:#003366;color:white"}, seen{}},
		{"H7 not over a picture", []string{"background:white", "background-image:url(x.png)", "color:white"}, seen{}},
		{"H7 only where both are inline", []string{"color:white"}, seen{}},
		{"H7 a colour that cannot be read hides nothing", []string{"background:white;color:var(--x)"}, seen{}},
		{"H8 left", []string{"position:absolute;left:-9999px;top:auto"}, seen{aside: true}},
		{"H8 viewports", []string{"position:fixed;top:-100vh"}, seen{aside: true}},
		{"H8 not without a position", []string{"left:-9999px"}, seen{}},
		{"H8 indent", []string{"text-indent:-9999px"}, seen{aside: true}},
		{"H8 margin", []string{"margin-left:-600px"}, seen{aside: true}},
		{"H8 translate", []string{"transform:translateX(-2000px)"}, seen{aside: true}},
		{"H8 a small shift stays", []string{"position:absolute;left:-20px"}, seen{}},
		{"H9 clip", []string{"position:absolute;clip:rect(0 0 0 0)"}, seen{aside: true}},
		{"H9 clip-path", []string{"clip-path: inset(50%)"}, seen{aside: true}},
		{"H9 scale", []string{"transform: rotate(3deg) scale(0)"}, seen{collapsed: true}},
		{"H9 zoom", []string{"zoom:0"}, seen{collapsed: true}},
		{"H9 mask", []string{"mask-image:linear-gradient(transparent, transparent)"}, seen{collapsed: true}},
		{"H10 a pixel", []string{"position:absolute;width:1px;height:1px;overflow:hidden"}, seen{aside: true}},
		{"H10 max-height", []string{"max-height:0;overflow:hidden"}, seen{aside: true}},
		{"H10 not where it overflows", []string{"max-height:0"}, seen{}},
		{"comments and strings", []string{"/* x */ content:';opacity:1'; opacity /**/ : 0"}, seen{faded: true}},
	} {
		s := InSight()
		for _, style := range c.chain {
			s = s.Within(style, "", false)
		}
		got := seen{s.Faded, s.Unreadable, s.Aside, s.Collapsed}
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.rule, got, c.want)
		}
	}
	if s := InSight().Within("", "js-reveal", false).Within("opacity:0", "", false); !s.Reveals {
		t.Error("H4 reveal on scroll by class: got false")
	}
}
