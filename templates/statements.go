package templates

import (
	"time"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Statements is every statement that was uploaded, newest first, one table an account.
type Statements struct {
	Shell
	Accounts []StatementAccount
	// MissingRight names the right that uploading needs and the reader lacks; empty when there is nothing in the way.
	MissingRight string
	// Older is the address of older statements; empty on the last page.
	Older string
}

// StatementAccount is an account with its statements.
type StatementAccount struct {
	Account    ui.Account
	Currency   string
	Statements []StatementRow
	// Older is the address of older statements; empty on the last page.
	Older string
}

// StatementRow is one uploaded file and how its reconciliation stands. Status is open, submitted or signed_off.
type StatementRow struct {
	ID               int64
	ReconciliationID int64
	FileName         string
	From, To         ledger.Date
	// PeriodStated is false when the period was taken from the dates of the lines.
	PeriodStated     bool
	Rows             RowCounts
	UploadedBy       string
	UploadedAt       time.Time
	Status           string
	OpenBreaks       int
	UnexplainedMinor int64
	// Undone says who undid the import, nil for one that stands. MayUndo says that the reader may.
	Undone  *ImportUndone
	MayUndo bool
}
