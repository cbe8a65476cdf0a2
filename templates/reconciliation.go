package templates

import (
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Reconciliation is one account's statement held against the journal: the proof on top, then one tab of rows.
type Reconciliation struct {
	Shell
	ID         int64
	SignOff    string // open, submitted or signed_off; open where it is empty
	Account    ui.Account
	FileName   string
	From, To   ledger.Date
	UploadedBy string
	UploadedAt time.Time
	Rows       RowCounts

	Currency string
	Proof    recon.Proof
	// OutstandingCount, InTransitCount and OtherExplainedCount are how many breaks the terms of the proof hold.
	OutstandingCount, InTransitCount, OtherExplainedCount int
	// StatementAssumed is true when neither the file nor an earlier one states a balance, so that the opening is the ledger's.
	StatementAssumed bool

	Totals ReconciliationTotals
	// Follows is how the statement follows the one before it; nil for the account's first.
	Follows *StatementFollows

	// Latest says that no later reconciliation of the account exists, so that the matching can be run again. MissingRight names the
	// right that this needs and the reader lacks.
	Latest       bool
	MissingRight string
	// Undo is where the import is undone; empty where it cannot be.
	Undo string
	// Newest is the account's latest reconciliation, where matching is run. AsOfSeq is the last entry that the matching has seen,
	// Unmatched counts the postings of the account that came since.
	Newest    int64
	AsOfSeq   int64
	Unmatched int
	// RulesVersion is that of the account's rules by which it was last matched; Early are postings that the proof counts and no break holds.
	RulesVersion int
	Early        *EarlyPostings

	// Tab is breaks, matched, lines, postings, history or rows; only the rows of this tab need to be filled.
	Tab          string
	BreakCount   int
	MatchCount   int
	LineCount    int
	PostingCount int
	// Type, Status, Owner, Old and Text are the filters of the breaks tab as they stand in the address, Status as in BreakGroup and Owner me or
	// none; empty for none. After is the number of breaks before the page.
	Type   recon.BreakType
	Status string
	Owner  string
	Old    bool
	Text   string
	After  int
	// Views counts what the rail offers across types; nil where it offers none.
	Views *BreakViews
	Work  BreakWork
	// Kinds are all breaks counted by type and status, whatever the filter; Groups are those the filter shows.
	Kinds    []BreakKind
	Groups   []BreakGroup
	Matches  []MatchRow
	Lines    []LineRow
	Postings []PostingRow
	History  []HistoryStep
	FileRows []StatementFileRow
	// Download is where these rows are a file.
	Download string
	// Next is the address of the following rows of the tab; empty on the last page.
	Next string
}

// ReconciliationTotals are the sums of what is in scope: postings, bank lines, and ledger - bank.
type ReconciliationTotals struct {
	LedgerMinor, BankMinor, DifferenceMinor int64
	Postings, Lines                         int
}

// BreakKind is how many breaks of one type stand alike, and their value. Status is open (whatever is not resolved),
// explained (timing, carried forward, with the bank) or resolved (settled in another way).
type BreakKind struct {
	Type     recon.BreakType
	Status   string
	Count    int
	SumMinor int64
	// OldestDays is the age of the oldest of them, 0 where that is not told.
	OldestDays int
}

// BreakGroup is the breaks of one kind.
type BreakGroup struct {
	BreakKind
	Rows []BreakRow
}

// BreakRow is one difference with the bank beside the ledger. Either side may be empty, an ambiguous break has several.
type BreakRow struct {
	ID              int64
	Version         int
	AgeDays         int
	Bank            []BankSide
	Ledger          []LedgerSide
	DifferenceMinor int64
	Currency        string
	Why             string
	Status          BreakStatus
	Owner           string
	// Request is the request for approval that it waits for, 0 for none.
	Request int64
}

// The tabs of a reconciliation, as tab in the address.
const (
	ReconciliationBreaks  = "breaks"
	ReconciliationMatched = "matched"
	ReconciliationLines   = "lines"
	ReconciliationPosts   = "postings"
	ReconciliationHistory = "history"
	ReconciliationRows    = "rows"
)

// How breaks stand, as status in the address.
const (
	BreaksOpen      = "open"
	BreaksExplained = "explained"
	BreaksResolved  = "resolved"
)

// AlreadyUploaded is the flash of a reconciliation whose file was sent again.
func AlreadyUploaded(f ui.Format, by string, at time.Time) *ui.Alert {
	return &ui.Alert{Tone: ui.Warn, Title: "This file was uploaded before.",
		Text: by + " sent it on " + f.Minute(at) + ". Nothing was stored again: it keeps the period and the hints of then. This is what came of it."}
}

func (v Reconciliation) path(query string) string { return v.Book.ReconciliationURL(v.ID) + query }

// closed says why nothing is matched in it any more, "" while it is open.
func (v Reconciliation) closed() string {
	switch v.SignOff {
	case statusSigned:
		return "It is signed off: this is what it said then. Reopen it, on its statement, to match in it again."
	case statusSubmitted:
		return "It waits for sign-off by another person: nothing is matched in it meanwhile."
	}
	return ""
}

func (v Reconciliation) tags() ui.Tags {
	switch v.SignOff {
	case statusSigned:
		return ui.Tags{{Text: "Signed off", Tone: ui.OK, Icon: "lock"}}
	case statusSubmitted:
		return ui.Tags{{Text: "Waiting for sign-off", Tone: ui.Warn, Icon: "clock"}}
	}
	return nil
}

func (v Reconciliation) money(minor int64) ui.Money {
	return ui.Money{Minor: minor, Currency: v.Currency}
}

func (v Reconciliation) title() string {
	return v.Account.Code + " " + v.Account.Name + ", " + PeriodName(v.Format, v.From, v.To)
}

func (v Reconciliation) lead() string {
	return v.FileName + ", " + v.Format.Plural(v.Rows.Total(), "row", "rows") + ". Uploaded " + v.Format.Minute(v.UploadedAt) + " by " + v.UploadedBy +
		". Matched as of ledger entry " + v.Format.Seq(v.AsOfSeq)
}

// PeriodName names a whole month by its name, any other period by its days.
func PeriodName(f ui.Format, from, to ledger.Date) string {
	first := from.Time()
	if first.Day() == 1 && to == ledger.DateOf(first.AddDate(0, 1, -1)) {
		return first.Format("January 2006")
	}
	return f.Day(from) + " to " + f.Day(to)
}

// sum adds up the breaks of a status, or all for "". Beyond what an amount can hold it stays at what was reached.
func (v Reconciliation) sum(status string) int64 {
	var total int64
	for _, k := range v.Kinds {
		if status == "" || k.Status == status {
			if next, ok := ledger.Add(total, k.SumMinor); ok {
				total = next
			}
		}
	}
	return total
}

func (v Reconciliation) count(status string) int {
	total := 0
	for _, k := range v.Kinds {
		if status == "" || k.Status == status {
			total += k.Count
		}
	}
	return total
}

// openSentence ties the proof to the list below it.
func (v Reconciliation) openSentence() string {
	open, left := v.count(BreaksOpen), v.Proof.UnexplainedMinor
	total := v.Format.Plural(v.MatchCount, "match", "matches") + "."
	switch {
	case open == 0 && left == 0:
		return "Nothing is unexplained. " + total
	case left == 0 && v.sum(BreaksOpen) == 0:
		return "Differences cancel out: " + v.Format.Plural(open, "break is", "breaks are") + " open, and each is still to be worked. " + total
	case open == 0:
		return "No break is open: the difference lies outside the rows held against each other, most likely in the opening balance. " + total
	case v.sum(BreaksOpen) == left:
		return v.Format.Plural(open, "open break is", "open breaks are") + " the whole unexplained difference. " + total
	}
	return v.Format.Plural(open, "open break adds", "open breaks add") + " up to " + v.Format.Amount(v.sum(BreaksOpen), v.Currency) +
		"; the rest lies outside the rows held against each other, most likely in the opening balance. " + total
}

// since says how much of the journal the matching has not seen.
func (v Reconciliation) since() string {
	return v.Format.Plural(v.Unmatched, "posting", "postings") + " since the last matching."
}

func (v Reconciliation) tabs() ui.Tabs {
	tab := func(text, name string, count int) ui.Tab {
		current := v.Tab == name || (v.Tab == "" && name == ReconciliationBreaks)
		return ui.Tab{Text: text, Href: v.path("?tab=" + name), Count: count, Counted: true, Current: current}
	}
	tabs := ui.Tabs{Label: "Reconciliation", Items: []ui.Tab{
		tab("Breaks", ReconciliationBreaks, v.BreakCount),
		tab("Matched", ReconciliationMatched, v.MatchCount),
		tab("Bank lines", ReconciliationLines, v.LineCount),
		tab("Ledger postings", ReconciliationPosts, v.PostingCount),
	}}
	if other := v.Rows.Total() - v.Rows.New; other > 0 {
		tabs.Items = append(tabs.Items, tab("Other rows of the file", ReconciliationRows, other))
	}
	history := tab("History", ReconciliationHistory, 0)
	history.Counted = false
	tabs.Items = append(tabs.Items, history)
	return tabs
}

// runMatching is the button that matches again; it says why where it cannot be pressed.
func (v Reconciliation) runMatching() ui.Button {
	b := ui.Button{Text: "Run matching", Icon: "refresh"}
	if v.MissingRight != "" {
		b.Why = "Matching again needs the right “" + v.MissingRight + "”"
	}
	return b
}

func (g BreakGroup) note(f ui.Format) string {
	if g.Status == BreaksOpen || g.Status == "" {
		return f.Number(g.Count)
	}
	return f.Number(g.Count) + ", " + g.Status
}

// exported says what the file of breaks holds.
func (v Reconciliation) exported() string {
	if v.narrowed() {
		return "Breaks of this filter, CSV"
	}
	return "Breaks, CSV"
}

// notReady says why the reconciliation cannot simply be submitted, "" where it can.
func (v Reconciliation) notReady() string {
	if v.count(BreaksOpen) == 0 && v.Proof.UnexplainedMinor == 0 {
		return ""
	}
	return "Sign-off opens when the unexplained difference is " + v.Format.Amount(0, v.Currency) + " and no break is open."
}
