package templates

import (
	"slices"
	"strconv"
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// Break is one difference: the facts of both sides, what happened so far, and the panel that resolves or reopens it.
type Break struct {
	Shell
	ID              int64
	Type            recon.BreakType
	Status          BreakStatus
	Currency        string
	DifferenceMinor int64
	Why             string
	FirstSeen       ledger.Date
	// AgeDays counts from the oldest of its lines and postings.
	AgeDays int
	Owner   string
	// Version is sent along with what a person decides, so that a break that changed since is told.
	Version int
	// ReconciliationID is the latest that holds it; Closed says that none which holds it can be worked on any more.
	ReconciliationID int64
	Closed           bool
	// Undone says that the import which held it was undone.
	Undone UndoneImport

	// Position is its place among the Breaks of the list; Previous and Next stand beside it, NextOpen is the next to work on. 0 for none.
	Position, Breaks         int
	Previous, Next, NextOpen int64

	Bank   []BankFacts
	Ledger []LedgerSide
	Events []BreakEvent
	// Similar are other breaks of the account, type and amount or text; MoreSimilar says that there are more than these.
	Similar     []SimilarBreak
	MoreSimilar bool

	// Pending are the requests to reverse an entry of the break that wait for approval.
	Pending []PendingReversal
	// Reverse is the seq of the entry that reversing and replacing would correct; 0 for none.
	Reverse int64
	// MissingRight names the right that resolving needs and the reader lacks; empty when there is nothing in the way.
	MissingRight string
	Resolve      ResolveForm
	Reopen       ReopenForm
	// Candidates are what an open break could be matched with, best first; Search is the search by hand, nil until it is asked for.
	Candidates []Candidate
	Search     *OpenSearch
	Match      MatchForm
	// Me is the reader's address where they may resolve, Assignee that of the owner, Assignees the choice of owners.
	Me, Assignee string
	Assignees    []ui.Option
	Assign       NoteForm
	Comment      NoteForm
	Attachments  []Attachment
	Attach       NoteForm
	// Late is what this person typed while another changed the break; nil unless that happened just now.
	Late *LateWork
}

// UndoneImport is who undid an import, and when; By is empty where none was undone.
type UndoneImport struct {
	By string
	At time.Time
}

// SimilarBreak is another break that may have the same cause, and what became of it.
type SimilarBreak struct {
	ID              int64
	Day             ledger.Date
	Text            string
	DifferenceMinor int64
	Status          BreakStatus
	Version         int
	Chosen          bool
}

func (b SimilarBreak) open() bool {
	return b.Status.Status == recon.Open || b.Status.Status == recon.InReview
}

// seen names the break as it is seen, for a decision about several.
func (b SimilarBreak) seen() string {
	return strconv.FormatInt(b.ID, 10) + ":" + strconv.Itoa(b.Version)
}

// decidesTogether says whether the reader may decide about this break and similar ones at once.
func (v Break) decidesTogether() bool {
	return v.mayResolve() && slices.ContainsFunc(v.Similar, SimilarBreak.open)
}

// mayResolve says whether the form that resolves is on the page.
func (v Break) mayResolve() bool {
	return v.MissingRight == "" && !v.Closed && (v.Status.Status == recon.Open || v.Status.Status == recon.InReview)
}

// asksForMatch says whether what could be matched is looked for: not for a balance, which has no lines.
func (v Break) asksForMatch() bool {
	return (v.Status.Status == recon.Open || v.Status.Status == recon.InReview) && len(v.Bank)+len(v.Ledger) > 0 && !v.Closed
}

// PendingReversal is a request to reverse an entry, and the entry.
type PendingReversal struct{ Request, Seq int64 }

// LateWork is an answer to a break that came after another person's: what that person did, and what was typed.
type LateWork struct {
	Done string
	// Elsewhere says that it was not this break that changed, but what was to be matched with it.
	Elsewhere  bool
	Resolution recon.Resolution
	Reason     recon.Reason
	Note       string
}

// BankFacts is everything the statement says about one line.
type BankFacts struct {
	BankSide
	FileName string
	// BalanceMinor is the running balance of the file after the line; nil when the file has none.
	BalanceMinor *int64
	Raw          string
}

// ReopenForm is the form that opens a resolved break again.
type ReopenForm struct {
	Form    string
	Note    string
	Message string
	Errors  []ledger.FieldError
}

// reopenable says whether a person may open the break again: not what Daybook itself settled.
func (v Break) reopenable() bool {
	return recon.CanReopen(recon.BreakFacts{Type: v.Type, Status: v.Status.Status}, v.Status.Resolution) == nil
}

func (v Break) tags() ui.Tags {
	tags := ui.Tags{TypeChip(v.Type), v.Status.Chip()}
	for _, p := range v.Pending {
		tags = append(tags, waitingChip(v.Book, "Waiting for approval", p.Request))
	}
	return tags
}

// waitingChip says that something waits for a request to be decided, and leads there.
func waitingChip(b Book, text string, request int64) ui.Chip {
	return ui.Chip{Text: text, Icon: "clock", Tone: ui.Warn, Ref: ui.Link{Text: NameOfApproval(request), Href: b.RequestURL(request)}}
}

func (v Break) lead() string {
	lead := typeWords[v.Type].meaning + ". Booked " + v.Format.Plural(v.AgeDays, "day", "days") + " ago, first seen " + v.Format.Day(v.FirstSeen)
	if v.Owner != "" {
		lead += ". Owner " + v.Owner
	}
	return lead
}

// figures show both sides in full size; a side that is missing is a dash, of several the facts below tell.
func (v Break) figures() ui.Figures {
	var bank, ledgerSide []int64
	for _, l := range v.Bank {
		bank = append(bank, l.AmountMinor)
	}
	for _, p := range v.Ledger {
		ledgerSide = append(ledgerSide, p.AmountMinor)
	}
	return ui.Figures{
		v.figure("Bank", bank, "lines"),
		v.figure("Ledger", ledgerSide, "postings"),
		{Label: "Ledger − bank", Money: &ui.Money{Minor: v.DifferenceMinor, Currency: v.Currency, WithCode: true}, Hero: true},
	}
}

// similarNote says what makes them similar, and how many there are.
func (v Break) similarNote() string {
	count := v.Format.Plural(len(v.Similar), "other", "others")
	if v.MoreSimilar {
		count = "The latest " + v.Format.Number(len(v.Similar))
	}
	return count + " of this account and type, with the same amount, or the same text but for its digits"
}

func (v Break) figure(label string, amounts []int64, several string) ui.Figure {
	switch len(amounts) {
	case 0:
		return ui.Figure{Label: label, Text: "–", Hero: true}
	case 1:
		return ui.Figure{Label: label, Money: money(amounts[0], v.Currency), Hero: true}
	}
	return ui.Figure{Label: label, Text: strconv.Itoa(len(amounts)) + " " + several, Hero: true}
}

func (l BankFacts) facts(f ui.Format) ui.KeyValue {
	kv := ui.KeyValue{
		{Name: "Booked", Text: f.Day(l.Date)},
		{Name: "Amount", Money: &ui.Money{Minor: l.AmountMinor, Currency: l.Currency, WithCode: true}},
		{Name: "Text", Text: l.Description},
		{Name: "Reference", Text: orDash(l.Reference)},
	}
	if l.BalanceMinor != nil {
		kv = append(kv, ui.Fact{Name: "Balance in file", Money: money(*l.BalanceMinor, l.Currency)})
	}
	if l.Raw != "" {
		kv = append(kv, ui.Fact{Name: "In the file", Text: l.Raw, Mono: true})
	}
	return kv
}

func (p LedgerSide) facts(f ui.Format, book Book) ui.KeyValue {
	return ui.KeyValue{
		{Name: "Entry", Text: f.Seq(p.Seq), Href: book.EntryURL(p.Seq)},
		{Name: "Effective", Text: f.Day(p.Date)},
		{Name: "Amount", Money: &ui.Money{Minor: p.AmountMinor, Currency: p.Currency, WithCode: true}},
		{Name: "Text", Text: p.Description},
		{Name: "Tx id", Text: p.TxID},
	}
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func (l BankFacts) anchor() string { return "row-" + strconv.Itoa(l.Row) }

func (p LedgerSide) anchor() string {
	return "posting-" + strconv.FormatInt(p.Seq, 10) + "-" + strconv.Itoa(p.Line)
}

func (w LateWork) title() string {
	if w.Elsewhere {
		return "This cannot be done any more."
	}
	return "This break has changed while you had it open."
}

func (w LateWork) facts() ui.KeyValue {
	var facts ui.KeyValue
	if w.Resolution != "" {
		facts = append(facts, ui.Fact{Name: "How", Text: w.Resolution.Label()})
	}
	if w.Reason != "" {
		facts = append(facts, ui.Fact{Name: "Reason", Text: w.Reason.Label()})
	}
	return append(facts, ui.Fact{Name: "Note", Text: orDash(w.Note), Copy: w.Note != ""})
}
