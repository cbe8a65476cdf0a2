package templates

import (
	"strings"

	"daybook/store/ledger"
	"daybook/templates/ui"
)

// BankSide is a statement line as the other side of a posting.
type BankSide struct {
	StatementID int64
	Row         int
	Date        ledger.Date
	Description string
	Reference   string
	AmountMinor int64
	Currency    string
}

// LedgerSide is a posting as the other side of a statement line.
type LedgerSide struct {
	Seq         int64
	Line        int
	TxID        string
	Date        ledger.Date
	Description string
	AmountMinor int64
	Currency    string
}

// sidesShown bounds what one cell shows of a group; the page of the break shows all.
const sidesShown = 4

func shown[S any](sides []S, count int) []S { return sides[:min(len(sides), count)] }

// pairOfAmounts is set where one line stands against one posting in the same currency, so that digits can be compared.
type pairOfAmounts struct{ bankMinor, ledgerMinor int64 }

func (p *pairOfAmounts) bank() *int64 {
	if p == nil {
		return nil
	}
	return &p.bankMinor
}

func (p *pairOfAmounts) ledger() *int64 {
	if p == nil {
		return nil
	}
	return &p.ledgerMinor
}

func pairOf(bank []BankSide, postings []LedgerSide) *pairOfAmounts {
	if len(bank) != 1 || len(postings) != 1 || bank[0].Currency != postings[0].Currency {
		return nil
	}
	return &pairOfAmounts{bankMinor: bank[0].AmountMinor, ledgerMinor: postings[0].AmountMinor}
}

// joined writes what is known, leaving out what is not.
func joined(all ...string) string {
	known := all[:0:0]
	for _, fact := range all {
		if fact != "" {
			known = append(known, fact)
		}
	}
	return strings.Join(known, " · ")
}

// sentence begins with a capital.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func money(minor int64, currency string) *ui.Money {
	return &ui.Money{Minor: minor, Currency: currency}
}
