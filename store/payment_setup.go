package store

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// setUpPayments opens accounts for payments in a currency that nobody has set up, where the store was told to (WithPaymentAccounts).
func (s *Store) setUpPayments(ctx context.Context, book Book, currency string) error {
	if !s.paymentAccounts {
		return nil
	}
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := takeTurn(tx, "set up payments of "+book.Code); err != nil {
			return err
		}
		found, err := loadPaymentSettings(tx, book, currency)
		if err != nil || len(found) > 0 {
			return err
		}
		limit := firstAdjustmentLimit(currency) * 500
		settings := PaymentSettings{Currency: currency, CustomerAccounts: true, RefundLimitMinor: limit}
		for _, a := range []struct {
			code *string
			kind ledger.AccountType
			name string
		}{
			{&settings.Clearing, ledger.Asset, "clearing"}, {&settings.Received, ledger.Liability, "received"}, {&settings.Fees, ledger.Expense, "fees"},
			{&settings.Chargebacks, ledger.Expense, "chargebacks"}, {&settings.Bank, ledger.Asset, "bank"},
		} {
			if *a.code, err = s.paymentAccount(tx, book, currency, a.name, a.kind); err != nil {
				return err
			}
		}
		return s.setPaymentSettings(tx, operatorOf(book), settings)
	})
}

// paymentAccount finds or opens the account of a part of payments. Payouts arrive at the first account that takes statements, if there is one.
func (s *Store) paymentAccount(tx *gorm.DB, book Book, currency, part string, kind ledger.AccountType) (string, error) {
	code := "payments:" + part
	if currency != book.Currency {
		code += ":" + strings.ToLower(currency)
	}
	known, err := query[string](tx, `
		SELECT code FROM accounts WHERE book_id = ? AND currency = ? AND (code = ? OR ? = 'bank' AND type = 'asset' AND code = '1010') ORDER BY code LIMIT 1`,
		book.ID, currency, code, part)
	if err != nil {
		return "", err
	}
	if len(known) > 0 {
		return known[0], nil
	}
	opened, err := s.insertAccount(tx, operatorOf(book), ledger.Account{Code: code, Name: "Payments, " + part, Type: kind, Currency: currency})
	return opened.Code, err
}
