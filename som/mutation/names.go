package mutation

import "slices"

// names are an object's member names in a fixed order, so that equal changes
// give equal bytes.
func names(o map[string]any) []string {
	list := make([]string, 0, len(o))
	for name := range o {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
