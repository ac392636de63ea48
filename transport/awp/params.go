package awp

import (
	"encoding/json"
	"time"

	"plasmate/messages"
)

// params reads the members of a params object and keeps the first fault.
// Unknown members are ignored; null is as good as absent.
type params struct {
	fields map[string]json.RawMessage
	path   string // of the object within the request, for messages
	err    *messages.Error
}

func newParams(fields map[string]json.RawMessage, path string) *params {
	return &params{fields: fields, path: path}
}

func (p *params) fault(name, expected string) {
	if p.err == nil {
		p.err = badParam(p.name(name), expected)
	}
}

func (p *params) name(name string) string {
	if p.path == "" {
		return name
	}
	return p.path + "." + name
}

func (p *params) has(name string) bool { return !isNull(p.fields[name]) }

func (p *params) string(name string) string {
	if !p.has(name) {
		p.fault(name, "string")
		return ""
	}
	return p.optionalString(name)
}

func (p *params) optionalString(name string) string {
	if !p.has(name) {
		return ""
	}
	s, ok := text(p.fields[name])
	if !ok {
		p.fault(name, "string")
	}
	return s
}

func (p *params) optionalStrings(name string) []string {
	var list []string
	if p.has(name) && json.Unmarshal(p.fields[name], &list) != nil {
		p.fault(name, "array of strings")
	}
	return list
}

func (p *params) optionalBool(name string) bool {
	var b bool
	if p.has(name) && json.Unmarshal(p.fields[name], &b) != nil {
		p.fault(name, "boolean")
	}
	return b
}

// maxMillis keeps a duration in milliseconds within a time.Duration.
const maxMillis = int64(24 * time.Hour / time.Millisecond)

// optionalMillis reads a positive duration; more than a day is a day.
func (p *params) optionalMillis(name string) time.Duration {
	if !p.has(name) {
		return 0
	}
	var f float64
	if json.Unmarshal(p.fields[name], &f) != nil || f < 1 {
		p.fault(name, "positive number of milliseconds")
		return 0
	}
	return time.Duration(min(f, float64(maxMillis)) * float64(time.Millisecond))
}

func (p *params) optionalInt(name string, low, high int) int {
	if !p.has(name) {
		return 0
	}
	var n int
	if json.Unmarshal(p.fields[name], &n) != nil || n < low || n > high {
		p.fault(name, "integer in range")
	}
	return n
}

func (p *params) optionalNumber(name string) float64 {
	var f float64
	if p.has(name) && json.Unmarshal(p.fields[name], &f) != nil {
		p.fault(name, "number")
	}
	return f
}

// object reads a member that is an object; the result is never nil.
func (p *params) object(name string) *params {
	fields, ok := object(p.fields[name])
	if !ok {
		p.fault(name, "object")
	}
	return &params{fields: fields, path: p.name(name), err: p.err}
}

// objects reads a member that is an array of objects; absent it is empty.
func (p *params) objects(name string) []*params {
	var list []json.RawMessage
	if p.has(name) && json.Unmarshal(p.fields[name], &list) != nil {
		p.fault(name, "array of objects")
	}
	all := make([]*params, 0, len(list))
	for _, raw := range list {
		fields, ok := object(raw)
		if !ok {
			p.fault(name, "array of objects")
			return nil
		}
		all = append(all, newParams(fields, p.name(name)+"[]"))
	}
	return all
}

// adopt takes over the fault of a member.
func (p *params) adopt(member *params) {
	if p.err == nil {
		p.err = member.err
	}
}

// page is the page of the session that is meant; the first one by default.
func (p *params) page() messages.PageID { return messages.PageID(p.optionalString("page_id")) }

func (p *params) session() messages.SessionID {
	return messages.SessionID(p.string("session_id"))
}
