package store

import "maps"

// Memory is a store that ends with its process. It keeps entries packed, so
// that a million of them take little more than their URLs.
type Memory struct {
	queues map[lane]*packed
	marks  map[string]string
}

type lane struct {
	host string
	late bool
}

// packed is a queue of encoded entries in chunks; what has been read goes.
type packed struct {
	chunks [][]byte
	read   int // offset in the first chunk
}

// chunkBytes is the size of a chunk that is full.
const chunkBytes = 16 << 10

// NewMemory is an empty store.
func NewMemory() *Memory {
	return &Memory{queues: make(map[lane]*packed), marks: make(map[string]string)}
}

// Load gives nothing: a new store is empty, and nobody loads a used one.
func (m *Memory) Load(func(Item) error) error { return nil }

// Apply cannot fail. It forgets what is done.
func (m *Memory) Apply(b Batch) error {
	for _, e := range b.waiting() {
		if !e.Held {
			m.push(&e)
		}
	}
	maps.Copy(m.marks, b.Marks)
	return nil
}

func (m *Memory) push(e *Entry) {
	key := lane{e.Host, e.Late}
	q := m.queues[key]
	if q == nil {
		q = &packed{}
		m.queues[key] = q
	}
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last]) >= chunkBytes {
		size := 256 // most hosts have a few
		if last >= 0 {
			size = chunkBytes + 1024
		}
		q.chunks = append(q.chunks, make([]byte, 0, size))
		last++
	}
	q.chunks[last] = appendEntry(q.chunks[last], e)
}

// Next implements Store.
func (m *Memory) Next(host string, late bool, after uint64, limit int) ([]Entry, error) {
	key := lane{host, late}
	q := m.queues[key]
	if q == nil {
		return nil, nil
	}
	var out []Entry
	for len(out) < limit {
		e, ok := q.pop(host)
		if !ok {
			delete(m.queues, key)
			break
		}
		if e.N > after {
			out = append(out, e)
		}
	}
	return out, nil
}

func (q *packed) pop(host string) (Entry, bool) {
	for len(q.chunks) > 0 && q.read >= len(q.chunks[0]) {
		q.chunks[0] = nil
		q.chunks, q.read = q.chunks[1:], 0
	}
	if len(q.chunks) == 0 {
		return Entry{}, false
	}
	r := reader{b: q.chunks[0][q.read:]}
	e := r.entry(host)
	q.read = len(q.chunks[0]) - len(r.b)
	return e, true
}

// Marks implements Store.
func (m *Memory) Marks() (map[string]string, error) { return maps.Clone(m.marks), nil }

// Close lets the memory go.
func (m *Memory) Close() error {
	m.queues = nil
	return nil
}
