package actors

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"plasmate/store"
)

// journal alone writes a crawl's store and outputs. What comes while it writes
// is written together in the next batch: records first, then the batch that
// says they are there. Killed in between, the outputs are cut back to what the
// store knows of.
type journal struct {
	census  *census
	store   store.Store
	outputs []CrawlOutput

	batch   store.Batch
	records [][][]byte // by output
	bytes   int
	wants   []refill
	armed   bool
	writing bool
	closing bool
	broken  bool // a write failed: nothing is written any more
}

type (
	// jot asks for changes to be kept.
	jot struct {
		add     []store.Entry
		done    []store.Finished
		records [][]byte // one for each output; nil: none
		marks   map[string]string
		bytes   int
	}
	// refill asks for waiting entries of a host.
	refill struct {
		host  string
		lane  int
		after uint64
		limit int
	}
	refilled struct {
		host    string
		lane    int
		entries []store.Entry
	}
	// jotted says how many bytes of jots were written, or why not.
	jotted struct {
		bytes int
		err   error
	}
	// closeJournal has everything written, with last marks; journalClosed
	// answers it.
	closeJournal  struct{ marks map[string]string }
	journalClosed struct{ err error }
	// flushDue says that what waits has waited long enough.
	flushDue struct{}
	// wrote reports a write to the journal itself.
	wrote struct {
		bytes   int
		refills []refilled
		err     error
	}
)

// When a batch is written: at the latest after flushAfter, or when its records
// have flushBytes.
const (
	flushAfter = 50 * time.Millisecond
	flushBytes = 4 << 20
)

func (j *journal) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case jot:
		j.jot(c, m)
	case refill:
		j.wants = append(j.wants, m)
		j.write(c)
	case flushDue:
		j.armed = false
		j.write(c)
	case wrote:
		j.wrote(c, m)
	case closeJournal:
		j.closing = true
		j.mark(m.marks)
		j.write(c)
	}
}

func (j *journal) jot(c actor.Context, m jot) {
	j.batch.Add = append(j.batch.Add, m.add...)
	j.batch.Done = append(j.batch.Done, m.done...)
	j.mark(m.marks)
	if len(m.records) > 0 && j.records == nil {
		j.records = make([][][]byte, len(j.outputs))
	}
	for i := range m.records {
		if i < len(j.outputs) && len(m.records[i]) > 0 {
			j.records[i] = append(j.records[i], m.records[i])
		}
	}
	j.bytes += m.bytes
	if j.bytes >= flushBytes {
		j.write(c)
		return
	}
	if !j.armed {
		j.armed = true
		root, self := c.ActorSystem().Root, c.Self()
		time.AfterFunc(flushAfter, func() { root.Send(self, flushDue{}) })
	}
}

func (j *journal) mark(marks map[string]string) {
	if j.batch.Marks == nil && len(marks) > 0 {
		j.batch.Marks = make(map[string]string)
	}
	maps.Copy(j.batch.Marks, marks)
}

// write starts the next write unless one is under way.
func (j *journal) write(c actor.Context) {
	if j.writing {
		return
	}
	if j.broken || j.batch.Empty() && len(j.wants) == 0 {
		j.end(c, nil)
		return
	}
	w := writing{store: j.store, outputs: j.outputs, batch: j.batch, records: j.records, bytes: j.bytes, wants: j.wants}
	j.batch, j.records, j.bytes, j.wants = store.Batch{}, nil, 0, nil
	j.writing = true
	c.Spawn(j.census.props(kindErrand, func() actor.Actor {
		return &errand{census: j.census, run: w.run, failed: func(p any) any {
			return wrote{err: fmt.Errorf("write the journal: panic: %v", p)}
		}}
	}))
}

func (j *journal) wrote(c actor.Context, m wrote) {
	j.writing = false
	for _, r := range m.refills {
		c.Send(c.Parent(), r)
	}
	c.Send(c.Parent(), jotted{bytes: m.bytes, err: m.err})
	if m.err != nil {
		j.broken = true
		j.end(c, m.err)
		return
	}
	if j.closing || j.bytes >= flushBytes || len(j.wants) > 0 {
		j.write(c)
	}
}

// end answers closeJournal.
func (j *journal) end(c actor.Context, err error) {
	if j.closing {
		c.Send(c.Parent(), journalClosed{err: err})
	}
}

// writing is one write, made in a goroutine of its own.
type writing struct {
	store   store.Store
	outputs []CrawlOutput
	batch   store.Batch
	records [][][]byte
	bytes   int
	wants   []refill
}

func (w *writing) run(context.Context) any {
	r := wrote{bytes: w.bytes}
	if r.err = w.keep(); r.err != nil {
		return r
	}
	for _, q := range w.wants {
		es, err := w.store.Next(q.host, q.lane == 1, q.after, q.limit)
		if err != nil {
			r.err = err
			return r
		}
		r.refills = append(r.refills, refilled{host: q.host, lane: q.lane, entries: es})
	}
	return r
}

func (w *writing) keep() error {
	for i, records := range w.records {
		if len(records) == 0 {
			continue
		}
		if err := w.outputs[i].Append(records); err != nil {
			return err
		}
		if err := w.outputs[i].Sync(); err != nil {
			return err
		}
	}
	if w.batch.Marks == nil {
		w.batch.Marks = make(map[string]string, len(w.outputs))
	}
	for i := range w.outputs {
		w.batch.Marks[OutputMark(i)] = w.outputs[i].Mark()
	}
	return w.store.Apply(w.batch)
}
