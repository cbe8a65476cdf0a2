package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// filterFields are those of an address that say which breaks are listed.
var filterFields = []string{"type", "status", "owner", "age", "q", "after"}

// readBreakQuery reads which breaks of a reconciliation are listed. What is no filter finds nothing, or is passed over.
func readBreakQuery(r store.Reconciliation, query url.Values, format ui.Format, today ledger.Date) store.BreakQuery {
	q := store.BreakQuery{
		ReconciliationID: r.ID, Type: recon.BreakType(query.Get("type")), Standing: store.Standing(query.Get("status")), Text: strings.TrimSpace(query.Get("q")),
		After: int(cursor(query.Get("after"))), Limit: itemsShown,
	}
	if owner := store.BreakOwner(query.Get("owner")); owner == store.OwnedByMe || owner == store.OwnedByNobody {
		q.Owner = owner
	}
	if query.Get("age") != "" {
		q.Before = oldBefore(today)
	}
	if minor, err := format.ParseAmount(q.Text, r.Account.Currency); err == nil && q.Text != "" {
		q.AmountMinor = &minor
	}
	return q
}

// oldBefore is the day before which a break is old.
func oldBefore(today ledger.Date) ledger.Date {
	return ledger.DateOf(today.Time().AddDate(0, 0, -templates.OldDays))
}

// showFilter tells the page its filter.
func showFilter(view *templates.Reconciliation, q store.BreakQuery) {
	view.Type, view.Status, view.Owner, view.Old = q.Type, string(q.Standing), string(q.Owner), !q.Before.IsZero()
	view.Text, view.After = q.Text, q.After
}

// listAddress is the list with the filter of an address, at a row.
func listAddress(book templates.Book, id int64, query url.Values, at int64) string {
	kept := url.Values{}
	for name, values := range query {
		if slices.Contains(filterFields, name) && values[0] != "" {
			kept.Set(name, values[0])
		}
	}
	fragment := ""
	if at != 0 {
		kept.Set("at", strconv.FormatInt(at, 10))
		fragment = "#b-" + strconv.FormatInt(at, 10)
	}
	address := book.ReconciliationURL(id)
	if len(kept) > 0 {
		address += "?" + kept.Encode()
	}
	return address + fragment
}

// ageKinds adds to the kinds of breaks how old their oldest is, and counts the views.
func ageKinds(view *templates.Reconciliation, facets []store.BreakFacet, today ledger.Date) {
	view.Views = &templates.BreakViews{}
	for _, f := range facets {
		for i, k := range view.Kinds {
			if k.Type == f.Type && k.Status == string(f.Standing) {
				view.Kinds[i].OldestDays = max(k.OldestDays, f.Since.DaysUntil(today))
			}
		}
		if f.Mine {
			view.Views.Mine += f.Breaks
		}
		if f.Nobodys {
			view.Views.Nobodys += f.Breaks
		}
		if f.Old {
			view.Views.Old += f.Breaks
		}
	}
}
