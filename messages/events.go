package messages

// Event tells what happened to a page without being asked for. A codec may
// pass it on.
type Event interface{ event() }

// PageLoaded says that a page has a new document: by navigation, by an action
// or by moving in history.
type PageLoaded struct {
	Page PageID
	Navigated
}

// PageChanged says that a page's SOM changed without a new document.
type PageChanged struct {
	Page     PageID
	URL      string
	SOMBytes int
}

func (PageLoaded) event()  {}
func (PageChanged) event() {}
