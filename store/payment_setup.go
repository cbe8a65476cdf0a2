package store

import (
	"context"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// WithPaymentAccounts has payments in a currency that nobody has set up booked on accounts with usual codes, which are opened when the first payment
// is asked for. It is for the demo.
func WithPaymentAccounts() Option { return func(s *Store) { s.paymentAccounts = true } }

// setUpPayments sets payments in a currency up, where nobody has and the store was told to (WithPaymentAccounts).
func (s *Store) setUpPayments(ctx context.Context, book Book, currency string) error {
	if !s.paymentAccounts {
		return nil
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		found, err := loadPaymentSettings(tx, book, currency)
		if err != nil || len(found) > 0 {
			return err
		}
		if err := takeTurn(tx, "set up payments of "+book.Code); err != nil {
			return err
		}
		if found, err = loadPaymentSettings(tx, book, currency); err != nil || len(found) > 0 {
			return err
		}
		bank, err := bankAccount(tx, book, currency)
		if err != nil {
			return err
		}
		settings := PaymentSettings{Currency: currency, CustomerAccounts: true, RefundLimitMinor: firstAdjustmentLimit(currency) * 500}
		for _, part := range []struct {
			code    *string
			account ledger.Account
		}{
			{&settings.Clearing, ledger.Account{Code: "1210", Name: "Processor clearing", Type: ledger.Asset}},
			{&settings.Received, ledger.Account{Code: "2410", Name: "Payments received", Type: ledger.Liability}},
			{&settings.Fees, ledger.Account{Code: "6200", Name: "Processor fees", Type: ledger.Expense}},
			{&settings.Chargebacks, ledger.Account{Code: "6220", Name: "Chargebacks", Type: ledger.Expense}},
			{&settings.Bank, ledger.Account{Code: bank, Name: "Bank", Type: ledger.Asset}},
		} {
			part.account.Currency = currency
			if *part.code, err = s.usualAccount(tx, book, part.account); err != nil {
				return err
			}
		}
		return s.setPaymentSettings(tx, operatorOf(book), settings)
	})
}

// bankAccount is where payouts in a currency arrive: an account that takes statements, else one that is called a bank, else the one with the usual code.
func bankAccount(tx *gorm.DB, book Book, currency string) (string, error) {
	found, err := query[string](tx, `
		SELECT code FROM accounts
		 WHERE book_id = ? AND currency = ? AND type = 'asset' AND closed_at IS NULL AND (reconcile_from IS NOT NULL OR name ILIKE 'bank%')
		 ORDER BY reconcile_from IS NULL, code COLLATE "C" LIMIT 1`, book.ID, currency)
	if err != nil || len(found) == 0 {
		return "1010", err
	}
	return found[0], nil
}

// usualAccount finds an account or opens it. Where the code is that of an account in another currency, the currency is put behind it.
func (s *Store) usualAccount(tx *gorm.DB, book Book, account ledger.Account) (string, error) {
	for range 2 {
		found, err := loadAccount(tx, book, account.Code, "")
		switch {
		case ledger.KindOf(err) == ledger.KindNotFound:
			opened, err := s.insertAccount(tx, operatorOf(book), account)
			return opened.Code, err
		case err != nil:
			return "", err
		case found.Currency == account.Currency:
			return found.Code, nil
		}
		account.Code += "-" + account.Currency
	}
	return "", ledger.Refuse(ledger.KindInvalid, "payments in %s are not set up, and %s is an account in another currency", account.Currency, account.Code).
		At("currency", "payments in %s are not set up", account.Currency)
}
