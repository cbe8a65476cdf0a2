package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// PaymentSettings say which accounts, by code, the payments of a currency are booked on, and how much of a payment may be refunded in all without a second person,
// in minor units. Version counts from 1; By and At say who set them, By is "" for the operator.
type PaymentSettings struct {
	Currency         string
	Version          int
	Clearing         string // the money at the gateway
	Received         string // from or for whoever pays, where they have no account of their own
	Fees             string
	Chargebacks      string
	Bank             string // where payouts arrive
	CustomerAccounts bool   // what a customer pays is booked on customer:<customer> where the book has that account
	RefundLimitMinor int64
	By               string
	At               time.Time
}

// PaymentSettings gives the latest settings of each currency that has some. Error: KindForbidden.
func (s *Store) PaymentSettings(ctx context.Context, actor Actor) ([]PaymentSettings, error) {
	if err := actor.Need(RightRead); err != nil {
		return nil, err
	}
	return loadPaymentSettings(s.db.WithContext(ctx), actor.Book, "")
}

// SetPaymentSettings makes a new version of the settings of a currency, for what happens from then on. Settings that are the same as before make
// none. Errors: KindForbidden, KindInvalid and KindUnknownAccount with the field, KindKeyReused.
func (s *Store) SetPaymentSettings(ctx context.Context, actor Actor, key string, settings PaymentSettings) (duplicate bool, err error) {
	if err := actor.Need(RightAccounts); err != nil {
		return false, err
	}
	settings.Version, settings.By, settings.At = 0, "", time.Time{}
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		_, duplicate, err = once(s, tx, actor, key, "payment.settings", settings, func() (struct{}, error) {
			return struct{}{}, s.setPaymentSettings(tx, actor, settings)
		})
		return err
	})
	return duplicate, err
}

// SetPaymentAccounts is SetPaymentSettings for whoever runs a command of administration. Errors: KindInvalid and KindUnknownAccount with the field.
func (s *Store) SetPaymentAccounts(ctx context.Context, book Book, settings PaymentSettings) error {
	_, err := s.SetPaymentSettings(ctx, operatorOf(book), "", settings)
	return err
}

func (s *Store) setPaymentSettings(tx *gorm.DB, actor Actor, settings PaymentSettings) error {
	if err := takeTurn(tx, fmt.Sprintf("payment settings of %d", actor.Book.ID)); err != nil {
		return err
	}
	before, err := loadPaymentSettings(tx, actor.Book, settings.Currency)
	if err != nil {
		return err
	}
	ids, err := settings.accounts(tx, actor.Book)
	if err != nil {
		return err
	}
	settings.Version = 1
	if len(before) > 0 {
		same := before[0]
		settings.Version = same.Version + 1
		same.By, same.At, same.Version = "", time.Time{}, settings.Version
		if same == settings {
			return nil
		}
	}
	if _, err := exec(tx, `
		INSERT INTO payment_settings (book_id, currency, version, clearing_id, received_id, fees_id, chargebacks_id, bank_id, customer_accounts, refund_limit_minor, user_id, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		actor.Book.ID, settings.Currency, settings.Version, ids[0], ids[1], ids[2], ids[3], ids[4], settings.CustomerAccounts, settings.RefundLimitMinor,
		nullable(actor.UserID), s.now()); err != nil {
		return fmt.Errorf("store the settings of payments in %s: %w", settings.Currency, err)
	}
	return s.audit(tx, actor, "payment.settings", "payments in "+settings.Currency, map[string]any{
		"clearing": settings.Clearing, "received": settings.Received, "fees": settings.Fees, "chargebacks": settings.Chargebacks, "bank": settings.Bank,
		"customer_accounts": settings.CustomerAccounts, "refund_limit_minor": settings.RefundLimitMinor, "version": settings.Version,
	})
}

// accounts gives the ids of the accounts in the order of the fields. Errors: KindInvalid for one that does not fit, with its field.
func (p PaymentSettings) accounts(tx *gorm.DB, book Book) ([5]int64, error) {
	var ids [5]int64
	refusal := ledger.Refuse(ledger.KindInvalid, "payments cannot be booked like this")
	if _, known := ledger.Exponent(p.Currency); !known {
		refusal.At("currency", "%q is no currency", p.Currency)
	}
	if p.RefundLimitMinor < 0 {
		refusal.At("refund_limit", "must be 0 or more")
	}
	seen := map[string]string{}
	for i, named := range []struct {
		field, code string
		asset       bool
	}{{"clearing", p.Clearing, true}, {"received", p.Received, false}, {"fees", p.Fees, false}, {"chargebacks", p.Chargebacks, false}, {"bank", p.Bank, true}} {
		account, err := loadAccount(tx, book, storable(named.code), "")
		switch {
		case ledger.KindOf(err) == ledger.KindNotFound:
			refusal.At(named.field, "the book has no account %q", named.code)
		case err != nil:
			return ids, err
		case account.Currency != p.Currency:
			refusal.At(named.field, "account %s is in %s", account.Code, account.Currency)
		case account.Closed:
			refusal.At(named.field, "account %s is closed", account.Code)
		case named.asset && account.Type != ledger.Asset:
			refusal.At(named.field, "account %s is no asset: it holds money", account.Code)
		case seen[account.Code] != "":
			refusal.At(named.field, "account %s is that of %s already", account.Code, seen[account.Code])
		}
		seen[account.Code], ids[i] = named.field, account.ID
	}
	return ids, refusal.OrNil()
}

// paymentSettings are those that a payment is booked by now. Error: KindInvalid for a currency that nobody has set up.
func (s *Store) paymentSettings(tx *gorm.DB, book Book, currency string) (PaymentSettings, error) {
	found, err := loadPaymentSettings(tx, book, currency)
	if err != nil {
		return PaymentSettings{}, err
	}
	if len(found) == 0 {
		return PaymentSettings{}, ledger.Refuse(ledger.KindInvalid, "payments in %s are not set up: an admin says which accounts they are booked on", currency).
			At("currency", "payments in %s are not set up", currency)
	}
	return found[0], nil
}

// loadPaymentSettings reads the latest settings of a currency, or of all.
func loadPaymentSettings(tx *gorm.DB, book Book, currency string) ([]PaymentSettings, error) {
	found, err := query[PaymentSettings](tx, `
		SELECT DISTINCT ON (t.currency) t.currency, t.version, c.code AS clearing, r.code AS received, f.code AS fees, x.code AS chargebacks, b.code AS bank,
		       t.customer_accounts, t.refund_limit_minor, coalesce(u.name, '') AS by, t.at
		  FROM payment_settings t
		  JOIN accounts c ON c.book_id = t.book_id AND c.id = t.clearing_id
		  JOIN accounts r ON r.book_id = t.book_id AND r.id = t.received_id
		  JOIN accounts f ON f.book_id = t.book_id AND f.id = t.fees_id
		  JOIN accounts x ON x.book_id = t.book_id AND x.id = t.chargebacks_id
		  JOIN accounts b ON b.book_id = t.book_id AND b.id = t.bank_id
		  LEFT JOIN users u ON u.id = t.user_id
		 WHERE t.book_id = ? AND (? = '' OR t.currency = ?)
		 ORDER BY t.currency, t.version DESC`, book.ID, currency, currency)
	if err != nil {
		return nil, fmt.Errorf("read the settings of payments: %w", err)
	}
	return found, nil
}
