package store

import (
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"daybook/recon/statement"
	"daybook/store/ledger"
)

// ClassOtherAccount is the error_class of a file that states an account of the bank which is not the one that was stated so far.
const ClassOtherAccount = "other_account"

// AccountCheck holds the account of the bank that the file prints against those that earlier files printed, of the account and of others.
type AccountCheck struct {
	Printed   string
	Earlier   []string // by files of the account
	Elsewhere []string // the codes of other accounts of which files printed it
}

// OK reports whether an earlier file of the account printed the same; where none printed any, whether no other account has it.
func (c AccountCheck) OK() bool {
	return slices.ContainsFunc(c.Earlier, func(earlier string) bool { return sameAccount(earlier, c.Printed) }) || len(c.Earlier)+len(c.Elsewhere) == 0
}

// accountCheck is nil for a file that prints no account.
func accountCheck(tx *gorm.DB, book Book, account ledger.Account, printed string) (*AccountCheck, error) {
	if printed == "" {
		return nil, nil
	}
	stated, err := query[struct {
		Code, Printed string
		Own           bool
	}](tx, `
		SELECT DISTINCT a.code, s.account_printed AS printed, a.id = ? AS own
		  FROM statements s JOIN accounts a ON a.book_id = s.book_id AND a.id = s.account_id
		 WHERE s.book_id = ? AND s.undone_at IS NULL AND s.account_printed <> '' ORDER BY code, printed`, account.ID, book.ID)
	if err != nil {
		return nil, fmt.Errorf("read the accounts that files printed: %w", err)
	}
	check := &AccountCheck{Printed: printed}
	for _, s := range stated {
		switch {
		case s.Own:
			check.Earlier = append(check.Earlier, s.Printed)
		case sameAccount(s.Printed, printed) && !slices.Contains(check.Elsewhere, s.Code):
			check.Elsewhere = append(check.Elsewhere, s.Code)
		}
	}
	return check, nil
}

// refusal refuses a file of another account of the bank, unless the hint account names it as printed: who gives it knows.
func (c *AccountCheck) refusal(account ledger.Account, told statement.Hints) error {
	if c == nil || c.OK() || bare(told["account"]) == bare(c.Printed) {
		return nil
	}
	var so string
	switch {
	case len(c.Elsewhere) == 0:
		so = "the files of " + account.Code + " so far are of " + listed(c.Earlier)
	case len(c.Earlier) == 0:
		so = "its statements are stored for " + listed(c.Elsewhere)
	default:
		so = "its statements are stored for " + listed(c.Elsewhere) + ", and the files of " + account.Code + " so far are of " + listed(c.Earlier)
	}
	return ledger.Refuse(ledger.KindStatementRefused, "The file is of account %s of the bank, but %s. Choose the account that it is of, or say that it is right (hint account=%s).",
		c.Printed, so, c.Printed).With("error_class", ClassOtherAccount)
}

// question asks what refusal refuses.
func (c *AccountCheck) question() *statement.Question {
	return &statement.Question{Hint: "account", Sample: c.Printed, Answers: []statement.Answer{{Value: c.Printed, Meaning: c.Printed}}}
}

func listed(words []string) string {
	const most = 3
	if len(words) > most {
		return fmt.Sprintf("%s and %d others", strings.Join(words[:most], ", "), len(words)-most)
	}
	return strings.Join(words, " and ")
}

// sameAccount compares accounts as printed. An IBAN ends in what the bank's own numbers say of the same account.
func sameAccount(one, other string) bool {
	const country, shortest = 4, 8 // country and check digits, and what is too short to say an account by itself
	one, other = bare(one), bare(other)
	if len(one) < len(other) {
		one, other = other, one
	}
	return one == other || len(other) >= shortest && len(one) > country && strings.HasSuffix(one[country:], other)
}

// bare is a number of an account in capitals, without blanks and the marks that are printed now and not then.
func bare(account string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "/", "", ".", "").Replace(account))
}
