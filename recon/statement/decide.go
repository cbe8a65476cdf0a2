package statement

import (
	"strings"
)

// decideAccount refuses a file of several accounts unless one was chosen. A column that is not filled in every row is no column of
// the own account.
func (s *sheet) decideAccount() error {
	v := s.survey
	if parts := s.sectionAccounts(); len(parts) > 1 {
		return s.decideSection(parts)
	}
	if !s.columns.has(roleAccount) || len(v.accounts) == 0 || v.accountRows*10 < v.rows*9 || len(v.accounts) > accountLimit {
		v.accounts = nil
		s.forms.pickAccount = ""
		return nil
	}
	if s.told.account == "" {
		if len(v.accounts) > 1 {
			return refuse(ClassMultipleAccounts, 0, "The file holds the rows of %d accounts: %s. Choose one (hint account).", len(v.accounts), accountList(v.accounts))
		}
		return nil
	}
	for _, account := range v.accounts {
		if strings.EqualFold(account, s.told.account) {
			s.forms.pickAccount = account
			return nil
		}
	}
	return refuse(ClassMultipleAccounts, 0, "The file holds no rows of account %s, but of %s.", short(s.told.account), accountList(v.accounts))
}

// decideSection refuses a file whose parts are of several accounts, unless one was chosen.
func (s *sheet) decideSection(accounts []string) error {
	s.survey.accounts, s.forms.pickAccount = accounts, ""
	if s.told.account == "" {
		return refuse(ClassMultipleAccounts, 0, "The file holds the parts of %d accounts: %s. Choose one (hint account).", len(accounts), accountList(accounts))
	}
	for _, account := range accounts {
		if strings.EqualFold(account, s.told.account) {
			s.forms.pickSection = account
			return nil
		}
	}
	return refuse(ClassMultipleAccounts, 0, "The file holds no part of account %s, but of %s.", short(s.told.account), accountList(accounts))
}

// accountList names the first accounts.
func accountList(accounts []string) string {
	var names []string
	for _, account := range accounts[:min(len(accounts), 10)] {
		names = append(names, short(account))
	}
	return strings.Join(names, ", ")
}

// account gives the account of the file as printed, else as told.
func (s *sheet) account() string {
	if printed := s.accountPrinted(); printed != "" {
		return printed
	}
	return s.told.account
}

// accountPrinted gives the account that the file names, "" where it names none.
func (s *sheet) accountPrinted() string {
	switch {
	case s.forms.pickAccount != "" || s.forms.pickSection != "":
		return s.forms.pickAccount + s.forms.pickSection // one of them
	case len(s.survey.accounts) == 1 && accountNumber(s.survey.accounts[0]) != "":
		return accountNumber(s.survey.accounts[0])
	case s.stated.account != "":
		return s.stated.account
	}
	return ""
}

// headerCurrency is the currency in the names of the money columns: "Amount (EUR)".
func (s *sheet) headerCurrency() string {
	found := map[string]bool{}
	for _, r := range []role{roleAmount, roleDebit, roleCredit} {
		if at := s.columns[r]; at >= 0 && at < len(s.header) {
			if code := currencyIn(s.header[at]); code != "" {
				found[code] = true
			}
		}
	}
	if len(found) == 0 && s.columns.has(roleBalance) && s.columns[roleBalance] < len(s.header) {
		return currencyIn(s.header[s.columns[roleBalance]])
	}
	return only(found)
}

// decideCurrency finds the currency of rows that do not say their own: from the header, from beside the amounts, from the other
// rows, from the user, from the preamble.
func (s *sheet) decideCurrency() error {
	s.forms.headerCurrency = s.headerCurrency()
	for _, code := range []string{s.forms.headerCurrency, only(s.survey.printedCurrencies), only(s.survey.columnCurrencies), s.told.currency, s.stated.currency, s.statedFigureCurrency()} {
		if code != "" {
			s.forms.currency = code
			return nil
		}
	}
	if len(s.survey.columnCurrencies)+len(s.survey.printedCurrencies) == 0 && s.survey.rows > 0 {
		return refuse(ClassMissingCurrency, 0, "The file does not say in which currency its amounts are. Say it (hint currency, such as currency=EUR).")
	}
	return nil
}

func (s *sheet) statedFigureCurrency() string {
	found := map[string]bool{}
	for _, b := range s.stated.balances {
		if b.figure.currency != "" {
			found[b.figure.currency] = true
		}
	}
	return only(found)
}

// decideSigns settles what makes an amount money out.
func (s *sheet) decideSigns() {
	g, v := s.survey.signs, s.survey
	if s.told.unmarkedDebit != nil {
		s.forms.unmarkedDebit = *s.told.unmarkedDebit
	} else {
		// Where only credits carry a mark, an amount without one is no credit.
		s.forms.unmarkedDebit = g.creditMarks > 0 && g.debitMarks == 0 && g.unmarked > 0 && g.negative == 0
	}
	signsAgree := g.negative > 0 && g.plusDebit == 0 && g.minusCredit == 0
	s.forms.directed = s.columns.has(roleDirection) && s.columns.has(roleAmount) && !signsAgree && g.plusDebit+g.plusCredit+g.minusDebit+g.minusCredit > 0
	s.forms.debitPrinted = v.debitMinus > 0 && v.debitPlus == 0
	s.forms.takeFee = s.told.names(roleFee)
}
