package actors

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"plasmate/fetch"
	"plasmate/messages"
)

// site answers at once; a URL that ends with /hang waits until it is cancelled.
var site = exchangerFunc(func(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if strings.HasSuffix(r.URL, "/hang") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &fetch.Response{URL: r.URL, Status: 200}, nil
})

func open(t *testing.T, s *System) messages.SessionID {
	t.Helper()
	opened, err := messages.Ask(context.Background(), s.Local(), "", messages.OpenSession{})
	if err != nil {
		t.Fatal(err)
	}
	return opened.ID
}

func navigate(s *System, id messages.SessionID, url string) error {
	_, err := messages.Ask(context.Background(), s.Local(), id, messages.Navigate{URL: url})
	return err
}

func codeOf(err error) messages.Code {
	var e *messages.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestACrashEndsItsSessionOnly(t *testing.T) {
	inBubble(t, site, FetchLimits{}, func(s *System) {
		doomed, other := open(t, s), open(t, s)
		if err := navigate(s, other, "http://a.test/"); err != nil {
			t.Fatal(err)
		}
		if got := codeOf(navigate(s, doomed, "http://a.test/panic")); got != messages.Internal {
			t.Errorf("the crash was answered %q, want internal", got)
		}
		synctest.Wait()
		if got := codeOf(navigate(s, doomed, "http://a.test/")); got != messages.NotFound {
			t.Errorf("the crashed session answers %q, want not_found", got)
		}
		seen, err := messages.Ask(context.Background(), s.Local(), other, messages.Observe{})
		if err != nil || !strings.Contains(string(seen.SOM), "hello http://a.test/") {
			t.Errorf("the other session: %.200s, %v", seen.SOM, err)
		}
		if st := s.Stats(); st.Panics != 1 || st.Alive["session"] != 1 || st.Alive["page"] != 1 {
			t.Errorf("%+v, want 1 panic, 1 session, 1 page", st)
		}
	})
}

func TestCloseAnswersEverythingOfItsSession(t *testing.T) {
	inBubble(t, site, FetchLimits{}, func(s *System) {
		id := open(t, s)
		answers := make(chan error, 3)
		go func() { answers <- navigate(s, id, "http://a.test/hang") }()
		synctest.Wait()
		for range 2 { // they wait behind the navigation
			go func() {
				_, err := messages.Ask(context.Background(), s.Local(), id, messages.Observe{})
				answers <- err
			}()
		}
		synctest.Wait()
		if _, err := messages.Ask(context.Background(), s.Local(), "", messages.CloseSession{ID: id}); err != nil {
			t.Fatal(err)
		}
		got := map[messages.Code]int{}
		for range 3 {
			got[codeOf(<-answers)]++
		}
		if got[messages.NavigationFailed] != 1 || got[messages.NotFound] != 2 {
			t.Errorf("answers %v, want one navigation_failed and two not_found", got)
		}
	})
}

func TestAskersWhoGiveUp(t *testing.T) {
	inBubble(t, site, FetchLimits{}, func(s *System) {
		id := open(t, s)
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		_, err := messages.Ask(ctx, s.Local(), id, messages.Navigate{URL: "http://a.test/hang"})
		if got := codeOf(err); got != messages.Timeout {
			t.Errorf("gave up with %q, want timeout", got)
		}
		synctest.Wait()
		if n := s.Stats().Alive["exchange"]; n != 0 {
			t.Errorf("%d exchanges go on for nobody", n)
		}
		if err := navigate(s, id, "http://a.test/"); err != nil { // the session is usable
			t.Error(err)
		}
	})
}

func TestANavigationHasADeadline(t *testing.T) {
	inBubble(t, site, FetchLimits{}, func(s *System) {
		id := open(t, s)
		start := time.Now()
		err := navigate(s, id, "http://a.test/hang")
		if got := codeOf(err); got != messages.Timeout || time.Since(start) != messages.DefaultTimeout {
			t.Errorf("answered %q after %v, want timeout after %v", got, time.Since(start), messages.DefaultTimeout)
		}
		var e *messages.Error
		if errors.As(err, &e) && e.Detail != (messages.NavigationDetail{URL: "http://a.test/hang", Reason: "timeout"}) {
			t.Errorf("detail %+v", e.Detail)
		}
	})
}

func TestSessionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{Client: site, NewEngine: newFakeEngine, Sessions: 2})
		if err != nil {
			t.Fatal(err)
		}
		first := open(t, s)
		open(t, s)
		_, err = messages.Ask(context.Background(), s.Local(), "", messages.OpenSession{})
		if got := codeOf(err); got != messages.Limit {
			t.Errorf("the third session: %v, want limit", err)
		}
		if _, err := messages.Ask(context.Background(), s.Local(), "", messages.CloseSession{ID: first}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		open(t, s) // its place is free again
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Minute) // fake
	})
}

func TestShutdownCancelsWhatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{Client: site, NewEngine: newFakeEngine, Grace: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		id := open(t, s)
		answered := make(chan error, 1)
		go func() { answered <- navigate(s, id, "http://a.test/hang") }()
		synctest.Wait()
		start := time.Now()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("shut down after %v, want the grace of 1s", took)
		}
		if err := <-answered; err == nil {
			t.Error("the hanging navigation was answered without an error")
		}
		for kind, n := range s.Stats().Alive {
			if n != 0 {
				t.Errorf("%d %s actors are left", n, kind)
			}
		}
		time.Sleep(10 * time.Minute) // fake
	})
}
