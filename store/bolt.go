package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Bolt is a store in one file. One process may have it open.
//
// Buckets: hosts (name → number), queue (host, late, n → entry), done (n →
// entry and outcome), marks. Keys are written nearly in order, which is what
// the file's B+tree likes best; whether a URL was seen is known from memory.
type Bolt struct {
	db    *bolt.DB
	ids   map[string]uint32
	names []string // by number less 1
}

var (
	hostBucket  = []byte("hosts")
	queueBucket = []byte("queue")
	doneBucket  = []byte("done")
	markBucket  = []byte("marks")
)

// ErrLocked says that another process has the file open.
var ErrLocked = errors.New("another process is using it")

// OpenBolt opens or makes the file.
func OpenBolt(path string) (*Bolt, error) {
	db, err := bolt.Open(path, 0o644, &bolt.Options{Timeout: time.Second, FreelistType: bolt.FreelistMapType, NoFreelistSync: true})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("open store %s: %w", path, ErrLocked)
	}
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, full(err))
	}
	s := &Bolt{db: db, ids: make(map[string]uint32)}
	if err := db.Update(s.begin); err != nil {
		_ = db.Close() // the first error tells
		return nil, fmt.Errorf("open store %s: %w", path, full(err))
	}
	return s, nil
}

func (s *Bolt) begin(tx *bolt.Tx) error {
	for _, name := range [][]byte{hostBucket, queueBucket, doneBucket, markBucket} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	hosts := tx.Bucket(hostBucket)
	return hosts.ForEach(func(name, id []byte) error {
		if len(id) != 4 {
			return errCorrupt
		}
		n := binary.BigEndian.Uint32(id)
		s.ids[string(name)] = n
		for int(n) > len(s.names) {
			s.names = append(s.names, "")
		}
		s.names[n-1] = string(name)
		return nil
	})
}

// full makes a full disk known by one error.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

func queueKey(id uint32, late bool, n uint64) []byte {
	k := binary.BigEndian.AppendUint32(make([]byte, 0, 13), id)
	if late {
		k = append(k, 1)
	} else {
		k = append(k, 0)
	}
	return binary.BigEndian.AppendUint64(k, n)
}

// Load implements Store.
func (s *Bolt) Load(each func(Item) error) error {
	return s.db.View(func(tx *bolt.Tx) error {
		err := tx.Bucket(queueBucket).ForEach(func(k, v []byte) error {
			host, err := s.hostOf(k)
			if err != nil {
				return err
			}
			r := reader{b: v}
			item := Item{Finished: Finished{Entry: r.entry(host)}}
			if r.bad {
				return errCorrupt
			}
			return each(item)
		})
		if err != nil {
			return fmt.Errorf("load the frontier: %w", err)
		}
		return tx.Bucket(doneBucket).ForEach(func(_, v []byte) error {
			r := reader{b: v}
			id := r.uint()
			if id == 0 || id > uint64(len(s.names)) {
				return errCorrupt
			}
			f := Finished{Outcome: r.string(), Content: r.uint()}
			f.Entry = r.entry(s.names[id-1])
			if r.bad {
				return errCorrupt
			}
			return each(Item{Finished: f, Done: true})
		})
	})
}

func (s *Bolt) hostOf(key []byte) (string, error) {
	if len(key) != 13 {
		return "", errCorrupt
	}
	id := binary.BigEndian.Uint32(key)
	if id == 0 || int(id) > len(s.names) {
		return "", errCorrupt
	}
	return s.names[id-1], nil
}

// Apply implements Store. It returns when the batch is on disk.
func (s *Bolt) Apply(b Batch) error {
	if b.Empty() {
		return nil
	}
	known := len(s.names)
	err := s.db.Update(func(tx *bolt.Tx) error { return s.apply(tx, b) })
	if err != nil { // the hosts that are new are not there after all
		for _, name := range s.names[known:] {
			delete(s.ids, name)
		}
		s.names = s.names[:known]
		return fmt.Errorf("write the store: %w", full(err))
	}
	return nil
}

func (s *Bolt) apply(tx *bolt.Tx, b Batch) error {
	queue, done, marks := tx.Bucket(queueBucket), tx.Bucket(doneBucket), tx.Bucket(markBucket)
	queue.FillPercent, done.FillPercent = 0.9, 0.9
	for _, e := range b.waiting() {
		id, err := s.host(tx, e.Host)
		if err != nil {
			return err
		}
		if err := queue.Put(queueKey(id, e.Late, e.N), appendEntry(nil, &e)); err != nil {
			return err
		}
	}
	for i := range b.Done {
		f := &b.Done[i]
		id, err := s.host(tx, f.Host)
		if err != nil {
			return err
		}
		if err := queue.Delete(queueKey(id, f.Late, f.N)); err != nil {
			return err
		}
		v := binary.AppendUvarint(nil, uint64(id))
		v = appendString(v, f.Outcome)
		v = binary.AppendUvarint(v, f.Content)
		if err := done.Put(binary.BigEndian.AppendUint64(nil, f.N), appendEntry(v, &f.Entry)); err != nil {
			return err
		}
	}
	for name, value := range b.Marks {
		if err := marks.Put([]byte(name), []byte(value)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Bolt) host(tx *bolt.Tx, name string) (uint32, error) {
	if id, ok := s.ids[name]; ok {
		return id, nil
	}
	id := uint32(len(s.names) + 1)
	if err := tx.Bucket(hostBucket).Put([]byte(name), binary.BigEndian.AppendUint32(nil, id)); err != nil {
		return 0, err
	}
	s.ids[name] = id
	s.names = append(s.names, name)
	return id, nil
}

// Next implements Store.
func (s *Bolt) Next(host string, late bool, after uint64, limit int) ([]Entry, error) {
	id, ok := s.ids[host]
	if !ok {
		return nil, nil
	}
	var out []Entry
	err := s.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(queueBucket).Cursor()
		from := queueKey(id, late, after+1)
		for k, v := c.Seek(from); k != nil && len(out) < limit && bytes.Equal(k[:5], from[:5]); k, v = c.Next() {
			r := reader{b: v}
			e := r.entry(host)
			if r.bad {
				return errCorrupt
			}
			out = append(out, e)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the frontier of %s: %w", host, err)
	}
	return out, nil
}

// Marks implements Store.
func (s *Bolt) Marks() (map[string]string, error) {
	m := make(map[string]string)
	err := s.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(markBucket).ForEach(func(k, v []byte) error {
			m[string(k)] = string(v)
			return nil
		})
	})
	return m, err
}

// Close closes the file.
func (s *Bolt) Close() error { return s.db.Close() }

// Remove deletes a store's file; it is no error if there is none.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
