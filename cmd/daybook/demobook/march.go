package demobook

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"daybook/store/ledger"
)

//go:embed march.json
var marchJSON []byte

// march is the month as it is known: its accounts with what they had before, what was booked, and what the bank says.
type march struct {
	accounts []ledger.Account
	opening  map[string]int64
	bookings []booking
	bank     bankMonth
}

// bankMonth is a month of the account 1010 as the bank sees it.
type bankMonth struct {
	OpeningMinor int64      `json:"opening_minor"`
	ClosingMinor int64      `json:"closing_minor"`
	Lines        []bankLine `json:"lines"`
}

type bankLine struct {
	Date        ledger.Date `json:"date"`
	AmountMinor int64       `json:"amount_minor"`
	Reference   string      `json:"reference"`
	Text        string      `json:"text"`
}

type marchFile struct {
	Accounts []struct {
		Code         string             `json:"code"`
		Name         string             `json:"name"`
		Type         ledger.AccountType `json:"type"`
		OpeningMinor int64              `json:"opening_minor"`
	} `json:"accounts"`
	Entries []marchEntry `json:"entries"`
	Bank    bankMonth    `json:"bank"`
}

type marchEntry struct {
	TxID        string      `json:"tx_id"`
	EffectiveOn ledger.Date `json:"effective_on"`
	Description string      `json:"description"`
	By          string      `json:"by"`
	Reference   string      `json:"reference"`
	Kind        string      `json:"kind"`
	Reverses    string      `json:"reverses"`
	Postings    []struct {
		Account string `json:"account"`
		Amount  int64  `json:"amount"`
	} `json:"postings"`
}

// The names that the data of March has for those who booked.
var marchNames = map[string]string{"ana": Preparer, "maja": Second, "tom": Controller, "webshop-api": Webshop, "payport": Processor}

func readMarch() (march, error) {
	var file marchFile
	if err := json.Unmarshal(marchJSON, &file); err != nil {
		return march{}, fmt.Errorf("read the data of March: %w", err)
	}
	m := march{opening: map[string]int64{}, bank: file.Bank}
	for _, a := range file.Accounts {
		opened := account(a.Code, a.Name, a.Type)
		if a.Code == "1010" {
			opened.ReconcileFrom = reconcileFrom
		}
		m.accounts = append(m.accounts, opened)
		m.opening[a.Code] = a.OpeningMinor
	}
	reversed := ""
	for _, e := range file.Entries {
		b, err := e.booking()
		if err != nil {
			return march{}, err
		}
		if e.Kind == "replacement" { // follows the reversal of what it replaces
			b.replaces = reversed
		}
		reversed = e.Reverses
		m.bookings = append(m.bookings, b)
	}
	return m, nil
}

func (e marchEntry) booking() (booking, error) {
	by, known := marchNames[e.By]
	if !known {
		return booking{}, fmt.Errorf("read the data of March: nobody is called %q", e.By)
	}
	b := booking{by: by, reverses: e.Reverses, Entry: ledger.Entry{TxID: e.TxID, EffectiveOn: e.EffectiveOn, Description: e.Description}}
	if e.Reverses == "" {
		b.Metadata = map[string]string{"reference": e.Reference}
	}
	for _, p := range e.Postings {
		b.Postings = append(b.Postings, eur(p.Account, p.Amount))
	}
	return b, nil
}
