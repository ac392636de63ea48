package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"
)

// errand is an actor that runs one function in a goroutine and tells its
// parent the result. When it is stopped the function's context ends.
type errand struct {
	census *census
	run    func(ctx context.Context) any
	failed func(cause any) any // the result if run panics
	stop   context.CancelFunc
}

type errandDone struct{ result any }

func (e *errand) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		e.start(c)
	case errandDone:
		c.Send(c.Parent(), m.result)
		c.Stop(c.Self())
	case cancelErrand, *actor.Stopping:
		e.stop()
	}
}

type cancelErrand struct{}

func (e *errand) start(c actor.Context) {
	ctx, stop := context.WithCancel(context.Background())
	e.stop = stop
	root, self, run, failed, counts := c.ActorSystem().Root, c.Self(), e.run, e.failed, e.census
	go func() {
		var result any
		defer func() {
			if p := recover(); p != nil {
				counts.panics.Add(1)
				result = failed(p)
			}
			stop()
			root.Send(self, errandDone{result: result})
		}()
		result = run(ctx)
	}()
}
