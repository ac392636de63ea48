package static

import (
	"errors"
	"io"
	"mime"
	"os"
	"path/filepath"

	"golang.org/x/net/html"

	"plasmate/engine"
	"plasmate/engine/static/forms"
)

// maxUpload bounds one uploaded file.
const maxUpload = 64 << 20

// uploads reads files below one folder and no other, links out of it included.
type uploads struct{ dir string }

// open is a forms.FileOpener.
func (u uploads) open(path string) (forms.File, error) {
	f, err := u.file(path)
	if err != nil {
		return forms.File{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxUpload+1))
	if err != nil {
		return forms.File{}, errors.New("read " + filepath.Base(path) + ": not readable")
	}
	if len(data) > maxUpload {
		return forms.File{}, errors.New("read " + filepath.Base(path) + ": larger than 64 MiB")
	}
	name := filepath.Base(path)
	kind, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(name)))
	if err != nil {
		kind = ""
	}
	return forms.File{Name: name, Type: kind, Data: data}, nil
}

func (u uploads) file(path string) (*os.File, error) {
	if u.dir == "" {
		return nil, errors.New("uploads are off; start with --upload-dir")
	}
	root, err := os.OpenRoot(u.dir)
	if err != nil {
		return nil, errors.New("the upload folder cannot be opened")
	}
	defer root.Close()
	if filepath.IsAbs(path) {
		if path, err = filepath.Rel(u.dir, path); err != nil {
			return nil, errors.New("the file is not below the upload folder")
		}
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, errors.New("no such file below the upload folder: " + clip(filepath.Base(path)))
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.New("not a regular file: " + clip(filepath.Base(path)))
	}
	return f, nil
}

// upload chooses files for a file input. They are read when the form is sent.
func upload(d *forms.Document, n *html.Node, paths []string, dir string) (effect, error) {
	if forms.Type(n) != "file" {
		return effect{}, refuse("not_editable", "the %s takes no files", describe(n))
	}
	if err := disabled(n); err != nil {
		return effect{}, err
	}
	if len(paths) > 1 && !forms.HasAttr(n, "multiple") {
		return effect{}, refuse("not_multiple", "the field takes one file, not %d", len(paths))
	}
	for _, p := range paths {
		f, err := uploads{dir}.file(p)
		if err != nil {
			return effect{}, &engine.NotActionable{Reason: "upload", Msg: err.Error()}
		}
		f.Close()
	}
	var e effect
	c := d.State[d.ID(n)]
	c.Files = append([]string(nil), paths...)
	e.set(d.ID(n), c)
	return e, nil
}
