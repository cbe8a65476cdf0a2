package web

import (
	"context"
	"slices"

	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
	"daybook/templates/ui"
)

// periodChangeRow is the closing or reopening of a period in the queue.
func (s *server) periodChangeRow(a store.Approval) templates.ApprovalRow {
	row := s.requestRow(a)
	row.Title, row.Description = "Close "+templates.NameOfPeriod(a.PeriodChange.Period), "Entries dated in it are refused from then on"
	if a.Kind == store.KindPeriodReopen {
		row.Title, row.Description = "Reopen "+templates.NameOfPeriod(a.PeriodChange.Period), "Entries dated in it are taken again"
	}
	return row
}

// fillPeriodChange adds what the period holds now, and what is left to do in it.
func (s *server) fillPeriodChange(ctx context.Context, actor store.Actor, a store.Approval, detail *templates.ApprovalDetail) error {
	found, err := s.Store.Period(ctx, actor, a.PeriodChange.Period)
	if err != nil {
		return err
	}
	closes := a.Kind == store.KindPeriodClose
	detail.ApprovalRow = s.periodChangeRow(a)
	detail.PeriodChange = &templates.PeriodChangeView{
		PeriodRow: s.periodRow(actor, found.PeriodSummary), Closes: closes, Notes: s.periodNotes(formatOf(actor), bookView(actor.Book), found),
	}
	// The request is this one: it needs no link to itself.
	detail.PeriodChange.RequestID = 0
	if a.Status == store.Pending && closes {
		recorded, err := s.Store.RecordedSince(ctx, actor, a.PeriodChange.Period, a.RequestedAt)
		if err != nil {
			return err
		}
		if recorded > 0 {
			note := templates.PeriodNote{
				Name: "Since it was asked", Chip: ui.Chip{Text: formatOf(actor).Plural(int(recorded), "entry", "entries") + " recorded", Tone: ui.Warn},
				Text: "Dated in the month: who asked has not seen them.",
			}
			detail.PeriodChange.Notes = append([]templates.PeriodNote{note}, detail.PeriodChange.Notes...)
		}
	}
	if a.Status == store.Pending {
		detail.Checks = []templates.ApprovalCheck{{
			What: templates.NameOfPeriod(a.PeriodChange.Period), AtRequest: inEither(closes, "Open", "Closed"), Now: inEither(found.Closed(), "Closed", "Open"), Holds: found.Closed() != closes,
		}}
	}
	return nil
}

// periodChecks say of the days on which entries are to be dated whether their periods are still open.
func (s *server) periodChecks(ctx context.Context, actor store.Actor, days ...ledger.Date) ([]templates.ApprovalCheck, error) {
	var periods []ledger.Period
	for _, day := range days {
		periods = append(periods, ledger.PeriodOf(day))
	}
	closed, err := s.Store.ClosedPeriods(ctx, actor, periods...)
	if err != nil {
		return nil, err
	}
	var checks []templates.ApprovalCheck
	for _, period := range slices.Compact(periods) {
		is := slices.Contains(closed, period)
		checks = append(checks, templates.ApprovalCheck{What: "Period " + templates.NameOfPeriod(period), AtRequest: "Open", Now: inEither(is, "Closed", "Open"), Holds: !is})
	}
	return checks, nil
}
