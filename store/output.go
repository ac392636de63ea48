package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Output is a file that records are appended to, whole or not at all. Its mark
// says how far it has got; opened at that mark it is cut to it, so that what
// was written but not kept in a store is written again and not twice. Its
// owner never calls two methods at once.
type Output struct {
	name   string
	file   *os.File
	to     io.Writer // file, or what a pipe was opened as
	size   int64     // of whole records
	fixed  bool      // a pipe or terminal: cannot be cut
	zip    *zstd.Encoder
	buffer []byte
}

// OpenOutput opens or makes a file at the mark of an earlier one; "" begins
// anew. Names that end in .zst are compressed with Zstandard, a frame an
// Append, which any of its tools reads as one stream.
func OpenOutput(name, mark string) (*Output, error) {
	size := int64(0)
	if mark != "" {
		var err error
		if size, err = strconv.ParseInt(mark, 10, 64); err != nil || size < 0 {
			return nil, fmt.Errorf("open output %s: %q is no mark", name, mark)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open output: %w", full(err))
	}
	o := &Output{name: name, file: f, to: f, size: size}
	if err := o.cut(); err != nil {
		_ = f.Close() // the first error tells
		return nil, fmt.Errorf("open output %s: %w", name, err)
	}
	if strings.HasSuffix(name, ".zst") {
		return o, o.compress()
	}
	return o, nil
}

// NewOutput appends to a stream that is open already, such as stdout.
func NewOutput(w io.Writer) *Output { return &Output{name: "the output", to: w, fixed: true} }

func (o *Output) compress() error {
	var err error
	o.zip, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	return err
}

// cut sets the file back to the last whole record.
func (o *Output) cut() error {
	info, err := o.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		o.fixed = true
		return nil
	}
	if info.Size() < o.size {
		return fmt.Errorf("it is shorter (%d bytes) than what was written to it (%d)", info.Size(), o.size)
	}
	if err := o.file.Truncate(o.size); err != nil {
		return full(err)
	}
	_, err = o.file.Seek(o.size, io.SeekStart)
	return err
}

// Append writes records in one go. After an error the file ends with the last
// record of the Append before; the error is ErrFull if there is no room.
func (o *Output) Append(records [][]byte) error {
	o.buffer = o.buffer[:0]
	for _, r := range records {
		o.buffer = append(o.buffer, r...)
	}
	if len(o.buffer) == 0 {
		return nil
	}
	data := o.buffer
	if o.zip != nil {
		data = o.zip.EncodeAll(o.buffer, nil)
	}
	if _, err := o.to.Write(data); err != nil {
		err = fmt.Errorf("write %s: %w", o.name, full(err))
		if !o.fixed {
			err = errors.Join(err, o.cut())
		}
		return err
	}
	o.size += int64(len(data))
	if cap(o.buffer) > 32<<20 {
		o.buffer = nil
	}
	return nil
}

// Sync returns when what was appended is on disk.
func (o *Output) Sync() error {
	if o.fixed {
		return nil
	}
	if err := o.file.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", o.name, full(err))
	}
	return nil
}

// Mark is how far the output has got.
func (o *Output) Mark() string { return strconv.FormatInt(o.size, 10) }

// Close closes the file; a stream stays open.
func (o *Output) Close() error {
	if o.zip != nil {
		_ = o.zip.Close() // holds nothing: every Append is a frame
	}
	if o.file == nil {
		return nil
	}
	return o.file.Close()
}
