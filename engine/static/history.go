package static

import (
	"context"

	"plasmate/engine"
)

// history is where a page has been. Documents are kept whole, with the state of
// their controls, as far as their sources fit; beyond that only the address is,
// and going there fetches it again.
type history struct {
	back, forward []visit // the nearest one last
}

type visit struct {
	url    string
	posted bool
	doc    *document // nil: to be fetched again
}

func visited(d *document) visit { return visit{url: d.url, posted: d.posted, doc: d} }

// enter makes doc the current document.
func (p *page) enter(doc *document, replace bool) {
	if p.doc != nil && !replace {
		p.history.back = append(p.history.back, visited(p.doc))
		p.history.forward = nil
		p.trim()
	}
	p.doc = doc
}

// trim forgets the oldest visits, and the documents of old ones, past the limits.
func (p *page) trim() {
	back := p.history.back
	if over := len(back) - p.engine.config.MaxHistory; over > 0 {
		back = append([]visit(nil), back[over:]...)
	}
	budget := p.engine.config.KeptBytes
	var last *document
	for i := len(back) - 1; i >= 0; i-- {
		d := back[i].doc
		if d == nil {
			continue
		}
		if last == nil || last.loading != d.loading { // moves within a document share its source
			budget -= len(d.source)
		}
		last = d
		if budget < 0 {
			back[i].doc = nil
		}
	}
	p.history.back = back
}

// Back goes to the document before; Forward undoes that.
func (p *page) Back(ctx context.Context) (engine.Loaded, error) {
	return p.traverse(ctx, &p.history.back, &p.history.forward, "back")
}

// Forward goes to the document that Back came from.
func (p *page) Forward(ctx context.Context) (engine.Loaded, error) {
	return p.traverse(ctx, &p.history.forward, &p.history.back, "forward")
}

func (p *page) traverse(ctx context.Context, from, to *[]visit, where string) (engine.Loaded, error) {
	if len(*from) == 0 || p.doc == nil {
		return engine.Loaded{}, refuse("no_history", "there is no page to go %s to", where)
	}
	v := (*from)[len(*from)-1]
	here := p.doc
	same := v.doc != nil && v.doc.loading == here.loading
	if v.doc == nil {
		if v.posted {
			return engine.Loaded{}, refuse("would_resubmit", "going %s would send a form again to %s; navigate to its address instead", where, clip(v.url))
		}
		if _, err := p.navigate(ctx, navigation{url: v.url, replace: true}); err != nil {
			return engine.Loaded{}, err
		}
	} else {
		p.doc = v.doc
	}
	*from = (*from)[:len(*from)-1]
	*to = append(*to, visited(here))
	p.trim()
	l := p.doc.loaded()
	l.SameDocument = same
	return l, nil
}

// Reload fetches the current document again and forgets the state of its
// controls. One that came of a POST is not sent again.
func (p *page) Reload(ctx context.Context) (engine.Loaded, error) {
	switch {
	case p.doc == nil:
		return engine.Loaded{}, refuse("no_page", "no page is loaded; navigate first")
	case p.doc.posted:
		return engine.Loaded{}, refuse("would_resubmit", "reloading would send a form again to %s; navigate to its address instead", clip(p.doc.url))
	}
	return p.navigate(ctx, navigation{url: p.doc.url, reload: true, replace: true})
}
