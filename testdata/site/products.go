package site

import "fmt"

// Product is one thing the shop sells.
type Product struct {
	Slug, Name, Material, Summary, Detail string
	Cents                                 int
	Stock                                 int
	Size                                  string
	Reviews                               []Review
}

// Review is what a customer wrote.
type Review struct {
	Author, Text string
	Stars        int
}

// Price is the price as shown.
func (p Product) Price() string { return price(p.Cents) }

func price(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

func find(slug string) (Product, bool) {
	for _, p := range products {
		if p.Slug == slug {
			return p, true
		}
	}
	return Product{}, false
}

var products = []Product{
	{
		Slug: "harbour-lamp", Name: "Harbour lamp", Material: "Brass and opal glass", Cents: 12900, Stock: 14, Size: "32 × 18 cm",
		Summary: "A table lamp with a dimmer in the base.",
		Detail:  "The shade is blown in one piece and sits on a spun brass foot. The dimmer keeps its setting when the lamp is unplugged. Bulb included.",
		Reviews: []Review{
			{"Ines", "Warm light, and the switch does not click.", 5},
			{"Tomasz", "Heavier than it looks, which is good on a wobbly desk.", 4},
		},
	},
	{
		Slug: "fell-blanket", Name: "Fell blanket", Material: "Undyed wool", Cents: 8450, Stock: 3, Size: "130 × 190 cm",
		Summary: "A blanket woven from the wool of one flock.",
		Detail:  "Two shades of undyed wool in a herringbone weave, washed once before it is cut so that it does not shrink later.",
		Reviews: []Review{{"Maren", "Smells faintly of sheep for a week, then only of home.", 5}},
	},
	{
		Slug: "slate-cushion", Name: "Slate cushion", Material: "Linen and wool", Cents: 3990, Stock: 40, Size: "45 × 45 cm",
		Summary: "A cushion with a cover that can be washed.",
		Detail:  "Linen outside, wool fill inside. The cover closes with three wooden buttons.",
		Reviews: []Review{{"Yusuf", "The buttons are sewn on properly.", 4}},
	},
	{
		Slug: "storm-lantern", Name: "Storm lantern", Material: "Steel and glass", Cents: 5600, Stock: 0, Size: "28 × 15 cm",
		Summary: "An oil lantern that stays lit in the wind.",
		Detail:  "Powder-coated steel with a glass that lifts out for cleaning. Burns for nine hours on one filling.",
		Reviews: []Review{{"Ada", "Survived a night on the balcony in November.", 5}},
	},
}
