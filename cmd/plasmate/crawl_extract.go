package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"plasmate"
	"plasmate/som"
)

// fieldQuery is a query of an --extract file, as page.extract has it (AWP §3).
type fieldQuery struct {
	Role      string   `json:"role"`
	Level     int      `json:"level"`
	TextMatch string   `json:"text_match"`
	Ref       string   `json:"ref"`
	CSS       string   `json:"css"`
	Region    string   `json:"region"`
	Name      string   `json:"name"`
	All       bool     `json:"all"`
	Props     []string `json:"props"`
}

// readFields takes the fields of an --extract file into the options.
func readFields(file string, o *plasmate.CrawlOptions) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	names, values, err := members(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	light := 0
	o.Fields = make(map[string]som.Query, len(names))
	for i, name := range names {
		var word string
		if json.Unmarshal(values[i], &word) == nil {
			if word != "title" && word != "links" && word != "text" {
				return fmt.Errorf("%s: field %q: %q is neither title, links, text nor a query", file, name, word)
			}
			light++
			continue
		}
		var q fieldQuery
		d := json.NewDecoder(bytes.NewReader(values[i]))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			return fmt.Errorf("%s: field %q: %w", file, name, err)
		}
		o.Fields[name] = som.Query(q)
	}
	switch {
	case len(names) == 0:
		return fmt.Errorf("%s: no fields", file)
	case light == len(names):
		o.Format, o.Fields = plasmate.CrawlOutline, nil
		return nil
	case light > 0:
		return fmt.Errorf("%s: title, links and text are members of every record; leave them out beside queries", file)
	}
	o.Format, o.FieldNames = plasmate.CrawlFields, names
	if _, _, err := som.Analyze(som.Input{}, som.Options{}).Extract(names, o.Fields); err != nil {
		return fmt.Errorf("%s: field %q: %s", file, err.Field, err.Msg)
	}
	return nil
}

// members are the members of a JSON object in their order.
func members(data []byte) (names []string, values []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("an object of fields is wanted")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, err
		}
		name, _ := t.(string) // names of members are strings
		names, values = append(names, name), append(values, v)
	}
	return names, values, nil
}
