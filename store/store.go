// Package store keeps what a crawl must not lose: the URLs that wait, those
// that are done, and how far its output files have got. A batch is kept whole
// or not at all, so that a process may be killed at any moment. It never
// fetches, and knows nothing of pages.
package store

import "errors"

// Entry is one URL of a frontier.
type Entry struct {
	N        uint64 // order of admission, from 1; unique in a store
	Host     string // origin, such as http://a.test:8080
	Late     bool   // to be taken after the entries of its host that are not
	Kind     Kind
	URL      string
	Referrer string // URL that led here; "": a seed
	Depth    int
	Chain    int // pages of one pattern in a row that led here
	// Held says that the owner has the entry at hand and will not ask for it
	// with Next: a store that ends with its process need not keep it.
	Held bool
}

// Kind is what is to be done with an entry.
type Kind uint8

// The kinds.
const (
	KindPage    Kind = iota
	KindSitemap      // read for addresses; makes no record
)

// Finished is an entry that is done with.
type Finished struct {
	Entry
	Outcome string
	Content uint64 // hash of the page's content; 0: none
}

// Batch is what changes together.
type Batch struct {
	Add  []Entry
	Done []Finished // were added before, or are in Add
	// Marks are named values kept beside the entries, such as file offsets.
	Marks map[string]string
}

// waiting is what is added and not done at once.
func (b *Batch) waiting() []Entry {
	if len(b.Done) == 0 {
		return b.Add
	}
	gone := make(map[uint64]bool, len(b.Done))
	for i := range b.Done {
		gone[b.Done[i].N] = true
	}
	var left []Entry
	for _, e := range b.Add {
		if !gone[e.N] {
			left = append(left, e)
		}
	}
	return left
}

// Empty says that the batch changes nothing.
func (b *Batch) Empty() bool { return len(b.Add) == 0 && len(b.Done) == 0 && len(b.Marks) == 0 }

// Item is an entry as [Store.Load] gives it.
type Item struct {
	Finished
	Done bool
}

// A Store keeps a frontier. Its owner never calls two methods at once.
type Store interface {
	// Load gives every entry there is, in no order.
	Load(each func(Item) error) error
	// Apply keeps a batch, whole or (with an error) not at all.
	Apply(Batch) error
	// Next gives at most limit waiting entries of a host behind entry after, in
	// order. For one host and lateness, after never goes back.
	Next(host string, late bool, after uint64, limit int) ([]Entry, error)
	// Marks are the marks of all batches so far.
	Marks() (map[string]string, error)
	Close() error
}

// ErrFull says that the disk is full.
var ErrFull = errors.New("the disk is full")
