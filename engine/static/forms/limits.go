package forms

import (
	"math/big"

	"golang.org/x/net/html"
)

// limits are the minimum, maximum and step of an input in the unit of its type.
// min and max are nil where there is none (never for range); step is nil for
// "any". base is the step base.
type limits struct{ min, max, step, base *big.Rat }

// limitsOf: HTML, The min and max attributes, The step attribute.
//
// Differs from the spec, as browsers do: an attribute that is no valid number is
// no limit, whatever it begins with; and a range's maximum is never below its
// minimum, where no value would be valid.
func limitsOf(n *html.Node) limits {
	kind := Type(n)
	var l limits
	l.min, _ = toNumber(kind, Attr(n, "min"))
	l.max, _ = toNumber(kind, Attr(n, "max"))
	l.base = stepBase(n, l.min)
	if kind == "range" {
		if l.min == nil {
			l.min = new(big.Rat)
		}
		if l.max == nil {
			l.max = big.NewRat(100, 1)
		}
		if l.max.Cmp(l.min) < 0 {
			l.max = l.min
		}
	}
	l.step = step(n)
	return l
}

func stepBase(n *html.Node, min *big.Rat) *big.Rat {
	if min != nil {
		return min
	}
	if v, ok := toNumber(Type(n), Attr(n, "value")); ok {
		return v
	}
	if Type(n) == "week" {
		return big.NewRat(-259200000, 1) // Monday of 1970-W01
	}
	return new(big.Rat)
}

func step(n *html.Node) *big.Rat {
	scale, def := int64(1), int64(1)
	switch Type(n) {
	case "date":
		scale = dayMillis
	case "week":
		scale = 7 * dayMillis
	case "time", "datetime-local":
		scale, def = 1000, 60
	}
	v := Attr(n, "step")
	if asciiLower(v) == "any" {
		return nil
	}
	s, ok := parseFloat(v)
	if !ok || s.Sign() <= 0 {
		s = big.NewRat(def, 1)
	}
	return new(big.Rat).Mul(s, big.NewRat(scale, 1))
}

// toNumber: HTML, the algorithm to convert a string to a number.
func toNumber(kind, v string) (*big.Rat, bool) {
	switch kind {
	case "number", "range":
		return parseFloat(v)
	}
	ms, ok := parseDate(kind, v)
	if !ok {
		return nil, false
	}
	return big.NewRat(ms, 1), true
}

func onStep(x *big.Rat, l limits) bool {
	q := new(big.Rat).Sub(x, l.base)
	return q.Quo(q, l.step).IsInt()
}
