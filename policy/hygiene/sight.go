package hygiene

import (
	"math"
	"strconv"
	"strings"
)

// Sight is what the style of an element and of those around it says about
// whether its text can be seen. The zero Sight is not valid; start from
// [InSight].
type Sight struct {
	opacity    float64 // product along the ancestors
	fontPx     float64
	text, back rgba
	textKnown  bool // the colour was set inline
	backKnown  bool // so was the background behind it, and nothing is in between
	clipText   bool // background-clip: text
	moving     bool // an ancestor has a transition, animation or the like

	// Faded: hidden by opacity (H4).
	Faded bool
	// Reveals: hidden by opacity only, and likely shown when scrolled to.
	Reveals bool
	// Unreadable: hidden by font size or colour (H5, H6, H7); a descendant may be readable again.
	Unreadable bool
	// Aside: moved, clipped or shrunk out of sight as text for screen readers is (H8, H9 clip forms, H10).
	Aside bool
	// Collapsed: scaled, masked or clipped to nothing (H9, other forms).
	Collapsed bool
}

// InSight is the sight of the root element.
func InSight() Sight { return Sight{opacity: 1, fontPx: 16, text: rgba{0, 0, 0, 1}} }

// Within is the sight of an element with a style attribute and class inside
// one whose sight is s. Attributes that are empty cost nothing.
func (s Sight) Within(style, class string, animated bool) Sight {
	if !s.moving && (animated || class != "" && movingClass(class)) {
		s.moving = true
	}
	if style == "" {
		return s
	}
	d := declarations(style)
	if d == nil {
		return s
	}
	s.opacityOf(d)
	s.fontOf(d)
	s.coloursOf(d)
	s.placeOf(d)
	return s
}

// Transparent is s inside an element that a style sheet makes transparent.
func (s Sight) Transparent() Sight {
	s.opacity = 0
	s.Faded, s.Reveals = true, s.moving
	return s
}

// Tiny is s inside an element whose text a style sheet makes unreadably small.
func (s Sight) Tiny() Sight {
	s.fontPx = 0
	s.Unreadable = true
	return s
}

// OnWhite is s on a page that nothing gives another background.
func (s Sight) OnWhite() Sight {
	s.back, s.backKnown = rgba{255, 255, 255, 1}, true
	return s
}

// MayHide reports whether declarations of a style sheet could keep text from
// being read: alone, or on a light background.
func MayHide(declarations string) bool {
	s := InSight().OnWhite().Within(declarations, "", false)
	return s.Unreadable || s.Collapsed || s.Faded
}

// OwnColour is s inside an element that the browser gives a colour of its own.
func (s Sight) OwnColour() Sight {
	s.textKnown = false
	s.readable()
	return s
}

func movingClass(class string) bool {
	for _, tok := range strings.Fields(strings.ToLower(class)) {
		for _, part := range strings.FieldsFunc(tok, func(r rune) bool { return r == '-' || r == '_' }) {
			if in(part, "fade reveal animate animated aos wow") {
				return true
			}
		}
	}
	return false
}

// declarations reads a style attribute: the last declaration of each property,
// important ones first. nil if there are none of interest.
func declarations(style string) map[string]string {
	var d map[string]string
	var strong map[string]bool
	style = strings.ToLower(stripComments(style))
	for style != "" {
		var decl string
		decl, style = cutDeclaration(style)
		name, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		important := false
		if i := strings.LastIndexByte(value, '!'); i >= 0 && strings.TrimSpace(value[i+1:]) == "important" {
			important, value = true, strings.TrimSpace(value[:i])
		}
		if value == "" || strong[name] && !important {
			continue
		}
		if d == nil {
			d, strong = map[string]string{}, map[string]bool{}
		}
		d[name] = value
		strong[name] = strong[name] || important
	}
	return d
}

// cutDeclaration cuts at the first semicolon that is in no parentheses or quotes.
func cutDeclaration(s string) (string, string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ';' && depth <= 0:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

func stripComments(s string) string {
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			return s
		}
		j := strings.Index(s[i+2:], "*/")
		if j < 0 {
			return s[:i]
		}
		s = s[:i] + " " + s[i+2+j+2:]
	}
}

// opacityOf is H4.
func (s *Sight) opacityOf(d map[string]string) {
	for _, k := range []string{"transition", "animation", "animation-name", "will-change", "transform", "transition-property"} {
		if v := d[k]; v != "" && v != "none" && v != "auto" {
			s.moving = true
		}
	}
	if v, ok := ratio(d["opacity"]); ok {
		s.opacity *= v
	}
	if f := argument(d["filter"], "opacity("); f != "" {
		if v, ok := ratio(f); ok {
			s.opacity *= v
		}
	}
	if s.opacity <= 0.1 {
		s.Faded, s.Reveals = true, s.moving
	}
}

// ratio reads a number or percentage between 0 and 1.
func ratio(v string) (float64, bool) {
	v = strings.TrimSpace(v)
	scale := 1.0
	if strings.HasSuffix(v, "%") {
		v, scale = v[:len(v)-1], 0.01
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(f) {
		return 0, false
	}
	return min(max(f*scale, 0), 1), true
}

// fontOf is H5. Relative sizes are taken of the parent's.
func (s *Sight) fontOf(d map[string]string) {
	v := d["font-size"]
	if v == "" {
		v = fontShorthand(d["font"])
	}
	if v == "" {
		return
	}
	if strings.HasSuffix(v, "%") {
		if f, err := strconv.ParseFloat(v[:len(v)-1], 64); err == nil {
			s.fontPx *= f / 100
		}
	} else if strings.HasSuffix(v, "em") && !strings.HasSuffix(v, "rem") {
		if f, err := strconv.ParseFloat(v[:len(v)-2], 64); err == nil {
			s.fontPx *= f
		}
	} else if px, ok := length(v); ok && px >= 0 {
		s.fontPx = px
	} else if in(v, "medium small smaller x-small xx-small large larger x-large xx-large initial") {
		s.fontPx = max(s.fontPx, 10)
	}
	s.readable()
}

func fontShorthand(v string) string {
	for _, f := range strings.Fields(v) {
		f, _, _ = strings.Cut(f, "/")
		if _, ok := length(f); ok && f != "0" {
			return f
		}
	}
	return ""
}

// readable decides H5 to H7 on what is known.
func (s *Sight) readable() {
	s.Unreadable = s.fontPx <= 2 ||
		s.textKnown && !s.clipText && (s.text.a <= 0.1 || s.backKnown && contrast(s.text, s.back) <= 1.15)
}

// coloursOf is H6 and H7.
func (s *Sight) coloursOf(d map[string]string) {
	if v := d["background-clip"] + d["-webkit-background-clip"]; v != "" {
		s.clipText = strings.Contains(v, "text")
	}
	if v := d["background-image"]; v != "" && v != "none" {
		s.backKnown = false
	}
	for _, k := range []string{"background", "background-color"} {
		if v := d[k]; v != "" {
			s.background(v)
		}
	}
	v := d["color"]
	if w := d["-webkit-text-fill-color"]; w != "" && w != "currentcolor" {
		v = w
	}
	if v != "" && v != "inherit" {
		s.text, s.textKnown = colour(v)
	}
	s.readable()
}

func (s *Sight) background(v string) {
	if strings.Contains(v, "url(") || strings.Contains(v, "gradient") || strings.Contains(v, "var(") {
		s.backKnown = false
		return
	}
	if c, ok := colour(v); ok {
		s.setBackground(c)
		return
	}
	for _, f := range fieldsOutside(v) {
		if c, ok := colour(f); ok {
			s.setBackground(c)
			return
		}
	}
}

func (s *Sight) setBackground(c rgba) {
	if c.a >= 0.9 {
		s.back, s.backKnown = c, true
	} else if c.a > 0 {
		s.backKnown = false
	}
}

// fieldsOutside splits at blanks that are in no parentheses.
func fieldsOutside(v string) []string {
	depth := 0
	return strings.FieldsFunc(v, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ' ' && depth == 0
	})
}

// far is how many pixels out of the page text must be to be out of sight.
const far = -500

// placeOf is H8, H9 and H10.
func (s *Sight) placeOf(d map[string]string) {
	if p := d["position"]; p == "absolute" || p == "fixed" {
		for _, k := range []string{"left", "top", "right", "bottom"} {
			if below(d[k]) {
				s.Aside = true
			}
		}
		if clippedRect(d["clip"]) {
			s.Aside = true
		}
	}
	for _, k := range []string{"text-indent", "margin-left", "margin-top"} {
		if below(d[k]) {
			s.Aside = true
		}
	}
	for _, v := range lists(d["margin"]) {
		if below(v) {
			s.Aside = true
		}
	}
	s.transformOf(d)
	s.clipOf(d)
	s.boxOf(d)
}

func lists(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ',' })
}

// below reports whether an offset is far out, in pixels or in viewports.
func below(v string) bool {
	if v == "" || v[0] != '-' {
		return false
	}
	if strings.HasSuffix(v, "vw") || strings.HasSuffix(v, "vh") {
		f, err := strconv.ParseFloat(v[:len(v)-2], 64)
		return err == nil && f <= -100
	}
	px, ok := length(v)
	return ok && px <= far
}

func (s *Sight) transformOf(d map[string]string) {
	t := d["transform"]
	for _, fn := range []string{"translate(", "translatex(", "translatey(", "translate3d("} {
		for _, v := range lists(argument(t, fn)) {
			if below(v) {
				s.Aside = true
			}
		}
	}
	for _, v := range lists(d["translate"]) {
		if below(v) {
			s.Aside = true
		}
	}
	for _, fn := range []string{"scale(", "scalex(", "scaley(", "scale3d("} {
		for _, v := range lists(argument(t, fn)) {
			if f, ok := ratio(v); ok && f == 0 && !strings.HasPrefix(v, "-") {
				s.Collapsed = true
			}
		}
	}
	if v, ok := ratio(d["scale"]); ok && v == 0 {
		s.Collapsed = true
	}
	if v, ok := ratio(d["zoom"]); ok && v == 0 {
		s.Collapsed = true
	}
}

func (s *Sight) clipOf(d map[string]string) {
	c := d["clip-path"]
	for _, v := range lists(argument(c, "inset(")) {
		if f, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64); strings.HasSuffix(v, "%") && err == nil && f >= 50 {
			s.Aside = true
		}
	}
	if v := argument(c, "circle("); v == "0" || strings.HasPrefix(v, "0 ") || strings.HasPrefix(v, "0px") || strings.HasPrefix(v, "0%") {
		s.Aside = true
	}
	if v := argument(c, "polygon("); v != "" && strings.Trim(v, "0px%, ") == "" {
		s.Aside = true
	}
	for _, k := range []string{"mask", "mask-image", "-webkit-mask", "-webkit-mask-image"} {
		if v := d[k]; strings.Contains(v, "gradient(") && onlyTransparent(v) {
			s.Collapsed = true
		}
	}
}

func onlyTransparent(v string) bool {
	i := strings.IndexByte(v, '(')
	j := strings.LastIndexByte(v, ')')
	if i < 0 || j < i {
		return false
	}
	for _, f := range fieldsOutside(strings.ReplaceAll(v[i+1:j], ",", " , ")) {
		if f == "," || strings.HasSuffix(f, "%") || strings.HasSuffix(f, "px") || strings.HasSuffix(f, "deg") || in(f, "to top bottom left right transparent") {
			continue
		}
		if c, ok := colour(f); !ok || c.a > 0 {
			return false
		}
	}
	return true
}

// clippedRect reads clip: rect(…) with nothing, or one pixel, left.
func clippedRect(v string) bool {
	a := argument(v, "rect(")
	if a == "" {
		return false
	}
	n := 0
	for _, x := range lists(a) {
		px, ok := length(x)
		if !ok || px > 1 || px < 0 {
			return false
		}
		n++
	}
	return n == 4
}

// boxOf is H10.
func (s *Sight) boxOf(d map[string]string) {
	cut := false
	for _, k := range []string{"overflow", "overflow-x", "overflow-y"} {
		if v := d[k]; strings.Contains(v, "hidden") || strings.Contains(v, "clip") {
			cut = true
		}
	}
	if !cut {
		return
	}
	for _, k := range []string{"width", "height"} {
		if px, ok := length(d[k]); ok && px <= 1 {
			s.Aside = true
		}
	}
	for _, k := range []string{"max-width", "max-height"} {
		if px, ok := length(d[k]); ok && px <= 0 {
			s.Aside = true
		}
	}
}

// argument is what stands in the parentheses of a CSS function.
func argument(v, fn string) string {
	i := strings.Index(v, fn)
	if i < 0 || i > 0 && v[i-1] != ' ' && v[i-1] != ')' {
		return ""
	}
	v = v[i+len(fn):]
	j := strings.IndexByte(v, ')')
	if j < 0 {
		return ""
	}
	return strings.TrimSpace(v[:j])
}

// length reads an absolute length in pixels; ok is false for others.
func length(v string) (px float64, ok bool) {
	i := len(v)
	for i > 0 && (v[i-1] >= 'a' && v[i-1] <= 'z' || v[i-1] == '%') {
		i--
	}
	f, err := strconv.ParseFloat(v[:i], 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	switch v[i:] {
	case "px":
		return f, true
	case "":
		return f, f == 0
	case "em", "rem":
		return f * 16, true
	case "ex", "ch":
		return f * 8, true
	case "pt":
		return f * 96 / 72, true
	case "pc":
		return f * 16, true
	case "in":
		return f * 96, true
	case "cm":
		return f * 96 / 2.54, true
	case "mm":
		return f * 96 / 25.4, true
	case "%", "vw", "vh":
		return 0, f == 0
	}
	return 0, false
}
