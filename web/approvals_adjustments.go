package web

import (
	"context"

	"daybook/recon"
	"daybook/store"
	"daybook/store/ledger"
	"daybook/templates"
)

// adjustmentRow is an entry that settles a break in the queue, with what it moves the account of the break by.
func (s *server) adjustmentRow(a store.Approval, names map[string]ledger.Account) templates.ApprovalRow {
	row := s.requestRow(a)
	row.Title, row.Description = "Settle break "+templates.NameOfBreak(a.Adjustment.BreakID), a.Adjustment.Entry.Description
	account := names[a.Adjustment.Account]
	row.Account, row.AmountMinor, row.Currency = account.Code+" "+account.Name, sumByAccount(a.Adjustment.Entry.Postings)[account.Code], account.Currency
	return row
}

// fillAdjustment adds the entry, and whether the break still waits for it.
func (s *server) fillAdjustment(ctx context.Context, actor store.Actor, a store.Approval, detail *templates.ApprovalDetail) error {
	asked := a.Adjustment
	names, err := s.accountsOf(ctx, actor, asked.Entry.Postings)
	if err != nil {
		return err
	}
	detail.ApprovalRow = s.adjustmentRow(a, names)
	detail.Adjustment = &templates.AdjustmentView{
		BreakID: asked.BreakID, Resolution: asked.Resolution, TxID: asked.Entry.TxID, EffectiveOn: asked.Entry.EffectiveOn, Description: asked.Entry.Description,
		Postings: postingsView(actor.Book, names, asked.Entry.Postings),
	}
	if a.Status != store.Pending {
		return nil
	}
	b, _, err := s.Store.Break(ctx, actor, asked.BreakID)
	if err != nil {
		return err
	}
	waits := b.ApprovalID == a.ID
	detail.Checks = []templates.ApprovalCheck{{
		What: "Break " + templates.NameOfBreak(b.ID), AtRequest: recon.WaitingForApproval.Label(), Now: inEither(waits, recon.WaitingForApproval.Label(), b.Status.Label()), Holds: waits,
	}}
	periods, err := s.periodChecks(ctx, actor, asked.Entry.EffectiveOn)
	if err != nil {
		return err
	}
	detail.Checks = append(detail.Checks, periods...)
	detail.Effects, err = s.effects(ctx, actor, effect{replacement: asked.Entry.Postings, on: laterOf(s.today(), asked.Entry.EffectiveOn)})
	return err
}
