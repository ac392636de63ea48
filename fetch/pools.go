package fetch

import (
	"bytes"
	"sync"
)

// maxPooled is the size beyond which a buffer is left to the collector.
const maxPooled = 1 << 20

// pools keeps what reading bodies needs between exchanges. The zero value is
// ready for use.
type pools struct {
	buffers sync.Pool // *bytes.Buffer
	gzips   sync.Pool // *gzip.Reader
}

func (p *pools) buffer() *bytes.Buffer {
	if b, ok := p.buffers.Get().(*bytes.Buffer); ok {
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

// take is what b holds, in memory of just that size; b must not be used after.
func (p *pools) take(b *bytes.Buffer) []byte {
	if b.Cap() > maxPooled {
		if b.Len() > b.Cap()/4*3 {
			return b.Bytes()
		}
		return bytes.Clone(b.Bytes())
	}
	defer p.buffers.Put(b)
	return bytes.Clone(b.Bytes())
}
