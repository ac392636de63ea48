package actors

import (
	"encoding/binary"
	"strings"
	"sync"
)

// contents knows which page had a content first. A crawl of a million pages
// keeps a million URLs here, so they are packed: no pointers, hosts apart. It
// is safe for concurrent use.
type contents struct {
	mu    sync.Mutex
	first map[uint64]uint32 // hash of a content: where its page is in packed
	hosts []string
	ids   map[string]uint32
	chunk [][]byte
}

// Where a record is: chunk number times chunkSize and offset.
const (
	contentChunk = 1 << 16
	maxContents  = 1 << 16 // chunks; beyond them duplicates are not known any more
)

func newContents() *contents {
	return &contents{first: make(map[uint64]uint32), ids: make(map[string]uint32)}
}

// claim gives the URL of the page that had the content before; "" if url is
// the first one.
func (c *contents) claim(hash uint64, url string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.first[hash]; ok {
		if first := c.url(at); first != url {
			return first
		}
		return ""
	}
	if at, ok := c.keep(url); ok {
		c.first[hash] = at
	}
	return ""
}

// keep packs a URL: number of its host, length, rest.
func (c *contents) keep(url string) (uint32, bool) {
	host := hostKey(url)
	id, ok := c.ids[host]
	if !ok {
		id = uint32(len(c.hosts))
		host = strings.Clone(host) // url is as long-lived as a page
		c.hosts = append(c.hosts, host)
		c.ids[host] = id
	}
	rest := strings.TrimPrefix(url, host)
	need := 2*binary.MaxVarintLen32 + len(rest)
	if need > contentChunk {
		return 0, false
	}
	last := len(c.chunk) - 1
	if last < 0 || cap(c.chunk[last])-len(c.chunk[last]) < need {
		if len(c.chunk) >= maxContents {
			return 0, false
		}
		c.chunk = append(c.chunk, make([]byte, 0, contentChunk))
		last++
	}
	b := c.chunk[last]
	at := uint32(last)*contentChunk + uint32(len(b))
	b = binary.AppendUvarint(b, uint64(id))
	b = binary.AppendUvarint(b, uint64(len(rest)))
	c.chunk[last] = append(b, rest...)
	return at, true
}

func (c *contents) url(at uint32) string {
	b := c.chunk[at/contentChunk][at%contentChunk:]
	id, n := binary.Uvarint(b)
	size, m := binary.Uvarint(b[n:])
	return c.hosts[id] + string(b[n+m:n+m+int(size)])
}
