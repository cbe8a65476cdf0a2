package ledger

import (
	"regexp"
	"slices"
)

// AccountType is one of the five types of account.
type AccountType string

// The types of account.
const (
	Asset     AccountType = "asset"
	Liability AccountType = "liability"
	Equity    AccountType = "equity"
	Income    AccountType = "income"
	Expense   AccountType = "expense"
)

// AccountTypes are the types in the order of a trial balance.
var AccountTypes = []AccountType{Asset, Liability, Equity, Income, Expense}

// DebitNormal reports whether a balance of the type is normally a debit.
func (t AccountType) DebitNormal() bool { return t == Asset || t == Expense }

// Reconcilable reports whether accounts of the type take bank statements.
func (t AccountType) Reconcilable() bool { return t == Asset || t == Liability }

// Account is a code, a name, a type and one currency. ID is its number in the book. NoNegative: never a balance on the
// abnormal side, on any date. ReconcileFrom is the day from which its postings must be found on a statement; the zero
// date where it takes none yet.
type Account struct {
	ID            int64
	Code          string
	Name          string
	Type          AccountType
	Currency      string
	NoNegative    bool
	Closed        bool
	ReconcileFrom Date
}

var accountCode = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9:._/-]{0,99}$`)

// Check refuses an account that cannot be opened, naming each field at fault, as KindInvalid.
func (a Account) Check() error {
	err := Refuse(KindInvalid, "the account cannot be opened as it stands")
	if !accountCode.MatchString(a.Code) {
		err.At("code", "use 1 to 100 letters, digits and : . _ / - and begin with a letter or digit")
	}
	if fault := nameFault(a.Name); fault != "" {
		err.At("name", "%s", fault)
	}
	if !slices.Contains(AccountTypes, a.Type) {
		err.At("type", "must be asset, liability, equity, income or expense")
	}
	if _, known := Exponent(a.Currency); !known {
		err.At("currency", "%q is not an ISO 4217 currency", a.Currency)
	}
	if !a.ReconcileFrom.IsZero() && !a.Type.Reconcilable() {
		err.At("reconcile_from", "goes with asset and liability accounts only: no other takes statements")
	}
	return err.OrNil()
}
