package plasmate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"plasmate/actors"
	"plasmate/store"
)

// CrawlFiles says where a crawl to files writes.
type CrawlFiles struct {
	// Records is a file of AppendRecord's lines; .zst compresses it.
	Records string
	// Writer takes the records instead of a file.
	Writer io.Writer
	// WARC is a file of the exchanges in WARC 1.1; .gz compresses it.
	WARC string
	// State is the file of the frontier; "": Records and ".state", or memory
	// if there are no Records.
	State string
	// Resume goes on with the crawl of State; a crawl that has not begun begins.
	Resume bool
	// Overwrite begins anew although there are files of an earlier crawl.
	Overwrite bool
}

// ErrCrawlExists says that files of an earlier crawl are in the way.
var ErrCrawlExists = errors.New("there are files of an earlier crawl: resume it, overwrite it or write elsewhere")

// ErrDiskFull says that the disk is full. What was done is kept, and the crawl
// can be resumed when there is room.
var ErrDiskFull = store.ErrFull

// CrawlToFiles visits the seeds and what they lead to, and writes a record of
// every URL. Killed at any moment and resumed, it repeats no record and misses
// none: records and frontier are kept in step. When ctx is done it stops, and
// its error is ctx's cause.
func CrawlToFiles(ctx context.Context, seeds []string, o CrawlOptions, files CrawlFiles) (CrawlStatus, error) {
	f := &crawlFiles{}
	defer f.close()
	marks, err := f.open(files, &o)
	if err != nil {
		return CrawlStatus{}, err
	}
	if files.Resume && len(seeds) == 0 && len(o.Sitemaps) == 0 && o.MaxDepth == 0 {
		o.MaxDepth = keptDepth(marks)
	}
	status, err := runCrawl(ctx, seeds, o, crawlOutputs{list: f.list, keep: f.warc != nil}, f.records)
	if cerr := f.close(); err == nil {
		err = cerr
	}
	return status, err
}

// crawlFiles are the open files of a crawl.
type crawlFiles struct {
	state   store.Store
	outputs []*store.Output
	list    []actors.CrawlOutput
	record  bool // the first output has records
	warc    *warcWriter
	closed  bool
}

// keptDepth is MaxDepth as the crawl began with it.
func keptDepth(marks map[string]string) int {
	switch depth, err := strconv.Atoi(marks[actors.MarkDepth]); {
	case err != nil || depth < 0:
		return 0
	case depth == 0:
		return -1
	default:
		return depth
	}
}

// open gives the marks of the crawl so far.
func (f *crawlFiles) open(files CrawlFiles, o *CrawlOptions) (map[string]string, error) {
	marks, err := f.openState(files, o)
	if err != nil {
		return nil, err
	}
	return marks, f.openOutputs(files, o, marks)
}

func (f *crawlFiles) openState(files CrawlFiles, o *CrawlOptions) (map[string]string, error) {
	if files.State == "" && files.Records != "" {
		files.State = files.Records + ".state"
	}
	if !files.Resume {
		for _, name := range []string{files.State, files.Records, files.WARC} {
			if err := vacate(name, files.Overwrite); err != nil {
				return nil, err
			}
		}
	}
	if files.State != "" && o.Store == nil {
		s, err := store.OpenBolt(files.State)
		if err != nil {
			return nil, err
		}
		f.state, o.Store = s, s
	}
	if o.Store == nil {
		return nil, nil
	}
	marks, err := o.Store.Marks()
	if err != nil {
		return nil, fmt.Errorf("read the crawl's state: %w", err)
	}
	return marks, nil
}

func (f *crawlFiles) openOutputs(files CrawlFiles, o *CrawlOptions, marks map[string]string) error {
	switch {
	case files.Writer != nil:
		f.add(store.NewOutput(files.Writer))
		f.record = true
	case files.Records != "":
		out, err := f.file(files.Records, marks)
		if err != nil {
			return err
		}
		f.add(out)
		f.record = true
	}
	if files.WARC == "" {
		return nil
	}
	out, err := f.file(files.WARC, marks)
	if err != nil {
		return err
	}
	f.warc = newWARC(files.WARC)
	mark := marks[actors.OutputMark(len(f.list))]
	f.add(out)
	if mark == "" || mark == "0" {
		return out.Append([][]byte{f.warc.info(o.UserAgent, time.Now())})
	}
	return nil
}

func (f *crawlFiles) file(name string, marks map[string]string) (*store.Output, error) {
	return store.OpenOutput(name, marks[actors.OutputMark(len(f.list))])
}

func (f *crawlFiles) add(o *store.Output) {
	f.outputs = append(f.outputs, o)
	f.list = append(f.list, o)
}

// vacate makes sure that a file may be written anew.
func vacate(name string, overwrite bool) error {
	info, err := os.Stat(name)
	if name == "" || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	if !overwrite {
		return fmt.Errorf("%s: %w", name, ErrCrawlExists)
	}
	return os.Remove(name)
}

// records are what the outputs get of a visit.
func (f *crawlFiles) records(_ context.Context, v *actors.Visit) ([][]byte, error) {
	var all [][]byte
	if f.record {
		all = append(all, AppendRecord(make([]byte, 0, 1024+len(v.SOM)+len(v.Text)+len(v.Markdown)+64*len(v.Links)), &v.CrawledPage))
	}
	if f.warc != nil {
		var b []byte
		for _, x := range v.Exchanges {
			b = f.warc.exchange(b, x)
		}
		all = append(all, b)
	}
	return all, nil
}

// close may be called twice.
func (f *crawlFiles) close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	var err error
	for _, o := range f.outputs {
		err = errors.Join(err, o.Close())
	}
	if f.state != nil {
		err = errors.Join(err, f.state.Close())
	}
	return err
}
