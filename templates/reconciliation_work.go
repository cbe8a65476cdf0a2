package templates

import (
	"net/url"
	"strconv"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// BreakWork is the form over the breaks of a reconciliation: what is chosen, and what was typed when it was refused.
type BreakWork struct {
	// Offered says that breaks can be worked on here: the reconciliation is open and the reader may.
	Offered bool
	Form    string
	// Undo is the key of the form that takes back what was done just before.
	UndoForm string
	Done     *WorkDone

	// Found is how many breaks the filter finds, SumMinor what their differences add up to. Digest names them as they are; empty where they
	// are more than can be decided at once. All says that the whole filter is chosen.
	Found    int
	SumMinor int64
	Digest   string
	All      bool

	// At is the row to go on with. Chosen are breaks and Parts are what is named of them, as the form sends it.
	At     int64
	Chosen map[int64]bool
	Parts  map[string]bool

	// Panel is the panel that is open: resolve or comment.
	Panel         string
	Resolution    recon.Resolution
	Reason        recon.Reason
	Note, Contra  string
	Comment       string
	MayPost       bool
	Accounts      []ui.AccountChoice
	LimitMinor    int64
	LimitCurrency string
	Message       string
	Errors        []ledger.FieldError
	// Refused are breaks that were left as they were, and why.
	Refused []RefusedBreak
}

// RefusedBreak is a break that was left as it was.
type RefusedBreak struct {
	ID  int64
	Why string
}

// WorkDone tells what was done just before. Undo is what the undo form sends to take it back: without Do nothing can be.
type WorkDone struct {
	Title, Text string
	Tone        ui.Tone
	Link        ui.Link
	Undo        WorkUndo
}

// WorkUndo is how something is taken back: by reopening Breaks, giving them to nobody, taking Match apart, or matching Parts.
type WorkUndo struct {
	Do     string
	Breaks string
	Match  int64
	Parts  string
}

// The panels of the workspace.
const (
	PanelResolve = "resolve"
	PanelComment = "comment"
)

// alert tells why nothing, or not everything, was done, with a link to each break that is named.
func (v Reconciliation) workRefusal() *ui.Alert {
	w := v.Work
	if w.Message == "" && len(w.Errors) == 0 && len(w.Refused) == 0 {
		return nil
	}
	a := &ui.Alert{Tone: ui.Bad, Title: w.Message, Refusal: true}
	if a.Title == "" && len(w.Refused) == 0 {
		a.Title = v.Format.Plural(len(w.Errors), "thing keeps", "things keep") + " this from being done."
	}
	if a.Title == "" {
		a.Title = v.Format.Plural(len(w.Refused), "break was", "breaks were") + " left as before."
	}
	for _, e := range w.Errors {
		a.Items = append(a.Items, ui.Link{Text: e.Detail, Href: "#" + ui.FieldID(e.Field)})
	}
	for _, r := range w.Refused[:min(len(w.Refused), refusedShown)] {
		a.Items = append(a.Items, ui.Link{Text: NameOfBreak(r.ID) + ": " + r.Why, Href: v.Book.BreakURL(r.ID)})
	}
	if more := len(w.Refused) - refusedShown; more > 0 {
		a.Text = "And " + v.Format.Number(more) + " more."
	}
	return a
}

// refusedShown is how many breaks that were left are named.
const refusedShown = 20

// query is the filter as it stands in the address.
func (v Reconciliation) query() url.Values {
	query := url.Values{}
	for name, value := range map[string]string{"type": string(v.Type), "status": v.Status, "owner": v.Owner, "q": v.Text} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if v.Old {
		query.Set("age", strconv.Itoa(OldDays+1))
	}
	return query
}

// OldDays is the age, in days, beyond which a break is looked for by itself.
const OldDays = 30

// narrowed says that the list does not show every break.
func (v Reconciliation) narrowed() bool { return len(v.query()) > 0 }

// address is that of the list with its filter, changed in these pairs; an empty value takes one away.
func (v Reconciliation) address(below string, pairs ...string) string {
	query := v.query()
	if v.After > 0 {
		query.Set("after", strconv.Itoa(v.After))
	}
	for i := 0; i < len(pairs); i += 2 {
		if query.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			query.Del(pairs[i])
		}
	}
	if len(query) == 0 {
		return v.path(below)
	}
	return v.path(below) + "?" + query.Encode()
}

// chosenSums add up what is chosen on the page: how many rows, and both sides.
func (v Reconciliation) chosenSums() (rows int, bankMinor, ledgerMinor int64) {
	for _, g := range v.Groups {
		for _, r := range g.Rows {
			bank, postings, some := v.chosenOf(r)
			if some {
				rows++
			}
			bankMinor, ledgerMinor = added(bankMinor, bank), added(ledgerMinor, postings)
		}
	}
	return rows, bankMinor, ledgerMinor
}

// chosenOf is what of a row is chosen: the parts that are named or, without any, all of a break that is.
func (v Reconciliation) chosenOf(r BreakRow) (bankMinor, ledgerMinor int64, some bool) {
	for _, l := range r.Bank {
		if v.Work.Parts[r.linePart(l)] {
			bankMinor, some = added(bankMinor, v.counted(l.AmountMinor, l.Currency)), true
		}
	}
	for _, p := range r.Ledger {
		if v.Work.Parts[r.postingPart(p)] {
			ledgerMinor, some = added(ledgerMinor, v.counted(p.AmountMinor, p.Currency)), true
		}
	}
	if some || !v.Work.Chosen[r.ID] {
		return bankMinor, ledgerMinor, some
	}
	bankMinor, ledgerMinor = v.sides(r)
	return bankMinor, ledgerMinor, true
}

// sides add up all that a row holds, in the currency of the account.
func (v Reconciliation) sides(r BreakRow) (bankMinor, ledgerMinor int64) {
	for _, l := range r.Bank {
		bankMinor = added(bankMinor, v.counted(l.AmountMinor, l.Currency))
	}
	for _, p := range r.Ledger {
		ledgerMinor = added(ledgerMinor, v.counted(p.AmountMinor, p.Currency))
	}
	return bankMinor, ledgerMinor
}

// counted is what an amount counts for in a match: nothing in another currency.
func (v Reconciliation) counted(minor int64, currency string) int64 {
	if currency != v.Currency {
		return 0
	}
	return minor
}

// added stays at what was reached where a sum is beyond what an amount can hold.
func added(a, b int64) int64 {
	if sum, ok := ledger.Add(a, b); ok {
		return sum
	}
	return a
}

// value names the break as it was seen.
func (r BreakRow) value() string { return strconv.FormatInt(r.ID, 10) + "." + strconv.Itoa(r.Version) }

// owner is who has the break, or that nobody has what is still to be done.
func (r BreakRow) owner() string {
	if r.Owner == "" && !r.Status.resolved() {
		return "No owner"
	}
	return r.Owner
}

func (r BreakRow) anchor() string { return "b-" + strconv.FormatInt(r.ID, 10) }

// inParts says that what the break holds can be chosen one by one.
func (r BreakRow) inParts() bool { return len(r.Bank)+len(r.Ledger) > 2 }

func (r BreakRow) linePart(l BankSide) string { return r.value() + "." + l.part() }

func (r BreakRow) postingPart(p LedgerSide) string { return r.value() + "." + p.part() }

// part names the line within a form.
func (l BankSide) part() string {
	return "l." + strconv.FormatInt(l.StatementID, 10) + "." + strconv.Itoa(l.Row)
}

func (p LedgerSide) part() string {
	return "p." + strconv.FormatInt(p.Seq, 10) + "." + strconv.Itoa(p.Line)
}

// waits says that an entry which settles the break would wait for another person.
func (v Reconciliation) waits(r BreakRow) bool {
	return len(r.Ledger) == 0 || v.Currency != v.Work.LimitCurrency || max(r.DifferenceMinor, -r.DifferenceMinor) > v.Work.LimitMinor
}

// waitsSentence says before which entries wait for an approval.
func (v Reconciliation) waitsSentence() string {
	if v.Currency != v.Work.LimitCurrency {
		return "Adjusted and written off post an entry. On an account in another currency than the book’s each waits for another person."
	}
	return "Adjusted and written off post an entry. One of more than " + v.Format.Amount(v.Work.LimitMinor, v.Currency) + " " + v.Currency +
		", or for what the ledger does not have, waits for another person."
}

// resolutionOptions are the ways to resolve breaks one by one or many.
func (w BreakWork) resolutionOptions() []ui.Option {
	options := []ui.Option{{Text: "Choose how"}}
	ways := []recon.Resolution{recon.CarriedForward, recon.External, recon.NotABreak, recon.Reversed}
	if w.MayPost {
		ways = append(ways, recon.Adjusted, recon.WrittenOff)
	}
	for _, way := range ways {
		options = append(options, ui.Option{Value: string(way), Text: way.Label()})
	}
	return options
}

// WorkspaceKeys are the keys of a reconciliation that is worked on.
func WorkspaceKeys() []KeyHelp {
	return []KeyHelp{
		{[]string{"x"}, "Select the row, or not"},
		{[]string{"X"}, "Select all of the filter, or none"},
		{[]string{"1", "…", "9"}, "Select one line or posting of the row, where it has several"},
		{[]string{"m"}, "Match what is selected"},
		{[]string{"a"}, "Assign to me"},
		{[]string{"c"}, "Comment"},
		{[]string{"r"}, "Resolve: how, reason, note, Enter"},
		{[]string{"f"}, "Carry forward"},
		{[]string{"u"}, "Undo what was done last; on the tab Matched, take the match of the row apart"},
		{[]string{"s"}, "Search these breaks"},
		{[]string{"Esc"}, "Out of a panel, back to the row"},
	}
}
