package templates

import (
	"strconv"
	"strings"
	"time"

	"daybook/recon"
	"daybook/store/ledger"
	"daybook/templates/ui"
)

// AccountRulesView is how the statements of an account find their postings: the rules in force, what was typed over them, and all versions.
type AccountRulesView struct {
	Shell
	Account AccountFacts
	Rules   recon.Rules
	Typed   TypedRules
	Form    string
	// LimitMinor is the largest difference that is booked without a second person. Foreign is an account in another currency than the
	// book's, on which none is.
	LimitMinor int64
	Foreign    bool
	MayChange  bool
	Accounts   []ui.AccountChoice
	Versions   []RulesStep
	Trial      *RulesTrialView
	Message    string
	Errors     []ledger.FieldError
}

// TypedRules are rules as they are typed: amounts in decimals, the share of a fee per cent, a prefix a line.
type TypedRules struct {
	WindowDays, Prefixes             string
	Tolerance, ToleranceAccount      string
	FeeAccount, FeeFixed, FeePerCent string
	StrictReferences                 bool
	Note                             string
	Seen                             int // the version that was shown when they were typed
}

func (t TypedRules) seen() string { return strconv.Itoa(t.Seen) }

// RulesStep is one version in the history, with what it changed.
type RulesStep struct {
	Version int
	Changes []string
	Note    string
	By      string // "" for the default rules
	At      time.Time
}

// RulesTrialView is what matching again by what is typed would change. ReconciliationID is 0 where no reconciliation is open.
type RulesTrialView struct {
	ReconciliationID               int64
	Until                          ledger.Date
	Rows                           []TrialRow
	UnexplainedBefore, Unexplained int64
	Booked                         int
	BookedMinor                    int64
}

// TrialRow counts one kind of match, or one type of break, before and after.
type TrialRow struct {
	Name          string
	Match         bool
	Before, After int
}

// Changed reports whether the count would be another one.
func (r TrialRow) Changed() bool { return r.Before != r.After }

// RulesURL is the page of the rules of an account.
func (b Book) RulesURL(code string) string { return b.URL("accounts", code, "rules") }

// next is the version that saving makes.
func (v AccountRulesView) next() string { return v.Format.Number(v.Rules.Version + 1) }

func (v AccountRulesView) lead() string {
	if v.Rules.Version == 1 {
		return "How lines of its statements find their postings. Nobody has changed them: they are the default rules."
	}
	return "How lines of its statements find their postings, version " + v.Format.Number(v.Rules.Version) + ". What is matched already stays as it is."
}

func (v AccountRulesView) bookingNote() string {
	if v.Foreign {
		return "The account is not in the currency of the book: nothing is booked by itself here, each difference stays a break."
	}
	return "What is left over is posted when the lines are matched, where it is at most " + v.Format.Amount(v.LimitMinor, v.Account.Currency) + " " + v.Account.Currency +
		" (the book's limit for adjusting entries) and its month is open. What is more stays a break, which says so."
}

// facts are the rules for a reader.
func (v AccountRulesView) facts() ui.KeyValue {
	strict := "May differ by one slip of the pen, where nothing else fits"
	if v.Rules.StrictReferences {
		strict = "Must agree to the letter"
	}
	return ui.KeyValue{
		{Name: "Window", Text: v.Format.Plural(v.Rules.WindowDays, "day", "days")}, {Name: "References", Text: strict},
		{Name: "Prefixes", Text: v.prefixes()},
		{Name: "Tolerance", Text: v.tolerance()}, {Name: "Fee", Text: v.fee()},
	}
}

func (v AccountRulesView) tolerance() string {
	if v.Rules.ToleranceMinor == 0 {
		return "None"
	}
	return v.Format.Amount(v.Rules.ToleranceMinor, v.Account.Currency) + " either way, booked to " + v.Rules.ToleranceContra()
}

func (v AccountRulesView) fee() string {
	if v.Rules.Fee.FixedMinor == 0 && v.Rules.Fee.PerMille == 0 {
		return "None"
	}
	return "Up to " + v.Format.Amount(v.Rules.Fee.FixedMinor, v.Account.Currency) + " and " + v.Format.Percent(v.Rules.Fee.PerMille) + " %, booked to " + v.Rules.Fee.Account
}

func (v AccountRulesView) prefixes() string {
	if len(v.Rules.Prefixes) == 0 {
		return "None"
	}
	return strings.Join(v.Rules.Prefixes, ", ")
}

func (t RulesTrialView) note() string {
	if t.ReconciliationID == 0 {
		return "No reconciliation of the account is open: these rules are for its next statement, and nothing was tried."
	}
	return "The newest reconciliation, to " + ui.LongDate(t.Until) + ", was matched again by what is typed below, and nothing of it was kept."
}

func (t RulesTrialView) booked(v AccountRulesView) string {
	if t.Booked == 0 {
		return "Nothing would be booked."
	}
	return v.Format.Plural(t.Booked, "entry", "entries") + " would be booked, moving the account by " + v.Format.Amount(t.BookedMinor, v.Account.Currency) + " " + v.Account.Currency + "."
}
