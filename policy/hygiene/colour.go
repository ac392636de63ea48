package hygiene

import (
	"math"
	"strconv"
	"strings"
)

// rgba is a colour: channels 0 to 255, alpha 0 to 1.
type rgba struct{ r, g, b, a float64 }

// contrast is the WCAG contrast ratio of two colours, the first drawn over the second.
func contrast(text, back rgba) float64 {
	mix := func(t, b float64) float64 { return t*text.a + b*(1-text.a) }
	a := luminance(rgba{mix(text.r, back.r), mix(text.g, back.g), mix(text.b, back.b), 1})
	b := luminance(back)
	if a < b {
		a, b = b, a
	}
	return (a + 0.05) / (b + 0.05)
}

func luminance(c rgba) float64 {
	lin := func(v float64) float64 {
		v /= 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.r) + 0.7152*lin(c.g) + 0.0722*lin(c.b)
}

// colour reads a CSS colour in lower case; ok is false for what is not understood.
func colour(v string) (rgba, bool) {
	v = strings.TrimSpace(v)
	if strings.HasPrefix(v, "#") {
		return hexColour(v[1:])
	}
	if v == "transparent" {
		return rgba{}, true
	}
	if i := strings.IndexByte(v, '('); i > 0 && strings.HasSuffix(v, ")") {
		return functionColour(v[:i], v[i+1:len(v)-1])
	}
	if hex, ok := namedColour(v); ok {
		return hexColour(hex)
	}
	return rgba{}, false
}

func hexColour(h string) (rgba, bool) {
	if len(h) == 3 || len(h) == 4 {
		long := make([]byte, 0, 8)
		for i := 0; i < len(h); i++ {
			long = append(long, h[i], h[i])
		}
		h = string(long)
	}
	if len(h) == 6 {
		h += "ff"
	}
	n, err := strconv.ParseUint(h, 16, 32)
	if err != nil || len(h) != 8 {
		return rgba{}, false
	}
	return rgba{float64(n >> 24), float64(n >> 16 & 255), float64(n >> 8 & 255), float64(n&255) / 255}, true
}

func functionColour(name, args string) (rgba, bool) {
	f := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(f) < 3 || len(f) > 4 {
		return rgba{}, false
	}
	c := rgba{a: 1}
	if len(f) == 4 {
		a, ok := ratio(f[3])
		if !ok {
			return rgba{}, false
		}
		c.a = a
	}
	var v [3]float64
	for i := range v {
		s := strings.TrimSuffix(strings.TrimSuffix(f[i], "%"), "deg")
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return rgba{}, false
		}
		if strings.HasSuffix(f[i], "%") && (name == "rgb" || name == "rgba") {
			x *= 2.55
		}
		v[i] = x
	}
	switch name {
	case "rgb", "rgba":
		c.r, c.g, c.b = min(max(v[0], 0), 255), min(max(v[1], 0), 255), min(max(v[2], 0), 255)
		return c, true
	case "hsl", "hsla":
		c.r, c.g, c.b = hsl(v[0], v[1]/100, v[2]/100)
		return c, true
	}
	return rgba{}, false
}

func hsl(h, s, l float64) (r, g, b float64) {
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		if k < 0 {
			k += 12
		}
		return 255 * (l - s*min(l, 1-l)*max(-1, min(k-3, min(9-k, 1))))
	}
	return f(0), f(8), f(4)
}

func namedColour(name string) (string, bool) {
	switch name {
	case "white":
		return "ffffff", true
	case "black":
		return "000000", true
	case "snow":
		return "fffafa", true
	case "ivory":
		return "fffff0", true
	case "ghostwhite":
		return "f8f8ff", true
	case "whitesmoke":
		return "f5f5f5", true
	case "floralwhite":
		return "fffaf0", true
	case "azure":
		return "f0ffff", true
	case "mintcream":
		return "f5fffa", true
	case "aliceblue":
		return "f0f8ff", true
	case "gainsboro":
		return "dcdcdc", true
	case "lightgray", "lightgrey":
		return "d3d3d3", true
	case "silver":
		return "c0c0c0", true
	case "darkgray", "darkgrey":
		return "a9a9a9", true
	case "gray", "grey":
		return "808080", true
	case "red":
		return "ff0000", true
	case "maroon":
		return "800000", true
	case "yellow":
		return "ffff00", true
	case "olive":
		return "808000", true
	case "lime":
		return "00ff00", true
	case "green":
		return "008000", true
	case "aqua", "cyan":
		return "00ffff", true
	case "teal":
		return "008080", true
	case "blue":
		return "0000ff", true
	case "navy":
		return "000080", true
	case "fuchsia", "magenta":
		return "ff00ff", true
	case "purple":
		return "800080", true
	case "orange":
		return "ffa500", true
	}
	return "", false
}
