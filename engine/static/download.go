package static

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"plasmate/engine"
	"plasmate/fetch"
)

// save keeps the bytes of a download in the download folder, if there is one,
// and adds the place to the error that describes it. Nothing that exists is
// overwritten, and no name leads out of the folder.
func save(dir string, resp *fetch.Response, err error) error {
	var d *engine.Download
	if dir == "" || resp.Status >= 400 || !errors.As(err, &d) {
		return err
	}
	name, werr := write(dir, fileName(d.Name), resp.Body)
	var e *fetch.Error
	if !errors.As(err, &e) {
		return err
	}
	if werr != nil {
		e.Msg += "; it could not be saved"
		return err
	}
	d.SavedAs = name
	e.Msg += "; it was saved as " + name
	return err
}

// fileName is a name without folders, control characters or a leading dot.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.TrimLeft(name, ". "))
	if len(name) > 200 {
		ext := filepath.Ext(name)
		if len(ext) > 20 {
			ext = ""
		}
		name = strings.ToValidUTF8(name[:200-len(ext)], "") + ext
	}
	if name == "" {
		return "download"
	}
	return name
}

// write makes a file of that name, or of one like it if there is one already.
func write(dir, name string, data []byte) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	ext := filepath.Ext(name)
	for i := range 1000 {
		try := name
		if i > 0 {
			try = strings.TrimSuffix(name, ext) + " (" + strconv.Itoa(i) + ")" + ext
		}
		f, err := root.OpenFile(try, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		return try, errors.Join(err, f.Close())
	}
	return "", os.ErrExist
}
