package ledger

import (
	"maps"
	"slices"
)

// effect is what an entry does to the kept totals: the new values of all that it touches.
type effect struct {
	totals     map[string]Turnover
	currencies map[string]int64
	on         Date
	moved      map[string]int64 // by account code, for NoNegative accounts: by how much on that day
}

// effectOf computes the totals as they would be. Errors: KindAmountOverflow, KindInsufficientFunds.
func (a *appender) effectOf(e Entry) (effect, error) {
	ef := effect{totals: map[string]Turnover{}, currencies: map[string]int64{}, on: e.EffectiveOn, moved: map[string]int64{}}
	for i, p := range e.Postings {
		total, seen := ef.totals[p.Account]
		if !seen {
			total = a.facts.Totals[p.Account]
		}
		total, ok := total.Add(p.AmountMinor)
		if !ok {
			return effect{}, Refuse(KindAmountOverflow, "the turnover of account %s would be beyond the largest amount", p.Account).
				At(postingField(i, "amount"), "takes the turnover of account %s beyond %s", p.Account, FormatAmount(MaxAmountMinor, p.Currency))
		}
		ef.totals[p.Account] = total
		if p.AmountMinor > 0 {
			if err := ef.addCurrency(a.facts.Currencies, i, p); err != nil {
				return effect{}, err
			}
		}
		if a.facts.Accounts[p.Account].NoNegative {
			ef.moved[p.Account] += p.AmountMinor // bounded by the turnover checked above
		}
	}
	return ef, a.checkFunds(ef)
}

func (ef effect) addCurrency(before map[string]int64, i int, p Posting) error {
	sum, seen := ef.currencies[p.Currency]
	if !seen {
		sum = before[p.Currency]
	}
	sum, ok := Add(sum, p.AmountMinor)
	if !ok {
		return Refuse(KindAmountOverflow, "the turnover of the book in %s would be beyond the largest amount", p.Currency).
			At(postingField(i, "amount"), "takes the turnover of the book beyond %s", FormatAmount(MaxAmountMinor, p.Currency))
	}
	ef.currencies[p.Currency] = sum
	return nil
}

// checkFunds refuses a balance on the abnormal side of a NoNegative account, on the day of the entry or any later one.
func (a *appender) checkFunds(ef effect) error {
	for _, code := range slices.Sorted(maps.Keys(ef.moved)) {
		account := a.facts.Accounts[code]
		if day, lacks := a.facts.Days[code].lack(account.Type, ef.on, ef.moved[code]); lacks {
			return Refuse(KindInsufficientFunds, "account %s would have a balance of %s %s on %s", code,
				FormatAmount(day.BalanceMinor, account.Currency), account.Currency, day.On).
				At("postings", "account %s may not go to the other side of zero; on %s it would stand at %s", code, day.On, FormatAmount(day.BalanceMinor, account.Currency))
		}
	}
	return nil
}

func (ef effect) apply(f *Facts) {
	maps.Copy(f.Totals, ef.totals)
	maps.Copy(f.Currencies, ef.currencies)
	for code, amountMinor := range ef.moved {
		f.Days[code] = f.Days[code].Add(ef.on, amountMinor)
	}
}
