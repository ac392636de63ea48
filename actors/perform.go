package actors

import (
	"context"
	"errors"
	"strconv"
	"time"

	"plasmate/engine"
	"plasmate/messages"
	"plasmate/policy"
	"plasmate/policy/privacy"
	"plasmate/som"
	"plasmate/som/textview"
)

// deeds are the engine's actions for what a model may do.
var deeds = map[string]engine.ActionKind{
	"click": engine.Click, "type": engine.Type, "append": engine.Type, "clear": engine.Clear, "select": engine.Select,
	"check": engine.Check, "uncheck": engine.Uncheck, "toggle": engine.Toggle, "press": engine.Press,
	"scroll": engine.Scroll, "upload": engine.Upload, "submit": engine.Press,
}

// performance is one act under way.
type performance struct {
	tab    *tab
	reader *reader
	asked  messages.Perform
	result textview.Result
	nodes  []som.NodeID // that were acted on
	failed bool         // the last step was not done
	start  time.Time
}

// perform carries out the steps of an act until one fails, and says what
// changed (text-protocol.md §7).
func (t *tab) perform(ctx context.Context, r *reader, m messages.Perform) (messages.Told, error) {
	if _, err := t.analysis(ctx); err != nil {
		return messages.Told{}, err
	}
	p := &performance{tab: t, reader: r, asked: m, start: time.Now()}
	from := t.loaded.URL
	loads := t.loads
	for i, s := range m.Steps {
		p.bind()
		step, err := p.step(ctx, s)
		if err != nil {
			return messages.Told{}, err
		}
		if p.result.Confirm == "" { // the question is a line of its own
			p.result.Steps = append(p.result.Steps, step)
		}
		if p.failed = step.Code != ""; p.failed {
			p.result.NotRun = len(m.Steps) - i - 1
			break
		}
	}
	if t.loads != loads || t.loaded.URL != from {
		p.result.From, p.result.To, p.result.Title = from, t.loaded.URL, t.doc.Title
	}
	return p.answer(), nil
}

// bind has the refs know the page as it is now, which another tab or another
// protocol may have changed since it was last read.
func (p *performance) bind() {
	p.reader.refs.Bind(p.tab.doc, p.tab.at(p.asked.Page), p.reader.vault)
}

func (p *performance) options() textview.Options {
	o := textview.Options{At: p.tab.at(p.asked.Page), Vault: p.reader.vault, Secrets: p.tab.typedSecrets, Touched: p.nodes}
	if p.tab.sent != nil {
		o.Mode = p.tab.sent.Mode
	}
	return o
}

// answer is what was done and what changed. Where nothing was done the page
// is not shown again.
func (p *performance) answer() messages.Told {
	if p.failed && len(p.nodes) == 0 {
		return messages.Told{Text: p.result.Text(p.reader.vault), Failed: true}
	}
	next := textview.Render(p.tab.doc, &p.reader.refs, p.options())
	text := textview.Answer(&p.result, p.tab.sent, &next, p.reader.vault)
	p.tab.sent = &next
	return messages.Told{Text: text, Failed: p.failed}
}

// step does one action. What a model can mend is in the step's Code and
// Reason; the error is for the end of the request's time.
func (p *performance) step(ctx context.Context, s messages.ActStep) (textview.Step, error) {
	out := textview.Step{Do: s.Do}
	fail := func(code, reason string) (textview.Step, error) {
		out.Code, out.Reason = code, oneLine(reason)
		return out, nil
	}
	kind, ok := deeds[s.Do]
	if !ok {
		return fail("unsupported", "without a renderer; use click, type, select, check, press or submit")
	}
	var safety *textview.Safety
	if p.tab.sent != nil {
		safety = &p.tab.sent.Safety
	}
	action := engine.Action{Kind: kind, Node: som.NoNode, Value: s.Text, Values: s.Values, Append: s.Do == "append"}
	if s.Ref != 0 {
		target, rerr := p.reader.refs.Resolve(s.Ref)
		if rerr != nil {
			return fail(rerr.Code, rerr.Text)
		}
		out.Target, action.Node = target, target.Node
	} else if s.Do != "scroll" {
		return fail("invalid-args", "ref is missing: the number in [n] of an observation")
	}
	if need := p.confirmation(s, out.Target, safety); need != policy.NoConfirmation {
		p.result.Confirm = string(need)
		return fail("needs-confirm", string(need))
	}
	if code, reason := p.prepare(s, &action, &out); code != "" {
		return fail(code, reason)
	}
	acted, err := p.tab.engine.Act(ctx, p.tab.doc, action)
	if err != nil {
		return p.refused(ctx, out, err)
	}
	if err := p.took(ctx, acted); err != nil {
		return out, err
	}
	p.nodes = append(p.nodes, action.Node)
	return out, nil
}

// confirmation says why a step must be confirmed and is not: decided by what
// the ref stands for now, not by what the model says of it.
func (p *performance) confirmation(s messages.ActStep, target textview.Target, safety *textview.Safety) policy.Confirmation {
	key := s.Key
	if s.Do == "submit" {
		key = "Enter"
	}
	d := textview.DeedOf(p.tab.doc, target, s.Do, key, safety)
	need := policy.Confirm(policy.Action{
		Do: d.Do, Key: d.Key, Role: d.Role, Name: d.Name, InListItem: d.InListItem,
		Form: (*policy.FormFacts)(d.Form), Untrusted: d.Untrusted,
	})
	if ok, reason := policy.ConfirmByModel.Allows(need, p.asked.Confirm, false); !ok {
		return reason
	}
	return policy.NoConfirmation
}

// prepare gives an action its value. Text with privacy tokens is resolved here,
// and nowhere else; a token that may not be used fails the step.
func (p *performance) prepare(s messages.ActStep, action *engine.Action, out *textview.Step) (code, reason string) {
	switch s.Do {
	case "type", "append":
		text, sensitive, refused := p.reader.vault.Resolve(s.Text, privacy.Use{Origin: hostKey(p.tab.loaded.URL), Confirmed: p.asked.Confirm})
		if refused != nil {
			return refused.Code, refused.Text
		}
		action.Value = text
		typed := s.Text
		out.Typed = &typed
		if sensitive {
			if p.tab.typedSecrets == nil {
				p.tab.typedSecrets = make(map[som.NodeID]bool)
			}
			p.tab.typedSecrets[action.Node] = true
		}
	case "select":
		if len(action.Values) == 0 {
			action.Values = []string{s.Text}
		}
		chosen := action.Values[len(action.Values)-1]
		out.Value = &chosen
	case "press":
		if action.Value = s.Key; s.Key == "" {
			action.Value = s.Text
		}
		if action.Value == "" {
			return "invalid-args", "key is missing: Enter or Space"
		}
	case "submit":
		action.Value = "Enter"
		if out.Target.Role == "button" {
			action.Kind = engine.Click
		}
	case "upload":
		if action.Values = s.Files; len(s.Files) == 0 {
			return "invalid-args", "files is missing: paths below the upload folder"
		}
	}
	return "", ""
}

// took brings the page's analysis to what an action made of it.
func (p *performance) took(ctx context.Context, acted engine.Acted) error {
	switch {
	case acted.Loaded != nil:
		_, err := p.tab.arrived(ctx, p.start, *acted.Loaded)
		return err
	case acted.Changed:
		_, err := p.tab.compile(context.WithoutCancel(ctx))
		return err
	}
	return nil
}

// refused says why an action was not done.
func (p *performance) refused(ctx context.Context, out textview.Step, err error) (textview.Step, error) {
	var d *engine.Download
	if errors.As(err, &d) && d.SavedAs != "" {
		p.result.Files = append(p.result.Files, textview.Download{Name: d.Name, Path: d.SavedAs})
		p.nodes = append(p.nodes, out.Target.Node)
		return out, nil
	}
	e := failure(ctx, p.asked, p.tab.explain(p.tab.doc, err))
	if ctx.Err() != nil {
		return out, e
	}
	out.Code, out.Reason = lineCode(e), oneLine(e.Msg)
	if detail, ok := e.Detail.(messages.ActionDetail); ok {
		out.Reason += choices(detail)
	}
	return out, nil
}

// choices lists a few of the options there are.
func choices(d messages.ActionDetail) string {
	const most = 5
	s := ""
	for i, o := range d.Options {
		if i == most {
			return s + " … +" + strconv.Itoa(len(d.Options)-most) + " more"
		}
		if i == 0 {
			s = "; there are "
		} else {
			s += ", "
		}
		s += strconv.Quote(oneLine(shorten(o.Text)))
	}
	return s
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
