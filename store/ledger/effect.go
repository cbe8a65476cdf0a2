package ledger

import (
	"maps"
	"slices"
)

// effect is what an entry does to the kept totals: the new values of all that it touches.
type effect struct {
	totals     map[string]Turnover
	days       map[string]map[Date]int64
	currencies map[string]int64
}

// effectOf computes the totals as they would be. Errors: KindAmountOverflow, KindInsufficientFunds.
func (a *appender) effectOf(e Entry) (effect, error) {
	ef := effect{totals: map[string]Turnover{}, days: map[string]map[Date]int64{}, currencies: map[string]int64{}}
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
			if ef.days[p.Account] == nil {
				ef.days[p.Account] = map[Date]int64{}
				maps.Copy(ef.days[p.Account], a.facts.Days[p.Account])
			}
			ef.days[p.Account][e.EffectiveOn] += p.AmountMinor // bounded by the turnover checked above
		}
	}
	return ef, a.checkFunds(e, ef)
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
// Earlier days do not change; a lack that was there before on a later day is not made worse by an entry that adds.
func (a *appender) checkFunds(e Entry, ef effect) error {
	for _, code := range slices.Sorted(maps.Keys(ef.days)) {
		account := a.facts.Accounts[code]
		var balance, before int64
		for _, day := range slices.SortedFunc(maps.Keys(ef.days[code]), Date.Compare) {
			balance += ef.days[code][day]
			before += a.facts.Days[code][day]
			if day.Before(e.EffectiveOn) || !abnormal(account.Type, balance) || !worse(account.Type, before, balance) {
				continue
			}
			return Refuse(KindInsufficientFunds, "account %s would have a balance of %s %s on %s", code,
				FormatAmount(balance, account.Currency), account.Currency, day).
				At("postings", "account %s may not go to the other side of zero; on %s it would stand at %s", code, day, FormatAmount(balance, account.Currency))
		}
	}
	return nil
}

func abnormal(t AccountType, balanceMinor int64) bool {
	return t.DebitNormal() && balanceMinor < 0 || !t.DebitNormal() && balanceMinor > 0
}

func worse(t AccountType, before, after int64) bool {
	return t.DebitNormal() && after < before || !t.DebitNormal() && after > before
}

func (ef effect) apply(f *Facts) {
	maps.Copy(f.Totals, ef.totals)
	maps.Copy(f.Currencies, ef.currencies)
	maps.Copy(f.Days, ef.days)
}
