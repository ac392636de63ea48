package mutation

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// maxMoves bounds the moves within one array: beyond it the array is replaced,
// which is smaller and keeps a hostile page's patch linear.
const maxMoves = 200

// Patch is the compact JSON of a patch that turns the SOM old into the SOM new;
// false if there is none that is smaller than new itself. Both are the JSON of
// a SOM and are not changed.
func Patch(old, new []byte) ([]byte, bool) {
	if bytes.Equal(old, new) {
		return []byte("[]"), true
	}
	a, okA := decode(old)
	b, okB := decode(new)
	if !okA || !okB {
		return nil, false
	}
	p := patch{limit: len(new)}
	p.out.WriteByte('[')
	p.value("", a, b)
	p.out.WriteByte(']')
	if p.out.Len() >= len(new) {
		return nil, false
	}
	return p.out.Bytes(), true
}

func decode(som []byte) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(som))
	dec.UseNumber()
	var v any
	return v, dec.Decode(&v) == nil
}

// patch collects operations. When it has grown past limit it is no use any
// more and takes no further ones.
type patch struct {
	out   bytes.Buffer
	limit int
}

// operation writes one operation; value is left out for remove and move.
func (p *patch) operation(op, path, from string, value any) {
	if p.out.Len() > p.limit {
		return
	}
	if p.out.Len() > 1 {
		p.out.WriteByte(',')
	}
	o := struct {
		Op    string          `json:"op"`
		From  string          `json:"from,omitempty"`
		Path  string          `json:"path"`
		Value json.RawMessage `json:"value,omitempty"`
	}{Op: op, From: from, Path: path}
	if op == "add" || op == "replace" {
		o.Value = encode(value)
	}
	p.out.Write(encode(o))
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil { // only decoded JSON comes here
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// value patches a, which stands at path, into b.
func (p *patch) value(path string, a, b any) {
	switch b := b.(type) {
	case map[string]any:
		if a, ok := a.(map[string]any); ok {
			p.object(path, a, b)
			return
		}
	case []any:
		if a, ok := a.([]any); ok && p.array(path, a, b) {
			return
		}
	default:
		if a == b { // strings, numbers, booleans, null
			return
		}
	}
	p.operation("replace", path, "", b)
}

func (p *patch) object(path string, a, b map[string]any) {
	for _, name := range names(a) {
		if _, ok := b[name]; !ok {
			p.operation("remove", path+"/"+pointer(name), "", nil)
		}
	}
	for _, name := range names(b) {
		at := path + "/" + pointer(name)
		if old, ok := a[name]; ok {
			p.value(at, old, b[name])
		} else {
			p.operation("add", at, "", b[name])
		}
	}
}

// pointer is a member name as a reference token of a JSON Pointer (RFC 6901 §3).
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// array patches arrays whose items have ids by id, others of equal length
// item by item; false if it is better replaced.
func (p *patch) array(path string, a, b []any) bool {
	oldIDs, okA := ids(a)
	newIDs, okB := ids(b)
	if okA && okB {
		return p.keyed(path, a, b, oldIDs, newIDs)
	}
	if len(a) != len(b) {
		return false
	}
	for i := range b {
		p.value(path+"/"+strconv.Itoa(i), a[i], b[i])
	}
	return true
}

// ids are the ids of an array's items; false unless each has one of its own.
func ids(items []any) ([]string, bool) {
	list := make([]string, len(items))
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		o, _ := item.(map[string]any)
		id, ok := o["id"].(string)
		if !ok || seen[id] {
			return nil, false
		}
		seen[id] = true
		list[i] = id
	}
	return list, true
}

// keyed removes what has gone, then walks the new order: an item is in its
// place, comes from further back, or is new.
func (p *patch) keyed(path string, a, b []any, oldIDs, newIDs []string) bool {
	at := make(map[string]int, len(b))
	for i, id := range newIDs {
		at[id] = i
	}
	var kept []string
	values := make(map[string]any, len(a))
	for i, id := range oldIDs {
		if _, ok := at[id]; ok {
			kept = append(kept, id)
			values[id] = a[i]
		}
	}
	if misplaced(kept, at) > maxMoves {
		return false
	}
	for i := len(a) - 1; i >= 0; i-- {
		if _, ok := at[oldIDs[i]]; !ok {
			p.operation("remove", path+"/"+strconv.Itoa(i), "", nil)
		}
	}
	for i, id := range newIDs {
		here := path + "/" + strconv.Itoa(i)
		old, ok := values[id]
		if !ok {
			p.operation("add", here, "", b[i])
			continue
		}
		if kept[0] == id {
			kept = kept[1:]
		} else {
			j := 1
			for kept[j] != id {
				j++
			}
			// What is before i is in place already, so the item stands at i+j now.
			p.operation("move", here, path+"/"+strconv.Itoa(i+j), nil)
			kept = append(kept[:j:j], kept[j+1:]...)
		}
		p.value(here, old, b[i])
	}
	return true
}

// misplaced counts the items that do not stand behind all earlier ones.
func misplaced(kept []string, at map[string]int) int {
	n, last := 0, -1
	for _, id := range kept {
		if at[id] < last {
			n++
			continue
		}
		last = at[id]
	}
	return n
}
