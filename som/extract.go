package som

// Query selects elements and what to read off them (AWP §3 page.extract).
// All given filters must hold.
type Query struct {
	Role      string
	Level     int // 0: any
	TextMatch string
	Ref       string
	CSS       string
	Region    string // region id or role
	Name      string // accessible name, normalised
	All       bool
	Props     []string
}

// QueryError says which field's query is wrong and why.
type QueryError struct{ Field, Param, Msg string }

func (e *QueryError) Error() string { return e.Msg }

// Extract answers a set of queries. Both results are compact JSON objects with
// the fields in the order of names.
func (p *Page) Extract(names []string, queries map[string]Query) (data, provenance []byte, err *QueryError) {
	return nil, nil, nil
}
