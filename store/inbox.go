package store

import (
	"time"

	"daybook/store/inbox"
	"daybook/store/ledger"
)

// InboxState says what became of a message.
type InboxState string

// The states of a message. One that waits or failed is tried again by itself; one that is parked waits for a person, who has it tried again or
// dismisses it.
const (
	InboxApplied   InboxState = "applied"
	InboxWaiting   InboxState = "waiting" // for another message, which may be on its way
	InboxFailed    InboxState = "failed"
	InboxParked    InboxState = "parked"
	InboxDismissed InboxState = "dismissed"
)

// InboxDuplicate is the result of a delivery that changed nothing.
const InboxDuplicate InboxState = "duplicate"

// InboxReceipt is what a delivery came to. Result is a state, or InboxDuplicate.
type InboxReceipt struct {
	Result    InboxState
	Seq       int64 // the entry, 0 for none
	PaymentID int64 // the payment that it is about, 0 for none
	Problem   *ledger.Error
}

// InboxMessage is a message as it was kept.
type InboxMessage struct {
	Source, ID, Type string
	Data             string // JSON
	State            InboxState
	Way              inbox.Way // of the first delivery
	Deliveries       int
	Tries            int
	Problem          *ledger.Error
	PaymentID        int64
	Seq              int64
	ReceivedBy       string
	ReceivedAt       time.Time
	ChangedAt        time.Time
	NextAt           time.Time // when it is tried again by itself; zero for never
	Events           []InboxEvent
}

// InboxEvent is something that happened to a message: delivered, tried, retried by a person, dismissed.
type InboxEvent struct {
	Event   string
	Way     inbox.Way
	Result  string
	Problem *ledger.Error
	Note    string
	By      string
	At      time.Time
}

// InboxFilter narrows a list of messages; zero fields do not. Before bounds the page: it is the cursor of the last one shown.
type InboxFilter struct {
	Words     string // an id or a type
	Source    string
	States    []InboxState
	Duplicate bool // only those delivered more than once
	Before    string
	Limit     int
}

// InboxFigures count deliveries and messages since an instant: Deliveries = Applied + Waiting + Failed + Parked + Dismissed + Duplicates.
type InboxFigures struct {
	Deliveries, Applied, Duplicates, Waiting, Failed, Parked, Dismissed int64
	BySource                                                            []InboxSource `gorm:"-"`
}

// InboxSource counts for one source.
type InboxSource struct {
	Source               string
	Messages, Duplicates int64
	Unapplied            int64
	LastAt               time.Time
}
