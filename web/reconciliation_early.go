package web

import (
	"slices"

	"daybook/store"
	"daybook/templates"
)

// earlyView names the entries that a proof counts and no break holds, nil for none.
func earlyView(r store.Reconciliation) *templates.EarlyPostings {
	if r.Early == nil {
		return nil
	}
	view := &templates.EarlyPostings{Before: r.Early.Before, Count: r.Early.Postings, AmountMinor: r.Early.AmountMinor, Currency: r.Account.Currency}
	for _, p := range r.Early.First {
		if !slices.Contains(view.Entries, p.Seq) {
			view.Entries = append(view.Entries, p.Seq)
		}
	}
	return view
}
