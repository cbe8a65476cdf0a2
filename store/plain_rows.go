package store

import (
	"cmp"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"daybook/store/ledger"
)

type plainHead struct {
	BookID     int64 `gorm:"primaryKey"`
	Seq        int64
	Hash       ledger.Hash
	RecordedAt time.Time
}

func (plainHead) TableName() string { return "heads" }

func (h plainHead) head() ledger.Head {
	return ledger.Head{Seq: h.Seq, Hash: h.Hash, RecordedAt: h.RecordedAt.UTC()}
}

type plainEntry struct {
	BookID                         int64 `gorm:"primaryKey;autoIncrement:false"`
	Seq                            int64 `gorm:"primaryKey;autoIncrement:false"`
	TxID                           string
	Kind                           ledger.EntryKind
	EffectiveOn                    ledger.Date
	RecordedAt                     time.Time
	Description, Reason            string
	RecordedBy                     int64
	ApprovalID, Reverses, Replaces *int64
	Part, PostingCount             int
	Metadata                       string
	PrevHash, Hash                 ledger.Hash
}

func (plainEntry) TableName() string { return "entries" }

type plainPosting struct {
	BookID      int64 `gorm:"primaryKey;autoIncrement:false"`
	Seq         int64 `gorm:"primaryKey;autoIncrement:false"`
	Line        int   `gorm:"primaryKey;autoIncrement:false"`
	AccountID   int64
	AmountMinor int64
	Currency    string
}

func (plainPosting) TableName() string { return "postings" }

type plainKey struct {
	BookID               int64  `gorm:"primaryKey;autoIncrement:false"`
	Key                  string `gorm:"primaryKey"`
	Operation            string
	Fingerprint          ledger.Hash
	Seq                  *int64
	Attempts             int
	Replays              int64
	UsedBy               int64
	SettledAt, ExpiresAt time.Time
}

func (plainKey) TableName() string { return "idempotency_keys" }

type plainAccountTotal struct {
	BookID                  int64 `gorm:"primaryKey;autoIncrement:false"`
	AccountID               int64 `gorm:"primaryKey;autoIncrement:false"`
	DebitMinor, CreditMinor int64
}

func (plainAccountTotal) TableName() string { return "account_totals" }

type plainAccountDay struct {
	BookID                  int64       `gorm:"primaryKey;autoIncrement:false"`
	AccountID               int64       `gorm:"primaryKey;autoIncrement:false"`
	EffectiveOn             ledger.Date `gorm:"primaryKey"`
	RecordedOn              ledger.Date `gorm:"primaryKey"`
	DebitMinor, CreditMinor int64
}

func (plainAccountDay) TableName() string { return "account_days" }

type plainCurrencyTotal struct {
	BookID     int64  `gorm:"primaryKey;autoIncrement:false"`
	Currency   string `gorm:"primaryKey"`
	DebitMinor int64
}

func (plainCurrencyTotal) TableName() string { return "currency_totals" }

// plainTotals are rows of one of the kept totals, and what becomes of those that are there.
type plainTotals struct {
	rows       any
	onConflict clause.OnConflict
}

// plainTotalsOf nets what a record does, accounts in the order of their ids.
func plainTotalsOf(book Book, r ledger.Record, after ledger.Facts) []plainTotals {
	recordedOn := ledger.DateOf(r.RecordedAt)
	var totals []plainAccountTotal
	var days []plainAccountDay
	var currencies []plainCurrencyTotal
	for _, p := range r.Postings {
		id, total := after.Accounts[p.Account].ID, after.Totals[p.Account]
		at := slices.IndexFunc(days, func(d plainAccountDay) bool { return d.AccountID == id })
		if at < 0 {
			at = len(days)
			totals = append(totals, plainAccountTotal{book.ID, id, total.DebitMinor, total.CreditMinor})
			days = append(days, plainAccountDay{BookID: book.ID, AccountID: id, EffectiveOn: r.EffectiveOn, RecordedOn: recordedOn})
		}
		days[at].DebitMinor += max(p.AmountMinor, 0)
		days[at].CreditMinor += max(-p.AmountMinor, 0)
		if !slices.ContainsFunc(currencies, func(c plainCurrencyTotal) bool { return c.Currency == p.Currency }) {
			currencies = append(currencies, plainCurrencyTotal{book.ID, p.Currency, after.Currencies[p.Currency]})
		}
	}
	slices.SortFunc(totals, func(a, b plainAccountTotal) int { return cmp.Compare(a.AccountID, b.AccountID) })
	slices.SortFunc(days, func(a, b plainAccountDay) int { return cmp.Compare(a.AccountID, b.AccountID) })
	return []plainTotals{
		{&totals, overwrite([]string{"book_id", "account_id"}, "debit_minor", "credit_minor")},
		{&days, clause.OnConflict{Columns: columnsNamed("book_id", "account_id", "effective_on", "recorded_on"), DoUpdates: clause.Assignments(map[string]any{
			"debit_minor":  gorm.Expr("account_days.debit_minor + excluded.debit_minor"),
			"credit_minor": gorm.Expr("account_days.credit_minor + excluded.credit_minor"),
		})}},
		{&currencies, overwrite([]string{"book_id", "currency"}, "debit_minor")},
	}
}

func overwrite(key []string, columns ...string) clause.OnConflict {
	return clause.OnConflict{Columns: columnsNamed(key...), DoUpdates: clause.AssignmentColumns(columns)}
}

func columnsNamed(names ...string) []clause.Column {
	columns := make([]clause.Column, len(names))
	for i, name := range names {
		columns[i].Name = name
	}
	return columns
}
