package web

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
	"daybook/web/api"
)

// reversal is the entry that is to be reversed, and every request to do so.
type reversal struct {
	subject  store.Receipt
	requests []store.Approval
}

func (s *server) readReversal(c echo.Context, actor store.Actor) (r reversal, err error) {
	seq, err := api.PathNumber(c, "seq", "entry")
	if err != nil {
		return r, err
	}
	if r.subject, err = s.Store.Entry(c.Request().Context(), actor, seq); err != nil {
		return r, err
	}
	r.requests, _, err = s.Store.Approvals(c.Request().Context(), actor, store.ApprovalFilter{SubjectSeq: seq})
	return r, err
}

// impossible says why the entry cannot be reversed, with what stands in the way; "" when it can.
func (r reversal) impossible(f ui.Format, book templates.Book) (why string, by ui.Link) {
	pending := slices.IndexFunc(r.requests, isPending)
	switch {
	case r.subject.Kind == ledger.Reversal:
		return "It is a reversal itself. Post a new entry instead.",
			ui.Link{Text: "Open " + f.Seq(r.subject.Reverses), Href: book.EntryURL(r.subject.Reverses)}
	case r.subject.ReversedBy != 0:
		return "It was reversed before, and an entry is reversed at most once.",
			ui.Link{Text: "Open " + f.Seq(r.subject.ReversedBy), Href: book.EntryURL(r.subject.ReversedBy)}
	case pending >= 0:
		id := r.requests[pending].ID
		return "A reversal of it waits for approval already.", ui.Link{Text: "Open " + templates.NameOfApproval(id), Href: book.RequestURL(id)}
	}
	return "", ui.Link{}
}

// readable gives the lines of a replacement as far as they can be read, to show what they would do.
func readable(format ui.Format, lines []ui.Line, accounts []ui.AccountChoice) []ledger.Posting {
	currencies := map[string]string{}
	for _, a := range accounts {
		currencies[a.Code] = a.Currency
	}
	var postings []ledger.Posting
	for _, line := range lines {
		currency := currencies[line.Account]
		for sign, text := range map[int64]string{1: line.Debit, -1: line.Credit} {
			if minor, err := format.ParseAmount(text, currency); err == nil {
				postings = append(postings, ledger.Posting{Account: line.Account, AmountMinor: sign * minor, Currency: currency})
			}
		}
	}
	return postings
}

// effect is what would be posted, to show what it does to balances at the end of a day.
type effect struct {
	reversal, replacement []ledger.Posting
	on                    ledger.Date
}

// effects tells for each account touched its balance now and after. What is beyond the largest amount is left out: the rules
// refuse it by themselves.
func (s *server) effects(ctx context.Context, actor store.Actor, change effect) ([]templates.BalanceEffect, error) {
	balances, err := s.Store.Balances(ctx, actor, store.BalanceQuery{AsOf: change.on})
	if err != nil {
		return nil, err
	}
	reversed, replaced := sumByAccount(change.reversal), sumByAccount(change.replacement)
	var effects []templates.BalanceEffect
	for _, account := range balances.Accounts {
		_, first := reversed[account.Code]
		_, second := replaced[account.Code]
		if !first && !second {
			continue
		}
		e := templates.BalanceEffect{
			Account:  ui.Account{Code: account.Code, Name: account.Name, Href: bookView(actor.Book).AccountURL(account.Code)},
			Currency: account.Currency, NowMinor: account.BalanceMinor(), ReversalMinor: reversed[account.Code], ReplacementMinor: replaced[account.Code],
		}
		after, ok := ledger.Add(e.NowMinor, e.ReversalMinor)
		after, fits := ledger.Add(after, e.ReplacementMinor)
		if e.AfterMinor = after; ok && fits {
			effects = append(effects, e)
		}
	}
	return effects, nil
}

func sumByAccount(postings []ledger.Posting) map[string]int64 {
	sums := map[string]int64{}
	for _, p := range postings {
		if sum, ok := ledger.Add(sums[p.Account], p.AmountMinor); ok {
			sums[p.Account] = sum
		}
	}
	return sums
}

// breaksOf names the open breaks that hold a posting of an entry.
func (s *server) breaksOf(ctx context.Context, actor store.Actor, seq int64) ([]templates.BreakName, error) {
	notes, err := s.Store.OpenBreaksOf(ctx, actor, seq)
	if err != nil {
		return nil, err
	}
	names := make([]templates.BreakName, len(notes))
	for i, n := range notes {
		names[i] = templates.BreakName{ID: n.ID, Type: n.Type, Why: n.Why}
	}
	return names, nil
}
