// Package reader asks a real Chromium what a person sees of a page with scripts
// off and without anything the page would load: the oracle of the audits.
//
// It speaks the DevTools protocol over a pipe and answers every request of the
// page itself, so nothing ever goes out to a network.
package reader

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
)

// message is one frame of the DevTools protocol, in either direction.
type message struct {
	ID        int64           `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Browser is one headless Chromium. It is safe for concurrent use.
type Browser struct {
	cmd     *exec.Cmd
	profile string
	out     *os.File

	mu       sync.Mutex
	nextID   int64
	waiting  map[int64]chan message
	sessions map[string]func(message) // events by session
	closed   error
}

// ErrClosed says that the browser is gone.
var ErrClosed = errors.New("browser is closed")

// Start runs the Chromium at path with an empty temporary profile.
func Start(path string) (*Browser, error) {
	profile, err := os.MkdirTemp("", "reader-profile-")
	if err != nil {
		return nil, fmt.Errorf("make browser profile: %w", err)
	}
	toBrowser, out, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	in, fromBrowser, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-extensions", "--disable-default-apps", "--mute-audio",
		"--hide-scrollbars", "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,HttpsFirstModeV2ForTypicallySecureUsers,HttpsFirstModeInterstitialForAll",
		"--blink-settings=scriptEnabled=false", "--window-size=1280,720", "--lang=en-US",
		"--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	b := &Browser{cmd: cmd, profile: profile, out: out, waiting: map[int64]chan message{}, sessions: map[string]func(message){}}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	go b.read(in)
	return b, nil
}

// read gives each frame to whoever waits for it.
func (b *Browser) read(in *os.File) {
	defer in.Close()
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		frame, err := r.ReadBytes(0)
		if err != nil {
			b.fail(ErrClosed)
			return
		}
		var m message
		if json.Unmarshal(frame[:len(frame)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		answer, on := b.waiting[m.ID], b.sessions[m.SessionID]
		if m.ID != 0 {
			delete(b.waiting, m.ID)
		}
		b.mu.Unlock()
		switch {
		case m.ID != 0 && answer != nil:
			answer <- m
		case m.ID == 0 && on != nil:
			on(m)
		}
	}
}

// fail ends all calls that are waiting.
func (b *Browser) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = err
	for id, ch := range b.waiting {
		close(ch)
		delete(b.waiting, id)
	}
}

// send writes one command and returns the channel of its answer.
func (b *Browser) send(session, method string, params any) (chan message, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed != nil {
		return nil, b.closed
	}
	b.nextID++
	frame, err := json.Marshal(message{ID: b.nextID, SessionID: session, Method: method, Params: raw})
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	ch := make(chan message, 1)
	b.waiting[b.nextID] = ch
	if _, err := b.out.Write(append(frame, 0)); err != nil {
		delete(b.waiting, b.nextID)
		return nil, fmt.Errorf("send %s: %w", method, err)
	}
	return ch, nil
}

// call runs one command and decodes its result.
func (b *Browser) call(ctx context.Context, session, method string, params, result any) error {
	ch, err := b.send(session, method, params)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case m, ok := <-ch:
		if !ok {
			return fmt.Errorf("%s: %w", method, ErrClosed)
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("decode %s: %w", method, err)
		}
		return nil
	}
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() {
	b.out.Close()
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait()
	_ = os.RemoveAll(b.profile)
}
